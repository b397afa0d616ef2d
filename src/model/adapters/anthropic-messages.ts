// A conversation as the messages of the Messages API: content blocks, roles in turn, marks where the cache may end.
import type { JsonObject } from "../../base/json.ts";
import type { AssistantPart, MediaPart, ModelMessage, ModelRequest, UserPart } from "../request.ts";
import { argumentsObject, keptItem } from "./replay.ts";

type Block = JsonObject & { type: string };
type Turn = { role: "user" | "assistant"; content: Block[] };

const CACHE_MARK = { cache_control: { type: "ephemeral" } } as const;
/** The end of this request, and the end of the one before, which is in the cache already. */
const TAIL_MARKS = 2;

/** Everything up to the last of these may be cached. */
export function markedLast<T extends JsonObject>(blocks: readonly T[]): T[] {
  return blocks.map((block, at) =>
    at === blocks.length - 1 ? { ...block, ...CACHE_MARK } : block,
  );
}

export function turnsOf({ messages, model }: ModelRequest): Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    const role = message.role === "assistant" ? "assistant" : "user";
    const content = contentOf(message, model);
    const last = turns.at(-1);
    if (content.length === 0) continue;
    if (last?.role === role) last.content.push(...content);
    else turns.push({ role, content });
  }
  return withMarks(turns);
}

function withMarks(turns: Turn[]): Turn[] {
  const users = new Set(turns.filter(({ role }) => role === "user").slice(-TAIL_MARKS));
  return turns.map((turn) =>
    users.has(turn) ? { ...turn, content: markedLast(turn.content) } : turn,
  );
}

function contentOf(message: ModelMessage, model: string): Block[] {
  switch (message.role) {
    case "user":
      return message.parts.flatMap(userBlock);
    case "assistant":
      return message.parts.flatMap((part) => assistantBlocks(part, model));
    case "tool":
      return [resultBlock(message)];
  }
}

/** Blocks of nothing but blanks are refused. */
function textBlock(text: string): Block[] {
  return text.trim() === "" ? [] : [{ type: "text", text: text.toWellFormed() }];
}

function assistantBlocks(part: AssistantPart, model: string): Block[] {
  const item = keptItem(part, "anthropic", model);
  switch (part.type) {
    case "text":
      return [...textBlock(part.text), ...(item === null ? [] : [ownBlock(item)])];
    case "reasoning":
      // Thinking without its signature is refused.
      return item === null ? [] : [thinkingBlock(part.text, item)];
    case "tool_call": {
      const { id, name, arguments: text } = part.call;
      return [{ type: "tool_use", id: wireId(id), name, input: argumentsObject(text) }];
    }
  }
}

function ownBlock(item: JsonObject): Block {
  return { type: String(item["type"]), ...item };
}

function thinkingBlock(text: string, item: JsonObject): Block {
  if (item["type"] !== "thinking") return ownBlock(item);
  return { type: "thinking", thinking: text, signature: item["signature"] };
}

/** Other wires name calls with other characters. */
function wireId(id: string): string {
  return id.replace(/[^\w-]/g, "_");
}

function resultBlock(message: Extract<ModelMessage, { role: "tool" }>): Block {
  const { callId, parts, isError } = message;
  // The result of a failure is text alone.
  const content = parts.flatMap((part) => (isError ? noteOrText(part) : userBlock(part)));
  return {
    type: "tool_result",
    tool_use_id: wireId(callId),
    ...(content.length === 0 ? {} : { content }),
    ...(isError ? { is_error: true } : {}),
  };
}

function noteOrText(part: UserPart): Block[] {
  return part.type === "text" ? textBlock(part.text) : note(part);
}

const IMAGES: ReadonlySet<string> = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);

function userBlock(part: UserPart): Block[] {
  if (part.type === "text") return textBlock(part.text);
  const { mediaType, data, name } = part;
  const source = { type: "base64", media_type: mediaType, data };
  if (IMAGES.has(mediaType)) return [{ type: "image", source }];
  if (mediaType === "application/pdf") return [{ type: "document", source, title: name }];
  if (mediaType.startsWith("text/")) return textBlock(`${name}:\n${decoded(data)}`);
  return note(part);
}

function decoded(data: string): string {
  return Buffer.from(data, "base64").toString();
}

function note({ type, name, mediaType }: MediaPart): Block[] {
  return textBlock(`[the ${type} ${name} is left out: ${mediaType} cannot be shown here]`);
}
