// Bedrock's ConverseStream in tests: replies as event streams, requests checked against what its reference says.
import * as v from "valibot";
import { jsonEvent } from "./event-stream-writer.ts";
import {
  broken,
  vendorServer,
  type Asked,
  type Vendor,
  type VendorServer,
} from "./vendor-server.ts";

export type ReplyBlock =
  | { text: string }
  | { reasoningContent: { reasoningText: { text: string; signature: string } } }
  | { reasoningContent: { redactedContent: string } }
  | { toolUse: { toolUseId: string; name: string; input: Record<string, unknown> } };

export type BedrockReply = {
  blocks: ReplyBlock[];
  /** Left out: `tool_use` after calls, else `end_turn`. */
  stop?: string;
  usage?: Record<string, number>;
};

export function bedrockServer(replies: readonly BedrockReply[]): VendorServer {
  return vendorServer(VENDOR, replies);
}

const VENDOR: Vendor<BedrockReply> = {
  body: bedrockBody,
  contentType: "application/vnd.amazon.eventstream",
  refusal: (wrong) => JSON.stringify({ message: wrong.join("; ") }),
  complaints,
};

/** The reply as a stream: texts and arguments in two halves, signatures in a message of their own. */
export function bedrockBody({ blocks, stop, usage }: BedrockReply): Buffer<ArrayBuffer> {
  const hasCalls = blocks.some((block) => "toolUse" in block);
  return Buffer.concat([
    jsonEvent("messageStart", { role: "assistant" }),
    ...blocks.flatMap(blockEvents),
    jsonEvent("messageStop", { stopReason: stop ?? (hasCalls ? "tool_use" : "end_turn") }),
    jsonEvent("metadata", {
      usage: { inputTokens: 10, outputTokens: 20, totalTokens: 30, ...usage },
      metrics: { latencyMs: 1 },
    }),
  ]);
}

function blockEvents(block: ReplyBlock, contentBlockIndex: number): Buffer<ArrayBuffer>[] {
  const delta = (fields: object): Buffer<ArrayBuffer> =>
    jsonEvent("contentBlockDelta", { contentBlockIndex, delta: fields });
  return [
    ...("toolUse" in block ? [startOf(block.toolUse, contentBlockIndex)] : []),
    ...deltasOf(block).map(delta),
    jsonEvent("contentBlockStop", { contentBlockIndex }),
  ];
}

function startOf(
  { toolUseId, name }: { toolUseId: string; name: string },
  contentBlockIndex: number,
): Buffer<ArrayBuffer> {
  const start = { toolUse: { toolUseId, name } };
  return jsonEvent("contentBlockStart", { contentBlockIndex, start });
}

function deltasOf(block: ReplyBlock): object[] {
  if ("text" in block) return halves(block.text).map((text) => ({ text }));
  if ("toolUse" in block) {
    return halves(JSON.stringify(block.toolUse.input)).map((input) => ({ toolUse: { input } }));
  }
  const { reasoningContent } = block;
  if ("redactedContent" in reasoningContent) return [{ reasoningContent }];
  const { text, signature } = reasoningContent.reasoningText;
  const thoughts = halves(text).map((half) => ({ reasoningContent: { text: half } }));
  return [...thoughts, { reasoningContent: { signature } }];
}

function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== "");
}

