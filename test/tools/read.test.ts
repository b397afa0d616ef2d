// The read tool: numbered lines within limits, and a description of what is no text.
import { describe, expect, test } from "bun:test";
import { appendFileSync, existsSync, symlinkSync, writeFileSync } from "node:fs";
import { readTool } from "../../src/tools/read.ts";
import { tempTree } from "../support/temp-tree.ts";
import { call, textOf, toolKit } from "../support/tool-kit.ts";
import { unless } from "../support/unless.ts";

async function read(files: Record<string, string | Uint8Array>, input: unknown): Promise<string> {
  using tree = tempTree(files);
  await using kit = toolKit(tree.root);
  return (await textOf(readTool, input, kit)).replaceAll(`${tree.root}/`, "");
}

function numbered(lines: number): string {
  return Array.from({ length: lines }, (_, at) => `line ${at + 1}\n`).join("");
}

describe("read", () => {
  test("gives numbered lines, without carriage returns", async () => {
    using tree = tempTree({ x: "one\r\n\r\nthree" });
    await using kit = toolKit(tree.root);
    expect(await call(readTool, { path: "x" }, kit)).toEqual({
      parts: [{ type: "text", text: "1\tone\n2\t\n3\tthree" }],
      isError: false,
      summary: "3 lines",
    });
  });

  test("gives a range and says how to go on", async () => {
    expect(await read({ x: numbered(10) }, { path: "x", offset: 4, limit: 2 })).toBe(
      "4\tline 4\n5\tline 5\n[lines 4–5 of 10; go on with offset=6]",
    );
    expect(await read({ x: numbered(10) }, { path: "x", offset: "9" })).toBe(
      "9\tline 9\n10\tline 10\n[lines 9–10 of 10]",
    );
  });

  test("ends after 2,000 lines or 50 KB", async () => {
    const many = await read({ x: numbered(5000) }, { path: "x", limit: 4000 });
    expect(many).toEndWith("\n2000\tline 2000\n[lines 1–2000 of 5000; go on with offset=2001]");
    const wide = await read({ x: `${"w".repeat(1000)}\n`.repeat(100) }, { path: "x" });
    expect([wide.length > 45_000, wide.length < 52_000]).toEqual([true, true]);
  });

  test("lifts its limits only for a direct call that says so", async () => {
    using tree = tempTree({ x: numbered(5000) });
    const lines = async (unlimited: boolean): Promise<number> => {
      await using kit = toolKit(tree.root, { unlimited });
      return (await textOf(readTool, { path: "x", limit: 0 }, kit)).split("\n").length;
    };
    expect([await lines(true), await lines(false)]).toEqual([5000, 2001]);
  });

  test("cuts a long line and says how much of it follows", async () => {
    expect(await read({ x: `a${"x".repeat(3000)}\nb` }, { path: "x" })).toBe(
      `1\ta${"x".repeat(1999)}… (+1001 characters)\n2\tb`,
    );
  });

  test("refuses an offset behind the end", async () => {
    expect(await read({ x: "a\n" }, { path: "x", offset: 3 })).toBe(
      "x has only 1 line: offset 3 is past its end",
    );
  });

  test("names encodings and shows what they hold", async () => {
    expect(await read({ x: Buffer.from("\ufeffgröße", "utf16le") }, { path: "x" })).toBe(
      "1\tgröße\n[decoded from UTF-16LE]",
    );
    expect(await read({ x: Buffer.from("größe", "latin1") }, { path: "x" })).toBe(
      "1\tgröße\n[decoded from Latin-1]",
    );
    expect(await read({ x: "\ufeffa" }, { path: "x" })).toBe("1\ta");
  });

  test("describes what is binary or empty", async () => {
    const png = Buffer.from("89504e470d0a1a0a00", "hex");
    expect(await read({ x: png }, { path: "x" })).toBe(
      "[PNG image, 9 bytes, not shown: it is damaged and cannot be decoded]",
    );
    expect(await read({ x: Buffer.from([1, 2, 0]) }, { path: "x" })).toBe(
      "[a binary file, not shown: of unknown type, 3 bytes]",
    );
    expect(await read({ x: "" }, { path: "x" })).toBe("[an empty file]");
  });

  test("lists a folder", async () => {
    expect(await read({ "d/b": "1", "d/a/": "" }, { path: "d" })).toBe("[a folder]\na/\nb  1 byte");
  });

  test("does not wait for a pipe", async () => {
    using tree = tempTree();
    await using kit = toolKit(tree.root);
    Bun.spawnSync(["mkfifo", tree.path("pipe")]);
    symlinkSync("pipe", tree.path("link"));
    expect(await textOf(readTool, { path: "link" }, kit)).toEndWith(
      "is a pipe, not a regular file",
    );
    expect(await textOf(readTool, { path: "/dev/zero" }, kit)).toEndWith(
      "is a device, not a regular file",
    );
  });

  unless(!existsSync("/sys/class/net/lo/mtu") && "there is no /sys here")(
    "takes files of the system as they are, whatever size they say they have",
    async () => {
      await using kit = toolKit("/");
      expect(await textOf(readTool, { path: "/sys/class/net/lo/mtu" }, kit)).toMatch(/^1\t\d+$/);
      expect(await textOf(readTool, { path: "/proc/self/stat" }, kit)).toMatch(/^1\t\d+ \(/);
    },
  );

  test("shows a notebook as cells, and its JSON where a range is asked for", async () => {
    const notebook = JSON.stringify({
      cells: [
        { cell_type: "markdown", source: ["# Title\n", "text"] },
        {
          cell_type: "code",
          source: "print(1)",
          outputs: [
            { text: ["\u001b[31m0 %\r100 %\u001b[0m\n", "1\n"] },
            { data: { "image/png": "…" } },
            { ename: "E", evalue: "why" },
          ],
        },
      ],
    });
    expect(
      (await read({ "x.ipynb": notebook }, { path: "x.ipynb" })).split("\n").slice(0, -1),
    ).toEqual([
      "[cell 1, markdown]",
      "# Title",
      "text",
      "[cell 2, code]",
      "print(1)",
      "[output]",
      "100 %",
      "1",
      "[output]",
      "(image/png)",
      "[output]",
      "E: why",
    ]);
    expect(await read({ "x.ipynb": notebook }, { path: "x.ipynb", offset: 1 })).toStartWith(
      '1\t{"cells"',
    );
    expect(await read({ "x.ipynb": "{}" }, { path: "x.ipynb" })).toBe("1\t{}");
  });

  test("says once that nothing changed, and repeats the text when it is asked again", async () => {
    using tree = tempTree({ x: "a\n" });
    await using kit = toolKit(tree.root);
    const input = { path: "x" };
    const texts = [];
    for (let time = 0; time < 3; time += 1) texts.push(await textOf(readTool, input, kit));
    writeFileSync(tree.path("x"), "b\n");
    texts.push(await textOf(readTool, input, kit));
    await textOf(readTool, input, kit);
    kit.seen.forgetShown();
    texts.push(await textOf(readTool, input, kit));
    expect(texts).toEqual([
      "1\ta",
      "[unchanged: this very text was given earlier in this conversation; call again to have it repeated]",
      "1\ta",
      "1\tb",
      "1\tb",
    ]);
  });
});

describe("several files", () => {
  test("come in one result, a missing one among them", async () => {
    using tree = tempTree({ a: "1\n", b: "2\n" });
    await using kit = toolKit(tree.root);
    const input = { files: [{ path: "a" }, "gone", { path: "b", limit: 1 }] };
    const prepared = await readTool.prepare(input, { cwd: tree.root });
    expect(prepared.ok && [prepared.value.title, prepared.value.touches]).toEqual([
      "read 3 files",
      ["a", "gone", "b"].map((name) => ({ kind: "read", path: tree.path(name) })),
    ]);
    expect(await call(readTool, input, kit)).toEqual({
      parts: [
        {
          type: "text",
          text: `== a ==\n1\t1\n\n== gone ==\n[${tree.path("gone")} does not exist]\n\n== b ==\n1\t2`,
        },
      ],
      isError: false,
      summary: "2 lines",
    });
  });

  test("are an error where none could be read, and where there are too many", async () => {
    using tree = tempTree();
    await using kit = toolKit(tree.root);
    expect(await call(readTool, { files: ["x", "y"] }, kit)).toMatchObject({ isError: true });
    expect(await textOf(readTool, { files: Array.from({ length: 9 }, () => "x") }, kit)).toBe(
      "read: files must be a list of 0 to 8, not 9. Nothing was done",
    );
    expect(await textOf(readTool, {}, kit)).toBe("read: path is missing. Nothing was done");
  });

  test("together give at most 120 KB", async () => {
    using tree = tempTree(
      Object.fromEntries(
        ["a", "b", "c", "d"].map((name) => [name, `${"x".repeat(999)}\n`.repeat(60)]),
      ),
    );
    await using kit = toolKit(tree.root);
    const text = await textOf(readTool, { files: ["a", "b", "c", "d"] }, kit);
    expect(text.length).toBeLessThan(125_000);
    expect(text).toContain("go on with offset=");
  });
});

test("a file too big for the memory is read in part", async () => {
  using tree = tempTree({ big: "first\n" });
  await using kit = toolKit(tree.root);
  writeFileSync(tree.path("big"), "0123456789abcde\n".repeat(65_536));
  for (let copy = 0; copy < 70; copy += 1)
    appendFileSync(tree.path("big"), "0123456789abcde\n".repeat(65_536));
  appendFileSync(tree.path("big"), "the end\n");
  const lines = 71 * 65_536 + 1;
  expect(await textOf(readTool, { path: "big", offset: 1_000_000, limit: 1 }, kit)).toBe(
    "1000000\t0123456789abcde\n[lines 1000000–1000000 of a file of 71.0 MB; go on with offset=1000001, or search it with grep]",
  );
  expect(await textOf(readTool, { path: "big", offset: lines }, kit)).toBe(
    `${lines}\tthe end\n[lines ${lines}–${lines} of a file of 71.0 MB]`,
  );
  expect(await textOf(readTool, { path: "big", offset: lines + 1 }, kit)).toContain(
    "is past its end",
  );
});
