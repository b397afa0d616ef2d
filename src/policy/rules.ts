// Rules: `tool`, `tool(glob)`, `tool(/regex/)`, read from flags and the config file and matched against touches.
import { broken, ok, type Result } from "../base/failure.ts";
import { isInside } from "./paths.ts";
import { commandParts } from "./parts.ts";
import type { Touch } from "./touch.ts";

export type Decision = "allow" | "ask" | "deny";

export type Rule = {
  decision: Decision;
  /** As written, for messages. */
  text: string;
  /** A tool's name, or a group: `read`, `write`, `all`, `mcp:server:tool`. */
  subject: string;
  pattern: RegExp | null;
  /** False for `tool` and `tool(*)`: such a rule does not lift the safety floor. */
  isSpecific: boolean;
};

/** What the matcher needs of the policy. */
type Ground = { workspace: readonly string[]; real(path: string): string };

const SHAPE = /^([a-z_][\w:.*-]*)(?:\(([\s\S]*)\))?$/i;

export function parseRule(decision: Decision, text: string): Result<Rule> {
  const hit = SHAPE.exec(text.trim());
  const subject = hit?.[1];
  if (subject === undefined) {
    return broken(
      `the ${decision} rule ${JSON.stringify(text)} is not of the form tool or tool(pattern), such as bash(npm test)`,
    );
  }
  const body = hit?.[2];
  const base = { decision, text: text.trim(), subject: subject.toLowerCase() };
  if (body === undefined) return ok({ ...base, pattern: null, isSpecific: false });
  const isSpecific = !/^[*?]*$/.test(body);
  try {
    return ok({ ...base, pattern: patternOf(base.subject, body), isSpecific });
  } catch {
    return broken(
      `the pattern of the ${decision} rule ${text} is not a valid regular expression: correct it or remove the rule`,
    );
  }
}

function patternOf(subject: string, body: string): RegExp {
  const regex = /^\/([\s\S]+)\/$/.exec(body)?.[1];
  if (regex !== undefined) return new RegExp(regex);
  return subject === "bash" ? commandGlob(body) : pathGlob(body);
}

/** `*` is any text, `?` one character, a backslash makes them plain; `npm run *` matches `npm run` as well. */
function commandGlob(body: string): RegExp {
  const open = body.trim().endsWith(" *") && !body.trim().endsWith("\\ *");
  const glob = open ? body.trim().slice(0, -2) : body.trim();
  const source = translate(glob, { "*": "[^]*", "?": "[^]" });
  return new RegExp(`^${source}${open ? "( [^]*)?" : ""}$`);
}

/** `*` stays within a folder, `**` does not, `?` is one character. */
function pathGlob(body: string): RegExp {
  const signs = { "**/": "(?:[^]*/)?", "**": "[^]*", "*": "[^/]*", "?": "[^/]" };
  return new RegExp(`^${translate(body.replace(/^\.\//, ""), signs)}$`);
}

/** Every character for itself, but for the given signs. */
function translate(glob: string, signs: Readonly<Record<string, string>>): string {
  return glob.replaceAll(/\\[*?\\]|\*\*\/|\*\*|[^]/g, (token) => {
    const sign = signs[token];
    if (sign !== undefined) return sign;
    if (token.startsWith("**")) return token.replaceAll("*", signs["*"] ?? "");
    return token.length > 1 ? token : token.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  });
}

/** The text as a pattern that matches exactly it. */
export function literalPattern(text: string): string {
  return text.replaceAll(/[*?\\]/g, "\\$&");
}

/** Whether the rule speaks of this touch. A deny or ask rule needs one part of a command, an allow rule all of it. */
export function matches(rule: Rule, tool: string, touch: Touch, ground: Ground): boolean {
  if (!speaksOf(rule.subject, tool, touch)) return false;
  const { pattern } = rule;
  if (pattern === null) return true;
  switch (touch.kind) {
    case "run":
      return matchesCommand(pattern, touch.command, rule.decision);
    case "read":
    case "write":
      return spellings(touch.path, ground).some((path) => pattern.test(path));
    case "fetch":
      return pattern.test(touch.url) || pattern.test(hostOf(touch.url));
    case "call":
      return pattern.test(`${touch.server}:${touch.tool}`);
  }
}

function speaksOf(subject: string, tool: string, touch: Touch): boolean {
  if (subject === "all" || subject === "*" || subject === tool) return true;
  if (subject === "read" || subject === "write") return touch.kind === subject;
  if (touch.kind !== "call") return false;
  return subject === `mcp:${touch.server}` || subject === `mcp:${touch.server}:${touch.tool}`;
}

function matchesCommand(pattern: RegExp, command: string, decision: Decision): boolean {
  const parts = commandParts(command);
  if (decision !== "allow")
    return pattern.test(command) || parts.some((part) => pattern.test(part));
  if (pattern.test(command.trim()) && parts.length === 1) return true;
  return parts.length > 0 && parts.every((part) => pattern.test(part));
}

/** A path as rules may write it: relative to the workspace and absolute, as given and as it really is. */
function spellings(path: string, ground: Ground): string[] {
  const both = [...new Set([path, ground.real(path)])];
  const relative = both.flatMap((each) =>
    ground.workspace
      .filter((folder) => isInside(each, [folder]))
      .map((folder) => each.slice(folder.length).replace(/^\//, "") || "."),
  );
  return [...both, ...relative];
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "";
}
