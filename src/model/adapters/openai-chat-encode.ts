// A neutral request as the body of POST /chat/completions: only widely accepted fields, the rest by quirk.
import type { Endpoint, WireRequest } from "../provider.ts";
import type {
  AssistantPart,
  Effort,
  MediaPart,
  ModelMessage,
  ModelRequest,
  UserPart,
} from "../request.ts";

/** Where a server differs from the base line. */
export type ChatQuirks = {
  maxTokensField: "max_tokens" | "max_completion_tokens";
  /** Reports usage at the end of a stream when asked; others refuse the field. */
  streamUsage: boolean;
  /** Knows `reasoning_effort`. */
  effort: boolean;
  /** Knows `prompt_cache_key`. */
  cacheKey: boolean;
  /** Wants the thinking that led to a tool call back with it, empty too (DeepSeek). */
  replayThinking: boolean;
};

export const BASE_QUIRKS: ChatQuirks = {
  maxTokensField: "max_tokens",
  streamUsage: true,
  effort: true,
  cacheKey: false,
  replayThinking: false,
};

const MAX_CACHE_KEY_CHARS = 64;

export function encodeChat(
  endpoint: Endpoint,
  request: ModelRequest,
  quirks: ChatQuirks,
): WireRequest {
  const { credential } = endpoint;
  return {
    url: chatUrl(endpoint.baseUrl),
    headers: {
      "content-type": "application/json",
      accept: "text/event-stream, application/json",
      ...(credential.kind === "key" ? { authorization: `Bearer ${credential.key}` } : {}),
    },
    body: JSON.stringify(bodyOf(request, quirks)),
  };
}

/** A base URL may end with a slash, hold a query, or name the whole path. */
function chatUrl(baseUrl: string): string {
  const [path = "", query] = baseUrl.split("?", 2);
  const base = path.replace(/\/+$/, "");
  const full = base.endsWith("/chat/completions") ? base : `${base}/chat/completions`;
  return query === undefined ? full : `${full}?${query}`;
}

/** The messages come last: a request's bytes, but for the closing brackets, begin the next one's. */
function bodyOf(request: ModelRequest, quirks: ChatQuirks): Record<string, unknown> {
  const { tools, temperature, maxOutputTokens, cacheKey } = request;
  return {
    model: request.model,
    stream: true,
    ...(quirks.streamUsage ? { stream_options: { include_usage: true } } : {}),
    ...(temperature === null ? {} : { temperature }),
    ...(maxOutputTokens === null ? {} : { [quirks.maxTokensField]: maxOutputTokens }),
    ...effortField(request.effort, quirks),
    ...(cacheKey !== null && quirks.cacheKey
      ? { prompt_cache_key: cacheKey.slice(0, MAX_CACHE_KEY_CHARS) }
      : {}),
    ...(tools.length === 0
      ? {}
      : { tools: tools.map((tool) => ({ type: "function", function: { ...tool } })) }),
    messages: messagesOf(request, quirks),
  };
}

function effortField(effort: Effort | null, quirks: ChatQuirks): Record<string, string> {
  if (effort === null || !quirks.effort) return {};
  switch (effort) {
    case "off":
      return { reasoning_effort: "none" };
    case "max":
      return { reasoning_effort: "xhigh" };
    case "minimal":
    case "low":
    case "medium":
    case "high":
    case "xhigh":
      return { reasoning_effort: effort };
  }
}

type WireMessage = Record<string, unknown>;

function messagesOf(request: ModelRequest, quirks: ChatQuirks): WireMessage[] {
  const out: WireMessage[] = [];
  const system = request.system.filter((block) => block !== "").join("\n\n");
  if (system !== "") out.push({ role: "system", content: clean(system) });
  let media: MediaPart[] = [];
  for (const message of request.messages) {
    // A tool message holds only text; its media follow in a user message, but not between the results of one round.
    if (message.role === "tool")
      media.push(...message.parts.filter((part) => part.type !== "text"));
    else {
      out.push(...mediaMessage(media));
      media = [];
    }
    out.push(...wireMessages(message, quirks));
  }
  return [...out, ...mediaMessage(media)];
}

/** It says that no person sent it, and what is what. */
function mediaMessage(media: MediaPart[]): WireMessage[] {
  if (media.length === 0) return [];
  const text = `[from the tool results above: ${media.map(({ name }) => name).join(", ")}]`;
  return [{ role: "user", content: userContent([{ type: "text", text }, ...media]) }];
}

function wireMessages(message: ModelMessage, quirks: ChatQuirks): WireMessage[] {
  switch (message.role) {
    case "user":
      return [{ role: "user", content: userContent(message.parts) }];
    case "assistant":
      return assistantMessage(message.parts, quirks);
    case "tool":
      return [{ role: "tool", tool_call_id: message.callId, content: toolContent(message.parts) }];
  }
}

function userContent(parts: UserPart[]): unknown {
  if (parts.every((part) => part.type === "text")) {
    return clean(parts.map((part) => part.text).join("\n\n"));
  }
  return parts.map(wirePart);
}

function wirePart(part: UserPart): WireMessage {
  switch (part.type) {
    case "text":
      return { type: "text", text: clean(part.text) };
    case "image":
      return { type: "image_url", image_url: { url: dataUrl(part) } };
    case "audio":
      return {
        type: "input_audio",
        input_audio: { data: part.data, format: audioFormat(part.mediaType) },
      };
    case "file":
      return { type: "file", file: { filename: part.name, file_data: dataUrl(part) } };
  }
}

function dataUrl(part: { mediaType: string; data: string }): string {
  return `data:${part.mediaType};base64,${part.data}`;
}

function audioFormat(mediaType: string): string {
  return mediaType === "audio/mpeg" ? "mp3" : mediaType.replace(/^audio\/(x-)?/, "");
}

function toolContent(parts: UserPart[]): string {
  const texts = parts.map((part) =>
    part.type === "text" ? part.text : `[${part.type} ${part.name} follows]`,
  );
  return clean(texts.join("\n"));
}

function assistantMessage(parts: AssistantPart[], quirks: ChatQuirks): WireMessage[] {
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
  const thinking = parts.flatMap((part) => (part.type === "reasoning" ? [part.text] : [])).join("");
  const calls = parts.flatMap((part) => (part.type === "tool_call" ? [part.call] : []));
  // Servers refuse an assistant message that says nothing.
  if (text === "" && calls.length === 0) return [];
  if (calls.length === 0) return [{ role: "assistant", content: clean(text) }];
  return [
    {
      role: "assistant",
      content: text === "" ? null : clean(text),
      ...(quirks.replayThinking ? { reasoning_content: clean(thinking) } : {}),
      tool_calls: calls.map((call) => ({
        id: call.id,
        type: "function",
        function: { name: call.name, arguments: replayable(call.arguments) },
      })),
    },
  ];
}

/** Servers that parse old arguments would refuse every later request over one broken call; its result tells the model what was wrong. */
function replayable(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? text : "{}";
  } catch {
    return "{}";
  }
}

/** Half a surrogate pair is no Unicode text, and a reason for servers to refuse the whole request. */
function clean(text: string): string {
  return text.toWellFormed();
}
