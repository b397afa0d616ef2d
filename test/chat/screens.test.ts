// The chat on a real pty, seen through a terminal emulator at several widths.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { questionOpen } from "../support/question.ts";
import { screen, type Screen, type ScreenOptions } from "../support/screen.ts";

const FIXTURE = join(import.meta.dir, "../support/chat-fixture.ts");
const WIDTHS = [40, 80, 120];
const TIMEOUT_MS = 30_000;
/** Ends the running tool of the fixture. */
const GO_ON = "SIGUSR2";
/** The emulator treats its cursor's row as VS Code's terminal does. */
const AS_VSCODE = { env: { NO_COLOR: "1", TERM_PROGRAM: "vscode" }, reflowCursorLine: false };

function chat(args: string[], options: Partial<ScreenOptions> = {}): Screen {
  return screen({ command: process.execPath, args: [FIXTURE, ...args], ...AS_VSCODE, ...options });
}

const RESTORED = "\u001b[<u\u001b[>4;0m\u001b[?2004l\u001b[?2026l\u001b[?25h";

const lastLine = (text: string): string => text.split("\n").at(-1) ?? "";
const isReady = (text: string): boolean => lastLine(text).startsWith("demo · standard");
const isIdle = (text: string): boolean =>
  isReady(text) && /\n›\n[^\n]*$/.test(text) && !text.includes("esc to cancel");

async function send(chatting: Screen, text: string): Promise<void> {
  chatting.type(text);
  await chatting.waitFor((shown) => shown.includes(text.slice(-5)));
  chatting.key("enter");
}

test.each(WIDTHS)(
  "a reply of %i columns is shown below its prompt, and the input is free again",
  async (cols) => {
    await using chatting = chat(["demo"], { cols });
    await chatting.waitFor(isReady);
    await send(chatting, "say A **bold** 漢字 word\\n\\n- 👨‍👩‍👧 one\\n- two");
    await chatting.waitFor((text) => text.includes("• two") && isIdle(text));
    expect(
      chatting
        .rows()
        .filter((row) => row !== "")
        .slice(-5, -1),
    ).toEqual(["A bold 漢字 word", "• 👨‍👩‍👧 one", "• two", "›"]);
  },
  TIMEOUT_MS,
);

test(
  "the start shows a card of at most six lines",
  async () => {
    await using chatting = chat(["demo"]);
    await chatting.waitFor(isReady);
    expect(chatting.text().split("\n")).toEqual([
      "burin 0.0.0 · scripted/model-1 · no key",
      "mode standard · /home/me/project (main)",
      "context AGENTS.md",
      "session demo · id-demo",
      "/help shows commands and keys; Ctrl+J is a new line",
      "",
      "›",
      "demo · standard · model-1 · /home/me/project (main)",
    ]);
  },
  TIMEOUT_MS,
);

test(
  "the name prompt comes first, does not take an empty name, and names the session",
  async () => {
    await using chatting = chat(["ask"]);
    await chatting.waitFor("Name of this session");
    chatting.key("enter");
    await chatting.waitFor("A session needs a name");
    chatting.type("demo");
    await chatting.waitFor(/│ {2}demo/);
    chatting.key("enter");
    await chatting.waitFor(isReady);
    chatting.type("typed after the prompt");
    await chatting.waitFor("› typed after the prompt");
  },
  TIMEOUT_MS,
);

test(
  "what is typed ahead of the name prompt's answer is sent to the session, once",
  async () => {
    await using chatting = chat(["ask"]);
    await chatting.waitFor("Name of this session");
    chatting.type("demo\rsay typed ahead\r");
    await chatting.waitFor(
      (text) => text.includes("› say typed ahead\n\ntyped ahead") && isIdle(text),
    );
    expect(chatting.scrollback().match(/say typed ahead/g)).toEqual(["say typed ahead"]);
  },
  TIMEOUT_MS,
);

test.each(["ctrl+c", "ctrl+d"])(
  "%s at the name prompt leaves with exit code 0",
  async (key) => {
    await using chatting = chat(["ask"]);
    await chatting.waitFor("Name of this session");
    chatting.key(key);
    expect(await chatting.exited).toBe(0);
  },
  TIMEOUT_MS,
);

