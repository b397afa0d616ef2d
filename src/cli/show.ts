// `burin show REF`: a session as a plain transcript, or with --json its events.
import { readFileSync } from "node:fs";
import { loadLog } from "../session/load.ts";
import { findSession } from "../session/shelf.ts";
import { transcript } from "../session/show.ts";
import { command } from "./command.ts";
import { print, refuse, refuseText } from "./exit.ts";
import { SHELF_FLAGS, shelfFor } from "./shelf.ts";

export const showCommand = command({
  name: "burin show",
  summary: "print a session as a plain transcript",
  usage: ["burin show REF [--json | --stats]"],
  args: {
    stats: { type: "boolean", description: "Tokens, cost, times and transport of each request" },
    json: { type: "boolean", description: "The events of the log, one a line" },
    ...SHELF_FLAGS,
  },
  extras: { words: 1 },
  examples: ["burin show 01K2", "burin show 01K2 --stats", "burin show 01K2 --json | jq -r .type"],
  run: ({ args, words: [ref] }) => show(ref, args),
});

async function show(
  ref: string | undefined,
  args: { json?: boolean | undefined; stats?: boolean | undefined } & Parameters<
    typeof shelfFor
  >[0],
): Promise<number> {
  if (ref === undefined) {
    return refuseText(
      "burin show needs an id, a unique prefix, a name or a path (burin sessions lists them)",
    );
  }
  const shelf = await shelfFor(args);
  if (!shelf.ok) return refuse(shelf.failure);
  const found = findSession(shelf.value, ref);
  if (!found.ok) return refuse(found.failure);
  const loaded = loadLog(found.value.path);
  if (!loaded.ok) return refuse(loaded.failure);
  const events = loaded.value.tree.events();
  if (args.stats) return print((await import("../session/stats.ts")).statsText(events));
  return print(args.json ? readFileSync(found.value.path) : transcript(events));
}
