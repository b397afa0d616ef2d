// The ask_user tool: what is asked, in whatever shape a model writes it, and how each way of answering is told.
import { expect, test } from "bun:test";
import { askUserTool } from "../../src/tools/ask-user.ts";
import type { Inquired, Inquiry } from "../../src/tools/inquiry.ts";
import { call, textOf, toolKit, type TestKit } from "../support/tool-kit.ts";

function kitThat(inquired: Inquired, asked: Inquiry[] = []): TestKit {
  return toolKit("/", {
    inquire: (questions) => {
      asked.push(...questions);
      return Promise.resolve(inquired);
    },
  });
}

const QUESTIONS = [
  { question: "Which store?", options: [{ label: "SQLite" }, { label: "Postgres" }] },
  { question: "Which parts?", options: [{ label: "a" }, { label: "b" }], multi: true },
];

test("the answers stand below their questions", async () => {
  await using kit = kitThat({ kind: "answered", answers: [["Postgres"], ["a", "my own"]] });
  expect(await call(askUserTool, { questions: QUESTIONS }, kit)).toEqual({
    parts: [{ type: "text", text: "Which store?\n→ Postgres\n\nWhich parts?\n→ a, my own" }],
    isError: false,
    summary: "Postgres; a, my own",
  });
});

test("where nobody is there, and where the person does not answer, the model goes on", async () => {
  await using alone = kitThat({ kind: "nobody" });
  expect(await textOf(askUserTool, { questions: QUESTIONS }, alone)).toBe(
    "Nobody is there to answer. Use your best judgment, go on, and say at the end what you assumed.",
  );
  await using declined = kitThat({ kind: "declined" });
  expect(await textOf(askUserTool, { questions: QUESTIONS }, declined)).toStartWith(
    "The user does not want to answer these questions. Use your best judgment",
  );
});

const ONE = {
  header: "Store",
  question: "Which?",
  options: [
    { label: "A", description: "" },
    { label: "B", description: "the other" },
  ],
  multi: true,
};

test.each([
  [
    "another agent's shape",
    {
      questions: [
        {
          header: "Store",
          question: "Which?",
          multiSelect: true,
          options: [{ label: "A" }, { label: "B", description: "the other" }],
        },
      ],
    },
  ],
  [
    "one question without its list",
    { ...ONE, options: ["A", { value: "B", description: "the other" }] },
  ],
  ["questions as text", { questions: JSON.stringify([ONE]) }],
  [
    "choices",
    { questions: { header: "Store", text: "Which?", multiple: true, choices: ONE.options } },
  ],
])("%s is accepted", async (_, input) => {
  const asked: Inquiry[] = [];
  await using kit = kitThat({ kind: "declined" }, asked);
  await call(askUserTool, input, kit);
  expect(asked).toEqual([ONE]);
});

test("a question without options may be asked, five options or questions may not", async () => {
  await using kit = kitThat({ kind: "nobody" });
  expect(await textOf(askUserTool, { question: "Why?" }, kit)).toStartWith("Nobody");
  const options = ["a", "b", "c", "d", "e"];
  expect(await textOf(askUserTool, { question: "Why?", options }, kit)).toBe(
    "ask_user: questions.0.options must be a list of 0 to 4, not 5. Nothing was done",
  );
  expect(await textOf(askUserTool, { questions: options }, kit)).toBe(
    "ask_user: questions must be a list of 1 to 4, not 5. Nothing was done",
  );
});

test("a cancelled question has no answer", async () => {
  const stop = new AbortController();
  await using kit = toolKit("/", {
    signal: stop.signal,
    inquire: () => {
      stop.abort();
      return Promise.resolve({ kind: "declined" });
    },
  });
  expect(await textOf(askUserTool, { questions: QUESTIONS }, kit)).toBe(
    "stopped before it finished",
  );
});

test("a question too long to be read is refused, and the bound is named", async () => {
  await using kit = kitThat({ kind: "nobody" });
  expect(await textOf(askUserTool, { question: "Q".repeat(300_000) }, kit)).toBe(
    "ask_user: questions.0.question must be a text of 1 to 4000 characters, not 300000. Nothing was done",
  );
  const options = [{ label: "a", description: "d".repeat(1001) }];
  expect(await textOf(askUserTool, { question: "Q", options }, kit)).toBe(
    "ask_user: questions.0.options.0.description must be a text of 0 to 1000 characters, not 1001. Nothing was done",
  );
});
