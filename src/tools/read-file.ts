// What reading one path gives: a page of text, the cells of a notebook, the names in a folder, or what else it is.
import { decodeText, encodingName, type DecodedText } from "../base/encoding.ts";
import { invalid, ok, type Result } from "../base/failure.ts";
import { fileType } from "../base/file-type.ts";
import { mediaTypeOf } from "../base/media-type.ts";
import { byteSize, count, cutLine } from "../base/text.ts";
import { type FileBytes, kindBehind, readBytes } from "../host/files.ts";
import { realPath } from "../host/paths.ts";
import { MAX_WHOLE_BYTES, versionOf } from "./current.ts";
import { listFolder, listingText, MAX_ENTRIES } from "./listing.ts";
import { notebookLines } from "./notebook.ts";
import { type Limits, linesOf, pageOf, type Piece, type Target } from "./page.ts";
import { bigFilePage } from "./read-big.ts";
import type { Kit } from "./tool.ts";

const MAX_LINES = 2000;
const MAX_BYTES = 50 * 1024;
const MAX_CELL_LINE_CHARS = 2000;

/** `room`: how many bytes this call may still give. */
export function readPiece(target: Target, kit: Kit, room: number): Result<Piece> {
  if (kindBehind(target.path) === "folder") return folderPiece(target.path);
  const real = realPath(target.path);
  if (!real.ok) return real;
  const file = readBytes(target.path, MAX_WHOLE_BYTES);
  if (!file.ok) return file;
  const version = versionOf(file.value);
  kit.seen?.noteRead(real.value, version);
  const range = `${target.offset}+${target.limit ?? ""}`;
  if (kit.seen?.repeats(real.value, range, version) === true) return ok(unchanged());
  const limits = limitsOf(target, kit, room);
  if (version.hash === null) return bigFilePage(target, file.value, limits);
  return contentPiece(target, file.value, limits);
}

function limitsOf(target: Target, kit: Kit, room: number): Limits {
  const isAnchored = kit.editing === "anchored";
  if (target.limit === 0 && kit.unlimited) return { lines: Infinity, bytes: Infinity, isAnchored };
  const asked = target.limit ?? MAX_LINES;
  const lines = asked === 0 ? MAX_LINES : Math.min(asked, MAX_LINES);
  return { lines, bytes: Math.min(MAX_BYTES, room), isAnchored };
}

function folderPiece(path: string): Result<Piece> {
  const listing = listFolder(path, MAX_ENTRIES);
  if (!listing.ok) return listing;
  const text = `[a folder]\n${listingText(listing.value)}`;
  return ok({ ...note(text), summary: `folder, ${listing.value.total} names` });
}

function note(text: string): Piece {
  return { text, bytes: Buffer.byteLength(text), lines: 0, leftLines: 0, summary: text };
}

function unchanged(): Piece {
  const text =
    "[unchanged: this very text was given earlier in this conversation; call again to have it repeated]";
  return { ...note(text), summary: "unchanged" };
}

function contentPiece(target: Target, file: FileBytes, limits: Limits): Result<Piece> {
  const decoded = decodeText(file.bytes);
  const media = mediaTypeOf(file.bytes);
  // A document may look like text; a text may look like the start of a sound.
  if (media !== null && (decoded === null || media.kind === "file")) {
    return ok({ ...binaryPiece(file), media: { ...media, bytes: file.bytes, path: target.path } });
  }
  if (decoded === null) return ok(binaryPiece(file));
  const isNotebook = target.path.endsWith(".ipynb") && !target.isPart;
  const cells = isNotebook ? notebookLines(decoded.text) : null;
  return cells === null ? textPiece(target, decoded, limits) : ok(cellsPiece(cells, limits));
}

function binaryPiece(file: FileBytes): Piece {
  const type = fileType(file.bytes) ?? "of unknown type";
  const text = `[a binary file, not shown: ${type}, ${byteSize(file.size)}]`;
  return { ...note(text), summary: `binary, ${byteSize(file.size)}` };
}

function textPiece(target: Target, decoded: DecodedText, limits: Limits): Result<Piece> {
  const encoding = decoded.encoding === "utf-8" ? "" : `[decoded from ${encodingName(decoded)}]`;
  if (decoded.text === "") return ok({ ...note("[an empty file]"), summary: "empty" });
  const lines = linesOf(decoded.text);
  if (target.offset > lines.length)
    return invalid(
      `${target.path} has only ${count(lines.length, "line")}: offset ${target.offset} is past its end`,
    );
  const page = pageOf(lines.slice(target.offset - 1), target.offset, limits);
  const leftLines = lines.length - page.last;
  const isWhole = leftLines === 0 && page.first === 1;
  const range = `lines ${page.first}–${page.last} of ${lines.length}`;
  const next = leftLines > 0 ? `; go on with offset=${page.last + 1}` : "";
  const text = [page.text, encoding, isWhole ? "" : `[${range}${next}]`]
    .filter((part, index) => index === 0 || part !== "")
    .join("\n");
  const shown = page.last - page.first + 1;
  const summary = isWhole ? count(shown, "line") : range;
  return ok({ text, bytes: page.bytes, lines: shown, leftLines, summary });
}

function cellsPiece(cells: readonly string[], limits: Limits): Piece {
  const shown: string[] = [];
  let bytes = 0;
  for (const cell of cells) {
    const line = cutLine(cell, MAX_CELL_LINE_CHARS);
    bytes += Buffer.byteLength(line) + 1;
    if (shown.length >= limits.lines || bytes > limits.bytes) break;
    shown.push(line);
  }
  const leftLines = cells.length - shown.length;
  const more = leftLines > 0 ? `${count(leftLines, "line")} more; ` : "";
  const hint = `[a notebook as cells; ${more}with offset or limit its JSON is shown, which edit works on]`;
  return {
    text: [...shown, hint].join("\n"),
    bytes,
    lines: shown.length,
    leftLines,
    summary: "notebook",
  };
}
