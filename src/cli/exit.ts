// How a command ends: its exit code, and for a failure one sentence on standard error.
import { sentence, type Failure } from "../base/failure.ts";
import { err } from "../host/out.ts";

/** 2: it could not start; 1: it started and failed. */
export const EXIT_USAGE = 2;
export const EXIT_FAILED = 1;

export function refuse(failure: Failure): number {
  return refuseText(sentence(failure));
}

export function refuseText(text: string): number {
  err(`burin: ${text}\n`);
  return EXIT_USAGE;
}
