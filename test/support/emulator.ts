// A headless terminal without a program: bytes in, rows out. For tests of what is written, where no pty is needed.
import { Terminal } from "@xterm/headless";

export type Emulator = {
  write(text: string): Promise<void>;
  resize(columns: number, rows: number): void;
  /** All rows from the first ever printed, without trailing blanks; rows that a narrower width wrapped are joined. */
  lines(): string[];
  cursor(): { row: number; column: number };
};

export function emulator(columns: number, rows: number, reflowCursorLine = true): Emulator {
  const terminal = new Terminal({
    cols: columns,
    rows,
    scrollback: 100_000,
    allowProposedApi: true,
    reflowCursorLine,
  });
  useRealWidths(terminal);
  return {
    write: (text) => new Promise((resolve) => terminal.write(text, resolve)),
    resize: (newColumns, newRows) => terminal.resize(newColumns, newRows),
    lines: () => linesOf(terminal),
    cursor: () => ({ row: terminal.buffer.active.cursorY, column: terminal.buffer.active.cursorX }),
  };
}

/** The buffer's lines; what the terminal wrapped is one line again. */
export function linesOf(terminal: Terminal): string[] {
  const lines: string[] = [];
  const buffer = terminal.buffer.active;
  let line = "";
  for (let row = 0; row < buffer.length; row += 1) {
    const isContinued = buffer.getLine(row + 1)?.isWrapped ?? false;
    line += buffer.getLine(row)?.translateToString(!isContinued) ?? "";
    if (isContinued) continue;
    lines.push(line.trimEnd());
    line = "";
  }
  return lines.slice(0, lines.findLastIndex((each) => each !== "") + 1);
}

/** The emulator's own width table is decades old; modern terminals agree with Bun's. */
export function useRealWidths(terminal: Terminal): void {
  terminal.unicode.register({
    version: "bun",
    wcwidth: (code) => (Bun.stringWidth(String.fromCodePoint(code)) === 2 ? 2 : narrow(code)),
    charProperties: (code, preceding) => {
      const width = Bun.stringWidth(String.fromCodePoint(code));
      // A mark without a width of its own joins the character before it.
      const joins = width === 0 && preceding !== 0;
      const kept = joins ? (preceding >> 1) & 3 : width;
      return (kept << 1) | (joins ? 1 : 0);
    },
  });
  terminal.unicode.activeVersion = "bun";
}

function narrow(code: number): 0 | 1 {
  return Bun.stringWidth(String.fromCodePoint(code)) === 0 ? 0 : 1;
}
