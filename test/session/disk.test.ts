// A full disk and a read-only one, on a small file system of their own where this user may mount one.
import { expect } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { openAppend } from "../../src/host/append.ts";
import { loadLog } from "../../src/session/load.ts";
import { openLog } from "../../src/session/reopen.ts";
import { shelfOf } from "../../src/session/folder.ts";
import { listSessions } from "../../src/session/shelf.ts";
import { tempTree } from "../support/temp-tree.ts";
import { until } from "../support/until.ts";
import { say, user } from "./drafts.ts";
import { unless } from "../support/unless.ts";

const GOES_ON = "; the run goes on, but cannot be resumed past this point";

function mount(at: string): boolean {
  mkdirSync(at, { recursive: true });
  return Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=64k", "none", at]).exitCode === 0;
}

function smallDisk() {
  const tree = tempTree();
  if (!mount(tree.path("disk"))) throw new Error("could not mount");
  return {
    path: (name: string) => tree.path(`disk/${name}`),
    [Symbol.dispose]() {
      Bun.spawnSync(["umount", tree.path("disk")]);
      tree[Symbol.dispose]();
    },
  };
}

const canMount = ((): boolean => {
  using tree = tempTree();
  const could = process.platform === "linux" && mount(tree.path("disk"));
  if (could) Bun.spawnSync(["umount", tree.path("disk")]);
  return could;
})();
const mounted = unless(!canMount && "a small disk cannot be mounted here");

mounted("a full disk is said once, the run goes on, and what fitted can be resumed", () => {
  using disk = smallDisk();
  const path = disk.path("x.jsonl");
  const opened = openLog(path);
  if (!opened.ok) throw new Error();
  const log = opened.value;
  log.append(user("hi"));
  log.append(say("x".repeat(30_000)));
  log.append(say("y".repeat(60_000)));
  log.append(user("still there?"));
  log.sync();
  expect(log.takeNotices()).toEqual([
    `this session is not recorded from here on: could not write ${path}: the disk is full (ENOSPC)${GOES_ON}`,
  ]);
  expect({ path: log.path(), count: log.events().length }).toEqual({ path: null, count: 4 });
  log.close();

  const loaded = loadLog(path);
  if (!loaded.ok) throw new Error();
  expect(loaded.value.tree.events()).toEqual(log.events().slice(0, 2));
});

mounted("once there is room again the log goes on behind its torn tail", () => {
  using disk = smallDisk();
  const path = disk.path("x.jsonl");
  const first = openLog(path);
  if (!first.ok) throw new Error();
  writeFileSync(disk.path("ballast"), "b".repeat(40_000));
  first.value.append(user("hi"));
  first.value.append(say("y".repeat(60_000)));
  first.value.close();
  rmSync(disk.path("ballast"));

  const second = openLog(path);
  if (!second.ok) throw new Error();
  second.value.append(user("again"));
  second.value.close();
  const loaded = loadLog(path);
  if (!loaded.ok) throw new Error();
  expect(loaded.value.tree.events()).toEqual(second.value.events());
  expect(loaded.value.tree.events().length).toBe(2);
});

mounted("a line that did not fit does not spoil the one after it", () => {
  using disk = smallDisk();
  const opened = openAppend(disk.path("x"));
  if (!opened.ok) throw new Error();
  const file = opened.value;
  expect(file.append("y".repeat(100_000))).toEqual({
    kind: "broken",
    what: `could not write ${disk.path("x")}: the disk is full (ENOSPC)`,
  });
  truncateSync(disk.path("x"), 1000);
  expect([file.append("two"), file.append("three")]).toEqual([null, null]);
  file.close();
  expect(readFileSync(disk.path("x"), "utf8")).toBe(`${"y".repeat(1000)}\ntwo\nthree\n`);
});

mounted("of a reply that did not fit, what was journalled comes back", async () => {
  using disk = smallDisk();
  const path = disk.path("x.jsonl");
  const first = openLog(path);
  if (!first.ok) throw new Error();
  const log = first.value;
  log.append(user("hi"));
  log.journal(() => [{ type: "text", text: "part" }]);
  await until("the journal is written", () => existsSync(`${path}.journal`));
  log.journal(() => [{ type: "text", text: "part of it" }]);
  log.append(say("y".repeat(100_000)));
  log.close();
  expect(log.events().length).toBe(2);
  truncateSync(path, readFileSync(path).indexOf(10) + 100);

  const second = openLog(path);
  if (!second.ok) throw new Error();
  expect(second.value.events().at(-1)).toMatchObject({
    type: "message.assistant",
    data: { content: [{ type: "text", text: "part" }], status: "interrupted" },
  });
  second.value.close();
});

mounted("in a read-only folder a session is resumed, listed and goes on unrecorded", () => {
  using disk = smallDisk();
  const path = disk.path("x.jsonl");
  const first = openLog(path);
  if (!first.ok) throw new Error();
  first.value.append(user("hi"));
  first.value.close();
  const before = readFileSync(path, "utf8");
  Bun.spawnSync(["mount", "-o", "remount,ro", disk.path("")]);

  const log = openLog(path);
  if (!log.ok) throw new Error();
  log.value.append(say("yes"));
  log.value.sync();
  expect(log.value.takeNotices()).toEqual([
    `this session is not recorded from here on: could not lock ${path}.lock: the file system is read-only (EROFS)${GOES_ON}`,
  ]);
  expect(log.value.events().length).toBe(2);
  log.value.close();
  expect(readFileSync(path, "utf8")).toBe(before);
  const shelf = shelfOf({ data: "/", cwd: "/", sessionDir: disk.path("") });
  expect(listSessions(shelf).map(({ id }) => id)).toEqual(["x"]);
});