test(
  "a tool shows its output while it runs and one line when it is done",
  async () => {
    await using chatting = chat(["demo"]);
    await chatting.waitFor(isReady);
    await send(chatting, "tool please");
    await chatting.waitFor(/● grep running[\s\S]*output 20/);
    chatting.signal(GO_ON);
    await chatting.waitFor((text) => text.includes("Found fourteen.") && isIdle(text));
    const text = chatting.scrollback();
    expect([text.includes("● grep TODO src · 14 hits · 8 ms"), text.includes("output 1")]).toEqual([
      true,
      false,
    ]);
  },
  TIMEOUT_MS,
);

test(
  "the live tail never takes more than a third of the screen",
  async () => {
    await using chatting = chat(["demo"], { rows: 24 });
    await chatting.waitFor(isReady);
    await send(chatting, "tool please");
    await chatting.waitFor("output 20");
    const rows = chatting.rows();
    const end = rows.findLastIndex((row) => row !== "");
    const start = rows.findIndex((row) => row.startsWith("● grep running"));
    expect(end - start + 1).toBeLessThanOrEqual(8);
  },
  TIMEOUT_MS,
);

test(
  "a permission question shows the command, what hides in it and the change, and y answers",
  async () => {
    await using chatting = chat(["demo"]);
    await chatting.waitFor(isReady);
    await send(chatting, "ask me");
    await questionOpen(chatting, "y yes, once");
    expect(chatting.text()).toContain("rm -rf build\\u202e");
    expect(chatting.text()).toMatch(/1 -old line\n +1 \+new line/);
    chatting.type("y");
    await chatting.waitFor('The answer was {"kind":"once"}.');
  },
  TIMEOUT_MS,
);

test(
  "a refusal can carry a reason",
  async () => {
    await using chatting = chat(["demo"]);
    await chatting.waitFor(isReady);
    await send(chatting, "ask me");
    await questionOpen(chatting, "y yes, once");
    chatting.type("n");
    await chatting.waitFor("because (optional)");
    chatting.type("use make clean");
    await chatting.waitFor("› use make clean");
    chatting.key("enter");
    await chatting.waitFor('{"kind":"no","reason":"use make clean"}');
  },
  TIMEOUT_MS,
);

test(
  "words answer a question as their first letter does, and leave nothing in the input",
  async () => {
    await using chatting = chat(["demo"]);
    await chatting.waitFor(isReady);
    await send(chatting, "ask me");
    await questionOpen(chatting, "y yes, once");
    chatting.type("no, use another file");
    await chatting.waitFor("› no, use another file");
    chatting.key("enter");
    await chatting.waitFor('{"kind":"no","reason":"use another file"}');
    await chatting.waitFor(isIdle);
    await send(chatting, "ask me");
    await questionOpen(chatting, "y yes, once");
    for (const letter of "yes") chatting.type(letter);
    chatting.key("enter");
    await chatting.waitFor((text) => text.includes('{"kind":"once"}') && isIdle(text));
  },
  TIMEOUT_MS,
);

test(
  "? at a question tells what its keys mean, and answers nothing",
  async () => {
    await using chatting = chat(["demo"]);
    await chatting.waitFor(isReady);
    await send(chatting, "ask me");
    await questionOpen(chatting, "y yes, once");
    chatting.type("?");
    await chatting.waitFor(/y, yes +run it this once/);
    chatting.key("escape");
    await chatting.waitFor((text) => text.includes("stopped") && isIdle(text));
  },
  TIMEOUT_MS,
);

test(
  "on a screen of five rows a question still shows what it is about, and its keys",
  async () => {
    await using chatting = chat(["demo"], { cols: 20, rows: 5 });
    await chatting.waitFor((text) => lastLine(text).startsWith("demo"));
    await send(chatting, "ask me");
    await chatting.waitFor("y a n Esc ? rm -rf");
  },
  TIMEOUT_MS,
);

test(
  "a failed call is marked by a sign, not by colour alone, and told once",
  async () => {
    await using chatting = chat(["demo"]);
    await chatting.waitFor(isReady);
    await send(chatting, "broken");
    await chatting.waitFor(/✗ bash npm test · 8 ms\n {2}interrupted before it ran\n\n›/);
  },
  TIMEOUT_MS,
);

