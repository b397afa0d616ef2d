// `burin demo`: the whole loop on a scratch repository with a failing test, without key and network.
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { EXIT_FAILED } from "../base/exit-codes.ts";
import { broken, ok, type Result } from "../base/failure.ts";
import { err } from "../host/out.ts";
import { isTerminal } from "../host/terminal.ts";
import { DEMO_PROMPT, demoRepository } from "../model/demo.ts";
import { command } from "./command.ts";
import { refuse } from "./exit.ts";
import { rootCommand } from "./root.ts";

export const demoCommand = command({
  name: "burin demo",
  summary: "see it work on a scratch repository: no key, no network",
  usage: ["burin demo [--no-chat]"],
  args: {
    chat: { type: "boolean", default: true, negativeDescription: "Headless also on a terminal" },
  },
  extras: {},
  examples: ["burin demo", "burin demo --no-chat"],
  run: async ({ args }) => {
    const scratch = scratchRepository();
    if (!scratch.ok) return refuse(scratch.failure);
    const folder = scratch.value;
    const isChat = args.chat && (await isTerminal(0)) && (await isTerminal(1));
    err(`burin: a scratch repository with a failing test: ${folder}\n`);
    const flags = ["--provider", "demo", "--no-config", "--cwd", folder, "--name", "demo"];
    const called = await rootCommand.call([...(isChat ? [] : ["-p"]), ...flags, DEMO_PROMPT]);
    if (!called.ok) return refuse(called.failure);
    if (called.value !== 0) return called.value;
    return closing(folder, isChat);
  },
});

function scratchRepository(): Result<string> {
  try {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "burin-demo-")));
    for (const [name, content] of Object.entries(demoRepository())) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    return ok(folder);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return broken(
      `the scratch repository could not be made in ${tmpdir()} (${why}): name another folder in TMPDIR`,
    );
  }
}

/** Looks for itself whether the test passes now; in the chat the person may have stopped the demo before. */
async function closing(folder: string, isChat: boolean): Promise<number> {
  const test = Bun.spawn(["sh", "test.sh"], {
    cwd: folder,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  const passes = (await test.exited) === 0;
  err(`burin: the test of the scratch repository ${passes ? "passes now" : "still fails"}\n`);
  err(
    "A model of your own: a local server (burin --base-url http://127.0.0.1:8080/v1 -m MODEL),\n",
  );
  err("or a key (OPENAI_API_KEY=… burin -m openai/MODEL). More: burin --help\n");
  return passes || isChat ? 0 : EXIT_FAILED;
}
