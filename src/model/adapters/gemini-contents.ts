// A conversation as the contents of the Gemini API: parts, roles in turn, signatures on the parts they came with.
import type { JsonObject } from "../../base/json.ts";
import type { AssistantPart, MediaPart, ModelMessage, ModelRequest, UserPart } from "../request.ts";
import { demandsSignatures } from "./gemini-thinking.ts";
import { argumentsObject, keptItem } from "./replay.ts";

type Content = { role: "user" | "model"; parts: JsonObject[] };
type ToolMessage = Extract<ModelMessage, { role: "tool" }>;

/** Documented for calls that another model made: there is no signature that could come with them. */
const NO_SIGNATURE = "skip_thought_signature_validator";

export function contentsOf({ messages, model }: ModelRequest): Content[] {
  const contents: Content[] = [];
  /** The provider's own names of the last calls: their results carry them too. */
  let ids = new Map<string, string>();
  const add = (role: Content["role"], parts: JsonObject[]): void => {
    const last = contents.at(-1);
    if (parts.length === 0) return;
    if (last?.role === role) last.parts.push(...parts);
    else contents.push({ role, parts });
  };
  for (const [at, message] of messages.entries()) {
    switch (message.role) {
      case "user":
        add("user", message.parts.flatMap(userPart));
        break;
      case "assistant":
        ids = ownIds(message.parts, model);
        add("model", modelParts(message.parts, model));
        break;
      case "tool":
        // The results of one round stand together, in the order of their calls; what they show comes after.
        if (messages[at - 1]?.role !== "tool") add("user", resultParts(messages, at, ids));
        break;
    }
  }
  return contents;
}

function userPart(part: UserPart): JsonObject[] {
  if (part.type !== "text") return [mediaPart(part)];
  return part.text === "" ? [] : [{ text: part.text.toWellFormed() }];
}

function mediaPart({ mediaType, data }: MediaPart): JsonObject {
  return { inlineData: { mimeType: mediaType, data } };
}

function resultParts(
  messages: readonly ModelMessage[],
  from: number,
  ids: ReadonlyMap<string, string>,
): JsonObject[] {
  const rest = messages.slice(from);
  const end = rest.findIndex(({ role }) => role !== "tool");
  const results = (end < 0 ? rest : rest.slice(0, end)).filter(
    (message) => message.role === "tool",
  );
  const media = results.flatMap(({ parts }) => parts.filter((part) => part.type !== "text"));
  return [...results.map((result) => resultPart(result, ids)), ...mediaParts(media)];
}

function resultPart(message: ToolMessage, ids: ReadonlyMap<string, string>): JsonObject {
  const { callId, name, parts, isError } = message;
  const lines = parts.map((part) =>
    part.type === "text" ? part.text : `[${part.type} ${part.name} follows]`,
  );
  const text = lines.join("\n").toWellFormed();
  const id = ids.get(callId);
  return {
    functionResponse: {
      ...(id === undefined ? {} : { id }),
      name,
      response: isError ? { error: text } : { output: text },
    },
  };
}

/** They say that no person sent them, and what is what. */
function mediaParts(media: MediaPart[]): JsonObject[] {
  if (media.length === 0) return [];
  const names = media.map(({ name }) => name).join(", ");
  return [{ text: `[from the tool results above: ${names}]` }, ...media.map(mediaPart)];
}

function ownIds(parts: readonly AssistantPart[], model: string): Map<string, string> {
  const ids = new Map<string, string>();
  for (const part of parts) {
    const id = keptItem(part, "gemini", model)?.["id"];
    if (part.type === "tool_call" && typeof id === "string") ids.set(part.call.id, id);
  }
  return ids;
}

function modelParts(parts: readonly AssistantPart[], model: string): JsonObject[] {
  const firstCall = parts.find((part) => part.type === "tool_call");
  return parts.flatMap((part) => {
    const item = keptItem(part, "gemini", model) ?? {};
    if (part.type !== "tool_call") return textParts(part, item);
    const { id, thoughtSignature } = item;
    const isUnsigned = part === firstCall && demandsSignatures(model);
    const signature = thoughtSignature ?? (isUnsigned ? NO_SIGNATURE : undefined);
    return [
      {
        functionCall: {
          ...(id === undefined ? {} : { id }),
          name: part.call.name,
          args: argumentsObject(part.call.arguments),
        },
        ...(signature === undefined ? {} : { thoughtSignature: signature }),
      },
    ];
  });
}

/** A signature is for the last so many characters: what stands before them is a part of its own. Bare thoughts stay here. */
function textParts(
  { type, text }: Extract<AssistantPart, { type: "text" | "reasoning" }>,
  { thoughtSignature, chars }: JsonObject,
): JsonObject[] {
  const kind = type === "reasoning" ? { thought: true } : {};
  const signed = typeof chars === "number" ? Math.min(chars, text.length) : 0;
  const before = text.slice(0, text.length - signed);
  const plain = type === "text" && before !== "" ? [{ text: before.toWellFormed() }] : [];
  if (thoughtSignature === undefined) return plain;
  return [...plain, { ...kind, text: text.slice(text.length - signed), thoughtSignature }];
}
