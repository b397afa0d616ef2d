// What the system knows of a terminal, asked through the C library: node:tty costs several milliseconds to load.
import { fstatSync } from "node:fs";
import type { Library } from "bun:ffi";

/** The terminal that the process runs in. */
export type Tty = {
  /** Of the window that standard output goes to; null when it does not say. */
  size(): { columns: number; rows: number } | null;
  /** Keys arrive at once, unseen and without a meaning, Ctrl+C too; `false` puts back exactly what was before. */
  raw(isOn: boolean): void;
};

const FUNCTIONS = {
  isatty: { args: ["i32"], returns: "i32" },
  // Variadic: Apple's arm64 reads the third argument from the stack, so it is given there (as the ninth) as well.
  ioctl: {
    args: ["i32", "u64", "ptr", "ptr", "ptr", "ptr", "ptr", "ptr", "ptr"],
    returns: "i32",
  },
  tcgetattr: { args: ["i32", "ptr"], returns: "i32" },
  tcsetattr: { args: ["i32", "i32", "ptr"], returns: "i32" },
  cfmakeraw: { args: ["ptr"], returns: "void" },
} as const;

const isMac = process.platform === "darwin";
const GET_WINDOW_SIZE = isMac ? 0x40087468n : 0x5413n;
const TCSANOW = 0;
/** More than a struct termios needs: 60 bytes on Linux, 72 on macOS. */
const TERMIOS_BYTES = 128;
/** It begins with the flags for input and for output. */
const FLAG_BYTES = isMac ? 8 : 4;
const STDIN = 0;
const STDOUT = 1;
const DEFAULT_COLUMNS = 80;

const libc = once(async () => {
  const { openLibc } = await import("./libc.ts");
  return openLibc(FUNCTIONS);
});

/** Pipes and files pay nothing. */
export async function isTerminal(fd: 0 | 1 | 2): Promise<boolean> {
  try {
    if (!fstatSync(fd).isCharacterDevice()) return false;
  } catch {
    return false;
  }
  const library = await libc();
  if (library !== null) return library.symbols.isatty(fd) === 1;
  const { isatty } = await import("node:tty");
  return isatty(fd);
}

/** Width of the window that standard output goes to. */
export async function terminalColumns(): Promise<number> {
  return (await openTty()).size()?.columns ?? DEFAULT_COLUMNS;
}

export async function openTty(): Promise<Tty> {
  const library = await libc();
  if (library !== null) return systemTty(library.symbols);
  const { ReadStream, WriteStream } = await import("node:tty");
  const input = new ReadStream(STDIN);
  return {
    // A stream knows the size from when it was made.
    size: () => sizeOf(new WriteStream(STDOUT)),
    raw: (isOn) => void input.setRawMode(isOn),
  };
}

function systemTty(system: Library<typeof FUNCTIONS>["symbols"]): Tty {
  let original: Uint8Array | null = null;
  return {
    size: () => {
      // struct winsize { unsigned short rows, columns, width, height }
      const size = new Uint16Array(4);
      system.ioctl(STDOUT, GET_WINDOW_SIZE, size, null, null, null, null, null, size);
      const [rows = 0, columns = 0] = size;
      return sizeOf({ columns, rows });
    },
    raw: (isOn) => {
      if (isOn && original === null) {
        const before = new Uint8Array(TERMIOS_BYTES);
        if (system.tcgetattr(STDIN, before) !== 0) return;
        original = before;
        const raw = Uint8Array.from(before);
        system.cfmakeraw(raw);
        // Output stays as it was: a newline must still return to the first column.
        raw.set(before.subarray(FLAG_BYTES, 2 * FLAG_BYTES), FLAG_BYTES);
        system.tcsetattr(STDIN, TCSANOW, raw);
      } else if (!isOn && original !== null) {
        system.tcsetattr(STDIN, TCSANOW, original);
        original = null;
      }
    },
  };
}

function sizeOf({ columns, rows }: { columns: number; rows: number }): ReturnType<Tty["size"]> {
  return columns > 0 && rows > 0 ? { columns, rows } : null;
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => (made ??= make());
}
