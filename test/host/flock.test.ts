// A lock that one process holds: with flock, and with the lock file alone.
import { describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { startByPs, startOf } from "../../src/host/birth.ts";
import { takeLock, type Lock } from "../../src/host/flock.ts";
import { tempTree } from "../support/temp-tree.ts";

const noFlock = () => "unsupported" as const;
const NO_SUCH_PID = 2 ** 22 + 1;
const me = { pid: process.pid, started: startOf(process.pid), host: hostname() };

function take(path: string, flock?: Parameters<typeof takeLock>[1]): Lock {
  const attempt = takeLock(path, flock);
  if (attempt.kind !== "locked") throw new Error(JSON.stringify(attempt));
  return attempt.lock;
}

for (const [way, flock] of [
  ["flock", undefined],
  ["the file alone", noFlock],
] as const) {
  describe(`with ${way}`, () => {
    test("a lock is had once, says by whom, and is free after its release", () => {
      using tree = tempTree();
      const path = tree.path("deep/x.lock");
      const lock = take(path, flock);
      expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(me);
      expect(takeLock(path, flock)).toEqual({ kind: "busy", by: me });
      lock.release();
      expect(existsSync(path)).toBe(false);
      take(path, flock).release();
    });

    test("a lock file left by a dead process does not count", () => {
      using tree = tempTree();
      const path = tree.path("x.lock");
      const dead = [
        { ...me, pid: NO_SUCH_PID },
        { ...me, started: "another start of this pid" },
      ];
      for (const holder of dead) {
        writeFileSync(path, JSON.stringify(holder));
        take(path, flock).release();
      }
    });

    test("where nothing can be written the reason is told", () => {
      using tree = tempTree({ file: "" });
      expect(takeLock(tree.path("file/x.lock"), flock)).toEqual({
        kind: "failed",
        what: `could not lock ${tree.path("file/x.lock")}: something else has that name (EEXIST)`,
      });
      mkdirSync(tree.path("folder.lock"));
      expect(takeLock(tree.path("folder.lock"), flock).kind).toBe("failed");
    });
  });
}

describe("with the file alone", () => {
  test("a holder on another machine counts as alive", () => {
    using tree = tempTree();
    const far = { pid: NO_SUCH_PID, started: "1", host: "another-machine" };
    writeFileSync(tree.path("x.lock"), JSON.stringify(far));
    expect(takeLock(tree.path("x.lock"), noFlock)).toEqual({ kind: "busy", by: far });
  });

  test("a lock file that names nobody is left alone while it is new", () => {
    using tree = tempTree();
    writeFileSync(tree.path("x.lock"), "");
    expect(takeLock(tree.path("x.lock"), noFlock)).toEqual({ kind: "busy", by: null });
    utimesSync(tree.path("x.lock"), 1, 1);
    take(tree.path("x.lock"), noFlock).release();
  });
});

test("a lock file removed between open and lock is not mistaken for the lock", () => {
  using tree = tempTree();
  const path = tree.path("x.lock");
  let locked = 0;
  const lock = take(path, () => {
    locked += 1;
    if (locked === 1) unlinkSync(path);
    return "locked";
  });
  expect({ locked, holder: JSON.parse(readFileSync(path, "utf8")) }).toEqual({
    locked: 2,
    holder: me,
  });
  lock.release();
});

test("the lock of a process that is killed is free", async () => {
  using tree = tempTree();
  const path = tree.path("x.lock");
  const program = `const { takeLock } = await import(${JSON.stringify(require.resolve("../../src/host/flock.ts"))});
    console.log(takeLock(${JSON.stringify(path)}).kind); await Bun.sleep(60_000);`;
  const holder = Bun.spawn([process.execPath, "-e", program], { stderr: "inherit" });
  const { value } = await holder.stdout.getReader().read();
  expect(new TextDecoder().decode(value)).toBe("locked\n");
  expect(takeLock(path)).toMatchObject({ kind: "busy", by: { pid: holder.pid } });
  holder.kill("SIGKILL");
  await holder.exited;
  take(path).release();
});

test("a process has one start, and nobody has none", () => {
  expect(startOf(process.pid)).toBe(startOf(process.pid));
  expect(startOf(NO_SUCH_PID)).toBeNull();
  expect(startByPs(NO_SUCH_PID)).toBeNull();
  expect(startByPs(process.pid)).toMatch(/\d\d:\d\d:\d\d/);
});
