// A program in a pty, seen through a headless terminal emulator: type, press keys, resize, and read what a person would see.
import { Terminal } from "@xterm/headless";
import { linesOf, useRealWidths } from "./emulator.ts";
import { until } from "./until.ts";

export type ScreenOptions = {
  command: string;
  args?: string[];
  cols?: number;
  rows?: number;
  env?: Record<string, string>;
  cwd?: string;
  /** How the emulator treats the cursor's row when it gets narrower; most terminals wrap it too. */
  reflowCursorLine?: boolean;
};

export type Screen = {
  /** Sends text as a person would type it. */
  type(text: string): void;
  /** Sends one named key: `enter`, `escape`, `up`, `ctrl+c`, `alt+enter`, `shift+enter`. */
  key(name: string): void;
  /** A bracketed paste. */
  paste(text: string): void;
  /** Resizes as a terminal does: what has come is on the screen, then the screen changes, then the program hears of it. */
  resize(cols: number, rows: number): Promise<void>;
  /** The visible rows, without trailing blanks. */
  text(): string;
  rows(): string[];
  cursor(): { row: number; column: number };
  /** Everything, from the first line ever printed to the last row; wrapped lines are joined. */
  scrollback(): string;
  /** Waits until the screen holds a text or fulfils a condition; shows the screen when it never does. */
  waitFor(what: string | RegExp | ((text: string) => boolean)): Promise<void>;
  /** Every byte the program wrote. */
  raw(): string;
  signal(name: NodeJS.Signals): void;
  exited: Promise<number>;
  kill(): void;
} & AsyncDisposable;

const KEYS: Readonly<Record<string, string>> = {
  enter: "\r",
  escape: "\u001b",
  tab: "\t",
  "shift+tab": "\u001b[Z",
  backspace: "\u007f",
  delete: "\u001b[3~",
  up: "\u001b[A",
  down: "\u001b[B",
  right: "\u001b[C",
  left: "\u001b[D",
  home: "\u001b[H",
  end: "\u001b[F",
  "alt+enter": "\u001b\r",
  "shift+enter": "\u001b[13;2u",
};

export function screen(options: ScreenOptions): Screen {
  const { cols = 80, rows = 24 } = options;
  const terminal = new Terminal({
    cols,
    rows,
    scrollback: 100_000,
    allowProposedApi: true,
    reflowCursorLine: options.reflowCursorLine ?? true,
  });
  useRealWidths(terminal);
  let raw = "";
  const decoder = new TextDecoder();
  const child = Bun.spawn([options.command, ...(options.args ?? [])], {
    cwd: options.cwd ?? process.cwd(),
    env: { ...process.env, TERM: "xterm-256color", ...options.env },
    terminal: {
      cols,
      rows,
      data(_, bytes) {
        raw += decoder.decode(bytes, { stream: true });
        terminal.write(bytes);
      },
    },
  });
  const pty = child.terminal;
  if (!pty) throw new Error("the pty could not be opened");
  // The emulator answers queries, as a terminal does.
  terminal.onData((data) => pty.write(data));
  const visible = (): string[] => rowsFrom(terminal, terminal.buffer.active.baseY);
  const self: Screen = {
    type: (text) => void pty.write(text),
    key: (name) => void pty.write(bytesOf(name)),
    paste: (text) => void pty.write(`\u001b[200~${text}\u001b[201~`),
    resize: async (newCols, newRows) => {
      await new Promise<void>((resolve) => terminal.write("", resolve));
      terminal.resize(newCols, newRows);
      pty.resize(newCols, newRows);
    },
    rows: visible,
    text: () => visible().join("\n").trimEnd(),
    cursor: () => ({ row: terminal.buffer.active.cursorY, column: terminal.buffer.active.cursorX }),
    scrollback: () => linesOf(terminal).join("\n"),
    waitFor: async (what) => {
      try {
        await until(`the screen shows ${String(what)}`, () => shows(self.text(), what));
      } catch (error) {
        throw new Error(`${String(error)}; it shows:\n${self.text()}`, { cause: error });
      }
    },
    raw: () => raw,
    signal: (name) => child.kill(name),
    exited: child.exited,
    kill: () => child.kill("SIGKILL"),
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await child.exited;
      pty.close();
      terminal.dispose();
    },
  };
  return self;
}

function shows(text: string, what: string | RegExp | ((text: string) => boolean)): boolean {
  if (typeof what === "string") return text.includes(what);
  return what instanceof RegExp ? what.test(text) : what(text);
}

function bytesOf(name: string): string {
  const known = KEYS[name];
  if (known !== undefined) return known;
  const control = /^ctrl\+([a-z])$/.exec(name)?.[1];
  if (control !== undefined) return String.fromCodePoint((control.codePointAt(0) ?? 0) - 96);
  throw new Error(`no bytes are known for the key ${name}`);
}

function rowsFrom(terminal: Terminal, from: number): string[] {
  const rows: string[] = [];
  for (let row = from; row < from + terminal.rows; row += 1) {
    rows.push(terminal.buffer.active.getLine(row)?.translateToString(true).trimEnd() ?? "");
  }
  return rows;
}
