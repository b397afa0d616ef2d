// The ask_user tool: questions only the person can answer, with options to choose from and room for another answer.
import * as v from "valibot";
import { fail, ok, type Result } from "../base/failure.ts";
import { isRecord } from "../base/schema.ts";
import { defineArguments } from "./arguments.ts";
import type { Inquired, Inquiry } from "./inquiry.ts";
import { shortText } from "./names.ts";
import type { Kit, Output, Tool } from "./tool.ts";

const MAX_QUESTIONS = 4;
const MAX_OPTIONS = 4;
/** What is asked must be readable at a glance. */
const MAX_QUESTION_CHARS = 4000;
const MAX_LABEL_CHARS = 200;
const MAX_DESCRIPTION_CHARS = 1000;

const filled = v.pipe(v.string(), v.trim(), v.minLength(1));
const option = v.strictObject({
  label: v.pipe(filled, v.maxLength(MAX_LABEL_CHARS)),
  description: v.optional(v.pipe(v.string(), v.maxLength(MAX_DESCRIPTION_CHARS)), ""),
});
const inquiry = v.strictObject({
  question: v.pipe(filled, v.maxLength(MAX_QUESTION_CHARS)),
  header: v.optional(v.pipe(v.string(), v.maxLength(MAX_LABEL_CHARS)), ""),
  options: v.optional(v.pipe(v.array(option), v.maxLength(MAX_OPTIONS)), []),
  multi: v.optional(v.boolean(), false),
});
const args = defineArguments(
  "ask_user",
  v.strictObject({
    questions: v.pipe(v.array(inquiry), v.minLength(1), v.maxLength(MAX_QUESTIONS)),
  }),
);

export const askUserTool: Tool = {
  name: "ask_user",
  summary:
    "Ask the user what only they can decide. Give 2-4 options a question; they may also answer freely",
  parameters: args.parameters,
  tier: "hot",
  prepare(input) {
    const parsed = args.parse(normalised(input));
    if (!parsed.ok) return parsed;
    const { questions } = parsed.value;
    const title = `ask_user ${shortText(questions[0]?.question ?? "", 60)}`;
    return ok({ touches: [], title, run: (kit) => ask(questions, kit) });
  },
};

async function ask(questions: readonly Inquiry[], kit: Kit): Promise<Result<Output>> {
  const inquired = await kit.inquire(questions, kit.signal);
  return kit.signal.aborted ? fail({ kind: "aborted" }) : ok(outputOf(questions, inquired));
}

const NOBODY =
  "Nobody is there to answer. Use your best judgment, go on, and say at the end what you assumed.";
const DECLINED =
  "The user does not want to answer these questions. Use your best judgment, or ask in a plain message what they want instead.";

function outputOf(questions: readonly Inquiry[], inquired: Inquired): Output {
  switch (inquired.kind) {
    case "nobody":
      return said(NOBODY, "nobody is there");
    case "declined":
      return said(DECLINED, "declined");
    case "answered": {
      const answers = questions.map((_, at) => inquired.answers[at]?.join(", ") ?? "");
      const text = questions.map(({ question }, at) => `${question}\n→ ${answers[at] ?? ""}`);
      return said(text.join("\n\n"), shortText(answers.join("; "), 60));
    }
  }
}

function said(text: string, summary: string): Output {
  return { parts: [{ type: "text", text }], isError: false, summary };
}

/** One question without its list, options as plain texts, and the names other agents use. */
function normalised(input: unknown): unknown {
  if (!isRecord(input)) return Array.isArray(input) ? normalised({ questions: input }) : input;
  const { questions } = input;
  if (questions === undefined) {
    return typeof input["question"] === "string" ? { questions: [normalQuestion(input)] } : input;
  }
  const list = Array.isArray(questions) ? questions : [questions];
  return typeof questions === "string" && /^\s*\[/.test(questions)
    ? input
    : { ...input, questions: list.map(normalQuestion) };
}

function normalQuestion(given: unknown): unknown {
  if (typeof given === "string") return { question: given };
  if (!isRecord(given)) return given;
  const { multiSelect, multiple, text, choices, ...rest } = given;
  const multi = rest["multi"] ?? multiSelect ?? multiple;
  const question = rest["question"] ?? text;
  const options = rest["options"] ?? choices;
  return {
    ...rest,
    ...(question === undefined ? {} : { question }),
    ...(multi === undefined ? {} : { multi }),
    ...(Array.isArray(options) ? { options: options.map(normalOption) } : {}),
  };
}

function normalOption(given: unknown): unknown {
  if (typeof given === "string" || typeof given === "number") return { label: String(given) };
  if (!isRecord(given)) return given;
  const { value, text, name, ...rest } = given;
  const label = rest["label"] ?? text ?? name ?? value;
  return label === undefined ? given : { ...rest, label };
}
