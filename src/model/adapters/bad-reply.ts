// Replies that are none, on any wire: refusals with their bodies, web pages, frames that are damaged.
import { parseJson } from "../../base/json.ts";
import type { ProviderError } from "../event.ts";
import type { Frame, ReplyHead } from "../provider.ts";
import { providerError, streamError, type Problem } from "./openai-errors.ts";

const MAX_SHOWN_CHARS = 300;

export function isRefusal({ status }: ReplyHead): boolean {
  return status < 200 || status >= 300;
}

/** The error in a reply whose status is none of success. `problemOf` reads the wire's own error body. */
export async function refusal(
  head: ReplyHead,
  frames: AsyncIterable<Frame>,
  problemOf: (value: unknown) => Problem,
): Promise<ProviderError> {
  const data = await firstData(frames);
  if (head.status >= 300 && head.status < 400) {
    const target = URL.parse(head.headers["location"] ?? "")?.host ?? "another address";
    const message = `it sends requests on to ${target}; set the base URL to where the API is`;
    return providerError(head, { message, codes: [], status: null });
  }
  const value = parseJson(data);
  if (value !== undefined) return providerError(head, problemOf(value));
  return providerError(head, { message: plainText(data), codes: [], status: null });
}

async function firstData(frames: AsyncIterable<Frame>): Promise<string> {
  for await (const frame of frames) return frame.data;
  return "";
}

/** A frame that is no JSON. */
export function unreadable(head: ReplyHead, data: string): ProviderError {
  if (isWebPage(head, data)) {
    const message = `a web page came instead of a model's reply (${plainText(data)}); check the base URL and any proxy in between`;
    return streamError(head, "bad_request", message);
  }
  const shown = plainText(data.slice(0, 200));
  return streamError(head, "stream_cut", `the reply broke off: a frame is no JSON (${shown})`);
}

/** A stream that ended before the wire's own mark of completion. */
export function unended(head: ReplyHead, sawAnything: boolean): ProviderError {
  const what = sawAnything
    ? "the reply broke off: the stream ended without saying that the answer is complete"
    : "the provider sent an empty reply";
  return streamError(head, "stream_cut", what);
}

function isWebPage(head: ReplyHead, data: string): boolean {
  return head.contentType.includes("html") || /^\s*<(!doctype|html|head|body)/i.test(data);
}

/** The title of a page, else its text without marks. */
function plainText(data: string): string {
  const title = /<title[^>]*>([^<]{1,200})/i.exec(data)?.[1];
  return (title ?? data.slice(0, 4000).replace(/<[^>]*>/g, " "))
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, MAX_SHOWN_CHARS);
}
