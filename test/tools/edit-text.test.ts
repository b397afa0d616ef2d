// Edits of a text: bytes outside the edits stay, line ends follow, faults say what to do.
import { describe, expect, test } from "bun:test";
import { sentence } from "../../src/base/failure.ts";
import { type Edit, editBytes } from "../../src/tools/edit-text.ts";

function edited(before: string | Uint8Array, ...edits: Edit[]): string {
  const bytes = typeof before === "string" ? Buffer.from(before) : before;
  const result = editBytes(bytes, edits);
  return result.ok ? Buffer.from(result.value.result).toString() : `! ${sentence(result.failure)}`;
}

function edit(oldText: string, newText: string, all?: boolean): Edit {
  return all === undefined ? { oldText, newText } : { oldText, newText, all };
}

describe("edits", () => {
  test("are all found in the original, whatever their order", () => {
    expect(edited("a b c\n", edit("c", "a"), edit("a", "b"), edit("b", "c"))).toBe("b c a\n");
  });

  test("take the new text literally", () => {
    expect(edited("x KEY y", edit("KEY", "$& $1 $` \\n"))).toBe("x $& $1 $` \\n y");
  });

  test("of all places do not see what they wrote", () => {
    expect(edited("aaaa", edit("aa", "a", true))).toBe("aa");
  });

  test("side by side do not overlap", () => {
    expect(edited("abcd", edit("ab", "1"), edit("cd", "2"))).toBe("12");
  });

  test.each([
    ["a\r\nb\r\n", edit("a\nb", "x\ny\nz"), "x\r\ny\r\nz\r\n"],
    ["a\r\nb\nc\r\n", edit("b\n", "b1\nb2\n"), "a\r\nb1\nb2\nc\r\n"],
    ["a\nb\n", edit("a\r\nb", "x\r\ny"), "x\ny\n"],
    ["a\r\nb", edit("b", "b\nc"), "a\r\nb\r\nc"],
    ["one", edit("one", "one\ntwo"), "one\ntwo"],
    ["a\r\nb\r\n", edit("\nb", ""), "a\r\n"],
    ["a\rb\r\nc", edit("a\rb\nc", "x"), "x"],
  ])("in %j follow the line ends around them", (before, change, after) => {
    expect(edited(before, change)).toBe(after);
  });

  test("keep the byte order mark, and do not need it quoted", () => {
    expect(edited("\ufeffa\nb\n", edit("\ufeffa", "x"))).toBe("\ufeffx\nb\n");
  });

  test("keep UTF-16 and Latin-1", () => {
    const wide = editBytes(Buffer.from("\ufeffa\r\nb", "utf16le"), [edit("a\nb", "€\n😀")]);
    const latin = editBytes(Buffer.from("größe\n", "latin1"), [edit("ß", "ss")]);
    expect(wide.ok && Buffer.from(wide.value.result).toString("utf16le")).toBe("\ufeff€\r\n😀");
    expect(latin.ok && Buffer.from(latin.value.result).toString("latin1")).toBe("grösse\n");
  });
});

describe("faults say what to do", () => {
  test.each([
    [
      "x\n",
      [edit("", "y")],
      "oldText is empty: to insert, quote the line next to the place; to fill a file, use write",
    ],
    ["x\n", [edit("x", "x")], "oldText and newText are the same"],
    [
      "a\nb\na\n",
      [edit("a", "x")],
      "oldText occurs 2 times (lines 1, 3): quote more lines around the one that is meant, or set all",
    ],
    [
      "abcd\n",
      [edit("abc", "1"), edit("bcd", "2")],
      "edits 1 and 2 overlap at line 1: make them one edit",
    ],
    [
      "a\n",
      [edit("a", "x"), edit("nothing like it", "y")],
      "edit 2 of 2: oldText was not found, nor anything like it; read the file again",
    ],
    [
      "if (x) {\n  run();\n  end();\n}\n",
      [edit("if (x) {\n  run();\n    end();\n}", "")],
      'oldText was not found; nearest is lines 1–4: line 3 differs only in its indentation: the file has "  end();", oldText has "    end();"\nPresent lines:\n1\tif (x) {\n2\t  run();\n3\t  end();\n4\t}',
    ],
    [
      "const total = sum(items);\n",
      [edit("const total = sum(item);", "")],
      'oldText was not found; nearest is line 1: line 1 differs first: the file has "const total = sum(items);", oldText has "const total = sum(item);"',
    ],
    [
      "alpha\nbeta\n",
      [edit("1\talpha\n5\tbeta", "")],
      "oldText was not found: it carries the line numbers that read shows; quote the text without them",
    ],
    [
      "alpha\nbeta",
      [edit("beta\ngamma", "")],
      "oldText was not found; nearest is lines 2–3: the file ends before line 3\nPresent lines:\n2\tbeta",
    ],
    ["a😀b", [edit("\ud83d", "x")], "oldText holds half of a character (a lone surrogate)"],
    ["a\r\nb\r\n", [edit("a\r\nb", "a\nb")], "the file already holds newText in that place"],
    ["ab", [edit("a", "\ude00")], "newText holds half of a character (a lone surrogate)"],
  ])("%j", (before, edits, what) => {
    expect(edited(before, ...edits)).toBe(`! ${what}`);
  });

  test("for binary files and characters the encoding has not", () => {
    expect(edited(Buffer.from([0x7f, 0, 0x61]), edit("a", "b"))).toStartWith("! it is not text");
    expect(edited(Buffer.from("größe", "latin1"), edit("g", "€"))).toBe(
      "! newText has characters that cannot be written: the file is Latin-1",
    );
  });

  test("quickly, where a text almost matches everywhere", () => {
    expect(edited(`${"a".repeat(100_000)}\n`, edit(`${"a".repeat(2000)}b`, "x"))).toStartWith(
      "! oldText was not found",
    );
    expect(edited("}\n".repeat(50_000), edit(`${"}\n".repeat(2000)}x`, "y"))).toStartWith(
      "! oldText was not found",
    );
  });
});
