// Whether a file has more than mode and owner: access lists and attributes, which a new file in its place would not have.
import { lazy } from "../base/lazy.ts";
import { openLibc } from "./libc.ts";

const MAX_NAMES_BYTES = 64 * 1024;
const KEPT = /^(?:user\.|system\.posix_acl_access$)/;

const system = lazy(() => ({
  libc: openLibc({ listxattr: { args: ["ptr", "ptr", "u64"], returns: "i64" } }),
}));

/** False where the system cannot be asked. */
export function hasAttributes(path: string): boolean {
  const { libc } = process.platform === "linux" ? system() : { libc: null };
  if (libc === null) return false;
  const name = Buffer.from(`${path}\0`);
  const names = Buffer.alloc(MAX_NAMES_BYTES);
  const length = Number(libc.symbols.listxattr(name, names, BigInt(names.length)));
  const listed = names.subarray(0, Math.max(0, length)).toString("latin1").split("\0");
  return listed.some((each) => KEPT.test(each));
}
