// The verdict on a call: the one pure place where it is decided what a call may do.
import { hostOf } from "./address.ts";
import { dangersOf } from "./danger.ts";
import type { Mode } from "../base/modes.ts";
import { defaultFor } from "./modes.ts";
import { hidesProgram } from "./parts.ts";
import { isInside, isProtected, isSecret } from "./paths.ts";
import { namedPaths } from "./named-paths.ts";
import { literalPattern, matches, type Rule } from "./rules.ts";
import { safeReads } from "./safe.ts";
import type { Touch } from "./touch.ts";

/** What the person is asked: the part that made it a question, why, and the narrowest rule that would answer it. */
export type Question = {
  /** Null where a rule asks about a tool that touches nothing. */
  touch: Touch | null;
  because: string;
  /** A rule as `--allow` takes it: `bash(npm test)`. */
  offer: string;
  /** True for the irreversible and the secret: asked in every mode, refused where nobody is there to ask. */
  floor: boolean;
};

export type Verdict =
  | { kind: "allow"; by: "rule" | "mode" | "grant"; because: string }
  | { kind: "ask"; question: Question }
  | { kind: "deny"; by: "rule" | "mode"; because: string };

export type Policy = {
  mode: Mode;
  /** User file first, then flags. A deny rule wins over everything; else the last allow or ask rule that matches. */
  rules: readonly Rule[];
  /** What a person allowed for the rest of this session. */
  grants: readonly Rule[];
  /** Real paths of the folders burin works in. */
  workspace: readonly string[];
  /** The real path behind a path, links resolved part by part, also where the last parts do not exist yet. */
  real(path: string): string;
};

/** Judges every touch by itself, also the reads of commands that only look; the most severe is the call's. */
export function decide(tool: string, touches: readonly Touch[], policy: Policy): Verdict {
  const [first, ...others] = touches
    .flatMap((touch) => [touch, ...readsOf(touch)])
    .map((touch) => judge(tool, touch, policy));
  if (first === undefined) return withoutTouches(tool, policy);
  return others.reduce((worst, next) => (severity(next) > severity(worst) ? next : worst), first);
}

/** Of a tool that touches nothing only rules by its own name speak, and those about all. */
function withoutTouches(tool: string, { rules }: Policy): Verdict {
  const hits = rules.filter(
    ({ subject, pattern }) => pattern === null && [tool, "all", "*"].includes(subject),
  );
  const denied = hits.findLast(({ decision }) => decision === "deny");
  if (denied) {
    return { kind: "deny", by: "rule", because: `the rule deny ${denied.text} forbids it` };
  }
  const last = hits.at(-1);
  if (last?.decision !== "ask") return { kind: "allow", by: "mode", because: "it touches nothing" };
  const because = `the rule ask ${last.text}`;
  return { kind: "ask", question: { touch: null, because, offer: tool, floor: false } };
}

/** A question of the floor outweighs a plain one: nobody's yes to the latter is a yes to both. */
function severity(verdict: Verdict): number {
  switch (verdict.kind) {
    case "allow":
      return 0;
    case "ask":
      return verdict.question.floor ? 2 : 1;
    case "deny":
      return 3;
  }
}

function readsOf(touch: Touch): Touch[] {
  if (touch.kind !== "run" || isTooLong(touch)) return [];
  return (safeReads(touch.command, touch.cwd) ?? []).map((path) => ({ kind: "read", path }));
}

/**
 * Looking through a command takes time that can grow with the square of its length: an endless one must not stop the
 * process, nor may it slip past a rule unread.
 */
const MAX_COMMAND_CHARS = 32_000;
const TOO_LONG = `a command of more than ${MAX_COMMAND_CHARS} characters cannot be looked through: write it to a file with write, then run the file`;

function denying(hits: readonly Rule[], touch: Touch, policy: Policy): Verdict | null {
  const rule = hits.findLast(({ decision }) => decision === "deny") ?? deniedPath(touch, policy);
  return rule === undefined
    ? null
    : { kind: "deny", by: "rule", because: `the rule deny ${rule.text} forbids it` };
}

function isTooLong(touch: Touch): boolean {
  return touch.kind === "run" && touch.command.length > MAX_COMMAND_CHARS;
}

/** Deny rules, then the safety floor, then allow and ask rules, then grants, then the mode's default. */
function judge(tool: string, touch: Touch, policy: Policy): Verdict {
  if (isTooLong(touch)) return { kind: "deny", by: "mode", because: TOO_LONG };
  const hits = policy.rules.filter((rule) => matches(rule, tool, touch, policy));
  const denied = denying(hits, touch, policy);
  if (denied !== null) return denied;
  const last = hits.findLast((rule) => rule.decision !== "deny");
  const named = last?.decision === "allow" ? namedDangers(last, touch, policy) : [];
  const floor = floorReasons(touch, policy).find((reason) => !named.includes(reason));
  if (floor !== undefined) return ask(tool, touch, policy, { because: floor, floor: true });
  if (last?.decision === "allow") {
    return { kind: "allow", by: "rule", because: `the rule allow ${last.text} permits it` };
  }
  if (last) {
    return ask(tool, touch, policy, { because: `the rule ask ${last.text}`, floor: false });
  }
  const grant = policy.grants.find((rule) => matches(rule, tool, touch, policy));
  if (grant) return { kind: "allow", by: "grant", because: `${grant.text} was allowed` };
  return byMode(tool, touch, policy);
}

