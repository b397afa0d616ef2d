// Whether the reader of a pipe went away, asked without writing: poll(2) reports it on the writing end.
import { dlopen, ptr } from "bun:ffi";

const POLLERR = 0x8;
const POLLHUP = 0x10;
const LIBC = process.platform === "darwin" ? "libSystem.B.dylib" : "libc.so.6";

/** False as well where the system cannot be asked (musl names its library otherwise). */
export function isReaderGone(fd: number): boolean {
  try {
    using libc = opened();
    // struct pollfd { int fd; short events; short revents }
    const request = new Int32Array([fd, 0]);
    if (libc.symbols.poll(ptr(request), 1n, 0) < 1) return false;
    const answered = (request[1] ?? 0) >>> 16;
    return (answered & (POLLERR | POLLHUP)) !== 0;
  } catch {
    return false;
  }
}

function opened(): ReturnType<typeof load> & Disposable {
  const library = load();
  return Object.assign(library, { [Symbol.dispose]: () => library.close() });
}

function load() {
  return dlopen(LIBC, { poll: { args: ["ptr", "u64", "i32"], returns: "i32" } });
}
