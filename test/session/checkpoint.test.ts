// Checkpoints: the copy and the event are there before the change; nothing where nothing is recorded; bounded and said.
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { contentHash } from "../../src/session/blobs.ts";
import { keeperOf } from "../../src/session/checkpoint.ts";
import { createLog, memoryLog, type SessionLog } from "../../src/session/log.ts";
import { openLog } from "../../src/session/reopen.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";
import { unless } from "../support/unless.ts";

const OLD = Buffer.from("old\n");
const NEW = Buffer.from("new\n");
const LIMITS = { fileBytes: 10, sessionBytes: 12 };

function mountSmall(folder: string): boolean {
  const mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "none", folder];
  return process.getuid?.() === 0 && Bun.spawnSync(mount, { stderr: "ignore" }).exitCode === 0;
}

const canMount = ((): boolean => {
  using tree = tempTree();
  const can = mountSmall(tree.root);
  if (can) Bun.spawnSync(["umount", tree.root]);
  else console.log("passed over: no small file system can be mounted here");
  return can;
})();

function logIn(tree: TempTree): SessionLog {
  const log = createLog(tree.path("s.jsonl"));
  if (!log.ok) throw new Error("no log");
  return log.value;
}

function checkpoints(log: SessionLog) {
  return log.events().flatMap((event) => (event.type === "checkpoint" ? [event] : []));
}

function blobs(tree: TempTree): string[] {
  if (!existsSync(tree.path("blobs"))) return [];
  return readdirSync(tree.path("blobs"), { recursive: true })
    .map(String)
    .filter((name) => statSync(tree.path(`blobs/${name}`)).isFile())
    .toSorted();
}

describe("a checkpoint", () => {
  test("names the file, its content before by hash and copy, and what is to come", () => {
    using tree = tempTree();
    const log = logIn(tree);
    const kept = keeperOf(log, tree.path("blobs"))("/w/x", OLD, NEW);
    const [event] = checkpoints(log);
    const blob = `${contentHash(OLD).slice(0, 2)}/${contentHash(OLD)}`;
    expect(event?.data).toEqual({
      files: [{ path: "/w/x", before: contentHash(OLD), bytes: 4, blob, after: contentHash(NEW) }],
    });
    expect(kept).toEqual({ checkpoint: event?.id ?? "none", remark: null });
    expect(readFileSync(tree.path(`blobs/${blob}`), "utf8")).toBe("old\n");
    expect(readFileSync(tree.path("s.jsonl"), "utf8")).toContain('"type":"checkpoint"');
    log.close();
  });

  test("is readable by its owner alone", () => {
    using tree = tempTree();
    const log = logIn(tree);
    keeperOf(log, tree.path("blobs"))("/w/x", OLD, NEW);
    const [name = ""] = blobs(tree);
    expect(
      [`blobs/${name}`, "blobs"].map((path) => statSync(tree.path(path)).mode & 0o777),
    ).toEqual([0o600, 0o700]);
    log.close();
  });

  test("of a new file has no copy", () => {
    using tree = tempTree();
    const log = logIn(tree);
    keeperOf(log, tree.path("blobs"))("/w/x", null, NEW);
    expect(checkpoints(log)[0]?.data.files).toEqual([
      { path: "/w/x", before: null, bytes: 0, blob: null, after: contentHash(NEW) },
    ]);
    expect(blobs(tree)).toEqual([]);
    log.close();
  });

  test("stores the same content once", () => {
    using tree = tempTree();
    const log = logIn(tree);
    const keep = keeperOf(log, tree.path("blobs"), LIMITS);
    for (const path of ["/w/x", "/w/y", "/w/x", "/w/z"]) keep(path, OLD, NEW);
    expect(blobs(tree).length).toBe(1);
    expect(checkpoints(log).map(({ data }) => data.files[0]?.blob)).toEqual(
      Array.from({ length: 4 }, () => blobs(tree)[0] ?? null),
    );
    log.close();
  });

  test("is not made where nothing is recorded", () => {
    using tree = tempTree();
    const log = memoryLog();
    expect(keeperOf(log, tree.path("blobs"))("/w/x", OLD, NEW)).toEqual({
      checkpoint: null,
      remark: null,
    });
    expect([log.events(), blobs(tree)]).toEqual([[], []]);
  });
});

describe("where no copy can be kept, the checkpoint says so and goes without", () => {
  test("a large file", () => {
    using tree = tempTree();
    const log = logIn(tree);
    const kept = keeperOf(log, tree.path("blobs"), LIMITS)("/w/x", Buffer.alloc(11), NEW);
    expect(kept.remark).toBe(
      "undo cannot bring it back: no copies are kept of files over 10 bytes",
    );
    expect(checkpoints(log)[0]?.data.files[0]).toMatchObject({ bytes: 11, blob: null });
    expect(blobs(tree)).toEqual([]);
    log.close();
  });

  test("more than a session may keep, counted on when it is resumed", () => {
    using tree = tempTree();
    const first = logIn(tree);
    keeperOf(first, tree.path("blobs"), LIMITS)("/w/x", Buffer.from("12345678"), NEW);
    first.close();
    const second = openLog(tree.path("s.jsonl"));
    if (!second.ok) throw new Error("not opened");
    const keep = keeperOf(second.value, tree.path("blobs"), LIMITS);
    expect(
      ["1234", "12345", "12345678"].map((text) => keep("/w/x", Buffer.from(text), NEW).remark),
    ).toEqual([
      null,
      "undo cannot bring it back: no copies are kept of more than 12 bytes in a session",
      null,
    ]);
    second.value.close();
  });

  unless(!canMount && "a small disk cannot be mounted here")(
    "a full disk, on which nothing of it is left",
    () => {
      using tree = tempTree({ "blobs/": "" });
      const log = logIn(tree);
      mountSmall(tree.path("blobs"));
      try {
        const kept = keeperOf(log, tree.path("blobs"))("/w/x", Buffer.alloc(100_000, "x"), NEW);
        expect(kept.remark).toContain("the disk is full");
        expect(blobs(tree)).toEqual([]);
      } finally {
        Bun.spawnSync(["umount", tree.path("blobs")]);
        log.close();
      }
    },
  );

  test("a folder that takes nothing", () => {
    using tree = tempTree({ blobs: "a file" });
    const log = logIn(tree);
    const kept = keeperOf(log, tree.path("blobs"))("/w/x", OLD, NEW);
    expect(kept.remark).toStartWith("undo cannot bring it back: ");
    expect(kept.checkpoint).toBe(checkpoints(log)[0]?.id ?? "none");
    expect(checkpoints(log)[0]?.data.files[0]).toMatchObject({
      before: contentHash(OLD),
      blob: null,
    });
    log.close();
  });
});
