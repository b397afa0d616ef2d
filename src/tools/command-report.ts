// What the model is told of a command: its output, what was odd about it, how it ended, how long it took and where it ran.
import { count } from "../base/text.ts";
import type { End, Ended } from "../host/process.ts";
import { editorHint, hintFor } from "./no-terminal.ts";
import type { Captured } from "./output.ts";
import type { Output } from "./tool.ts";

export type Reported = {
  cwd: string;
  ended: Ended;
  captured: Captured;
  /** Further remarks, each in brackets. */
  notes: readonly string[];
};

export function reportOf({ cwd, ended, captured, notes }: Reported): Output {
  const { end, durationMs } = ended;
  const status = `[${endText(end)}, ${(durationMs / 1000).toFixed(1)} s, in ${cwd}]`;
  const remarks = [...outputRemarks(captured), ...endRemarks(ended, captured), ...notes, status];
  return {
    parts: [{ type: "text", text: lines(captured.text.trimEnd(), ...remarks) }],
    isError: end.kind !== "exit" || end.code !== 0,
    summary: endText(end),
    ...(captured.truncated === null ? {} : { truncated: captured.truncated }),
  };
}

export function lines(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n");
}

export function outputRemarks(captured: Captured): string[] {
  const notes: string[] = [];
  if (captured.bytes === 0) notes.push("(no output)");
  if (captured.invalidSequences > 0)
    notes.push(`[${count(captured.invalidSequences, "invalid UTF-8 sequence")} replaced]`);
  if (captured.nuls > 0) notes.push(`[${count(captured.nuls, "zero byte")} shown as line breaks]`);
  return notes;
}

function endRemarks({ end, survivors }: Ended, captured: Captured): string[] {
  const notes: string[] = [];
  if (end.kind === "idle")
    notes.push(
      "[ended because it was silent; if it was waiting for input: there is no stdin, pass answers as arguments]",
    );
  const hint = hintAt(end, captured.text);
  if (hint !== null) notes.push(`[${hint}]`);
  if (survivors.length > 0) {
    const named = survivors.map(({ pid, name }) => `${name} (${pid})`).join(", ");
    notes.push(
      `[still running, ended with this turn: ${named}; with background: true and without & a command goes on]`,
    );
  }
  return notes;
}

function hintAt(end: End, output: string): string | null {
  if (end.kind === "asking") return editorHint(end.program);
  return end.kind === "exit" && end.code !== 0 ? hintFor(output) : null;
}

export function endText(end: End): string {
  switch (end.kind) {
    case "exit":
      return `exit ${end.code}`;
    case "signal":
      return `ended by ${end.signal}`;
    case "timeout":
      return `timeout after ${end.afterMs / 1000} s, all its processes ended`;
    case "idle":
      return `no output for ${end.afterMs / 1000} s, all its processes ended`;
    case "asking":
      return `${end.program} waited for keys, all its processes ended`;
    case "aborted":
      return "stopped by the user, all its processes ended";
  }
}
