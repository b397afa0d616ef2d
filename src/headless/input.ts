// Standard input of a headless run: read when it is meant, never waited for when it is only inherited.
import { fstatSync } from "node:fs";
import { broken, invalid, messageOf, ok, type Result } from "../base/failure.ts";

/** Larger input is refused: no model could take it. */
export const MAX_INPUT_BYTES = 64 << 20;
/** A pipe that gives no byte for so long, beside a prompt argument, is an inherited one. */
const FIRST_BYTE_MS = 1000;

export type InputPlan = {
  argument: string | null;
  /** True and false for --stdin and --no-stdin; null decides by what standard input is. */
  forced: boolean | null;
};

/** `note` says on standard error what was decided, where that may surprise. */
export type Input = { prompt: string; note: string | null };

/** The prompt: the argument, standard input, or the argument with the input in a `<stdin>` block. */
export function readPrompt({ argument, forced }: InputPlan): Promise<Result<Input>> {
  const kind = kindOfStdin();
  if (argument === null) {
    return forced === false || kind === "terminal"
      ? Promise.resolve(noPrompt())
      : promptFromInput();
  }
  const isRead = forced ?? (kind === "pipe" || kind === "file");
  if (!isRead) return Promise.resolve(ok({ prompt: argument, note: null }));
  return withInput(argument, forced === null && kind === "pipe" ? FIRST_BYTE_MS : null);
}

async function promptFromInput(): Promise<Result<Input>> {
  const read = await readAll(null);
  if (!read.ok) return read;
  const prompt = read.value ?? "";
  return prompt.trim() === "" ? noPrompt() : ok({ prompt, note: null });
}

async function withInput(argument: string, patienceMs: number | null): Promise<Result<Input>> {
  const read = await readAll(patienceMs);
  if (!read.ok) return read;
  if (read.value === null) {
    const note =
      "standard input gave nothing for a second and was left alone (--stdin waits for it)";
    return ok({ prompt: argument, note });
  }
  const block = read.value === "" ? "" : `\n\n<stdin>\n${read.value}\n</stdin>`;
  return ok({ prompt: `${argument}${block}`, note: null });
}

function noPrompt(): Result<Input> {
  return invalid('no prompt: give it as an argument (burin -p "…") or on standard input');
}

function kindOfStdin(): "file" | "pipe" | "terminal" | "other" {
  try {
    const stat = fstatSync(0);
    if (stat.isFile()) return "file";
    if (stat.isFIFO() || stat.isSocket()) return "pipe";
    // /dev/null is a character device like a terminal: it has nothing to give either way.
    return stat.isCharacterDevice() ? "terminal" : "other";
  } catch {
    return "other";
  }
}

/** All of standard input as UTF-8; null when the first byte did not come within `patienceMs`. */
async function readAll(patienceMs: number | null): Promise<Result<string | null>> {
  const bytes = await readBytes(patienceMs);
  if (!bytes.ok) return bytes;
  if (bytes.value === null) return ok(null);
  try {
    return ok(new TextDecoder("utf-8", { fatal: true }).decode(bytes.value));
  } catch {
    return broken("standard input is not UTF-8 text: convert it first, for example with iconv");
  }
}

async function readBytes(patienceMs: number | null): Promise<Result<Uint8Array | null>> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    const reader = Bun.stdin.stream().getReader();
    const first = await firstOf(reader.read(), patienceMs);
    if (first === "late") {
      await reader.cancel();
      return ok(null);
    }
    for (let next = first; !next.done; next = await reader.read()) {
      size += next.value.length;
      pieces.push(next.value);
      if (size <= MAX_INPUT_BYTES) continue;
      await reader.cancel();
      return broken(
        `standard input has more than ${MAX_INPUT_BYTES >> 20} MiB: give less, or name the file in the prompt`,
      );
    }
  } catch (error) {
    return broken(
      `standard input cannot be read (${messageOf(error)}): give the prompt as an argument`,
    );
  }
  return ok(Buffer.concat(pieces));
}

async function firstOf<T>(read: Promise<T>, patienceMs: number | null): Promise<T | "late"> {
  if (patienceMs === null) return read;
  const { promise, resolve } = Promise.withResolvers<"late">();
  const timer = setTimeout(() => resolve("late"), patienceMs);
  try {
    return await Promise.race([read, promise]);
  } finally {
    clearTimeout(timer);
  }
}
