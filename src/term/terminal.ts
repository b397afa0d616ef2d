// The terminal itself, the only file here with effects: raw mode, bytes in and out, size, signals, and everything put back at the end.
import { writeSync } from "node:fs";
import { draw, erase, NOTHING, type Reflow, type Size, type Tail } from "./frame.ts";
import type { Key } from "./key.ts";
import { DECODER, decode, flush, waitMs } from "./keys.ts";
import type { PromptInput } from "./prompt-input.ts";

/** What the system has to do for us. */
export type Tty = {
  /** Null when it is not known. */
  size(): { columns: number; rows: number } | null;
  /** Keys arrive at once and without a meaning; `false` puts back what was before. */
  raw(isOn: boolean): void;
};

/** What a prompt that reads keys itself is given. */
export type Lent = { input: PromptInput["stream"]; signal: AbortSignal };

export type Watcher = {
  key(key: Key): void;
  /** The size changed: the rows on the screen may have been wrapped again. */
  resized(): void;
  /** The process goes on after it was stopped: other programs have written below our rows. */
  resumed(): void;
  /** A signal asks the process to end; `code` is the exit code it stands for. */
  ended(code: number): void;
};

/** Bracketed paste; xterm's modifyOtherKeys; kitty's protocol with alternate keys. */
const MODES_ON = "\u001b[?2004h\u001b[>4;2m\u001b[>5u";
const MODES_OFF = "\u001b[<u\u001b[>4;0m\u001b[?2004l\u001b[?2026l\u001b[?25h";
const CURSOR_ON = "\u001b[?25h";
const HANGUP = 129;
/** Exit codes are 128 and the signal's number. */
const SIGNALS = [
  ["SIGHUP", HANGUP],
  ["SIGINT", 130],
  ["SIGQUIT", 131],
  ["SIGTERM", 143],
] as const;
const FALLBACK = { columns: 80, rows: 24 } as const;
const STDOUT = 1;
/** A full terminal that does not read is asked again after this pause. */
const RETRY_MS = 2;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * `free`: as the shell left it. `ours`: raw, with our key modes. `lent`: raw, for somebody else's prompt. `stopped`: the
 * shell has it until we go on.
 */
type Hold = "free" | "ours" | "lent" | "stopped";

export class Terminal implements Disposable {
  readonly #tty: Tty;
  readonly #reflow: Reflow;
  readonly #signals = SIGNALS.map(([name, code]) => ({ name, listener: () => this.#end(code) }));
  #watcher: Watcher | null = null;
  #hold: Hold = "free";
  #isEnding = false;
  #shown = NOTHING;
  /** The one reader of standard input, from the first need to the end: between two, keys would be lost. */
  #reader: ReturnType<ReadableStream<Uint8Array>["getReader"]> | null = null;
  /** Typed while nobody listened. */
  #ahead: Uint8Array[] = [];
  #prompt: PromptInput | null = null;
  #decoder = DECODER;
  #flush: ReturnType<typeof setTimeout> | null = null;

