// Responses over one WebSocket: each request a message, and only what is new of it where the server still holds the rest.
import { isRecord, parseJson, type JsonObject } from "../../base/json.ts";
import type { BodyPieces, Heard, Talk } from "../provider.ts";
import { STREAM } from "./openai-responses-encode.ts";
import { responsesProblem } from "./openai-responses-errors.ts";

/** What the server holds after a whole reply: what it was asked, and what it said. */
type Held = { asked: BodyPieces; replyId: string; said: string };

export function openTalk(): Talk {
  let asked: BodyPieces | null = null;
  let held: Held | null = null;
  let items: unknown[] = [];
  return {
    ask(pieces) {
      const news = held === null ? null : newItems(held, pieces);
      const replyId = held?.replyId ?? "";
      asked = pieces;
      held = null;
      items = [];
      const sent = news ?? pieces.items;
      const continued = news === null ? "" : `"previous_response_id":${JSON.stringify(replyId)},`;
      const head = pieces.head.slice(STREAM.length);
      return {
        message: `{"type":"response.create",${continued}${head}${sent.join(",")}]}`,
        isContinued: news !== null,
        sentItems: sent.length,
      };
    },
    hear(message) {
      const event = parseJson(message);
      if (!isRecord(event)) return { kind: "output" };
      if (event["type"] === "response.output_item.done") items.push(event["item"]);
      const heard = meaningOf(event);
      if (event["type"] === "response.completed" && asked !== null) {
        held = { asked, replyId: idOf(event), said: speechOf(items) };
      }
      return heard;
    },
  };
}

function meaningOf(event: JsonObject): Heard {
  const type = String(event["type"]);
  if (type === "error") return refusal(event);
  if (ENDS.has(type)) return { kind: "end" };
  return { kind: SHOWS.test(type) ? "output" : "quiet" };
}

const ENDS: ReadonlySet<string> = new Set([
  "response.completed",
  "response.done",
  "response.incomplete",
  "response.failed",
  "response.cancelled",
]);
/** What comes before is not shown to anybody. */
const SHOWS = /\.delta$|^response\.output_item\.done$/;

function refusal(event: JsonObject): Heard {
  const { codes } = responsesProblem(event);
  const again = codes.map((code) => AGAIN[code]).find((where) => where !== undefined);
  return { kind: "refused", again: again ?? null };
}

/** The server no longer has what was to be continued, or the connection is too old. */
const AGAIN: Readonly<Record<string, "here" | "anew">> = {
  previous_response_not_found: "here",
  websocket_connection_limit_reached: "anew",
};

function idOf(event: JsonObject): string {
  const { response } = event;
  return isRecord(response) && typeof response["id"] === "string" ? response["id"] : "";
}

/** What the request adds to the reply that the server holds; null where it is not the same conversation. */
function newItems({ asked, replyId, said }: Held, pieces: BodyPieces): readonly string[] | null {
  const { head, items } = pieces;
  const isSame = head === asked.head && asked.items.every((item, at) => item === items[at]);
  if (!isSame || replyId === "") return null;
  const after = items.slice(asked.items.length);
  const parsed = after.map(parseJson);
  const start = parsed.findIndex((item) => !isOwn(item));
  if (start < 0 || speechOf(parsed.slice(0, start)) !== said) return null;
  return after.slice(start);
}

/** Whether the model said it. */
function isOwn(item: unknown): boolean {
  if (!isRecord(item)) return false;
  const { type, role } = item;
  return type === "reasoning" || type === "function_call" || role === "assistant";
}

/** What was said, however it is written: as it came from the server or as it would go back. */
function speechOf(items: readonly unknown[]): string {
  const texts: string[] = [];
  const calls: string[] = [];
  for (const item of items) {
    if (!isRecord(item)) continue;
    if (item["type"] === "message") texts.push(textOf(item["content"]));
    if (item["type"] !== "function_call") continue;
    const { call_id, name, arguments: text } = item;
    calls.push(JSON.stringify([call_id, name, String(text).trim() || "{}"]));
  }
  return JSON.stringify([texts.join(""), calls]);
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((piece: unknown) => (isRecord(piece) ? String(piece["text"] ?? piece["refusal"]) : ""))
    .join("");
}
