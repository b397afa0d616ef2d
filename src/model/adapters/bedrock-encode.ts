// A neutral request as the body of Bedrock's ConverseStream.
import type { Endpoint, WireRequest } from "../provider.ts";
import type { ModelMessage, ModelRequest, ToolSpec } from "../request.ts";
import { cachesOf, inferenceOf, type Caches, type Inference } from "./bedrock-models.ts";
import { wireMessages, type Json, type WireMessage } from "./bedrock-parts.ts";

const CACHE_POINT = { cachePoint: { type: "default" } };
/** The newest ones: what the last request ended with is found again, and this one's end is kept for the next. */
const CACHED_MESSAGES = 2;

export function encodeBedrock(endpoint: Endpoint, request: ModelRequest): WireRequest {
  const { credential } = endpoint;
  return {
    url: converseUrl(endpoint.baseUrl, request.model),
    headers: {
      "content-type": "application/json",
      accept: "application/vnd.amazon.eventstream",
      ...(credential.kind === "key" ? { authorization: `Bearer ${credential.key}` } : {}),
    },
    body: JSON.stringify(bodyOf(request)),
  };
}

/** The model may be an id or an ARN, whose slashes and colons are part of the name. */
function converseUrl(baseUrl: string, model: string): string {
  const [path = "", query] = baseUrl.split("?", 2);
  const full = `${path.replace(/\/+$/, "")}/model/${encodeURIComponent(model)}/converse-stream`;
  return query === undefined ? full : `${full}?${query}`;
}

/** The messages come last: a request's bytes, but for cache points and closing brackets, begin the next one's. */
function bodyOf(request: ModelRequest): Json {
  const caches = cachesOf(request.model);
  const messages = wireMessages(request);
  return {
    ...inferenceFields(inferenceOf(request)),
    ...toolFields(toolsOf(request), caches),
    ...systemFields(request.system, caches),
    messages: caches.messages ? withCachePoints(messages) : messages,
  };
}

function inferenceFields({ maxTokens, temperature, own }: Inference): Json {
  const common = {
    ...(maxTokens === null ? {} : { maxTokens }),
    ...(temperature === null ? {} : { temperature }),
  };
  return {
    ...(Object.keys(common).length === 0 ? {} : { inferenceConfig: common }),
    ...(Object.keys(own).length === 0 ? {} : { additionalModelRequestFields: own }),
  };
}

function toolFields(specs: ToolSpec[], caches: Caches): Json {
  if (specs.length === 0) return {};
  const tools = specs.map(wireTool);
  return { toolConfig: { tools: caches.tools ? [...tools, CACHE_POINT] : tools } };
}

function systemFields(blocks: string[], caches: Caches): Json {
  const text = blocks.filter((block) => block.trim() !== "").join("\n\n");
  if (text === "") return {};
  const block = { text: text.toWellFormed() };
  return { system: caches.system ? [block, CACHE_POINT] : [block] };
}

function withCachePoints(messages: WireMessage[]): WireMessage[] {
  const asked = messages.filter(({ role }) => role === "user");
  const cached = new Set(asked.slice(-CACHED_MESSAGES));
  return messages.map((message) =>
    cached.has(message) ? { ...message, content: [...message.content, CACHE_POINT] } : message,
  );
}

/** A conversation with calls in it needs its tools named, also where none may be called any more. */
function toolsOf({ tools, messages }: ModelRequest): ToolSpec[] {
  if (tools.length > 0) return tools;
  const names = new Set(messages.flatMap(calledIn));
  return [...names].map((name) => ({ name, description: "", parameters: { type: "object" } }));
}

function calledIn(message: ModelMessage): string[] {
  if (message.role !== "assistant") return [];
  return message.parts.flatMap((part) => (part.type === "tool_call" ? [part.call.name] : []));
}

function wireTool({ name, description, parameters }: ToolSpec): Json {
  // An empty description is refused.
  const described = description === "" ? {} : { description };
  return { toolSpec: { name, ...described, inputSchema: { json: parameters } } };
}