  constructor(tty: Tty, env: Environment) {
    this.#tty = tty;
    this.#reflow = reflowOf(env);
    for (const { name, listener } of this.#signals) process.on(name, listener);
    process.on("SIGCONT", this.#resume);
    process.on("SIGWINCH", this.#resize);
    process.on("exit", this.#restore);
  }

  /** From now on `watcher` hears of everything; until then a signal ends the process at once. */
  watch(watcher: Watcher): void {
    this.#watcher = watcher;
  }

  /** Takes the terminal: raw mode, our key modes; what was typed ahead comes first. */
  take(): void {
    this.#hold = "ours";
    this.#tty.raw(true);
    this.#listen();
    writeAll(MODES_ON);
    for (const bytes of this.#ahead.splice(0)) this.#hear(bytes);
  }

  /** Lends it to a prompt that reads keys itself. It stays raw: what is typed after the answer waits for `take`. */
  async lend<T>(prompt: (lent: Lent) => Promise<T>): Promise<T> {
    if (this.#hold === "ours") {
      this.clear();
      writeAll(MODES_OFF);
    }
    this.#hold = "lent";
    this.#tty.raw(true);
    this.#listen();
    const { promptInput } = await import("./prompt-input.ts");
    const cancel = new AbortController();
    const input = promptInput(() => cancel.abort());
    this.#prompt = input;
    for (const bytes of this.#ahead.splice(0)) this.#hear(bytes);
    try {
      return await prompt({ input: input.stream, signal: cancel.signal });
    } finally {
      this.#prompt = null;
      this.#ahead.push(input.rest());
    }
  }

  /** Stops the process group as the shell expects; `resumed` is called when it goes on. */
  suspend(): void {
    this.clear();
    this.#restore();
    this.#hold = "stopped";
    process.kill(0, "SIGTSTP");
  }

  size(): Size {
    return { ...(this.#tty.size() ?? FALLBACK), reflow: this.#reflow };
  }

  /** Shows `tail` as the last rows, below `above`, lines that go into the scrollback for good. */
  show(above: readonly string[], tail: Tail): void {
    const next = { above: above.map((line) => `${line}\n`).join(""), tail };
    const { shown, output } = draw(this.#shown, next, this.size());
    this.#shown = shown;
    if (output !== "") this.#write(output);
  }

  /** Takes the tail off the screen; what follows is written in its place. */
  clear(): void {
    this.#write(erase(this.#shown, this.size()));
    this.#shown = NOTHING;
  }

  /** Lines below everything, when no tail is on the screen. */
  print(lines: readonly string[]): void {
    this.#write(lines.map((line) => `${line}\r\n`).join(""));
  }

  #write(text: string): void {
    if (!writeAll(text)) this.#end(HANGUP);
  }

  [Symbol.dispose](): void {
    this.#restore();
    if (this.#flush) clearTimeout(this.#flush);
    for (const { name, listener } of this.#signals) process.off(name, listener);
    process.off("SIGCONT", this.#resume);
    process.off("SIGWINCH", this.#resize);
    process.off("exit", this.#restore);
    void this.#reader?.cancel();
  }

  #listen(): void {
    if (this.#reader) return;
    this.#reader = Bun.stdin.stream().getReader();
    void this.#read(this.#reader);
  }

  async #read(reader: { read(): Promise<{ value?: Uint8Array | undefined }> }): Promise<void> {
    for (;;) {
      const { value } = await reader.read().catch(() => ({ value: undefined }));
      if (!value) break;
      this.#hear(value);
    }
    if (this.#hold !== "free") this.#end(HANGUP);
  }

  #hear(bytes: Uint8Array): void {
    if (this.#hold === "ours") this.#give(decode(this.#decoder, bytes));
    else if (this.#prompt) this.#prompt.hear(bytes);
    else this.#ahead.push(bytes);
  }

  #give(decoded: ReturnType<typeof decode>): void {
    this.#decoder = decoded.decoder;
    if (this.#flush) clearTimeout(this.#flush);
    const wait = waitMs(this.#decoder);
    this.#flush = wait === null ? null : setTimeout(() => this.#give(flush(this.#decoder)), wait);
    for (const key of decoded.keys) this.#watcher?.key(key);
  }

  readonly #resize = (): void => {
    this.#watcher?.resized();
  };

  readonly #resume = (): void => {
    if (this.#hold !== "ours" && this.#hold !== "stopped") return;
    this.#restore();
    this.#shown = NOTHING;
    this.take();
    this.#watcher?.resumed();
  };

  readonly #restore = (): void => {
    if (this.#hold !== "ours" && this.#hold !== "lent") return;
    writeAll(this.#hold === "ours" ? MODES_OFF : CURSOR_ON);
    this.#hold = "free";
    this.#tty.raw(false);
  };

  /** The first signal asks for an orderly end, the second is obeyed at once. */
  #end(code: number): void {
    if (this.#isEnding || this.#watcher === null) process.exit(code);
    this.#isEnding = true;
    this.#watcher.ended(code);
  }
}

/** False when the terminal is gone. */
function writeAll(text: string): boolean {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) {
    const written = writeSome(bytes, at);
    if (written === null) return false;
    at += written;
  }
  return true;
}

/** Bytes written from `at` on; null when the terminal is gone. */
function writeSome(bytes: Buffer, at: number): number | null {
  try {
    return writeSync(STDOUT, bytes, at, bytes.length - at);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) return null;
    Bun.sleepSync(RETRY_MS);
    return 0;
  }
}

const XTERM_JS: ReadonlySet<string | undefined> = new Set(["vscode", "Hyper", "Tabby"]);

/** What is known of terminals that do not simply wrap their rows again: see `Reflow`. */
function reflowOf(env: Environment): Reflow {
  if (env["TMUX"]) return "all";
  if (XTERM_JS.has(env["TERM_PROGRAM"])) return "xterm.js";
  return env["TERM"] === "linux" || env["XTERM_VERSION"] || env["STY"] ? "none" : "all";
}
