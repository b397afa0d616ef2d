// Whether the reader of a pipe went away, asked without writing: poll(2) reports it on the writing end.
import { openLibc } from "./libc.ts";

const POLLERR = 0x8;
const POLLHUP = 0x10;

/** False as well where the system cannot be asked. */
export function isReaderGone(fd: number): boolean {
  const libc = openLibc({ poll: { args: ["ptr", "u64", "i32"], returns: "i32" } });
  if (libc === null) return false;
  // struct pollfd { int fd; short events; short revents }
  const request = new Int32Array([fd, 0]);
  const count = libc.symbols.poll(request, 1n, 0);
  libc.close();
  if (count < 1) return false;
  const answered = (request[1] ?? 0) >>> 16;
  return (answered & (POLLERR | POLLHUP)) !== 0;
}
