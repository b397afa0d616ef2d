// `burin tool find|grep --raw [-0]`: bare results for other programs, file names byte for byte.
import { ok, type Result } from "../base/failure.ts";
import { findRaw } from "../tools/find.ts";
import { grepRaw } from "../tools/grep.ts";
import type { Kit } from "../tools/tool.ts";
import { print } from "./exit.ts";

/** Results are written in pieces of about this size: one system call each would be slow. */
const PIECE_BYTES = 64 << 10;

export async function printRaw(
  tool: string,
  input: unknown,
  { kit, isNull }: { kit: Kit; isNull: boolean },
): Promise<Result<number>> {
  const results = tool === "find" ? findRaw(input, kit) : grepRaw(input, kit);
  if (!results.ok) return results;
  const end = Buffer.from([isNull ? 0 : 10]);
  let waiting: Uint8Array[] = [];
  let size = 0;
  for await (const result of results.value) {
    waiting.push(result, end);
    size += result.length + 1;
    if (size < PIECE_BYTES) continue;
    const printed = print(Buffer.concat(waiting));
    if (printed !== 0) return ok(printed);
    waiting = [];
    size = 0;
  }
  return ok(print(Buffer.concat(waiting)));
}