/** The rule about files that forbids one which the command names; any word may be read or changed. */
function deniedPath(touch: Touch, policy: Policy): Rule | undefined {
  if (touch.kind !== "run") return undefined;
  const rules = policy.rules.filter(
    ({ decision, subject, pattern }) =>
      decision === "deny" &&
      FILE_SUBJECTS.has(subject) &&
      (pattern !== null || subject === "write"),
  );
  if (rules.length === 0) return undefined;
  const named = namedPaths(touch.command, touch.cwd);
  return rules.findLast((rule) =>
    named.some((path) => {
      // A rule without a pattern forbids all changes: only a redirection is surely one.
      if (rule.pattern === null) return path.kind === "write";
      return path.kind === "read" || path.kind === "write"
        ? matches({ ...rule, subject: path.kind }, rule.subject, path, policy)
        : false;
    }),
  );
}

const FILE_SUBJECTS: ReadonlySet<string> = new Set(["read", "write", "edit"]);

function floorReasons(touch: Touch, policy: Policy): string[] {
  switch (touch.kind) {
    case "run":
      return [
        ...dangersOf(touch.command),
        ...hiddenReasons(touch.command, policy),
        ...new Set(
          namedPaths(touch.command, touch.cwd).flatMap((path) => floorReasons(path, policy)),
        ),
      ];
    case "read":
      return isSecret(policy.real(touch.path)) ? ["the file may hold credentials"] : [];
    case "write":
      return isProtected(policy.real(touch.path)) ? ["the path steers git or burin itself"] : [];
    case "fetch":
    case "call":
      return [];
  }
}

/** Where a rule forbids some commands, a program that cannot be told might be one of them. */
function hiddenReasons(command: string, { rules }: Policy): string[] {
  const hasDenied = rules.some(
    ({ decision, subject }) => decision === "deny" && ["bash", "all", "*"].includes(subject),
  );
  return hasDenied && hidesProgram(command)
    ? ["which program it runs cannot be told, and a rule forbids some"]
    : [];
}

/** What is dangerous in the rule's own words: this it lifts. */
function namedDangers({ names, isExact }: Rule, touch: Touch, policy: Policy): string[] {
  const asWritten: Policy = { ...policy, real: (path) => path };
  switch (touch.kind) {
    case "run":
      return floorReasons({ ...touch, command: isExact ? touch.command : names }, asWritten);
    case "read":
    case "write":
      return floorReasons({ ...touch, path: names }, asWritten);
    case "fetch":
    case "call":
      return [];
  }
}

function byMode(tool: string, touch: Touch, policy: Policy): Verdict {
  const { area, text } = areaOf(touch, policy);
  const outcome = defaultFor(policy.mode, area);
  const because = `${text} in mode ${policy.mode}`;
  if (outcome === "allow") return { kind: "allow", by: "mode", because };
  if (outcome === "deny") {
    return { kind: "deny", by: "mode", because: `mode ${policy.mode} does not allow ${text}` };
  }
  return ask(tool, touch, policy, { because, floor: false });
}

function areaOf(
  touch: Touch,
  policy: Policy,
): { area: Parameters<typeof defaultFor>[1]; text: string } {
  switch (touch.kind) {
    case "read":
      return isInside(policy.real(touch.path), policy.workspace)
        ? { area: "readInside", text: "reading in the workspace" }
        : { area: "readOutside", text: "reading outside the workspace" };
    case "write":
      return isInside(policy.real(touch.path), policy.workspace)
        ? { area: "writeInside", text: "changing a file in the workspace" }
        : { area: "writeOutside", text: "changing a file outside the workspace" };
    case "run":
      return safeReads(touch.command, touch.cwd)
        ? { area: "runSafe", text: "a command that only looks" }
        : { area: "run", text: "running a command" };
    case "fetch":
    case "call":
      return { area: "remote", text: "reaching a server" };
  }
}

function ask(
  tool: string,
  touch: Touch,
  policy: Policy,
  why: { because: string; floor: boolean },
): Verdict {
  return { kind: "ask", question: { touch, offer: offerFor(tool, touch, policy), ...why } };
}

/** The narrowest rule that would have answered: this very command, this very file, this host. */
function offerFor(tool: string, touch: Touch, policy: Policy): string {
  switch (touch.kind) {
    case "run":
      return `${tool}(${literalPattern(touch.command)})`;
    case "read":
    case "write": {
      const real = policy.real(touch.path);
      const [root] = policy.workspace.length === 1 ? policy.workspace : [];
      const isRelative = root !== undefined && isInside(real, [root]);
      const shown = isRelative ? real.slice(root.length).replace(/^\//, "") : real;
      return `${touch.kind}(${shown === "" ? "." : literalPattern(shown)})`;
    }
    case "fetch":
      return `${tool}(${literalPattern(hostOf(touch.url))})`;
    case "call":
      return `mcp:${touch.server}:${touch.tool}`;
  }
}
