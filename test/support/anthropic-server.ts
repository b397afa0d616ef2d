// The Messages API in tests: replies as streams, requests checked against what its reference says.
import * as v from "valibot";
import {
  broken,
  vendorServer,
  type Asked,
  type Vendor,
  type VendorServer,
} from "./vendor-server.ts";

export type ReplyBlock =
  | { type: "text"; text: string }
  | { type: "thinking"; thinking: string; signature: string }
  | { type: "redacted_thinking"; data: string }
  | { type: "tool_use"; id: string; name: string; input: Record<string, unknown> };

export type AnthropicReply = {
  blocks: ReplyBlock[];
  /** Left out: `tool_use` after calls, else `end_turn`. */
  stop?: string;
  usage?: Record<string, number>;
};

export function anthropicServer(replies: readonly AnthropicReply[]): VendorServer {
  return vendorServer(VENDOR, replies);
}

const VENDOR: Vendor<AnthropicReply> = {
  body: anthropicBody,
  refusal: (wrong) =>
    JSON.stringify({
      type: "error",
      error: { type: "invalid_request_error", message: wrong.join("; ") },
    }),
  complaints,
};

export function sse(...events: StreamEvent[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}

/** The reply as a stream: every text in two halves, a ping in between. */
export function anthropicBody({ blocks, stop, usage }: AnthropicReply, at = 0): string {
  const hasCalls = blocks.some(({ type }) => type === "tool_use");
  const start = {
    id: `msg_${at + 1}`,
    type: "message",
    role: "assistant",
    model: "served-model",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 1, ...usage },
  };
  const reason = stop ?? (hasCalls ? "tool_use" : "end_turn");
  return sse(
    { type: "message_start", message: start },
    { type: "ping" },
    ...blocks.flatMap(blockEvents),
    {
      type: "message_delta",
      delta: { stop_reason: reason, stop_sequence: null },
      usage: { output_tokens: 20 },
    },
    { type: "message_stop" },
  );
}

type StreamEvent = { type: string; [field: string]: unknown };

function blockEvents(block: ReplyBlock, index: number): StreamEvent[] {
  const event = (type: string, more: object): StreamEvent => ({ type, index, ...more });
  const delta = (fields: object): StreamEvent => event("content_block_delta", { delta: fields });
  const start = (content_block: object): StreamEvent =>
    event("content_block_start", { content_block });
  const stop = event("content_block_stop", {});
  switch (block.type) {
    case "text":
      return [
        start({ type: "text", text: "" }),
        ...halves(block.text).map((text) => delta({ type: "text_delta", text })),
        stop,
      ];
    case "thinking":
      return [
        start({ type: "thinking", thinking: "", signature: "" }),
        ...halves(block.thinking).map((thinking) => delta({ type: "thinking_delta", thinking })),
        delta({ type: "signature_delta", signature: block.signature }),
        stop,
      ];
    case "redacted_thinking":
      return [start(block), stop];
    case "tool_use":
      return [
        start({ ...block, input: {} }),
        delta({ type: "input_json_delta", partial_json: "" }),
        ...halves(JSON.stringify(block.input)).map((partial_json) =>
          delta({ type: "input_json_delta", partial_json }),
        ),
        stop,
      ];
  }
}

function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== "");
}

const mark = {
  cache_control: v.optional(
    v.strictObject({ type: v.literal("ephemeral"), ttl: v.optional(v.picklist(["5m", "1h"])) }),
  ),
};
const filled = v.pipe(v.string(), v.regex(/\S/));
const callId = v.pipe(v.string(), v.regex(/^[\w-]+$/));
const Text = v.strictObject({ type: v.literal("text"), text: filled, ...mark });
const base64 = { type: v.literal("base64"), data: v.pipe(v.string(), v.base64()) };
const Image = v.strictObject({
  type: v.literal("image"),
  source: v.strictObject({
    ...base64,
    media_type: v.picklist(["image/jpeg", "image/png", "image/gif", "image/webp"]),
  }),
  ...mark,
});
const Document = v.strictObject({
  type: v.literal("document"),
  source: v.strictObject({ ...base64, media_type: v.literal("application/pdf") }),
  title: v.optional(filled),
  ...mark,
});
const Result = v.strictObject({
  type: v.literal("tool_result"),
  tool_use_id: callId,
  content: v.optional(v.union([filled, v.array(v.union([Text, Image, Document]))])),
  is_error: v.optional(v.boolean()),
  ...mark,
});
const Call = v.strictObject({
  type: v.literal("tool_use"),
  id: callId,
  name: v.pipe(v.string(), v.regex(/^[\w-]{1,128}$/)),
  input: v.record(v.string(), v.unknown()),
  ...mark,
});
const Thinking = v.strictObject({
  type: v.literal("thinking"),
  thinking: v.string(),
  signature: filled,
});
const Redacted = v.strictObject({ type: v.literal("redacted_thinking"), data: filled });