test(
  "Ctrl+C clears the input, then stops the turn, then quits",
  async () => {
    await using chatting = chat(["demo"]);
    await chatting.waitFor(isReady);
    await send(chatting, "wait for me");
    await chatting.waitFor("Weighing options");
    chatting.type("draft");
    await chatting.waitFor("› draft");
    chatting.key("ctrl+c");
    await chatting.waitFor((text) => !text.includes("draft") && text.includes("esc to cancel"));
    chatting.key("ctrl+c");
    await chatting.waitFor("stopped");
    chatting.key("ctrl+c");
    expect(await chatting.exited).toBe(0);
  },
  TIMEOUT_MS,
);

test(
  "an unknown command does not stay in the input",
  async () => {
    await using chatting = chat(["demo"]);
    await chatting.waitFor(isReady);
    await send(chatting, "/foo bar");
    await chatting.waitFor((text) => text.includes("there is no command /foo") && isIdle(text));
  },
  TIMEOUT_MS,
);

test(
  "a folded paste is opened from anywhere, and folds again",
  async () => {
    await using chatting = chat(["demo"]);
    await chatting.waitFor(isReady);
    chatting.paste("line\n".repeat(12));
    await chatting.waitFor("[paste 12 lines]");
    chatting.type("after");
    await chatting.waitFor("lines]after");
    chatting.key("ctrl+o");
    await chatting.waitFor(/line\n +after/);
    chatting.key("ctrl+o");
    await chatting.waitFor("› [paste 12 lines]after");
  },
  TIMEOUT_MS,
);

test(
  "nothing of the chat is drawn once it was left, while the program goes on",
  async () => {
    await using chatting = chat(["linger"]);
    await chatting.waitFor((text) => lastLine(text).startsWith("linger · standard"));
    chatting.key("ctrl+d");
    await chatting.waitFor("the program goes on");
    expect(chatting.text()).toEndWith("burin resume id-linger\nthe program goes on");
  },
  TIMEOUT_MS,
);

test(
  "without a model no name is asked for",
  async () => {
    await using chatting = chat(["no-model"]);
    expect(await chatting.exited).toBe(2);
    await chatting.waitFor("no model is chosen");
    expect(chatting.scrollback()).not.toContain("Name of this session");
  },
  TIMEOUT_MS,
);

test.each(WIDTHS)(
  "questions of %i columns are answered one after the other, by number, mark and words",
  async (cols) => {
    await using chatting = chat(["demo"], { cols });
    await chatting.waitFor(isReady);
    await send(chatting, "inquire me");
    await questionOpen(chatting, "3 another answer");
    const shown = chatting.text().replaceAll(/\s+/g, " ");
    expect(shown).toContain("? (1/2) Store: Where should the entries of the cache be kept");
    expect(shown).toContain("1 SQLite: one file, found again by every run");
    expect(shown).toContain("2 Memory\\u202e");
    expect(chatting.text()).toContain("› 1 SQLite");
    chatting.key("down");
    await chatting.waitFor("› 2 Memory\\u202e");
    chatting.type("1");
    await questionOpen(chatting, "? (2/2) Which parts?");
    chatting.type("2");
    await chatting.waitFor("› 2 [x] writing");
    chatting.key("down");
    await chatting.waitFor("› 3 [ ] 漢字");
    chatting.type("more");
    await chatting.waitFor("› more");
    chatting.key("enter");
    await chatting.waitFor((text) => isIdle(text));
    expect(chatting.scrollback().replaceAll("\n", "")).toContain(
      '{"kind":"answered","answers":[["SQLite"],["writing","more"]]}',
    );
  },
  TIMEOUT_MS,
);

test(
  "Esc answers nothing and the turn goes on; Ctrl+C ends the turn",
  async () => {
    await using chatting = chat(["demo"]);
    await chatting.waitFor(isReady);
    await send(chatting, "inquire me");
    await questionOpen(chatting, "3 another answer");
    chatting.key("escape");
    await chatting.waitFor((text) => text.includes('{"kind":"declined"}') && isIdle(text));
    await send(chatting, "inquire me");
    await questionOpen(chatting, "3 another answer");
    chatting.key("ctrl+c");
    await chatting.waitFor((text) => text.includes("stopped") && isIdle(text));
  },
  TIMEOUT_MS,
);

