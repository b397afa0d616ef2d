// Messages and their parts as Bedrock's content blocks: roles alternate, nothing is blank, ids are of its form.
import type { AssistantPart, MediaPart, ModelRequest, UserPart } from "../request.ts";
import { argumentsObject, keptItem } from "./replay.ts";

export type Json = Record<string, unknown>;
export type WireMessage = { role: "user" | "assistant"; content: Json[] };

/** The results of a round, and what was typed meanwhile, are one message of the user. */
export function wireMessages({ messages, model }: ModelRequest): WireMessage[] {
  const out: WireMessage[] = [];
  for (const message of messages) {
    const role = message.role === "assistant" ? "assistant" : "user";
    const content = blocksOf(message, model);
    const last = out.at(-1);
    if (content.length === 0) continue;
    if (last?.role === role) last.content.push(...content);
    else out.push({ role, content });
  }
  return out;
}

function blocksOf(message: ModelRequest["messages"][number], model: string): Json[] {
  switch (message.role) {
    case "user":
      return message.parts.flatMap(userBlocks);
    case "assistant":
      return message.parts.flatMap((part) => assistantBlocks(part, model));
    case "tool": {
      const content = message.parts.flatMap(userBlocks);
      return [
        {
          toolResult: {
            toolUseId: wireId(message.callId),
            content: content.length === 0 ? [{ text: "(no output)" }] : content,
            status: message.isError ? "error" : "success",
          },
        },
      ];
    }
  }
}

function userBlocks(part: UserPart): Json[] {
  switch (part.type) {
    case "text":
      return textBlocks(part.text);
    case "image":
      return [{ image: { format: subtype(part), source: { bytes: part.data } } }];
    case "file":
      return [
        {
          document: {
            format: documentFormat(part),
            name: documentName(part.name),
            source: { bytes: part.data },
          },
        },
      ];
    case "audio":
      return textBlocks(`[audio ${part.name}: it cannot be sent here]`);
  }
}

/** Blank text is refused. */
function textBlocks(text: string): Json[] {
  return text.trim() === "" ? [] : [{ text: text.toWellFormed() }];
}

function subtype({ mediaType }: MediaPart): string {
  return mediaType.replace(/^[a-z]+\//, "").replace(/^jpg$/, "jpeg");
}

const DOCUMENT_FORMATS: Readonly<Record<string, string>> = {
  "application/pdf": "pdf",
  "text/csv": "csv",
  "text/html": "html",
  "text/markdown": "md",
};

function documentFormat({ mediaType }: MediaPart): string {
  return DOCUMENT_FORMATS[mediaType] ?? "txt";
}

/** Letters, digits, single spaces, hyphens, parentheses and brackets. */
function documentName(name: string): string {
  return name.replace(/[^\w\s\-()[\]]|_/g, "-").replace(/\s+/g, " ");
}

function assistantBlocks(part: AssistantPart, model: string): Json[] {
  switch (part.type) {
    case "text":
      return textBlocks(part.text);
    case "reasoning": {
      // Only what bears the model's own signature is taken back.
      const item = keptItem(part, "bedrock", model);
      return item === null ? [] : [{ reasoningContent: item }];
    }
    case "tool_call": {
      const { id, name, arguments: text } = part.call;
      return [{ toolUse: { toolUseId: wireId(id), name, input: argumentsObject(text) } }];
    }
  }
}

/** Ids of other providers can be longer than 64 characters, or hold others than these. */
function wireId(id: string): string {
  if (/^[\w-]{1,64}$/.test(id)) return id;
  return `call_${new Bun.CryptoHasher("sha256").update(id).digest("hex").slice(0, 32)}`;
}
