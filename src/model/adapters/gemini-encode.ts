// A neutral request as the body of POST …/models/MODEL:streamGenerateContent.
import type { JsonObject } from "../../base/json.ts";
import type { Endpoint, WireRequest } from "../provider.ts";
import type { ModelRequest, ToolSpec } from "../request.ts";
import { contentsOf } from "./gemini-contents.ts";
import { geminiSchema } from "./gemini-schema.ts";
import { thinkingConfig } from "./gemini-thinking.ts";
import { pathUnder } from "./url.ts";

export function encodeGemini(endpoint: Endpoint, request: ModelRequest): WireRequest {
  const { credential } = endpoint;
  return {
    url: urlOf(endpoint.baseUrl, request.model),
    headers: {
      "content-type": "application/json",
      accept: "text/event-stream, application/json",
      ...(credential.kind === "key" ? { "x-goog-api-key": credential.key } : {}),
    },
    body: JSON.stringify(bodyOf(request)),
  };
}

/** Tuned models are named with their collection. */
function urlOf(baseUrl: string, model: string): string {
  const path = /^(models|tunedModels)\//.test(model) ? model : `models/${model}`;
  const url = new URL(pathUnder(baseUrl, "v1beta", `${encodeURI(path)}:streamGenerateContent`));
  url.searchParams.set("alt", "sse");
  return url.href;
}

/** From what changes least to what grows: the contents come last. */
function bodyOf(request: ModelRequest): JsonObject {
  const { tools, system, model, effort, maxOutputTokens, temperature } = request;
  const thinking = thinkingConfig(model, effort);
  const generation = {
    ...(temperature === null ? {} : { temperature }),
    ...(maxOutputTokens === null ? {} : { maxOutputTokens }),
    ...(thinking === null ? {} : { thinkingConfig: thinking }),
  };
  const blocks = system.filter((block) => block !== "");
  return {
    ...(Object.keys(generation).length === 0 ? {} : { generationConfig: generation }),
    ...(tools.length === 0 ? {} : { tools: [{ functionDeclarations: tools.map(declaration) }] }),
    ...(blocks.length === 0
      ? {}
      : { systemInstruction: { parts: blocks.map((text) => ({ text: text.toWellFormed() })) } }),
    contents: contentsOf(request),
  };
}

function declaration({ name, description, parameters }: ToolSpec): JsonObject {
  const schema = geminiSchema(parameters);
  // An object without fields is refused: a tool without parameters has none.
  return {
    name,
    description,
    ...(schema["properties"] === undefined ? {} : { parameters: schema }),
  };
}