test.each(WIDTHS)(
  "the plan is shown at %i columns when it changes, and again by /todo",
  async (cols) => {
    await using chatting = chat(["demo"], { cols, rows: 40 });
    await chatting.waitFor(isReady);
    await send(chatting, "plan it");
    await chatting.waitFor((text) => text.includes("Planned.") && isIdle(text));
    const rows = chatting.rows().map((row) => row.trimEnd());
    const figures = rows.filter((row) => row.includes("of 3 done"));
    expect(figures).toEqual([
      "● plan · 0 of 3 done",
      "● plan · 1 of 3 done",
      "● todo_write · 1 of 3 done · 1 ms",
    ]);
    const last = rows.lastIndexOf("● plan · 1 of 3 done");
    expect(rows.slice(last + 1, last + 3)).toEqual([
      "  ✓ find the fault",
      expect.stringMatching(/^ {2}▸ mend it, with care/),
    ]);
    await send(chatting, "/todo");
    await chatting.waitFor((text) => /Planned\.[^]*● plan · 1 of 3 done/.test(text));
  },
  TIMEOUT_MS,
);

test(
  "Esc stops the turn, gives queued text back, and the session goes on",
  async () => {
    await using chatting = chat(["demo"]);
    await chatting.waitFor(isReady);
    await send(chatting, "wait for me");
    await chatting.waitFor("Weighing options");
    await send(chatting, "queued text");
    await chatting.waitFor("waiting: queued text");
    chatting.key("escape");
    await chatting.waitFor((text) => text.includes("stopped") && text.includes("› queued text"));
  },
  TIMEOUT_MS,
);

test(
  "Alt+Enter steers the running turn",
  async () => {
    await using chatting = chat(["demo"]);
    await chatting.waitFor(isReady);
    await send(chatting, "steer me");
    await chatting.waitFor("esc to cancel");
    chatting.type("go left");
    await chatting.waitFor("› go left");
    chatting.key("alt+enter");
    await chatting.waitFor("Steered by go left.");
  },
  TIMEOUT_MS,
);

test(
  "a failed turn says why, and the input is free again",
  async () => {
    await using chatting = chat(["demo"]);
    await chatting.waitFor(isReady);
    await send(chatting, "fail now");
    await chatting.waitFor((text) => text.includes("start it and write again") && isIdle(text));
  },
  TIMEOUT_MS,
);

test(
  "a paste is inserted, not sent, and a large one folds",
  async () => {
    await using chatting = chat(["demo"]);
    await chatting.waitFor(isReady);
    chatting.paste("one\ntwo");
    await chatting.waitFor(/› one\n {2}two/);
    chatting.paste("line\n".repeat(42));
    await chatting.waitFor("two[paste 42 lines]");
  },
  TIMEOUT_MS,
);

test(
  "CJK and emoji are edited by what a person sees, with the cursor at the caret",
  async () => {
    await using chatting = chat(["demo"], { cols: 40 });
    await chatting.waitFor(isReady);
    chatting.type("漢字👨‍👩‍👧é");
    await chatting.waitFor("› 漢字👨‍👩‍👧é");
    chatting.key("left");
    chatting.key("backspace");
    await chatting.waitFor("› 漢字é");
    expect(chatting.cursor().column).toBe(6);
  },
  TIMEOUT_MS,
);

test.each([
  [80, 40],
  [80, 120],
  [120, 33],
])(
  "resizing from %i to %i columns and back while a reply streams leaves no stray rows",
  async (from, to) => {
    await using chatting = chat(["demo"], { cols: from, rows: 24 });
    await chatting.waitFor(isReady);
    await send(chatting, "long");
    for (const [at, cols] of [to, from, to, from, to].entries()) {
      await chatting.waitFor(`Paragraph ${4 + at * 5} `);
      await chatting.resize(cols, 24);
    }
    await chatting.waitFor((text) => text.includes("Paragraph 29 ") && isIdle(text));
    const paragraphs = [...chatting.scrollback().matchAll(/^Paragraph (\d+) /gm)].map((hit) =>
      Number(hit[1]),
    );
    const strays = chatting.scrollback().match(/esc to cancel|standard · model-1/g);
    expect({ paragraphs, strays: strays?.length }).toEqual({
      paragraphs: Array.from({ length: 30 }, (_, at) => at),
      strays: 1,
    });
  },
  60_000,
);

test(
  "a bug ends the chat with the terminal restored",
  async () => {
    await using chatting = chat(["demo", "crash now"]);
    expect(await chatting.exited).toBe(1);
    await chatting.waitFor("a bug in the fixture");
    expect(chatting.raw()).toContain(RESTORED);
  },
  TIMEOUT_MS,
);

