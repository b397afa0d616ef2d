// The chat: only a terminal will do, and only what the first frame needs is loaded.
import type { Listed } from "../chat/name-prompt.ts";
import { runChat } from "../chat/run.ts";
import type { Row } from "../session/row.ts";
import { choiceOf } from "./choice.ts";
import { refuse } from "./exit.ts";
import type { RunArgs } from "./run-args.ts";
import type { Settled } from "./settle.ts";

export async function runInChat(given: RunArgs, { opening }: Settled): Promise<number> {
  const { args, words } = given;
  const sessions = async (): Promise<Listed[]> => {
    const { listSessions } = await import("../session/shelf.ts");
    return listSessions(opening.shelf).map(listedOf);
  };
  const left = await runChat({
    // While the person types a name, nothing of the session needs to be there.
    open: async (choice) => (await import("../app/open.ts")).openPlace(opening, choice),
    check: () => opening.chooseModel(null),
    start: startOf(given),
    prompt: words[0] ?? null,
    sessions,
    color: args.color,
    version: opening.version,
  });
  return left.ok ? left.value : refuse(left.failure);
}

function startOf(given: RunArgs): Parameters<typeof runChat>[0]["start"] {
  const { args } = given;
  if (args.resume === "") return { kind: "pick" };
  const old = choiceOf(given);
  if (old !== null) return old;
  return args.name === undefined ? { kind: "ask" } : { kind: "new", name: args.name };
}

function listedOf({ id, name, lastActivity, firstPrompt }: Row): Listed {
  return { id, name: name ?? "", lastActivity, firstPrompt: firstPrompt ?? "" };
}