const filled = v.pipe(v.string(), v.regex(/\S/));
const base64 = v.pipe(v.string(), v.base64());
const callId = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/));
const toolName = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/));
const CachePoint = v.strictObject({ cachePoint: v.strictObject({ type: v.literal("default") }) });
const Text = v.strictObject({ text: filled });
const Image = v.strictObject({
  image: v.strictObject({
    format: v.picklist(["png", "jpeg", "gif", "webp"]),
    source: v.strictObject({ bytes: base64 }),
  }),
});
const Document = v.strictObject({
  document: v.strictObject({
    format: v.picklist(["pdf", "csv", "html", "txt", "md"]),
    name: v.pipe(v.string(), v.regex(/^[A-Za-z0-9\s\-()[\]]{1,200}$/)),
    source: v.strictObject({ bytes: base64 }),
  }),
});
const Result = v.strictObject({
  toolResult: v.strictObject({
    toolUseId: callId,
    content: v.pipe(v.array(v.union([Text, Image, Document])), v.minLength(1)),
    status: v.picklist(["success", "error"]),
  }),
});
const Call = v.strictObject({
  toolUse: v.strictObject({
    toolUseId: callId,
    name: toolName,
    input: v.record(v.string(), v.unknown()),
  }),
});
const Reasoning = v.strictObject({
  reasoningContent: v.union([
    v.strictObject({ reasoningText: v.strictObject({ text: v.string(), signature: filled }) }),
    v.strictObject({ redactedContent: base64 }),
  ]),
});
const Message = v.variant("role", [
  v.strictObject({
    role: v.literal("user"),
    content: v.pipe(v.array(v.union([Text, Image, Document, Result, CachePoint])), v.minLength(1)),
  }),
  v.strictObject({
    role: v.literal("assistant"),
    content: v.pipe(v.array(v.union([Text, Call, Reasoning])), v.minLength(1)),
  }),
]);
const Tool = v.strictObject({
  toolSpec: v.strictObject({
    name: toolName,
    description: v.optional(filled),
    inputSchema: v.strictObject({ json: v.looseObject({ type: v.literal("object") }) }),
  }),
});
const Body = v.strictObject({
  inferenceConfig: v.optional(
    v.strictObject({
      maxTokens: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
      temperature: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
    }),
  ),
  additionalModelRequestFields: v.optional(v.record(v.string(), v.unknown())),
  toolConfig: v.optional(
    v.strictObject({ tools: v.pipe(v.array(v.union([Tool, CachePoint])), v.minLength(1)) }),
  ),
  system: v.optional(v.array(v.union([Text, CachePoint]))),
  messages: v.pipe(v.array(Message), v.minLength(1)),
});
type Request = v.InferOutput<typeof Body>;
type Message = Request["messages"][number];

function complaints(asked: Asked, before: readonly BedrockReply[]): string[] {
  const read = v.safeParse(Body, asked.body);
  const head = broken({
    "it is posted to a model's converse-stream":
      asked.method === "POST" && /^\/model\/[^/]+\/converse-stream$/.test(asked.path),
    "it is JSON": asked.headers["content-type"] === "application/json",
    "it is authorized": isAuthorized(asked.headers),
  });
  if (!read.success) {
    const issues = read.issues.map((issue) => `${v.getDotPath(issue) ?? ""} ${issue.message}`);
    return [...head, ...issues];
  }
  return [...head, ...conversation(read.output), ...replayed(read.output, before)];
}

const SIGNATURE =
  /^AWS4-HMAC-SHA256 Credential=[A-Z0-9]+\/\d{8}\/[a-z0-9-]+\/bedrock\/aws4_request, SignedHeaders=content-type;host;x-amz-date(;x-amz-security-token)?, Signature=[0-9a-f]{64}$/;

/** What a signature is worth, the published vectors tell. */
function isAuthorized(headers: Record<string, string>): boolean {
  const given = headers["authorization"] ?? "";
  if (given.startsWith("Bearer ")) return given.length > "Bearer ".length;
  return SIGNATURE.test(given) && /^\d{8}T\d{6}Z$/.test(headers["x-amz-date"] ?? "");
}

function conversation(request: Request): string[] {
  const { messages, toolConfig } = request;
  const points = JSON.stringify(request).match(/"cachePoint"/g) ?? [];
  const usesTools = messages.some((one) => callsIn(one).length > 0);
  return broken({
    "it begins and ends with the user":
      messages[0]?.role === "user" && messages.at(-1)?.role === "user",
    "the roles alternate": messages.every((one, at) => one.role !== messages[at + 1]?.role),
    "at most four cache points": points.length <= 4,
    "tools are named where they were used": toolConfig !== undefined || !usesTools,
    "every call has its result in the next message":
      messages.every((one, at) => isPaired(one, messages[at + 1])) && isPaired(null, messages[0]),
  });
}

function callsIn(message: Message | null): string[] {
  if (message?.role !== "assistant") return [];
  return message.content.flatMap((block) => ("toolUse" in block ? [block.toolUse.toolUseId] : []));
}

function isPaired(message: Message | null, next: Message | undefined): boolean {
  if (next !== undefined && next.role !== "user") return true;
  const results = (next?.content ?? []).flatMap((block) =>
    "toolResult" in block ? [block.toolResult.toolUseId] : [],
  );
  return results.toSorted().join() === callsIn(message).toSorted().join();
}

/** What was said comes back block by block as it was given: thinking with its signature, calls with their ids. */
function replayed({ messages }: Request, before: readonly BedrockReply[]): string[] {
  const said = messages.filter(({ role }) => role === "assistant").map(({ content }) => content);
  const given = before.map(({ blocks }) => blocks);
  return broken({ "every reply comes back unchanged": Bun.deepEquals(said, given) });
}

/** Cache points may move: they are no part of what is cached. */
export function uncached(text: string): string {
  return text.replaceAll(',{"cachePoint":{"type":"default"}}', "");
}
