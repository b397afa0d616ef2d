// Ollama's own API in tests: replies as lines of JSON, requests checked against what its reference says.
import * as v from "valibot";
import {
  broken,
  vendorServer,
  type Asked,
  type Vendor,
  type VendorServer,
} from "./vendor-server.ts";

export type OllamaReply = {
  thinking?: string;
  text?: string;
  calls?: { name: string; arguments: Record<string, unknown> }[];
  /** Left out: stop. */
  doneReason?: string;
};

export function ollamaServer(replies: readonly OllamaReply[]): VendorServer {
  return vendorServer(VENDOR, replies);
}

const VENDOR: Vendor<OllamaReply> = {
  body: ollamaBody,
  contentType: "application/x-ndjson",
  refusal: (wrong) => JSON.stringify({ error: wrong.join("; ") }),
  complaints,
};

export function ndjson(...lines: unknown[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** A line for each piece of the message, each call in one of its own, and the line that it is done. */
export function ollamaBody(reply: OllamaReply): string {
  const line = (message: object, more: object = { done: false }): object => ({
    model: "served-model",
    created_at: "2025-07-01T10:00:00.000000Z",
    message: { role: "assistant", content: "", ...message },
    ...more,
  });
  const letters = (text = ""): string[] => text.split(/(?<= )/);
  return ndjson(
    ...letters(reply.thinking).map((thinking) => line({ thinking })),
    ...letters(reply.text).map((content) => line({ content })),
    ...(reply.calls ?? []).map((call) => line({ tool_calls: [{ function: call }] })),
    line(
      {},
      {
        done: true,
        done_reason: reply.doneReason ?? "stop",
        total_duration: 1,
        prompt_eval_count: 20,
        eval_count: 7,
      },
    ),
  );
}

const filled = v.pipe(v.string(), v.minLength(1));
const count = v.pipe(v.number(), v.integer(), v.minValue(1));
const image = v.pipe(v.string(), v.base64());
const Call = v.strictObject({
  function: v.strictObject({ name: filled, arguments: v.record(v.string(), v.unknown()) }),
});
const Message = v.variant("role", [
  v.strictObject({ role: v.literal("system"), content: filled }),
  v.strictObject({
    role: v.literal("user"),
    content: v.string(),
    images: v.optional(v.array(image)),
  }),
  v.strictObject({
    role: v.literal("assistant"),
    content: v.string(),
    thinking: v.optional(filled),
    tool_calls: v.optional(v.pipe(v.array(Call), v.minLength(1))),
  }),
  v.strictObject({ role: v.literal("tool"), content: v.string(), tool_name: filled }),
]);
const Body = v.strictObject({
  model: filled,
  stream: v.literal(true),
  truncate: v.literal(false),
  shift: v.literal(false),
  options: v.optional(
    v.strictObject({
      num_ctx: v.optional(count),
      num_predict: v.optional(count),
      temperature: v.optional(v.number()),
    }),
  ),
  think: v.optional(v.union([v.boolean(), v.picklist(["low", "medium", "high"])])),
  tools: v.optional(
    v.array(
      v.strictObject({
        type: v.literal("function"),
        function: v.strictObject({
          name: filled,
          description: v.string(),
          parameters: v.looseObject({ type: v.literal("object") }),
        }),
      }),
    ),
  ),
  messages: v.pipe(v.array(Message), v.minLength(1)),
});
type Message = v.InferOutput<typeof Message>;

function complaints(asked: Asked, before: readonly OllamaReply[]): string[] {
  const read = v.safeParse(Body, asked.body);
  const head = broken({
    "it is posted to /api/chat": asked.method === "POST" && asked.path === "/api/chat",
    "it is JSON": asked.headers["content-type"] === "application/json",
  });
  if (!read.success) {
    const issues = read.issues.map((issue) => `${v.getDotPath(issue) ?? ""} ${issue.message}`);
    return [...head, ...issues];
  }
  const { messages } = read.output;
  const said = messages.filter(({ role }) => role === "assistant");
  return [
    ...head,
    ...broken({
      "only the first message is of the system": messages.slice(1).every(isNoSystem),
      "every call has its result, in its order, right after it": messages.every((one, at) =>
        isAnswered(one, messages.slice(at + 1)),
      ),
      "every reply comes back as it was": Bun.deepEquals(said, before.map(asMessage)),
    }),
  ];
}

function isNoSystem({ role }: Message): boolean {
  return role !== "system";
}

function isAnswered(message: Message, after: Message[]): boolean {
  const calls = message.role === "assistant" ? (message.tool_calls ?? []) : [];
  return calls.every((call, at) => {
    const result = after[at];
    return result?.role === "tool" && result.tool_name === call.function.name;
  });
}

/** Thinking goes back with calls only. */
function asMessage({ text, thinking, calls }: OllamaReply): object {
  const content = text ?? "";
  if (calls === undefined) return { role: "assistant", content };
  return {
    role: "assistant",
    content,
    ...(thinking === undefined ? {} : { thinking }),
    tool_calls: calls.map((call) => ({ function: call })),
  };
}
