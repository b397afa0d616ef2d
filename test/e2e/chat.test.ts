// The chat of the compiled binary, seen through a terminal: name prompt, permission question, quit, resume, kill.
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { BURIN, home, type Home } from "../support/binary.ts";
import { questionOpen } from "../support/question.ts";
import { replayServer, type ReplayTurn } from "../support/replay-server.ts";
import { screen, type Screen } from "../support/screen.ts";

function open(at: Home, args: string[], cols = 80): Screen {
  return screen({
    command: BURIN,
    args,
    cols,
    rows: 24,
    env: { ...at.env, NO_COLOR: "1" },
    cwd: at.path,
  });
}

const CALL: ReplayTurn = {
  steps: [
    { text: "I look." },
    { call: { id: "b", name: "bash", arguments: '{"command":"echo 日本語 && touch made"}' } },
  ],
};

describe.each([40, 80, 120])("at %d columns", (cols) => {
  test("a name is asked for, a prompt answered, a command allowed, and the session can be resumed", async () => {
    using at = home();
    await using server = await replayServer([
      CALL,
      { steps: [{ text: "Done: **grün** 🌈 日本語.\n" }] },
      { steps: [{ text: "Back again.\n" }] },
    ]);
    const flags = ["--base-url", server.url, "-m", "m"];
    {
      await using chat = open(at, flags, cols);
      await chat.waitFor(/name/i);
      chat.type("first");
      chat.key("enter");
      await chat.waitFor("session first");
      chat.type("Tu was für 日本 🌈");
      chat.key("enter");
      await questionOpen(chat, "allow bash?");
      expect(existsSync(`${at.path}/made`)).toBe(false);
      chat.type("y");
      await chat.waitFor("Done:");
      expect(existsSync(`${at.path}/made`)).toBe(true);
      chat.key("ctrl+d");
      expect(await chat.exited).toBe(0);
      await chat.waitFor("burin resume ");
      const history = chat.scrollback();
      expect(history.split("Done: grün 🌈 日本語.").length).toBe(2);
    }
    await using again = open(at, ["resume", "first", ...flags], cols);
    await again.waitFor("Done: grün 🌈 日本語.");
    again.key("up");
    await again.waitFor("› Tu was für 日本 🌈");
    again.key("ctrl+c");
    again.type("Und?");
    again.key("enter");
    await again.waitFor("Back again.");
    const messages = JSON.parse(server.requests.at(-1)?.body ?? "{}").messages;
    expect(messages.map(({ role }: { role: string }) => role)).toEqual([
      "system",
      "user",
      "assistant",
      "tool",
      "assistant",
      "user",
    ]);
  });
});

test("Ctrl-C at the name prompt leaves with 0 and no file", async () => {
  using at = home();
  await using chat = open(at, ["--provider", "echo"]);
  await chat.waitFor(/name/i);
  chat.key("ctrl+c");
  expect(await chat.exited).toBe(0);
  expect(existsSync(`${at.path}/.local`)).toBe(false);
});

test("Esc at the question refuses, ends the turn, and keeps the session", async () => {
  using at = home();
  await using server = await replayServer([CALL, { steps: [{ text: "as you wish" }] }]);
  await using chat = open(at, ["--base-url", server.url, "-m", "m", "--name", "n", "go"]);
  await questionOpen(chat, "allow bash?");
  chat.key("escape");
  await chat.waitFor(/refused|stopped|denied/);
  expect(existsSync(`${at.path}/made`)).toBe(false);
  chat.type("go on");
  chat.key("enter");
  await chat.waitFor("as you wish");
});

test.each([
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)(
  "%s during a reply ends with %d and leaves the terminal as it was",
  async (signal, code) => {
    using at = home();
    const slow: ReplayTurn = {
      steps: [{ text: "half an answer " }, { text: "rest" }],
      chunk: 10,
      fault: { at: 180, kind: "stall" },
    };
    await using server = await replayServer([slow]);
    const shell = `before=$(stty -g); "${BURIN}" --base-url ${server.url} -m m --name n go; echo "code $?"; [ "$(stty -g)" = "$before" ] && echo sane`;
    await using chat = screen({
      command: "/bin/sh",
      args: ["-c", `${shell}; sleep 60`],
      cols: 80,
      rows: 24,
      env: at.env,
      cwd: at.path,
    });
    await chat.waitFor("esc to cancel");
    const pids = (await Bun.$`pgrep -f ${`^${BURIN} --base-url ${server.url}`}`.text())
      .trim()
      .split("\n");
    for (const pid of pids) process.kill(Number(pid), signal);
    await chat.waitFor("sane");
    expect(chat.text()).toContain(`code ${code}`);
    expect((await at.run(["show", "n"])).out).toContain("interrupted");
  },
);
