// Whole lines at the end of a file.
import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { openAppend, type Appender } from "../../src/host/append.ts";
import { tempTree } from "../support/temp-tree.ts";

function open(path: string): Appender {
  const opened = openAppend(path);
  if (!opened.ok) throw new Error(JSON.stringify(opened.failure));
  return opened.value;
}

describe("openAppend", () => {
  test("adds lines and leaves what is there", () => {
    using tree = tempTree({ "x.jsonl": "one\n" });
    const file = open(tree.path("x.jsonl"));
    expect([file.append("two"), file.append("drei €"), file.sync()]).toEqual([null, null, null]);
    file.close();
    expect(readFileSync(tree.path("x.jsonl"), "utf8")).toBe("one\ntwo\ndrei €\n");
  });

  test("begins with a newline where the file ends in the middle of a line", () => {
    using tree = tempTree({ "x.jsonl": 'one\n{"to' });
    const file = open(tree.path("x.jsonl"));
    file.append("two");
    file.append("three");
    file.close();
    expect(readFileSync(tree.path("x.jsonl"), "utf8")).toBe('one\n{"to\ntwo\nthree\n');
  });

  test("writers of one file do not overwrite each other", () => {
    using tree = tempTree();
    const [a, b] = [open(tree.path("x")), open(tree.path("x"))];
    a.append("a1");
    b.append("b1");
    a.append("a2");
    a.close();
    b.close();
    expect(readFileSync(tree.path("x"), "utf8")).toBe("a1\nb1\na2\n");
  });

  test("refuses links, folders and pipes with a reason, and does not wait", () => {
    using tree = tempTree({ target: "", "folder/": "" });
    Bun.spawnSync(["ln", "-s", "target", tree.path("link")]);
    Bun.spawnSync(["mkfifo", tree.path("pipe")]);
    const why = {
      link: "it is a symbolic link (ELOOP)",
      folder: "it is a folder (EISDIR)",
      pipe: "it is not a regular file",
      "target/x": "something else has that name (EEXIST)",
    };
    for (const [name, reason] of Object.entries(why)) {
      const what = `could not write ${tree.path(name)}: ${reason}`;
      expect(openAppend(tree.path(name))).toEqual({ ok: false, failure: { kind: "broken", what } });
    }
    expect(readFileSync(tree.path("target"), "utf8")).toBe("");
  });

  test("a write that fails is told", () => {
    using tree = tempTree();
    const file = open(tree.path("x"));
    file.close();
    writeFileSync(tree.path("x"), "");
    expect(() => file.close()).toThrow();
  });
});
