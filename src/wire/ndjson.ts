// Newline-delimited JSON: an incremental decoder from byte chunks, cut anywhere, to lines of text.
import { fail, ok, type Result } from "../base/failure.ts";

export type NdjsonDecoder = {
  /** The lines that these bytes complete, without the empty ones. Fails, for good, when one line outgrows the cap. */
  feed(bytes: Uint8Array): Result<string[]>;
  /** The line that lacked its line feed when the stream ended, if any. */
  end(): string[];
};

const MAX_LINE_CHARS = 64 * 1024 * 1024;

export function ndjsonDecoder(maxLineChars: number = MAX_LINE_CHARS): NdjsonDecoder {
  // The decoder drops a byte order mark at the start and keeps split UTF-8 sequences for the next chunk.
  const decoder = new TextDecoder();
  let open = "";
  const take = (text: string): string[] => {
    const [first = "", ...others] = text.split("\n");
    // Only appended to, never looked through again: a long line costs what its length is.
    open += first;
    if (others.length === 0) return [];
    const lines = [open, ...others];
    open = lines.pop() ?? "";
    return lines.map((line) => line.trim()).filter((line) => line !== "");
  };
  return {
    feed(bytes) {
      const lines = take(decoder.decode(bytes, { stream: true }));
      if (open.length <= maxLineChars) return ok(lines);
      return fail({ kind: "limit", which: `one line of the reply (${maxLineChars} characters)` });
    },
    end: () => take(`${decoder.decode()}\n`),
  };
}
