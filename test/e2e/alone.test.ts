// The binary alone: copied to another folder, as another user, with an empty environment.
import { expect, test } from "bun:test";
import { chmodSync, copyFileSync, mkdtempSync, mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BURIN } from "../support/binary.ts";
import { AS_NOBODY } from "../support/other-user.ts";

test("copied alone, as another user, with nothing but HOME, PATH and TERM, the demo works", async () => {
  const folder = mkdtempSync(join(tmpdir(), "burin-alone-"));
  try {
    chmodSync(folder, 0o777);
    const copy = join(folder, "any name");
    copyFileSync(BURIN, copy);
    chmodSync(copy, 0o755);
    mkdirSync(join(folder, "home"), { mode: 0o777 });
    chmodSync(join(folder, "home"), 0o777);
    const child = Bun.spawn([copy, "demo"], {
      cwd: folder,
      env: { HOME: join(folder, "home"), PATH: "/usr/bin:/bin", TERM: "dumb" },
      ...AS_NOBODY,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, err, code] = await Promise.all([
      child.stdout.text(),
      child.stderr.text(),
      child.exited,
    ]);
    expect({
      code,
      passes: err.includes("passes now"),
      answered: out.startsWith("The test passes now."),
    }).toEqual({
      code: 0,
      passes: true,
      answered: true,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
