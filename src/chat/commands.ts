// The slash commands: one registry from which /help, completion and the documentation come.
import { usd } from "../base/money.ts";
import { nearest } from "../base/nearest.ts";
import { modelLabel } from "../model/model-name.ts";
import { tokenText, wholeCost } from "../session/usage.ts";
import type { Entry } from "./entry.ts";
import { shortPath, tokens } from "./format.ts";
import { step, type State, type Step } from "./state.ts";
import { interject } from "./transcript.ts";

export type Command = {
  name: string;
  aliases: readonly string[];
  /** What follows the name: `[name]`; empty where nothing does. */
  argument: string;
  help: string;
  /** Whether it may run while a turn runs. */
  duringTurn: boolean;
  run(state: State, argument: string): Step;
};

export const COMMANDS: readonly Command[] = [
  {
    name: "help",
    aliases: ["?"],
    argument: "",
    help: "commands and keys",
    duringTurn: true,
    run: (state) => say(state, helpLines()),
  },
  {
    name: "new",
    aliases: ["clear"],
    argument: "[name]",
    help: "start a new session",
    duringTurn: false,
    run: (state, name) =>
      away(state, name === "" ? { kind: "name" } : { kind: "open", choice: { kind: "new", name } }),
  },
  {
    name: "resume",
    aliases: ["sessions"],
    argument: "[id or name]",
    help: "go on with an earlier session",
    duringTurn: false,
    run: (state, ref) =>
      away(
        state,
        ref === "" ? { kind: "pick" } : { kind: "open", choice: { kind: "resume", ref } },
      ),
  },
  {
    name: "session",
    aliases: ["status"],
    argument: "",
    help: "this session: id, file, tokens, cost",
    duringTurn: true,
    run: (state) => say(state, sessionLines(state)),
  },
  {
    name: "todo",
    aliases: ["todos"],
    argument: "",
    help: "the plan of this session",
    duringTurn: true,
    run: (state) => sayPlan(state),
  },
  {
    name: "quit",
    aliases: ["exit", "q"],
    argument: "",
    help: "leave; the session stays",
    duringTurn: true,
    run: (state) => step(state, { kind: "quit" }),
  },
];

export const KEYS: readonly (readonly [string, string])[] = [
  ["Enter", "send; while a turn runs: queue for after it"],
  ["Alt+Enter", "while a turn runs: steer it"],
  ["Shift+Enter, Ctrl+J, \\ Enter", "new line"],
  ["Up, Down", "earlier prompts"],
  ["Esc", "stop the turn"],
  ["Enter (empty input)", "while a failed request waits: send it again now"],
  ["Ctrl+C", "clear the input, stop the turn; twice: quit"],
  ["Ctrl+D", "quit (empty input)"],
  ["Ctrl+O", "unfold a paste, and fold it again"],
  ["Ctrl+L, Ctrl+Z", "redraw, suspend"],
];

export type Slash =
  | { kind: "text" }
  | { kind: "command"; command: Command; argument: string }
  | { kind: "unknown"; name: string; near: string | null };

/** A command is `/name` at the start; `/ text` and `/a/path` are text. */
export function parseSlash(text: string): Slash {
  const found = /^\/([a-z?][\w-]*)(?:\s+([\s\S]*))?$/i.exec(text);
  if (!found) return { kind: "text" };
  const [, name = "", argument = ""] = found;
  const command = COMMANDS.find((each) => namesOf(each).includes(name.toLowerCase()));
  if (command) return { kind: "command", command, argument: argument.trim() };
  return { kind: "unknown", name, near: nearest(name, COMMANDS.flatMap(namesOf)) };
}

export function say(state: State, lines: readonly string[]): Step {
  return tellEntries(state, [{ kind: "card", gap: true, lines }]);
}

function sayPlan(state: State): Step {
  const { plan } = state.feed;
  if (plan.length === 0) return say(state, ["no plan yet"]);
  return tellEntries(state, [{ kind: "plan", gap: true, items: plan }]);
}

export function warn(state: State, text: string): Step {
  return tellEntries(state, [{ kind: "note", gap: true, tone: "warning", text }]);
}

export function tellEntries(state: State, entries: readonly Entry[]): Step {
  const told = interject(state.feed, entries);
  return step({ ...state, feed: told.feed }, { kind: "print", entries: told.entries });
}

function namesOf(command: Command): string[] {
  return [command.name, ...command.aliases];
}

function away(state: State, want: Step["wants"][number]): Step {
  return step({ ...state, phase: { kind: "away" } }, want);
}

function helpLines(): string[] {
  const commands = COMMANDS.map((command): readonly [string, string] => [
    `/${command.name} ${command.argument}`.trim(),
    command.aliases.length === 0
      ? command.help
      : `${command.help} (${command.aliases.map((alias) => `/${alias}`).join(", ")})`,
  ]);
  return ["commands", ...aligned(commands), "", "keys", ...aligned(KEYS)];
}

export function aligned(rows: readonly (readonly [string, string])[]): string[] {
  const room = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(room)}  ${right}`);
}

function sessionLines(state: State): string[] {
  const { session, model, mode, totals, cwd, home } = state.facts;
  const used = (amount: number): string => tokenText(amount, totals, tokens);
  return [
    session.name,
    ...aligned([
      ["id", session.path === null ? "—" : session.id],
      ["file", session.path === null ? "not recorded" : shortPath(session.path, home)],
      ["folder", shortPath(cwd, home)],
      ["model", `${modelLabel(model)} · ${model.auth}`],
      ["mode", mode],
      ["turns", `${totals.turns} · ${totals.rounds} rounds · ${totals.toolCalls} tool calls`],
      [
        "tokens",
        `${used(totals.input)} in (${used(totals.cached)} cached) · ${used(totals.output)} out`,
      ],
      ["cost", usd(wholeCost(totals))],
    ]),
  ];
}
