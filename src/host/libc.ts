// The C library through bun:ffi, opened here and nowhere else: each caller names the functions it needs.
import { dlopen, type FFIFunction, type Library } from "bun:ffi";

const MUSL_ARCH = process.arch === "arm64" ? "aarch64" : "x86_64";
const NAMES: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  linux: ["libc.so.6", `libc.musl-${MUSL_ARCH}.so.1`],
  darwin: ["libSystem.B.dylib"],
};

/** Null where there is no such library or function. Buffers must stay referenced until their call is over. */
export function openLibc<Functions extends Record<string, FFIFunction>>(
  functions: Functions,
): Library<Functions> | null {
  for (const name of NAMES[process.platform] ?? []) {
    try {
      return dlopen(name, functions);
    } catch {
      // Not this C library: the next one.
    }
  }
  return null;
}