const Message = v.variant("role", [
  v.strictObject({
    role: v.literal("user"),
    content: v.pipe(v.array(v.union([Text, Image, Document, Result])), v.nonEmpty()),
  }),
  v.strictObject({
    role: v.literal("assistant"),
    content: v.pipe(v.array(v.union([Text, Thinking, Redacted, Call])), v.nonEmpty()),
  }),
]);

const Body = v.strictObject({
  model: filled,
  max_tokens: v.pipe(v.number(), v.integer(), v.minValue(1)),
  stream: v.literal(true),
  temperature: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  thinking: v.optional(
    v.variant("type", [
      v.strictObject({
        type: v.literal("enabled"),
        budget_tokens: v.pipe(v.number(), v.integer(), v.minValue(1024)),
      }),
      v.strictObject({
        type: v.literal("adaptive"),
        display: v.optional(v.picklist(["summarized", "omitted"])),
      }),
    ]),
  ),
  output_config: v.optional(
    v.strictObject({ effort: v.picklist(["low", "medium", "high", "xhigh", "max"]) }),
  ),
  tools: v.optional(
    v.array(
      v.strictObject({
        name: v.pipe(v.string(), v.regex(/^[\w-]{1,128}$/)),
        description: v.string(),
        input_schema: v.looseObject({ type: v.literal("object") }),
        ...mark,
      }),
    ),
  ),
  system: v.optional(v.array(Text)),
  messages: v.pipe(v.array(Message), v.nonEmpty()),
});

type Request = v.InferOutput<typeof Body>;
type WireMessage = Request["messages"][number];

function complaints(asked: Asked, before: readonly AnthropicReply[]): string[] {
  const read = v.safeParse(Body, asked.body);
  const head = broken({
    "it is posted to /v1/messages": asked.method === "POST" && asked.path === "/v1/messages",
    "it has a key": (asked.headers["x-api-key"] ?? "") !== "",
    "it names the version": asked.headers["anthropic-version"] === "2023-06-01",
    "it is JSON": asked.headers["content-type"] === "application/json",
  });
  if (!read.success) {
    const issues = read.issues.map((issue) => `${v.getDotPath(issue) ?? ""} ${issue.message}`);
    return [...head, ...issues];
  }
  return [...head, ...conversation(read.output), ...replayed(read.output, before)];
}

function conversation(request: Request): string[] {
  const { messages, thinking, max_tokens, temperature } = request;
  const marks = JSON.stringify(request).match(/"cache_control"/g) ?? [];
  return broken({
    "it begins and ends with the user":
      messages[0]?.role === "user" && messages.at(-1)?.role === "user",
    "the roles alternate": messages.every((one, at) => one.role !== messages[at + 1]?.role),
    "at most four marks": marks.length <= 4,
    "every call has its result, in the next message and before all else":
      messages.every((one, at) => isPaired(one, messages[at + 1])) && isPaired(null, messages[0]),
    "a budget leaves room": thinking?.type !== "enabled" || thinking.budget_tokens < max_tokens,
    "thinking takes no temperature": thinking === undefined || temperature === undefined,
  });
}

/** `next` answers exactly the calls of `message`. */
function isPaired(message: WireMessage | null, next: WireMessage | undefined): boolean {
  if (next !== undefined && next.role !== "user") return true;
  const calls =
    message?.role === "assistant"
      ? message.content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []))
      : [];
  const results = (next?.content ?? []).flatMap((block, at) =>
    block.type === "tool_result" ? [{ at, id: block.tool_use_id }] : [],
  );
  const areFirst = results.every(({ at }, index) => at === index);
  return (
    areFirst &&
    results
      .map(({ id }) => id)
      .toSorted()
      .join() === calls.toSorted().join()
  );
}

/** What was said comes back block by block as it was given: thinking with its signature, calls with their ids. */
function replayed({ messages }: Request, before: readonly AnthropicReply[]): string[] {
  const said = messages.filter(({ role }) => role === "assistant");
  const same = before.filter(({ blocks }, at) =>
    Bun.deepEquals(withoutMarks(said[at]?.content), blocks, true),
  );
  return broken({
    "every reply comes back unchanged":
      said.length === before.length && same.length === said.length,
  });
}

/** Marks may move: they are no part of what is cached. */
function withoutMarks(value: unknown): unknown {
  return JSON.parse(unmarked(JSON.stringify(value ?? null)));
}

export function unmarked(text: string): string {
  return text.replaceAll(',"cache_control":{"type":"ephemeral"}', "");
}
