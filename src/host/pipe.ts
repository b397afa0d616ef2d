// One pipe whose write end serves stdout and stderr alike: Bun's own "pipe" is a socket, which breaks /dev/stderr and order.
import { broken, ok, type Result } from "../base/failure.ts";

/** Both ends close on exec, so that no other child keeps the pipe open; who opened it closes them. */
export type Pipe = { read: number; write: number };
export type OpenPipe = () => Result<Pipe>;

const O_CLOEXEC = 0o2000000;
const F_SETFD = 2;
const FD_CLOEXEC = 1;
const MUSL_ARCH = process.arch === "arm64" ? "aarch64" : "x86_64";
const LINUX_LIBRARIES = ["libc.so.6", `libc.musl-${MUSL_ARCH}.so.1`];

/** Finds the C library once; bun:ffi is loaded only when the first command runs. */
export async function pipeOpener(): Promise<Result<OpenPipe>> {
  const { dlopen, ptr } = await import("bun:ffi");
  const isLinux = process.platform === "linux";
  for (const name of isLinux ? LINUX_LIBRARIES : ["libSystem.B.dylib"]) {
    try {
      return ok(opener(isLinux ? linuxPipe(name) : macPipe(name)));
    } catch {
      // Not this C library: the next one.
    }
  }
  return broken("the system's C library was not found, so commands cannot be run");

  function linuxPipe(name: string): (ends: Int32Array) => number {
    const { symbols } = dlopen(name, { pipe2: { args: ["ptr", "i32"], returns: "i32" } });
    return (ends) => symbols.pipe2(ptr(ends), O_CLOEXEC);
  }

  function macPipe(name: string): (ends: Int32Array) => number {
    const { symbols } = dlopen(name, {
      pipe: { args: ["ptr"], returns: "i32" },
      fcntl: { args: ["i32", "i32", "i32"], returns: "i32" },
    });
    return (ends) => {
      const code = symbols.pipe(ptr(ends));
      if (code === 0) for (const fd of ends) symbols.fcntl(fd, F_SETFD, FD_CLOEXEC);
      return code;
    };
  }
}

function opener(pipe: (ends: Int32Array) => number): OpenPipe {
  return () => {
    // Referenced until after the call by the destructuring below.
    const ends = new Int32Array(2);
    if (pipe(ends) !== 0)
      return broken("no pipe for the command's output: the limit on open files is reached");
    const [read = -1, write = -1] = ends;
    return ok({ read, write });
  };
}
