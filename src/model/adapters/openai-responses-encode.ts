// A neutral request as the body of POST /responses. Nothing is stored at the server: every request holds all it needs.
import type { JsonObject } from "../../base/json.ts";
import type { BodyPieces, Endpoint, WireRequest } from "../provider.ts";
import type { Effort, ModelRequest, ToolSpec } from "../request.ts";
import { inputOf } from "./openai-responses-input.ts";
import { thinks } from "./openai-responses-models.ts";
import { pathAfter } from "./url.ts";

const MAX_CACHE_KEY_CHARS = 64;
/** First, so that a transport which always streams can leave it out. */
export const STREAM = '{"stream":true,';

export function encodeResponses(endpoint: Endpoint, request: ModelRequest): WireRequest {
  const { credential } = endpoint;
  const fields: Fields = { ...fieldsOf(request), ...limitsOf(endpoint, request) };
  // The input comes last: a request's bytes, but for the closing brackets, begin the next one's.
  const head = `${STREAM}${JSON.stringify(fields).slice(1, -1)},"input":[`;
  const items = inputOf(request).map((item) => JSON.stringify(item));
  return {
    url: pathAfter(endpoint.baseUrl, "responses"),
    headers: {
      "content-type": "application/json",
      accept: "text/event-stream, application/json",
      ...(credential.kind === "key" ? { authorization: `Bearer ${credential.key}` } : {}),
    },
    body: `${head}${items.join(",")}]}`,
    pieces: { head, items, parts: partsOf(fields) },
  };
}

type Fields = JsonObject & { instructions?: string; tools?: JsonObject[] };

function partsOf({ instructions, tools = [] }: Fields): BodyPieces["parts"] {
  return {
    instructionBytes: Buffer.byteLength(JSON.stringify(instructions ?? "")),
    toolBytes: Buffer.byteLength(JSON.stringify(tools)),
    tools: tools.length,
  };
}

function fieldsOf(request: ModelRequest): Fields {
  const { tools, cacheKey } = request;
  const instructions = request.system.filter((block) => block !== "").join("\n\n");
  return {
    model: request.model,
    store: false,
    ...(cacheKey === null ? {} : { prompt_cache_key: cacheKey.slice(0, MAX_CACHE_KEY_CHARS) }),
    ...reasoningFields(request),
    ...(instructions === "" ? {} : { instructions: instructions.toWellFormed() }),
    ...(tools.length === 0 ? {} : { tools: tools.map(toolOf) }),
  };
}

/** A sign-in's server decides these itself, and refuses them. */
function limitsOf({ provider }: Endpoint, request: ModelRequest): JsonObject {
  const { temperature, maxOutputTokens } = request;
  if (provider === "codex") return {};
  return {
    ...(temperature === null ? {} : { temperature }),
    ...(maxOutputTokens === null ? {} : { max_output_tokens: maxOutputTokens }),
  };
}

/** Who asks for thinking wants to see it. What was thought comes back encrypted, to be sent along with what follows. */
function reasoningFields({ model, effort }: ModelRequest): JsonObject {
  const include = { include: ["reasoning.encrypted_content"] };
  if (effort === null) return thinks(model) ? include : {};
  if (effort === "off") return { reasoning: { effort: "none" } };
  return { reasoning: { effort: effortName(effort), summary: "auto" }, ...include };
}

function effortName(effort: Exclude<Effort, "off">): string {
  return effort === "max" ? "xhigh" : effort;
}

function toolOf({ name, description, parameters }: ToolSpec): JsonObject {
  return { type: "function", name, description, parameters, strict: false };
}
