// How a command ends: its exit code, and for a failure one sentence on standard error.
import { EXIT_FAILED, EXIT_PIPE, EXIT_USAGE } from "../base/exit-codes.ts";
import { sentence, type Failure } from "../base/failure.ts";
import { err, OUTPUT_LOST, outBytes } from "../host/out.ts";

export function refuse(failure: Failure): number {
  return refuseText(sentence(failure));
}

export function refuseText(text: string): number {
  err(`burin: ${text}\n`);
  return EXIT_USAGE;
}

/** Prints a command's result and gives the exit code that follows from it: 0, unless standard output did not take it. */
export function print(result: string | Uint8Array): number {
  const written = outBytes(typeof result === "string" ? Buffer.from(result) : result);
  if (written === "ok") return 0;
  if (written === "closed") return EXIT_PIPE;
  err(OUTPUT_LOST);
  return EXIT_FAILED;
}
