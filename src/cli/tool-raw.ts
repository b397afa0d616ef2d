// `burin tool find|grep --raw [-0]`: bare results for other programs, file names byte for byte.
import { EXIT_PIPE } from "../base/exit-codes.ts";
import { ok, type Result } from "../base/failure.ts";
import { outBytes } from "../host/out.ts";
import { findRaw } from "../tools/find.ts";
import { grepRaw } from "../tools/grep.ts";
import type { Kit } from "../tools/tool.ts";

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
    if (outBytes(Buffer.concat(waiting)) === "closed") return ok(EXIT_PIPE);
    waiting = [];
    size = 0;
  }
  return ok(outBytes(Buffer.concat(waiting)) === "closed" ? EXIT_PIPE : 0);
}
