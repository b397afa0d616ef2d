// The read tool: files as numbered lines, several in one call.
import * as v from "valibot";
import { ok, type Result, sentence } from "../base/failure.ts";
import { count } from "../base/text.ts";
import { kindAt } from "../host/files.ts";
import { defineArguments, failureOf } from "./arguments.ts";
import { namedPath } from "./named-path.ts";
import { shownPath } from "./names.ts";
import type { Piece, Target } from "./page.ts";
import { readPiece } from "./read-file.ts";
import { withRange } from "./read-range.ts";
import type { Kit, Output, Tool } from "./tool.ts";

const MAX_FILES = 8;
const MAX_CALL_BYTES = 120 * 1024;

const whole = v.pipe(v.number(), v.integer(), v.minValue(0));
const place = { offset: v.optional(whole), limit: v.optional(whole) };
const files = v.array(v.strictObject({ path: v.string(), ...place }));

const args = defineArguments(
  "read",
  v.strictObject({
    path: v.optional(v.string()),
    ...place,
    files: v.optional(v.pipe(files, v.maxLength(MAX_FILES))),
  }),
);

export const readTool: Tool = {
  name: "read",
  summary:
    "Read files: text as numbered lines, images, PDF, notebooks. path, or several in files. offset is the first line",
  parameters: args.parameters,
  tier: "cold",
  prepare(input, { cwd }) {
    const targets = targetsOf(input, cwd);
    if (!targets.ok) return targets;
    return ok({
      touches: targets.value.map(({ path }) => ({ kind: "read", path })),
      title: titleOf(targets.value, cwd),
      run: (kit) => readAll(targets.value, kit),
    });
  },
};

function targetsOf(input: unknown, cwd: string): Result<Target[]> {
  const parsed = args.parse(withRange(input));
  if (!parsed.ok) return parsed;
  const { path, files: listed = [], ...range } = parsed.value;
  const own =
    path === undefined ? [] : pathsIn(path, cwd).map((each) => targetOf(each, range, cwd));
  const targets = [...own, ...listed.map((one) => targetOf(one.path, one, cwd))];
  return targets.length === 0 ? failureOf("read", "path is missing") : ok(targets);
}

type Range = { offset?: number | undefined; limit?: number | undefined };

function targetOf(path: string, { offset, limit }: Range, cwd: string): Target {
  return {
    path: namedPath(path, cwd),
    offset: Math.max(1, offset ?? 1),
    limit: limit ?? null,
    isPart: offset !== undefined || limit !== undefined,
  };
}

/** Several paths in one text, where there is no file of that name and every part is one. */
function pathsIn(text: string, cwd: string): string[] {
  const parts = text.split(/\s+/).filter((part) => part !== "");
  const exists = (path: string): boolean => kindAt(namedPath(path, cwd)) !== null;
  const areSeveral = parts.length > 1 && parts.length <= MAX_FILES;
  return areSeveral && !exists(text) && parts.every(exists) ? parts : [text];
}

function titleOf(targets: readonly Target[], cwd: string): string {
  const [first] = targets;
  if (first === undefined || targets.length > 1) return `read ${targets.length} files`;
  return `read ${shownPath(first.path, cwd)}${first.offset > 1 ? `:${first.offset}` : ""}`;
}

async function readAll(targets: readonly Target[], kit: Kit): Promise<Result<Output>> {
  const [only] = targets;
  if (only === undefined || targets.length > 1) return readSeveral(targets, kit);
  const piece = await read(only, kit, { room: MAX_CALL_BYTES, held: 0 });
  return piece.ok ? ok(outputOf(piece.value.text, [piece.value])) : piece;
}

async function readSeveral(targets: readonly Target[], kit: Kit): Promise<Result<Output>> {
  const texts: string[] = [];
  const pieces: Piece[] = [];
  let room = MAX_CALL_BYTES;
  let held = 0;
  for (const target of targets) {
    const name = shownPath(target.path, kit.cwd);
    const piece = room > 0 || kit.unlimited ? await read(target, kit, { room, held }) : null;
    if (piece?.ok === true) {
      pieces.push(piece.value);
      room -= piece.value.bytes;
      held += heldBy(piece.value);
    }
    texts.push(`== ${name} ==\n${piece === null ? NO_ROOM : textOf(piece)}`);
  }
  return ok({ ...outputOf(texts.join("\n\n"), pieces), isError: pieces.length === 0 });
}

async function read(
  target: Target,
  kit: Kit,
  { room, held }: { room: number; held: number },
): Promise<Result<Piece>> {
  const piece = readPiece(target, kit, room);
  if (!piece.ok || piece.value.media === undefined) return piece;
  const { mediaPiece } = await import("./media.ts");
  return ok(await mediaPiece(piece.value.media, kit, held));
}

/** Base64 characters. */
function heldBy({ parts = [] }: Piece): number {
  return parts.reduce((sum, { data }) => sum + data.length, 0);
}

const NO_ROOM = "[not read: one call gives at most 120 KB; read this one in another call]";

function textOf(piece: Result<Piece>): string {
  return piece.ok ? piece.value.text : `[${sentence(piece.failure)}]`;
}

function outputOf(text: string, pieces: readonly Piece[]): Output {
  const [first] = pieces;
  const lines = pieces.reduce((sum, piece) => sum + piece.lines, 0);
  const left = pieces.reduce((sum, piece) => sum + piece.leftLines, 0);
  const summary = pieces.length === 1 && first !== undefined ? first.summary : count(lines, "line");
  return {
    parts: [{ type: "text", text }, ...pieces.flatMap(({ parts = [] }) => parts)],
    isError: false,
    summary,
    ...(left > 0 ? { truncated: { bytes: null, lines: left, file: null } } : {}),
  };
}
