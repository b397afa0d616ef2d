// A neutral request as the body of Ollama's POST /api/chat.
import type { Credential, Endpoint, WireRequest } from "../provider.ts";
import type {
  AssistantPart,
  Effort,
  MediaPart,
  ModelMessage,
  ModelRequest,
  UserPart,
} from "../request.ts";
import { argumentsObject } from "./replay.ts";

type Json = Record<string, unknown>;

export function encodeOllama(endpoint: Endpoint, request: ModelRequest): WireRequest {
  return {
    url: ollamaUrl(endpoint.baseUrl, "chat"),
    headers: {
      "content-type": "application/json",
      accept: "application/x-ndjson, application/json",
      ...ollamaAuth(endpoint.credential),
    },
    body: JSON.stringify(bodyOf(endpoint, request)),
  };
}

/** A base URL may name the compatible API (`/v1`) or this one (`/api`): both are on the same server. */
export function ollamaUrl(baseUrl: string, name: "chat" | "show" | "tags"): string {
  const [path = "", query] = baseUrl.split("?", 2);
  const base = path.replace(/\/+$/, "").replace(/\/(v1|api|api\/chat)$/, "");
  return `${base}/api/${name}${query === undefined ? "" : `?${query}`}`;
}

export function ollamaAuth(credential: Credential): Record<string, string> {
  return credential.kind === "key" ? { authorization: `Bearer ${credential.key}` } : {};
}

/** The messages come last: a request's bytes, but for the closing brackets, begin the next one's. */
function bodyOf({ window }: Endpoint, request: ModelRequest): Json {
  const { model, tools, temperature, maxOutputTokens } = request;
  const options = {
    ...(window === undefined ? {} : { num_ctx: window }),
    ...(maxOutputTokens === null ? {} : { num_predict: maxOutputTokens }),
    ...(temperature === null ? {} : { temperature }),
  };
  return {
    model,
    stream: true,
    // Else the server drops the oldest messages without a word, or shifts them out while it answers.
    truncate: false,
    shift: false,
    ...(Object.keys(options).length === 0 ? {} : { options }),
    ...thinkField(request),
    ...(tools.length === 0
      ? {}
      : { tools: tools.map((tool) => ({ type: "function", function: { ...tool } })) }),
    messages: messagesOf(request),
  };
}

/** Models think or not; gpt-oss knows only how much. */
function thinkField({ effort, model }: ModelRequest): Json {
  if (effort === null) return {};
  return { think: /gpt-oss/i.test(model) ? levelOf(effort) : effort !== "off" };
}

function levelOf(effort: Effort): "low" | "medium" | "high" {
  switch (effort) {
    case "off":
    case "minimal":
    case "low":
      return "low";
    case "medium":
      return "medium";
    case "high":
    case "xhigh":
    case "max":
      return "high";
  }
}

function messagesOf(request: ModelRequest): Json[] {
  const out: Json[] = [];
  const system = request.system.filter((block) => block !== "").join("\n\n");
  if (system !== "") out.push({ role: "system", content: system.toWellFormed() });
  let images: MediaPart[] = [];
  for (const message of request.messages) {
    // Few models look at a tool message's images: they follow in a user message, after all results of the round.
    if (message.role === "tool") images.push(...imagesIn(message.parts));
    else {
      out.push(...imageMessage(images));
      images = [];
    }
    out.push(...wireMessages(message));
  }
  return [...out, ...imageMessage(images)];
}

function imagesIn(parts: UserPart[]): MediaPart[] {
  return parts.flatMap((part) => (part.type === "image" ? [part] : []));
}

/** It says that no person sent it, and what is what. */
function imageMessage(images: MediaPart[]): Json[] {
  if (images.length === 0) return [];
  const text = `[from the tool results above: ${images.map(({ name }) => name).join(", ")}]`;
  return [{ role: "user", ...contentOf([{ type: "text", text }, ...images], "\n\n") }];
}

function wireMessages(message: ModelMessage): Json[] {
  switch (message.role) {
    case "user":
      return [{ role: "user", ...contentOf(message.parts, "\n\n") }];
    case "assistant":
      return assistantMessage(message.parts);
    case "tool":
      return [toolMessage(message.name, message.parts)];
  }
}

function contentOf(parts: UserPart[], between: string): Json {
  const images = imagesIn(parts);
  const texts = parts.flatMap((part) => (part.type === "image" ? [] : [textOf(part)]));
  const content = texts.join(between).toWellFormed();
  return images.length === 0 ? { content } : { content, images: images.map(({ data }) => data) };
}

function toolMessage(name: string, parts: UserPart[]): Json {
  const texts = parts.map((part) =>
    part.type === "image" ? `[image ${part.name} follows]` : textOf(part),
  );
  return { role: "tool", tool_name: name, content: texts.join("\n").toWellFormed() };
}

function textOf(part: UserPart): string {
  return part.type === "text" ? part.text : `[${part.type} ${part.name}: it cannot be sent here]`;
}

/** Thinking goes back with the calls it led to; without them no template shows it. */
function assistantMessage(parts: AssistantPart[]): Json[] {
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
  const thinking = parts.flatMap((part) => (part.type === "reasoning" ? [part.text] : [])).join("");
  const calls = parts.flatMap((part) => (part.type === "tool_call" ? [part.call] : []));
  if (text === "" && calls.length === 0) return [];
  const content = text.toWellFormed();
  if (calls.length === 0) return [{ role: "assistant", content }];
  return [
    {
      role: "assistant",
      content,
      ...(thinking === "" ? {} : { thinking: thinking.toWellFormed() }),
      tool_calls: calls.map((call) => ({
        function: { name: call.name, arguments: argumentsObject(call.arguments) },
      })),
    },
  ];
}
