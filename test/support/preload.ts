// Before every test file: a scratch HOME, nothing of the developer's environment, and no network but loopback.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allowOnlyLoopback } from "./loopback.ts";

/** All else goes: keys, XDG folders, proxies, BUN_*, and whatever a child would act on. */
const KEPT = new Set([
  "BUN_TEST_WORKER_ID",
  "BURIN_BIN",
  "CI",
  "JEST_WORKER_ID",
  "LANG",
  "NODE_ENV",
  "PATH",
  "TERM",
  "TMPDIR",
]);

for (const name of Object.keys(process.env)) {
  if (!KEPT.has(name)) delete process.env[name];
}
process.env["HOME"] = mkdtempSync(join(tmpdir(), "burin-test-home-"));
allowOnlyLoopback();
