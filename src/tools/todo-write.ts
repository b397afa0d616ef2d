// The todo_write tool: the plan of the session, written whole each time.
import * as v from "valibot";
import { ok } from "../base/failure.ts";
import { STATUSES, type PlanItem } from "../base/plan.ts";
import { isRecord } from "../base/schema.ts";
import { defineArguments } from "./arguments.ts";
import type { Output, Tool } from "./tool.ts";

const MAX_ITEMS = 50;
const MAX_ITEM_CHARS = 1000;

const item = v.strictObject({
  text: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(MAX_ITEM_CHARS)),
  status: v.optional(v.picklist(STATUSES), "pending"),
});
const args = defineArguments(
  "todo_write",
  v.strictObject({ items: v.pipe(v.array(item), v.maxLength(MAX_ITEMS)) }),
);

export const todoWriteTool: Tool = {
  name: "todo_write",
  summary: "Set the plan of this session: all items each time. For work of several steps",
  parameters: args.parameters,
  tier: "cold",
  prepare(input) {
    const parsed = args.parse(normalised(input));
    if (!parsed.ok) return parsed;
    const { items } = parsed.value;
    const title = `todo_write ${summaryOf(items)}`;
    return ok({ touches: [], title, run: () => Promise.resolve(ok(noted(items))) });
  },
};

/** The result is short: the model has the items in its own call. */
function noted(items: PlanItem[]): Output {
  const summary = summaryOf(items);
  const text = `The plan is set: ${summary}.`;
  return { parts: [{ type: "text", text }], isError: false, summary, plan: items };
}

function summaryOf(items: readonly PlanItem[]): string {
  const done = items.filter(({ status }) => status === "completed").length;
  return items.length === 0 ? "empty" : `${done} of ${items.length} done`;
}

const LISTS = ["items", "todos", "plan", "tasks"];
const TEXTS = ["text", "content", "step", "task", "title", "description"];
const WORDS: Readonly<Record<string, PlanItem["status"]>> = {
  todo: "pending",
  open: "pending",
  not_started: "pending",
  doing: "in_progress",
  active: "in_progress",
  started: "in_progress",
  current: "in_progress",
  done: "completed",
  complete: "completed",
  finished: "completed",
  cancelled: "completed",
  canceled: "completed",
};

/** Other agents' shapes, which models have learnt: `todos` of `content` with ids, priorities and active forms. */
function normalised(input: unknown): unknown {
  const given = Array.isArray(input) ? { items: input } : input;
  if (!isRecord(given)) return given;
  const list = LISTS.map((name) => given[name]).find((value) => value !== undefined);
  const items = typeof list === "string" ? listIn(list) : list;
  return Array.isArray(items) ? { items: items.map(normalItem) } : given;
}

function listIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text.split("\n").filter((line) => line.trim() !== "");
  }
}

function normalItem(given: unknown): unknown {
  if (typeof given === "string") return checkbox(given);
  if (!isRecord(given)) return given;
  const text = TEXTS.map((name) => given[name]).find((value) => typeof value === "string");
  const status = given["status"] ?? given["state"] ?? given["done"] ?? given["completed"];
  return { ...(text === undefined ? {} : { text }), ...statusOf(status) };
}

/** `- [x] text` as in Markdown. */
function checkbox(line: string): { text: string; status: PlanItem["status"] } {
  const [, mark = "", text = line] =
    /^\s*(?:[-*+]|\d+[.)])?\s*(?:\[(.)\])?\s*(.*)$/.exec(line) ?? [];
  if (/[xX✓]/.test(mark)) return { text, status: "completed" };
  return { text, status: /[>~-]/.test(mark) ? "in_progress" : "pending" };
}

function statusOf(given: unknown): { status?: unknown } {
  if (given === undefined || given === null) return {};
  if (typeof given === "boolean") return { status: given ? "completed" : "pending" };
  if (typeof given !== "string") return { status: given };
  const word = given
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_");
  return { status: Object.hasOwn(WORDS, word) ? WORDS[word] : word };
}
