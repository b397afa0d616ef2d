// CodeWhisperer's GenerateAssistantResponse in tests: requests checked against what its vendor's published client sends.
import * as v from "valibot";
import { jsonEvent } from "./event-stream-writer.ts";
import {
  broken,
  vendorServer,
  type Asked,
  type Vendor,
  type VendorServer,
} from "./vendor-server.ts";

export type CodewhispererReply = {
  text: string;
  calls?: { toolUseId: string; name: string; input: Record<string, unknown> }[];
};

export function codewhispererServer(replies: readonly CodewhispererReply[]): VendorServer {
  return vendorServer(VENDOR, replies);
}

const VENDOR: Vendor<CodewhispererReply> = {
  body: ({ text, calls = [] }) =>
    Buffer.concat([
      jsonEvent("messageMetadataEvent", { conversationId: "c" }),
      jsonEvent("assistantResponseEvent", { content: text }),
      ...calls.flatMap(({ input, ...call }) => [
        jsonEvent("toolUseEvent", call),
        jsonEvent("toolUseEvent", { ...call, input: JSON.stringify(input) }),
        jsonEvent("toolUseEvent", { ...call, stop: true }),
      ]),
      jsonEvent("metadataEvent", {
        tokenUsage: { uncachedInputTokens: 10, outputTokens: 20, totalTokens: 30 },
        stopReason: calls.length === 0 ? "END_TURN" : "TOOL_USE",
      }),
    ]),
  contentType: "application/vnd.amazon.eventstream",
  refusal: (wrong) => JSON.stringify({ __type: "ValidationException", message: wrong.join("; ") }),
  complaints,
};

const filled = v.pipe(v.string(), v.minLength(1));
const object = v.record(v.string(), v.unknown());
const Context = v.strictObject({
  toolResults: v.optional(
    v.array(
      v.strictObject({
        toolUseId: filled,
        content: v.pipe(v.array(v.strictObject({ text: v.string() })), v.minLength(1)),
        status: v.picklist(["success", "error"]),
      }),
    ),
  ),
  tools: v.optional(
    v.array(
      v.strictObject({
        toolSpecification: v.strictObject({
          name: filled,
          description: filled,
          inputSchema: v.strictObject({ json: object }),
        }),
      }),
    ),
  ),
});
const Said = v.strictObject({
  userInputMessage: v.strictObject({
    content: v.string(),
    origin: v.literal("CLI"),
    modelId: filled,
    userInputMessageContext: v.optional(Context),
  }),
});
const Answered = v.strictObject({
  assistantResponseMessage: v.strictObject({
    content: v.string(),
    toolUses: v.optional(
      v.array(v.strictObject({ toolUseId: filled, name: filled, input: object })),
    ),
  }),
});
const Body = v.strictObject({
  conversationState: v.strictObject({
    chatTriggerType: v.literal("MANUAL"),
    conversationId: v.optional(filled),
    history: v.array(v.union([Said, Answered])),
    currentMessage: Said,
  }),
});
type Turn = v.InferOutput<typeof Said> | v.InferOutput<typeof Answered>;

function complaints(asked: Asked, before: readonly CodewhispererReply[]): string[] {
  const read = v.safeParse(Body, asked.body);
  const head = broken({
    "it is posted to the root": asked.method === "POST" && asked.path === "/",
    "it names the operation":
      asked.headers["x-amz-target"] ===
      "AmazonCodeWhispererStreamingService.GenerateAssistantResponse",
    "it is JSON 1.0": asked.headers["content-type"] === "application/x-amz-json-1.0",
    "it has a key": /^Bearer ./.test(asked.headers["authorization"] ?? ""),
  });
  if (!read.success) {
    const issues = read.issues.map((issue) => `${v.getDotPath(issue) ?? ""} ${issue.message}`);
    return [...head, ...issues];
  }
  const { history, currentMessage } = read.output.conversationState;
  const turns = [...history, currentMessage];
  const answers = turns.flatMap((turn) =>
    "assistantResponseMessage" in turn ? [turn.assistantResponseMessage] : [],
  );
  const given = before.map(({ text, calls }) => ({
    content: text,
    ...(calls === undefined ? {} : { toolUses: calls }),
  }));
  return [
    ...head,
    ...broken({
      "the user begins, and the sides alternate": turns.every(
        (turn, at) => "userInputMessage" in turn === (at % 2 === 0),
      ),
      "every call has its result in the next message": turns.every((turn, at) =>
        Bun.deepEquals(callsIn(turn), resultsIn(turns[at + 1])),
      ),
      "every reply comes back unchanged": Bun.deepEquals(answers, given),
    }),
  ];
}

function callsIn(turn: Turn): string[] {
  if (!("assistantResponseMessage" in turn)) return [];
  return (turn.assistantResponseMessage.toolUses ?? []).map(({ toolUseId }) => toolUseId);
}

function resultsIn(turn: Turn | undefined): string[] {
  if (turn === undefined || !("userInputMessage" in turn)) return [];
  const results = turn.userInputMessage.userInputMessageContext?.toolResults ?? [];
  return results.map(({ toolUseId }) => toolUseId);
}
