// Decodes the bytes of a Chat Completions reply in tests, with call ids that do not depend on chance.
import { BASE_QUIRKS } from "../../src/model/adapters/openai-chat-encode.ts";
import { openaiChat } from "../../src/model/adapters/openai-chat.ts";
import { summarize, type Summary } from "../../src/model/decode.ts";
import type { ModelEvent } from "../../src/model/event.ts";
import { framesOf } from "../../src/model/frames.ts";
import { streamOf } from "../support/collect.ts";

export type Head = { status?: number; contentType?: string; headers?: Record<string, string> };

export function events(body: string | Uint8Array[], head: Head = {}): AsyncGenerator<ModelEvent> {
  let count = 0;
  const adapter = openaiChat(BASE_QUIRKS, () => `own-${(count += 1)}`);
  const contentType = head.contentType ?? "text/event-stream";
  const whole = { status: head.status ?? 200, contentType, headers: head.headers ?? {} };
  const bytes = typeof body === "string" ? [Buffer.from(body)] : body;
  return adapter.decode(
    whole,
    framesOf("sse", { head: whole, body: streamOf(bytes) }, () => undefined),
  );
}

export function summary(body: string | Uint8Array[], head?: Head): Promise<Summary> {
  return summarize(events(body, head));
}

/** A stream of these chunks and the closing mark. */
export function sse(...chunks: unknown[]): string {
  return [...chunks.map((chunk) => JSON.stringify(chunk)), "[DONE]"]
    .map((data) => `data: ${data}\n\n`)
    .join("");
}

export function delta(
  fields: Record<string, unknown>,
  more: Record<string, unknown> = {},
): unknown {
  return { choices: [{ index: 0, delta: fields, ...more }] };
}

export function finish(reason: string): unknown {
  return { choices: [{ index: 0, delta: {}, finish_reason: reason }] };
}
