// A command's output within bounds.
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync } from "node:fs";
import { type Captured, createCapture } from "../../src/tools/output.ts";
import { createSpill } from "../../src/tools/spill.ts";
import { forSeeds } from "../support/random.ts";
import { tempTree } from "../support/temp-tree.ts";

function captured(folder: string, ...chunks: (string | Uint8Array)[]): Captured {
  const capture = createCapture(createSpill(folder, "test"));
  for (const chunk of chunks) capture.add(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
  return capture.finish();
}

function numbered(lines: number): string {
  return Array.from({ length: lines }, (_, at) => `line ${at + 1}\n`).join("");
}

describe("the capture", () => {
  test("gives a short output as it is, and makes no file", () => {
    using tree = tempTree();
    expect(captured(tree.path("spill"), "one\n", "two")).toEqual({
      text: "one\ntwo",
      bytes: 7,
      invalidSequences: 0,
      nuls: 0,
      truncated: null,
    });
    expect(existsSync(tree.path("spill"))).toBe(false);
  });

  test("gives head and tail of a long one on whole lines, and the way to all of it", () => {
    using tree = tempTree();
    const all = numbered(20_000);
    const { text, truncated } = captured(tree.path("spill"), all);
    const lines = text.split("\n");
    const at = lines.findIndex((line) => line.startsWith("[…"));
    const head = lines.slice(0, at);
    const tail = lines.slice(at + 1);
    expect(all.startsWith(`${head.join("\n")}\n`)).toBe(true);
    expect(all.endsWith(`\n${tail.join("\n")}\n`)).toBe(true);
    expect(truncated?.lines).toBe(20_000 - head.length - tail.length);
    const share = head.join("\n").length / (head.join("\n").length + tail.join("\n").length);
    expect([Math.round(share * 10), Buffer.byteLength(text) <= 51_500]).toEqual([2, true]);
    const file = truncated?.file ?? "";
    expect(lines[at]).toContain(`left out; the full output is in ${file} …]`);
    expect(readFileSync(file, "utf8")).toBe(all);
    expect([statSync(file).mode & 0o777, statSync(tree.path("spill")).mode & 0o777]).toEqual([
      0o600, 0o700,
    ]);
  });

  test("counts right also where the middle is no longer held", () => {
    using tree = tempTree();
    const all = numbered(200_000);
    const bytes = Buffer.from(all);
    const chunks = Array.from({ length: Math.ceil(bytes.length / 60_001) }, (_, at) =>
      bytes.subarray(at * 60_001, (at + 1) * 60_001),
    );
    const { text, truncated } = captured(tree.path("spill"), ...chunks);
    const shown = text.split("\n").filter((line) => line.startsWith("line "));
    expect(truncated?.lines).toBe(200_000 - shown.length);
    expect([shown[0], shown.at(-1)]).toEqual(["line 1", "line 200000"]);
    expect(readFileSync(truncated?.file ?? "", "utf8")).toBe(all);
  });

  test("leaves nothing out of what only looked long before escapes and progress went", () => {
    using tree = tempTree();
    const progress = Array.from({ length: 20_000 }, (_, at) => `\r${at}%`).join("");
    const { text, truncated } = captured(tree.path("spill"), `start\n${progress}\nend\n`);
    expect([text, truncated]).toEqual(["start\n19999%\nend", null]);
  });

  test("cuts a line that never ends", () => {
    using tree = tempTree();
    const { text, truncated } = captured(tree.path("spill"), "x".repeat(2_000_000));
    expect(text.length).toBeLessThan(10_000);
    expect(text).toContain("characters)");
    expect(truncated?.file).not.toBeNull();
  });

  test("replaces and counts invalid UTF-8, but not a replacement character that was printed", () => {
    using tree = tempTree();
    const { text, invalidSequences } = captured(
      tree.path("spill"),
      Buffer.from([0x61, 0xff, 0xc3, 0x28]),
      "\ufffd",
    );
    expect([text, invalidSequences]).toEqual(["a\ufffd\ufffd(\ufffd", 2]);
  });

  test("shows zero bytes as line breaks and counts them", () => {
    using tree = tempTree();
    expect(captured(tree.path("spill"), "A=1\0B=2\0")).toEqual({
      text: "A=1\nB=2",
      bytes: 8,
      invalidSequences: 0,
      nuls: 2,
      truncated: null,
    });
  });

  test("does not show what is binary, but keeps all of it where it is long", () => {
    using tree = tempTree();
    const bytes = Uint8Array.from({ length: 100_000 }, (_, at) => (at * 7919) % 256);
    const { text, truncated } = captured(tree.path("spill"), bytes);
    const file = truncated?.file ?? "";
    expect(text).toBe(
      `[binary output (97.7 KB), not shown; the full output is in ${file}: use file, strings or xxd to look at it]`,
    );
    expect(readFileSync(file).equals(Buffer.from(bytes))).toBe(true);
    expect(captured(tree.path("short"), Buffer.alloc(1000)).text).toBe(
      "[binary output (1000 bytes), not shown: use file, strings or xxd to look at it]",
    );
  });

  test("says so where the full output cannot be kept", () => {
    using tree = tempTree({ spill: "a file, not a folder" });
    const { text, truncated } = captured(tree.path("spill"), numbered(20_000));
    expect([truncated?.file, text.includes("could not be kept")]).toEqual([null, true]);
  });

  test("does not depend on how the output was cut into chunks", () => {
    using tree = tempTree();
    const all = Buffer.from(`${"größe \u001b[1mfett\u001b[0m 10%\r20%\n".repeat(4000)}Ende`);
    const whole = captured(tree.path("a"), all);
    const neutral = (text: string): string => text.replace(/in \S+ …/, "");
    forSeeds(20, (random) => {
      const capture = createCapture(createSpill(tree.path("b"), "test"));
      for (let at = 0; at < all.length;) {
        const next = at + 1 + random.int(20_000);
        capture.add(all.subarray(at, next));
        at = next;
      }
      expect(neutral(capture.finish().text)).toBe(neutral(whole.text));
    });
  });
});
