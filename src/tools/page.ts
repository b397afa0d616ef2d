// A page of a text for the model: numbered lines from an offset, within limits, and how to go on.
import type { MediaType } from "../base/media-type.ts";
import { cutLine } from "../base/text.ts";
import type { MediaPart } from "../model/request.ts";
import { anchorOf } from "./anchor.ts";

/** What was asked for. `offset` counts from 1; `isPart`: a range was given. */
export type Target = { path: string; offset: number; limit: number | null; isPart: boolean };

/** What one path gives. `leftLines` follow the last one that is shown. */
export type Piece = {
  text: string;
  bytes: number;
  lines: number;
  leftLines: number;
  summary: string;
  /** It is a picture, sound or a document: how it can be given is not settled yet. */
  media?: Media;
  /** What follows the text. */
  parts?: MediaPart[];
};

export type Media = MediaType & { bytes: Uint8Array; path: string };

/** `isAnchored`: with a hash beside each number. */
export type Limits = { lines: number; bytes: number; isAnchored: boolean };
export type Page = {
  text: string;
  first: number;
  /** 0 where no line is shown. */
  last: number;
  bytes: number;
};

const MAX_LINE_CHARS = 2000;

/** Without carriage returns at their ends and without the empty line that a final newline leaves. */
export function linesOf(text: string): string[] {
  const body = text.endsWith("\n") ? text.slice(0, -1) : text;
  return body.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
}

/** `first` is the number of the first of `lines`; at least one line is shown, however long. */
export function pageOf(lines: Iterable<string>, first: number, limits: Limits): Page {
  const shown: string[] = [];
  let bytes = 0;
  for (const line of lines) {
    const number = first + shown.length;
    const name = limits.isAnchored ? anchorOf(number, line) : number;
    const numbered = `${name}\t${cutLine(line, MAX_LINE_CHARS)}`;
    const size = Buffer.byteLength(numbered) + 1;
    const isFull = shown.length >= limits.lines || bytes + size > limits.bytes;
    if (shown.length > 0 && isFull) break;
    shown.push(numbered);
    bytes += size;
  }
  return { text: shown.join("\n"), first, last: first + shown.length - 1, bytes };
}
