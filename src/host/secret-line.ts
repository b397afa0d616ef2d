// One line from standard input that nobody looking on shall see: a terminal does not show what is typed.
import { closeSync, openSync, readSync } from "node:fs";
import { isTerminal } from "./terminal.ts";

const MAX_BYTES = 64 * 1024;
/** A shell of its own, so that the terminal shows again what is typed also where Ctrl+C ends this process meanwhile. */
const READ_UNSEEN =
  "trap 'stty echo; exit 130' INT TERM; stty -echo; IFS= read -r line; stty echo; printf '%s' \"$line\"";

/** Null where nothing came. `ask` is called where a person is to type it. */
export async function readSecretLine(ask: () => void): Promise<string | null> {
  if (!(await isTerminal(0))) return lineOf(readAll());
  ask();
  const stdio = ["inherit", "pipe", "inherit"] satisfies ["inherit", "pipe", "inherit"];
  const read = Bun.spawnSync(["sh", "-c", READ_UNSEEN], { stdio });
  return lineOf(read.stdout.toString());
}

function lineOf(text: string): string | null {
  const line = text.split("\n")[0]?.trim() ?? "";
  return line === "" ? null : line;
}

/** As far as a line of this kind can reach. */
function readAll(): string {
  const fd = openSync("/dev/stdin", "r");
  try {
    const bytes = Buffer.alloc(MAX_BYTES);
    let length = 0;
    for (let got = -1; got !== 0 && length < bytes.length; length += got) {
      got = readSync(fd, bytes, length, bytes.length - length, null);
    }
    return bytes.subarray(0, length).toString();
  } finally {
    closeSync(fd);
  }
}
