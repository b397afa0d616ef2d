// How a command ends: its exit code, and for a failure one sentence on standard error.
import { EXIT_USAGE } from "../base/exit-codes.ts";
import { sentence, type Failure } from "../base/failure.ts";
import { err } from "../host/out.ts";

export function refuse(failure: Failure): number {
  return refuseText(sentence(failure));
}

export function refuseText(text: string): number {
  err(`burin: ${text}\n`);
  return EXIT_USAGE;
}
