// The terminal itself, the only file here with effects: raw mode, bytes in and out, size, signals, and everything put back at the end.
import { writeSync } from "node:fs";
import { draw, erase, NOTHING, type Reflow, type Size, type Tail } from "./frame.ts";
import type { Key } from "./key.ts";
import { DECODER, decode, flush, waitMs } from "./keys.ts";

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
const STDERR = 2;
/** Ctrl+D. */
const END_OF_INPUT = 4;
/** A full terminal that does not read is asked again after this pause. */
const RETRY_MS = 2;

type Environment = Readonly<Record<string, string | undefined>>;

/** Both ends are terminals, and one that can move its cursor. */
export function isInteractive(env: Environment): boolean {
  return process.stdin.isTTY && process.stdout.isTTY && env["TERM"] !== "dumb";
}

export class Terminal implements Disposable {
  readonly #watcher: Watcher;
  readonly #reflow: Reflow;
  readonly #signals = SIGNALS.map(([name, code]) => ({ name, listener: () => this.#end(code) }));
  #hold: "ours" | "lent" | "stopped" = "lent";
  #isEnding = false;
  #shown = NOTHING;
  #decoder = DECODER;
  #flush: ReturnType<typeof setTimeout> | null = null;

  constructor(watcher: Watcher, env: Environment) {
    this.#watcher = watcher;
    this.#reflow = reflowOf(env);
    for (const { name, listener } of this.#signals) process.on(name, listener);
    process.on("SIGCONT", this.#resume);
    process.on("exit", this.#restore);
    process.stdout.on("resize", this.#resize);
  }

  /** Takes the terminal: raw mode, our key modes, our reader. */
  take(): void {
    this.#hold = "ours";
    process.stdin.setRawMode(true);
    process.stdin.on("data", this.#read);
    process.stdin.resume();
    writeAll(MODES_ON);
  }

  /** Gives it back, to another reader of keys or to the shell. */
  release(): void {
    this.#restore();
    process.stdin.off("data", this.#read);
    process.stdin.pause();
  }

  /** Stops the process group as the shell expects; `resumed` is called when it goes on. */
  suspend(): void {
    this.clear();
    this.release();
    this.#hold = "stopped";
    process.kill(0, "SIGTSTP");
  }

  size(): Size {
    refreshSize();
    const [columns, rows] = process.stdout.getWindowSize();
    return {
      columns: columns > 0 ? columns : FALLBACK.columns,
      rows: rows > 0 ? rows : FALLBACK.rows,
      reflow: this.#reflow,
    };
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
    this.release();
    if (this.#flush) clearTimeout(this.#flush);
    for (const { name, listener } of this.#signals) process.off(name, listener);
    process.off("SIGCONT", this.#resume);
    process.off("exit", this.#restore);
    process.stdout.off("resize", this.#resize);
  }

  readonly #read = (bytes: Uint8Array): void => {
    this.#give(decode(this.#decoder, bytes));
  };

  #give(decoded: ReturnType<typeof decode>): void {
    this.#decoder = decoded.decoder;
    if (this.#flush) clearTimeout(this.#flush);
    const wait = waitMs(this.#decoder);
    this.#flush = wait === null ? null : setTimeout(() => this.#give(flush(this.#decoder)), wait);
    for (const key of decoded.keys) this.#watcher.key(key);
  }

  readonly #resize = (): void => {
    this.#watcher.resized();
  };

  readonly #resume = (): void => {
    if (this.#hold === "lent") return;
    if (this.#hold === "ours") this.release();
    this.#shown = NOTHING;
    this.take();
    this.#watcher.resumed();
  };

  readonly #restore = (): void => {
    if (this.#hold !== "ours") return;
    this.#hold = "lent";
    writeAll(MODES_OFF);
    process.stdin.setRawMode(false);
  };

  /** The first signal asks for an orderly end, the second is obeyed at once. */
  #end(code: number): void {
    if (this.#isEnding) process.exit(code);
    this.#isEnding = true;
    this.#watcher.ended(code);
  }
}

/**
 * Calls `then` when Ctrl+D is pressed in a prompt that does not know this key; the result ends the watch.
 * Only beside a prompt that reads keys itself.
 */
export function onEndOfInput(then: () => void): () => void {
  const listener = (bytes: Uint8Array): void => {
    if (bytes.includes(END_OF_INPUT)) then();
  };
  process.stdin.on("data", listener);
  return () => void process.stdin.off("data", listener);
}

/** One sentence to stderr, for when there is no chat to show it in. */
export function complain(text: string): void {
  writeSync(STDERR, `${text}\n`);
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

/**
 * The stream knows its size from the last SIGWINCH; a frame in between would be drawn for another width. The name is
 * Node's own and not public: where it is missing, the signal has to do.
 */
function refreshSize(): void {
  const refresh: unknown = Reflect.get(process.stdout, "_refreshSize");
  if (typeof refresh === "function") refresh.call(process.stdout);
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
