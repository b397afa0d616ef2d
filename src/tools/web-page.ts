// What a server sent, as text for the model: its charset found, HTML turned to Markdown, other things named.
import { decodeText } from "../base/encoding.ts";
import { fileType } from "../base/file-type.ts";
import { strip } from "../base/plain.ts";

export type Format = "markdown" | "text";
export type Page = { url: string; contentType: string; bytes: Uint8Array; isCut: boolean };

/** As many bytes of a page as may name its charset, by the standard of HTML. */
const META_BYTES = 1024;

export type PageText =
  | { kind: "text"; title: string; text: string }
  /** `what` it is instead. */
  | { kind: "other"; what: string };

export async function pageText(page: Page, format: Format): Promise<PageText> {
  const type = page.contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  if (!mayBeText(type)) return { kind: "other", what: fileType(page.bytes) ?? type };
  const text = decode(page, type);
  if (text === null) return { kind: "other", what: fileType(page.bytes) ?? "binary data" };
  if (!isHtml(type, text)) return { kind: "text", title: "", text: strip(text) };
  const { readable } = await import("./web-markdown.ts");
  const read = readable(text, { isPlain: format === "text", base: page.url });
  return { kind: "text", title: strip(read.title), text: strip(read.text) };
}

function mayBeText(type: string): boolean {
  if (type === "" || type === "application/octet-stream") return true;
  if (type === "image/svg+xml") return true;
  return /^text\/|^application\/(?:.*[+.-])?(?:json|xml|javascript|ecmascript|yaml|toml|x-sh|sql|graphql|ndjson|x-www-form-urlencoded)/.test(
    type,
  );
}

function isHtml(type: string, text: string): boolean {
  if (type === "text/html" || type === "application/xhtml+xml") return true;
  const isUnsaid = type === "" || type === "application/octet-stream";
  return isUnsaid && /^\s*<(?:!doctype html|html)/i.test(text);
}

/** Null: no text, whatever the server calls it. */
function decode({ contentType, bytes, isCut }: Page, type: string): string | null {
  const named = charsetIn(contentType) ?? (type === "text/html" ? charsetOfMeta(bytes) : null);
  const decoder = named === null ? null : decoderFor(named);
  // A byte order mark goes before what anybody says, and UTF-8 is tried first where it is what was said.
  if (decoder === null || decoder.encoding.startsWith("utf-")) {
    return decodeText(bytes, !isCut)?.text ?? null;
  }
  return bytes.includes(0) ? null : decoder.decode(bytes);
}

function charsetIn(text: string): string | null {
  return /charset\s*=\s*["']?([\w.:-]+)/i.exec(text)?.[1] ?? null;
}

function charsetOfMeta(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.subarray(0, META_BYTES)).toString("latin1");
  return charsetIn(/<meta[^>]*charset[^>]*>/i.exec(start)?.[0] ?? "");
}

type Decoder = { encoding: string; decode(bytes: Uint8Array): string };

function decoderFor(label: string): Decoder | null {
  try {
    // The types know the encodings that Bun names first, the runtime all of the web's.
    return Reflect.construct(TextDecoder, [label]);
  } catch {
    // A charset that nobody knows: the bytes tell more.
    return null;
  }
}
