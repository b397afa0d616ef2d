// A conversation as the input of the Responses API: a list of items, one for each message, thought, call and result.
import type { JsonObject } from "../../base/json.ts";
import type { AssistantPart, MediaPart, ModelMessage, ModelRequest, UserPart } from "../request.ts";
import { keptItem } from "./replay.ts";

const MAX_CALL_ID_CHARS = 64;

export function inputOf({ messages, model }: ModelRequest): JsonObject[] {
  return messages.flatMap((message) => itemsOf(message, model));
}

function itemsOf(message: ModelMessage, model: string): JsonObject[] {
  switch (message.role) {
    case "user": {
      const content = message.parts.map(contentOf);
      return content.length === 0 ? [] : [{ type: "message", role: "user", content }];
    }
    case "assistant":
      return withoutLooseEnd(message.parts.flatMap((part) => assistantItem(part, model)));
    case "tool":
      return [
        {
          type: "function_call_output",
          call_id: callId(message.callId),
          output: outputOf(message.parts),
        },
      ];
  }
}

function assistantItem(part: AssistantPart, model: string): JsonObject[] {
  const kept = keptItem(part, "openai-responses", model);
  switch (part.type) {
    case "text": {
      const phase = typeof kept?.["phase"] === "string" ? { phase: kept["phase"] } : {};
      const content = part.text.toWellFormed();
      return content === "" ? [] : [{ type: "message", role: "assistant", ...phase, content }];
    }
    case "reasoning":
      return kept === null ? [] : [kept];
    case "tool_call": {
      const { id, name, arguments: text } = part.call;
      const call = { call_id: callId(id), name, arguments: replayable(text) };
      return [{ type: "function_call", ...call }];
    }
  }
}

/** A thought that led to nothing is refused: the reply broke off after it. */
function withoutLooseEnd(items: JsonObject[]): JsonObject[] {
  const end = items.findLastIndex(({ type }) => type !== "reasoning");
  return items.slice(0, end + 1);
}

/** Ids of other wires can be longer than what is taken here. */
function callId(id: string): string {
  if (id.length <= MAX_CALL_ID_CHARS) return id;
  return `call_${new Bun.CryptoHasher("sha1").update(id).digest("hex")}`;
}

/** One broken call would be a reason to refuse every later request; its result tells the model what was wrong. */
function replayable(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? text.toWellFormed()
      : "{}";
  } catch {
    return "{}";
  }
}

function outputOf(parts: UserPart[]): unknown {
  if (parts.some((part) => part.type !== "text")) return parts.map(contentOf);
  return parts
    .map((part) => (part.type === "text" ? part.text : ""))
    .join("\n")
    .toWellFormed();
}

function contentOf(part: UserPart): JsonObject {
  switch (part.type) {
    case "text":
      return { type: "input_text", text: part.text.toWellFormed() };
    case "image":
      return { type: "input_image", detail: "auto", image_url: dataUrl(part) };
    case "audio":
      return { type: "input_audio", input_audio: { data: part.data, format: audioFormat(part) } };
    case "file":
      return fileContent(part);
  }
}

/** Text needs no server that reads files. */
function fileContent(part: MediaPart): JsonObject {
  const { mediaType, name, data } = part;
  if (!mediaType.startsWith("text/")) {
    return { type: "input_file", filename: name, file_data: dataUrl(part) };
  }
  const text = Buffer.from(data, "base64").toString();
  return { type: "input_text", text: `${name}:\n${text}` };
}

function dataUrl({ mediaType, data }: MediaPart): string {
  return `data:${mediaType};base64,${data}`;
}

function audioFormat({ mediaType }: MediaPart): string {
  return mediaType === "audio/mpeg" ? "mp3" : mediaType.replace(/^audio\/(x-)?/, "");
}
