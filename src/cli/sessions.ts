// `burin sessions [list]`: the sessions of this folder, the last used first.
import { cut, pad } from "../base/cells.ts";
import { visible } from "../base/plain.ts";
import { isTerminal } from "../host/terminal.ts";
import { listSessions } from "../session/shelf.ts";
import type { Row } from "../session/row.ts";
import { command } from "./command.ts";
import { print, refuse, refuseText } from "./exit.ts";
import { SHELF_FLAGS, shelfFor } from "./shelf.ts";

const NAME_CELLS = 24;
const PROMPT_CELLS = 60;

export const sessionsCommand = command({
  name: "burin sessions",
  summary: "list the sessions of this folder, the last used first",
  usage: ["burin sessions [list] [--json]"],
  args: { json: { type: "boolean", description: "One JSON array" }, ...SHELF_FLAGS },
  extras: { words: 1 },
  examples: ["burin sessions", "burin sessions --json | jq -r '.[0].id'"],
  run: async ({ args, words: [word = "list"] }) => {
    if (word !== "list") {
      return refuseText(`unknown command sessions ${word}; did you mean burin sessions list?`);
    }
    const shelf = await shelfFor(args);
    if (!shelf.ok) return refuse(shelf.failure);
    const rows = listSessions(shelf.value);
    if (args.json) return print(`${JSON.stringify(rows)}\n`);
    // Only a person's eyes need columns: a program needs the whole.
    return print(table(rows, await isTerminal(1)));
  },
});

function table(rows: readonly Row[], isCut: boolean): string {
  if (rows.length === 0) return "no sessions of this folder yet\n";
  return rows.map((row) => `${lineOf(row, isCut)}\n`).join("");
}

function lineOf({ id, name, lastActivity, firstPrompt, problem }: Row, isCut: boolean): string {
  const within = (text: string, cells: number): string => (isCut ? cut(text, cells) : text);
  const when = lastActivity.slice(0, 16).replace("T", " ");
  const called = pad(within(visible(name ?? "unnamed", ""), NAME_CELLS), NAME_CELLS);
  const about = problem === null ? (firstPrompt ?? "") : `unreadable: ${problem}`;
  const shown = within(visible(about, ""), PROMPT_CELLS);
  return `${visible(id, "")}  ${when}  ${called}  ${shown}`.trimEnd();
}