test(
  "lines that arrive without paste markers are not sent at their newlines",
  async () => {
    await using chatting = chat(["demo"]);
    await chatting.waitFor(isReady);
    chatting.type("one\rtwo\r");
    await chatting.waitFor(/› one\n {2}two/);
    chatting.key("ctrl+c");
    await chatting.waitFor("Ctrl+C again to quit");
  },
  TIMEOUT_MS,
);

test(
  "leaving prints how to come back and restores the terminal",
  async () => {
    await using chatting = chat(["demo"]);
    await chatting.waitFor(isReady);
    await send(chatting, "/quit");
    expect(await chatting.exited).toBe(0);
    await chatting.waitFor("burin resume id-demo");
    expect([lastLine(chatting.text()), chatting.raw().includes("\u001b[?2004l")]).toEqual([
      "burin resume id-demo",
      true,
    ]);
  },
  TIMEOUT_MS,
);

test.each([
  ["SIGTERM", 143],
  ["SIGHUP", 129],
  ["SIGQUIT", 131],
] as const)(
  "%s ends the chat in order, modes restored",
  async (signal, code) => {
    await using chatting = chat(["demo", "wait here"]);
    await chatting.waitFor("Weighing options");
    chatting.signal(signal);
    expect(await chatting.exited).toBe(code);
    await chatting.waitFor("burin resume id-demo");
    expect(chatting.raw().slice(-RESTORED.length)).toBe(RESTORED);
  },
  TIMEOUT_MS,
);

test(
  "nothing is ever written that clears the scrollback, takes the mouse or leaves the main screen",
  async () => {
    await using chatting = chat(["demo"]);
    await chatting.waitFor(isReady);
    await send(chatting, "tool please");
    await chatting.waitFor("output 20");
    chatting.signal(GO_ON);
    await chatting.waitFor((text) => text.includes("Found fourteen.") && isIdle(text));
    chatting.key("ctrl+l");
    await send(chatting, "/quit");
    await chatting.exited;
    // oxlint-disable-next-line no-control-regex
    expect(chatting.raw().match(/\u001b\[(?:[23]J|\?(?:47|1047|1049|100[0236])h)/g)).toBeNull();
  },
  TIMEOUT_MS,
);

test(
  "/new asks for a name and starts with an empty session",
  async () => {
    await using chatting = chat(["demo"]);
    await chatting.waitFor(isReady);
    await send(chatting, "/new");
    await chatting.waitFor("Name of this session");
    chatting.type("second");
    await chatting.waitFor(/│ {2}second/);
    chatting.key("enter");
    await chatting.waitFor("session second · id-second");
    chatting.type("still alive");
    await chatting.waitFor("› still alive");
  },
  TIMEOUT_MS,
);

test(
  "/resume lets a person choose, and Esc leaves everything as it was",
  async () => {
    await using chatting = chat(["demo"]);
    await chatting.waitFor(isReady);
    await send(chatting, "/resume");
    await chatting.waitFor("older work");
    chatting.key("escape");
    await chatting.waitFor(isIdle);
    await send(chatting, "/resume");
    await chatting.waitFor((text) => text.split("older work").length > 2);
    chatting.key("enter");
    await chatting.waitFor("session id-old · id-id-old");
  },
  TIMEOUT_MS,
);

test(
  "a failed request counts down, Enter sends it again now, and nothing is shown twice",
  async () => {
    await using chatting = chat(["demo"]);
    await chatting.waitFor(isReady);
    await send(chatting, "retry");
    await chatting.waitFor((text) => /↻ trying again in \d+ s \(1 of 5\) · enter: now/.test(text));
    chatting.key("enter");
    await chatting.waitFor((text) => text.includes("The whole.") && isIdle(text));
    const shown = chatting.text();
    expect(shown.match(/The beginning|asked again: .*|The whole\./g)).toEqual([
      "The beginning",
      "asked again: the provider is overloaded (HTTP 529)",
      "The whole.",
    ]);
  },
  TIMEOUT_MS,
);

test(
  "Esc during the countdown ends the turn at once",
  async () => {
    await using chatting = chat(["demo"]);
    await chatting.waitFor(isReady);
    await send(chatting, "retry");
    await chatting.waitFor((text) => text.includes("↻ trying again"));
    chatting.key("escape");
    await chatting.waitFor((text) => text.includes("stopped") && isIdle(text));
    expect(chatting.text()).not.toContain("The whole.");
  },
  TIMEOUT_MS,
);
