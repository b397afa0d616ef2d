// The todo_write tool: the plan as it is stored, in whatever shape a model writes it.
import { expect, test } from "bun:test";
import type { PlanItem } from "../../src/base/plan.ts";
import { todoWriteTool } from "../../src/tools/todo-write.ts";
import { call, textOf, toolKit } from "../support/tool-kit.ts";

test("the plan is the result's own field; the text is short", async () => {
  await using kit = toolKit("/");
  const items: PlanItem[] = [
    { text: "find the fault", status: "completed" },
    { text: "mend it", status: "in_progress" },
    { text: "run the tests", status: "pending" },
  ];
  expect(await call(todoWriteTool, { items }, kit)).toEqual({
    parts: [{ type: "text", text: "The plan is set: 1 of 3 done." }],
    isError: false,
    summary: "1 of 3 done",
    plan: items,
  });
  expect(await call(todoWriteTool, { items: [] }, kit)).toMatchObject({
    summary: "empty",
    plan: [],
  });
});

const WANTED = [
  { text: "a", status: "completed" },
  { text: "b", status: "in_progress" },
  { text: "c", status: "pending" },
];

test.each([
  [
    "todos with active forms, ids and priorities",
    {
      todos: [
        { content: "a", status: "completed", activeForm: "Doing a", id: "1", priority: "high" },
        { content: "b", status: "in_progress", activeForm: "Doing b" },
        { content: "c", status: "pending" },
      ],
    },
  ],
  [
    "a plan of steps",
    { plan: [{ step: "a", status: "done" }, { step: "b", status: "In Progress" }, { step: "c" }] },
  ],
  [
    "tasks with flags",
    { tasks: [{ title: "a", done: true }, { text: "b", status: "doing" }, "c"] },
  ],
  [
    "the list alone",
    [{ text: "a", status: "complete" }, { text: "b", status: "active" }, { text: "c" }],
  ],
  ["the list as text", { items: JSON.stringify(WANTED) }],
  ["a Markdown list", { items: "- [x] a\n- [~] b\n- [ ] c\n" }],
  ["lines with boxes", { items: ["[X] a", "1. [>] b", "c"] }],
])("%s is accepted", async (_, input) => {
  await using kit = toolKit("/");
  expect(await call(todoWriteTool, input, kit)).toMatchObject({ plan: WANTED });
});

test.each([
  [{}, "todo_write: items is missing. Nothing was done"],
  [
    { items: [{ text: "a", status: "later" }] },
    'todo_write: items.0.status must be one of pending, in_progress, completed, not "later". Nothing was done',
  ],
  [{ items: [{ status: "pending" }] }, "todo_write: text is missing in items.0. Nothing was done"],
])("%j is answered with what is wrong", async (input, text) => {
  await using kit = toolKit("/");
  expect(await textOf(todoWriteTool, input, kit)).toBe(text);
});

test("an item too long to be read is refused, and the bound is named", async () => {
  await using kit = toolKit("/");
  expect(await textOf(todoWriteTool, { items: ["a", "A".repeat(300_000)] }, kit)).toBe(
    "todo_write: items.1.text must be a text of 1 to 1000 characters, not 300000. Nothing was done",
  );
});
