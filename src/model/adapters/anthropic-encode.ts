// A neutral request as the body of POST /v1/messages.
import { isRecord, type JsonObject } from "../../base/json.ts";
import type { Endpoint, WireRequest } from "../provider.ts";
import type { JsonSchema, ModelRequest, ToolSpec } from "../request.ts";
import { markedLast, turnsOf } from "./anthropic-messages.ts";
import { thinkingFields, type ThinkingFields } from "./anthropic-thinking.ts";
import { pathUnder } from "./url.ts";

const VERSION = "2023-06-01";
/** Lets models that think by budget think between their calls too; others do so anyway. */
const INTERLEAVED = "interleaved-thinking-2025-05-14";

export function encodeAnthropic(endpoint: Endpoint, request: ModelRequest): WireRequest {
  const { credential } = endpoint;
  const limits = thinkingFields(request, "anthropic");
  return {
    url: pathUnder(endpoint.baseUrl, "v1", "messages"),
    headers: {
      "content-type": "application/json",
      accept: "text/event-stream, application/json",
      "anthropic-version": VERSION,
      ...(limits.thinking?.type === "enabled" ? { "anthropic-beta": INTERLEAVED } : {}),
      ...(credential.kind === "key" ? { "x-api-key": credential.key } : {}),
    },
    body: JSON.stringify(bodyOf(request, limits)),
  };
}

/** From what changes least to what grows: the messages come last. */
function bodyOf(request: ModelRequest, limits: ThinkingFields): JsonObject {
  const tools = request.tools.map(toolOf);
  const system = request.system
    .filter((block) => block.trim() !== "")
    .map((block) => ({ type: "text", text: block.toWellFormed() }));
  return {
    model: request.model,
    stream: true,
    ...limits,
    ...(tools.length === 0 ? {} : { tools: markedLast(tools) }),
    ...(system.length === 0 ? {} : { system: markedLast(system) }),
    messages: turnsOf(request),
  };
}

type WireTool = { name: string; description: string; input_schema: JsonObject };

function toolOf({ name, description, parameters }: ToolSpec): WireTool {
  return { name, description, input_schema: objectSchema(parameters) };
}

/** The root must be an object, without alternatives: these become one object with the fields of all. */
function objectSchema({ anyOf, oneOf, allOf, ...own }: JsonSchema): JsonObject {
  const variants = [anyOf, oneOf, allOf].flatMap((list) => (Array.isArray(list) ? list : []));
  const properties = [...variants, own].map((variant: unknown) =>
    isRecord(variant) && isRecord(variant["properties"]) ? variant["properties"] : {},
  );
  return { ...own, type: "object", properties: Object.assign({}, ...properties) };
}
