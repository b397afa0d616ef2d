// The read tool: files as numbered lines, several in one call.
import * as v from "valibot";
import { ok, type Result, sentence } from "../base/failure.ts";
import { count } from "../base/text.ts";
import { absolutePath } from "../host/paths.ts";
import { defineArguments, failureOf } from "./arguments.ts";
import { shownPath } from "./names.ts";
import type { Piece, Target } from "./page.ts";
import { readPiece } from "./read-file.ts";
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
  summary: "Read text files as numbered lines: path, or several in files. offset is the first line",
  parameters: args.parameters,
  tier: "cold",
  prepare(input, { cwd }) {
    const targets = targetsOf(input, cwd);
    if (!targets.ok) return targets;
    return ok({
      touches: targets.value.map(({ path }) => ({ kind: "read", path })),
      title: titleOf(targets.value, cwd),
      run: async (kit) => readAll(targets.value, kit),
    });
  },
};

function targetsOf(input: unknown, cwd: string): Result<Target[]> {
  const parsed = args.parse(input);
  if (!parsed.ok) return parsed;
  const { path, files: listed = [], ...range } = parsed.value;
  const asked = [...(path === undefined ? [] : [{ path, ...range }]), ...listed];
  if (asked.length === 0) return failureOf("read", "path is missing");
  const targets = asked.map((one) => ({
    path: absolutePath(one.path, cwd),
    offset: Math.max(1, one.offset ?? 1),
    limit: one.limit ?? null,
    isPart: one.offset !== undefined || one.limit !== undefined,
  }));
  return ok(targets);
}

function titleOf(targets: readonly Target[], cwd: string): string {
  const [first] = targets;
  if (first === undefined || targets.length > 1) return `read ${targets.length} files`;
  return `read ${shownPath(first.path, cwd)}${first.offset > 1 ? `:${first.offset}` : ""}`;
}

function readAll(targets: readonly Target[], kit: Kit): Result<Output> {
  const [only] = targets;
  if (only !== undefined && targets.length === 1) {
    const piece = readPiece(only, kit, MAX_CALL_BYTES);
    return piece.ok ? ok(outputOf(piece.value.text, [piece.value])) : piece;
  }
  const texts: string[] = [];
  const pieces: Piece[] = [];
  let room = MAX_CALL_BYTES;
  for (const target of targets) {
    const name = shownPath(target.path, kit.cwd);
    const piece = room > 0 || kit.unlimited ? readPiece(target, kit, room) : null;
    if (piece?.ok === true) {
      pieces.push(piece.value);
      room -= piece.value.bytes;
    }
    texts.push(`== ${name} ==\n${piece === null ? NO_ROOM : textOf(piece)}`);
  }
  return ok({ ...outputOf(texts.join("\n\n"), pieces), isError: pieces.length === 0 });
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
    parts: [{ type: "text", text }],
    isError: false,
    summary,
    ...(left > 0 ? { truncated: { bytes: null, lines: left, file: null } } : {}),
  };
}
