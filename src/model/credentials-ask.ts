// A question to the server that issues credentials: one small JSON answer, never more, never a redirect.
import { broken, fail, ok, type Result } from "../base/failure.ts";
import { isRecord, parseJson, type JsonObject } from "../base/json.ts";
import type { Environment } from "../host/env.ts";
import { DEFAULT_HTTP, send, type HttpReply } from "../wire/http.ts";

export type Question = {
  url: string;
  /** Null asks with GET. */
  body: { form: Record<string, string> } | { json: JsonObject } | null;
  headers?: Record<string, string>;
};

export type IssuerAnswer = { status: number; body: JsonObject };

/** How issuers are asked; the tests' answers without a line. */
export type AskIssuer = (question: Question, signal: AbortSignal) => Promise<Result<IssuerAnswer>>;

const MAX_ANSWER_BYTES = 1 << 18;
const TIMEOUTS = { firstByteMs: 30_000, idleMs: 30_000 };

export function issuerOver(environment: Environment): AskIssuer {
  return async ({ url, body, headers = {} }, signal) => {
    const sent = await send(
      {
        url,
        method: body === null ? "GET" : "POST",
        headers: { accept: "application/json", "user-agent": "burin", ...typeOf(body), ...headers },
        body: body === null ? null : textOf(body),
      },
      { ...DEFAULT_HTTP, timeouts: TIMEOUTS, environment },
      signal,
    );
    if (!sent.ok) {
      return sent.failure.kind === "aborted"
        ? fail({ kind: "aborted" })
        : broken(sent.failure.message);
    }
    const text = await textIn(sent.reply);
    if (text === null)
      return broken(`${new URL(url).host} sent a reply that is too large or broke off`);
    const value = parseJson(text);
    return ok({ status: sent.reply.status, body: isRecord(value) ? value : {} });
  };
}

function typeOf(body: Question["body"]): Record<string, string> {
  if (body === null) return {};
  const type = "form" in body ? "application/x-www-form-urlencoded" : "application/json";
  return { "content-type": type };
}

function textOf(body: NonNullable<Question["body"]>): string {
  return "form" in body ? new URLSearchParams(body.form).toString() : JSON.stringify(body.json);
}

async function textIn(reply: HttpReply): Promise<string | null> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of reply.body) {
    size += piece.length;
    if (size > MAX_ANSWER_BYTES) return null;
    pieces.push(piece);
  }
  return reply.broke() === null ? Buffer.concat(pieces).toString() : null;
}

/** The text under a key of an answer; empty where there is none. */
export function textAt(body: JsonObject, key: string): string {
  const value = body[key];
  return typeof value === "string" ? value : "";
}

/** A number, which some issuers write as text. */
export function numberAt(body: JsonObject, key: string): number | null {
  const value = Number(body[key] ?? Number.NaN);
  return Number.isFinite(value) ? value : null;
}
