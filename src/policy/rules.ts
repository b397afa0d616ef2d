// Rules: `tool`, `tool(glob)`, `tool(/regex/)`, read from flags and the config file and matched against touches.
import { invalid, ok, type Result } from "../base/failure.ts";
import { globSource } from "./glob.ts";
import { addressText, spelledAddresses } from "./address.ts";
import { isInside } from "./paths.ts";
import { commandParts, isWrapped } from "./parts.ts";
import { plainCommands, type Simple } from "./plain.ts";
import type { Touch } from "./touch.ts";

export type Decision = "allow" | "ask" | "deny";

export type Rule = {
  decision: Decision;
  /** As written, for messages. */
  text: string;
  /** A tool's name, or a group: `read`, `write`, `all`, `mcp:server:tool`. */
  subject: string;
  pattern: RegExp | null;
  /** The same for web addresses, which have their own spelling. */
  address: RegExp | null;
  /** The pattern's literal text, without its signs: only what it says by name lifts the safety floor. */
  names: string;
  /** The pattern has no signs: it matches one text alone. */
  isExact: boolean;
};

/** What the matcher needs of the policy. */
type Ground = { workspace: readonly string[]; real(path: string): string };

const SHAPE = /^(\*|[a-z_][\w:.*-]*)(?:\(([\s\S]*)\))?$/i;

export function parseRule(decision: Decision, text: string): Result<Rule> {
  const hit = SHAPE.exec(text.trim());
  const subject = hit?.[1];
  if (subject === undefined) {
    return invalid(
      `the ${decision} rule ${JSON.stringify(text)} is not of the form tool or tool(pattern), such as bash(npm test)`,
    );
  }
  const body = hit?.[2];
  const rule = { decision, text: text.trim(), subject: subjectOf(subject) };
  if (body === undefined) {
    return ok({ ...rule, pattern: null, address: null, names: "", isExact: false });
  }
  const regex = /^\/([\s\S]+)\/$/.exec(body)?.[1];
  if (regex === undefined) return ok({ ...rule, ...globOf(rule, body) });
  try {
    const pattern = new RegExp(regex);
    return ok({ ...rule, pattern, address: pattern, names: namesIn(regex), isExact: false });
  } catch {
    return invalid(
      `the pattern of the ${decision} rule ${text} is not a valid regular expression: correct it or remove the rule`,
    );
  }
}

/** Servers and their tools keep their case; everything else has none. */
function subjectOf(written: string): string {
  return /^mcp:/i.test(written) ? `mcp:${written.slice(4)}` : written.toLowerCase();
}

/** What a regular expression says by name: without its signs. */
function namesIn(regex: string): string {
  return regex
    .replaceAll(/\\s[+*]?/g, " ")
    .replaceAll(/\\[bBdDwWS]|[.][*+?]|[\\^$*+?()[\]{}]/g, "");
}

type Glob = Pick<Rule, "pattern" | "address" | "names" | "isExact">;

/** A rule for all tools that forbids reads its `*` as any text: rather too much than too little. */
function globOf({ subject, decision }: Pick<Rule, "subject" | "decision">, body: string): Glob {
  const isCommand = subject === "bash" || (isAll(subject) && decision !== "allow");
  // An allow rule is taken to the letter: a space at its end may be part of the one command that was asked for.
  const glob = decision === "allow" ? body : body.trim();
  return {
    pattern: isCommand ? commandGlob(glob) : pathGlob(glob),
    address: isAll(subject) ? commandGlob(addressText(glob)) : pathGlob(addressText(glob)),
    names: glob.replaceAll(/\\([*?\\/])|[*?]+/g, "$1"),
    isExact: !/(?<!\\)(?:\\\\)*[*?]/.test(glob),
  };
}

function isAll(subject: string): boolean {
  return subject === "all" || subject === "*";
}

/** `*` is any text, `?` one character, a backslash makes them plain; `npm run *` matches `npm run` as well. */
function commandGlob(body: string): RegExp {
  const open = body.endsWith(" *") && !body.endsWith("\\ *");
  const glob = (open ? body.slice(0, -2) : body).replaceAll(/(?<!\\)\*{2,}/g, "*");
  const source = globSource(glob, { "*": "[^]*", "?": "[^]" });
  return new RegExp(`^${source}${open ? "( [^]*)?" : ""}$`);
}

