// One pipe whose write end serves stdout and stderr alike: Bun's own "pipe" is a socket, which breaks /dev/stderr and order.
import { broken, ok, type Result } from "../base/failure.ts";

/** Both ends close on exec, so that no other child keeps the pipe open; who opened it closes them. */
export type Pipe = { read: number; write: number };
export type OpenPipe = () => Result<Pipe>;

/** Fills in both ends; 0 when it worked. */
type SystemPipe = (ends: Int32Array) => number;

const PR_SET_DUMPABLE = 4;
const O_CLOEXEC = 0o2000000;
const F_SETFD = 2;
const FD_CLOEXEC = 1n;

/** Finds the C library once; bun:ffi is loaded only when the first command runs. */
export async function pipeOpener(): Promise<Result<OpenPipe>> {
  const { openLibc } = await import("./libc.ts");
  const pipe = process.platform === "darwin" ? macPipe() : linuxPipe();
  return pipe === null
    ? broken("the system's C library was not found, so commands cannot be run")
    : ok(opener(pipe));

  function linuxPipe(): SystemPipe | null {
    const libc = openLibc({
      pipe2: { args: ["ptr", "i32"], returns: "i32" },
      prctl: { args: ["i32", "u64"], returns: "i32" },
    });
    if (libc === null) return null;
    // From now on commands run beside the keys in this process's environment: they may not look into it through /proc.
    libc.symbols.prctl(PR_SET_DUMPABLE, 0n);
    return (ends) => libc.symbols.pipe2(ends, O_CLOEXEC);
  }

  function macPipe(): SystemPipe | null {
    const libc = openLibc({
      pipe: { args: ["ptr"], returns: "i32" },
      // Variadic: Apple's arm64 reads the third argument from the stack, so it is given there (as the ninth) as well.
      fcntl: {
        args: ["i32", "i32", "i64", "i64", "i64", "i64", "i64", "i64", "i64"],
        returns: "i32",
      },
    });
    if (libc === null) return null;
    const { pipe: open, fcntl } = libc.symbols;
    return (ends) => {
      const code = open(ends);
      if (code === 0) {
        for (const fd of ends) fcntl(fd, F_SETFD, FD_CLOEXEC, 0n, 0n, 0n, 0n, 0n, FD_CLOEXEC);
      }
      return code;
    };
  }
}

function opener(pipe: SystemPipe): OpenPipe {
  return () => {
    // Referenced until after the call by the destructuring below.
    const ends = new Int32Array(2);
    if (pipe(ends) !== 0)
      return broken("no pipe for the command's output: the limit on open files is reached");
    const [read = -1, write = -1] = ends;
    return ok({ read, write });
  };
}
