// The write tool: a whole file, new or in the place of one that was read.
import * as v from "valibot";
import { decodeText, type DecodedText, encodeText, encodingName } from "../base/encoding.ts";
import { invalid, ok, type Result } from "../base/failure.ts";
import { byteSize, count } from "../base/text.ts";
import { kindBehind } from "../host/files.ts";
import { realPath } from "../host/paths.ts";
import { defineArguments, failureOf } from "./arguments.ts";
import {
  carryOut,
  type Change,
  storedDiff,
  sameTarget,
  textsOf,
  type Target,
  writeTouches,
} from "./change.ts";
import { readForChange } from "./current.ts";
import { namedPath } from "./named-path.ts";
import { shownPath } from "./names.ts";
import { linesOf } from "./page.ts";
import type { Seen } from "./seen.ts";
import type { Keep, Kit, Output, Tool } from "./tool.ts";

const args = defineArguments("write", v.strictObject({ path: v.string(), content: v.string() }));

export const writeTool: Tool = {
  name: "write",
  summary: "Create or replace a file; one that exists must have been read",
  parameters: args.parameters,
  tier: "warm",
  prepare(input, { cwd }) {
    const parsed = args.parse(input);
    if (!parsed.ok) return parsed;
    const { content } = parsed.value;
    if (!content.isWellFormed())
      return failureOf("write", "content holds half of a character (a lone surrogate)");
    const path = namedPath(parsed.value.path, cwd);
    const real = realPath(path);
    if (!real.ok) return real;
    return ok({
      touches: writeTouches({ path, real: real.value }),
      title: `write ${shownPath(path, cwd)}`,
      preview: async ({ seen }) => {
        const plan = planned({ path, real: real.value }, content, seen);
        return plan.ok ? ok(storedDiff(plan.value.change, cwd)) : plan;
      },
      run: async (kit) => {
        const keep = await kit.keeper();
        return write({ path, real: real.value }, content, { kit, keep });
      },
    });
  },
};

function write(target: Target, content: string, tools: { kit: Kit; keep: Keep }): Result<Output> {
  const { kit } = tools;
  const same = sameTarget(target);
  if (!same.ok) return same;
  const plan = planned(target, content, kit.seen);
  if (!plan.ok) return plan;
  const { change, remark } = plan.value;
  const name = shownPath(target.path, kit.cwd);
  if (change.before !== null && Buffer.from(change.before).equals(change.after)) {
    const text = `${name} already holds exactly this; nothing was changed`;
    return ok({ parts: [{ type: "text", text }], isError: false, summary: "unchanged" });
  }
  const size = `${count(linesOf(content).length, "line")}, ${byteSize(change.after.length)}`;
  const verb = change.before === null ? "created" : "replaced";
  return carryOut(change, `${verb} ${name} (${size}${remark})`, { ...tools, real: same.value });
}

type Plan = { change: Change; remark: string };

/** The bytes to write: byte order mark, encoding and line ends as the file has them that is replaced. */
function planned(target: Target, content: string, seen: Seen | null): Result<Plan> {
  const kind = kindBehind(target.real);
  if (kind !== null && kind !== "file")
    return invalid(`${target.path} is a ${kind}: it cannot be written. Nothing was changed`);
  if (kind === null) return ok({ change: changeOf(target, null, utf8(content)), remark: "" });
  const old = readForChange(target.path, target.real, seen);
  if (!old.ok) return old;
  const decoded = decodeText(old.value.bytes);
  const { after, remark } = inStyleOf(decoded, content);
  return ok({ change: changeOf(target, old.value.bytes, after), remark });
}

function changeOf({ path }: Target, before: Uint8Array | null, after: Uint8Array): Change {
  return { path, before, after, texts: textsOf(before, after) };
}

function inStyleOf(
  old: DecodedText | null,
  content: string,
): { after: Uint8Array; remark: string } {
  if (old === null) return { after: utf8(content), remark: "" };
  const bare = content.replace(/^\ufeff/, "");
  const isCrlf = newlineOf(old.text) === "\r\n" && !bare.includes("\r\n");
  const text = isCrlf ? bare.replaceAll("\n", "\r\n") : bare;
  const remarks = isCrlf ? [", with CRLF line ends as before"] : [];
  const encoded = encodeText({ ...old, text });
  if (encoded !== null) return { after: encoded, remark: remarks.join("") };
  return {
    after: utf8(text),
    remark: `${remarks.join("")}, now UTF-8 instead of ${encodingName(old)}`,
  };
}

/** The line end that most lines have. */
function newlineOf(text: string): "\n" | "\r\n" {
  const all = text.split("\n").length - 1;
  const pairs = text.split("\r\n").length - 1;
  return pairs > all / 2 ? "\r\n" : "\n";
}

function utf8(text: string): Uint8Array {
  return Buffer.from(text, "utf8");
}