/** `*` stays within a folder, `**` does not, `?` is one character; `folder/` and `folder/**` are it and all below. */
function pathGlob(body: string): RegExp {
  const signs = { "**/": "(?:[^]*/)?", "**": "[^]*", "*": "[^/]*", "?": "[^/]" };
  const glob = body.replace(/^\.\//, "");
  const folder = /^([^]*[^/\\])\/(?:\*\*)?$/.exec(glob)?.[1];
  return folder === undefined
    ? new RegExp(`^${globSource(glob, signs)}$`)
    : new RegExp(`^${globSource(folder, signs)}(?:/[^]*)?$`);
}

/** The text as a pattern that matches exactly it, also where it looks like a regular expression or a folder. */
export function literalPattern(text: string): string {
  const escaped = text.replaceAll(/[*?\\]|\/$/g, "\\$&");
  return /^\/[\s\S]+\/$/.test(text) ? `\\${escaped}` : escaped;
}

/** Whether the rule speaks of this touch. A deny or ask rule needs one part of a command, an allow rule all of it. */
export function matches(rule: Rule, tool: string, touch: Touch, ground: Ground): boolean {
  if (!speaksOf(rule.subject, tool, touch)) return false;
  const { pattern, address } = rule;
  if (pattern === null || address === null) return true;
  switch (touch.kind) {
    case "run":
      return rule.decision === "allow"
        ? allowsCommand(rule, pattern, touch.command)
        : [touch.command, ...commandParts(touch.command)].some((part) => pattern.test(part));
    case "read":
    case "write":
      return spellings(rule, touch.path, ground).some((path) => pattern.test(path));
    case "fetch":
      return spelledAddresses(touch.url, rule.decision).some((each) => address.test(each));
    case "call":
      return pattern.test(`${touch.server}:${touch.tool}`);
  }
}

function speaksOf(subject: string, tool: string, touch: Touch): boolean {
  if (isAll(subject) || subject === tool) return true;
  if (subject === "read" || subject === "write") return touch.kind === subject;
  if (touch.kind !== "call") return false;
  const { server } = touch;
  return [`mcp:${server}`, `mcp:${server}:*`, "mcp:*", `mcp:${server}:${touch.tool}`].includes(
    subject,
  );
}

/** One text allows itself; a pattern allows only lines that are plain, every command of which it matches. */
function allowsCommand(rule: Rule, pattern: RegExp, line: string): boolean {
  if (rule.isExact && pattern.test(line)) return true;
  const commands = plainCommands(line);
  return commands !== null && commands.every((command) => allowsSimple(rule, pattern, command));
}

/** What runs another command is allowed by a pattern only if that names the inner command, or allows everything. */
function allowsSimple({ names }: Rule, pattern: RegExp, { text, words }: Simple): boolean {
  if (!pattern.test(text)) return false;
  if (names.trim() === "") return true;
  if (RUNS_ANOTHER.test(words.join(" ")) && !RUNS_ANOTHER.test(names)) return false;
  return !isWrapped(words) || innerName(names) !== "";
}

/** Options by which programs run or overwrite what their name does not tell. */
const RUNS_ANOTHER =
  /^git .*(?:(?<= )(?:-c|-C|config|--config-env|--exec-path|--exec|-x|--ext-diff|--textconv|--output|--open-files-in-pager|-O|--upload-pack|--receive-pack)\b|\bbisect run\b|\bsubmodule foreach\b)|--(?:compress-program|use-compress-program|checkpoint-action|to-command|rsh|pre)\b|\bsystem\(|(?<= )-(?:exec|execdir|ok|okdir|delete|fprint\w*|fls)\b/;

/** What a rule says after the wrapper itself, its options, numbers and assignments. */
function innerName(names: string): string {
  const [, ...rest] = names.split(/\s+/);
  return rest.find((word) => word !== "" && !/^(?:-|\d|\w+=)/.test(word)) ?? "";
}

/**
 * A path as rules may write it: relative to the workspace and absolute. A rule that forbids also holds for the path as
 * it was given; one that allows only for where it really leads.
 */
function spellings({ decision }: Rule, path: string, ground: Ground): string[] {
  const real = ground.real(path);
  const places = decision === "allow" ? [real] : [...new Set([path, real])];
  const relative = places.flatMap((each) =>
    ground.workspace
      .filter((folder) => isInside(each, [folder]))
      .map((folder) => each.slice(folder.length).replace(/^\//, "") || "."),
  );
  return [...places, ...relative];
}
