// `burin tool NAME` of the compiled binary: each tool with flags and with JSON, its forms of output, its exit codes.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { home, type Home } from "../support/binary.ts";

/** A home with a few files to work on. */
async function workplace(): Promise<Home> {
  const at = home();
  await Bun.write(join(at.path, "a.txt"), "one\ntwo needle\n");
  await Bun.write(join(at.path, "sub/b.md"), "a needle too\n");
  return at;
}

const EDITS = '[{"oldText":"one","newText":"uno"}]';

type Case = { tool: string; flags: string[]; json: object; shows: string };
const CASES: Case[] = [
  {
    tool: "read",
    flags: ["a.txt", "--offset", "2"],
    json: { path: "a.txt", offset: 2 },
    shows: "2\ttwo needle\n",
  },
  { tool: "ls", flags: ["--path", "sub"], json: { path: "sub" }, shows: "b.md  13 bytes\n" },
  {
    tool: "find",
    flags: ["*.md", "--path", "sub"],
    json: { pattern: "*.md", path: "sub" },
    shows: "sub/b.md\n",
  },
  {
    tool: "grep",
    flags: ["NEEDLE", "--ignore-case", "--path", "sub"],
    json: { pattern: "NEEDLE", ignoreCase: true, path: "sub" },
    shows: "sub/b.md:1:a needle too\n",
  },
  {
    tool: "write",
    flags: ["--path", "new/c.txt", "--content", "three"],
    json: { path: "new/c.txt", content: "three" },
    shows: "created new/c.txt (1 line, 5 bytes)\n",
  },
  {
    tool: "edit",
    flags: ["--path", "a.txt", "--edits", EDITS],
    json: { path: "a.txt", edits: JSON.parse(EDITS) },
    shows:
      "edited a.txt (1 replacement)\n--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-one\n+uno\n two needle\n",
  },
  {
    tool: "bash",
    flags: ["--cwd", "sub", "--", "cat", "b.md"],
    json: { command: "cat b.md", cwd: "sub" },
    shows: "a needle too\n[exit 0,",
  },
];

/** What the tools were to change. */
function changed(at: Home, tool: string): string | null {
  if (tool === "write") return readFileSync(join(at.path, "new/c.txt"), "utf8");
  return tool === "edit" ? readFileSync(join(at.path, "a.txt"), "utf8") : null;
}
const CHANGES: Record<string, string> = { write: "three", edit: "uno\ntwo needle\n" };
const DIFFS: Record<string, unknown> = {
  write: expect.stringContaining("+three"),
  edit: expect.stringContaining("-one\n+uno"),
};

describe.each(CASES)("burin tool $tool", ({ tool, flags, json, shows }) => {
  const args = JSON.stringify(json);

  test.each<[string, string[], { stdin?: string }]>([
    ["flags", flags, {}],
    ["--args JSON", ["--args", args], {}],
    ["--args - and standard input", ["--args", "-"], { stdin: args }],
  ])("takes %s", async (_name, words, how) => {
    using at = await workplace();
    const ran = await at.run(["tool", tool, ...words], how);
    expect({ ...ran, out: ran.out.slice(0, shows.length) }).toEqual({
      code: 0,
      out: shows,
      err: "",
    });
    expect(changed(at, tool)).toBe(CHANGES[tool] ?? null);
  });

  test("prints one object with --json", async () => {
    using at = await workplace();
    const ran = await at.run(["tool", tool, "--json", ...flags]);
    const result = JSON.parse(ran.out);
    expect({ code: ran.code, result }).toEqual({
      code: 0,
      result: {
        content: [{ type: "text", text: expect.stringContaining(shows.split("\n")[0] ?? "") }],
        isError: false,
        truncated: null,
        diff: DIFFS[tool] ?? null,
        durationMs: expect.any(Number),
      },
    });
  });

  test("ends with 2 for a flag it does not know, and does nothing", async () => {
    using at = await workplace();
    const ran = await at.run(["tool", tool, "--nonsense", ...flags]);
    expect({ code: ran.code, out: ran.out, said: ran.err.includes("--nonsense") }).toEqual({
      code: 2,
      out: "",
      said: true,
    });
    expect(readFileSync(join(at.path, "a.txt"), "utf8")).toBe("one\ntwo needle\n");
  });
});

describe("a tool that fails ends with 1 and says it on standard output, as the model would read it", () => {
  test.each<[string, string[], string]>([
    ["read", ["nope.txt"], "nope.txt does not exist"],
    ["ls", ["--path", "nope"], "nope"],
    ["find", ["x", "--path", "nope"], "nope"],
    ["grep", ["x", "--path", "nope"], "nope"],
    ["write", ["--path", "sub", "--content", "x"], "sub"],
    ["edit", ["--path", "a.txt", "--edits", '[{"oldText":"zzz","newText":"y"}]'], "was not found"],
    ["bash", ["exit 7"], "[exit 7,"],
  ])("%s %j", async (tool, args, shows) => {
    using at = await workplace();
    const ran = await at.run(["tool", tool, ...args]);
    expect({ code: ran.code, err: ran.err, said: ran.out.includes(shows) }).toEqual({
      code: 1,
      err: "",
      said: true,
    });
    const asJson = await at.run(["tool", tool, "--json", ...args]);
    expect({ code: asJson.code, isError: JSON.parse(asJson.out).isError }).toEqual({
      code: 1,
      isError: true,
    });
  });
});

describe("what keeps a tool from starting ends with 2 and one sentence", () => {
  test.each<[string[], string]>([
    [["raed"], "did you mean read?"],
    [[], "burin tool needs a tool"],
    [["ls", "--args", "{"], "--args is not valid JSON"],
    [["grep", "x", "--raw", "--json"], "--raw and --json contradict each other"],
  ])("%j", async (args, shows) => {
    using at = await workplace();
    const ran = await at.run(["tool", ...args]);
    expect({ code: ran.code, out: ran.out, said: ran.err.includes(shows) }).toEqual({
      code: 2,
      out: "",
      said: true,
    });
    expect(ran.err.trim().split("\n").length).toBe(1);
  });
});

describe("bare results for other programs", () => {
  test.each<[string[], string]>([
    [["find", "*", "--type", "file", "--raw"], "a.txt\nsub/b.md\nsub/odd\nname\n"],
    [["find", "*", "--type", "file", "--raw", "-0"], "a.txt\0sub/b.md\0sub/odd\nname\0"],
    [["grep", "needle", "--raw"], "a.txt:2:two needle\nsub/b.md:1:a needle too\n"],
    [["grep", "needle", "--raw", "-0"], "a.txt:2:two needle\0sub/b.md:1:a needle too\0"],
    [["grep", "nowhere", "--raw"], ""],
  ])("burin tool %j", async (args, out) => {
    using at = await workplace();
    await Bun.write(join(at.path, "sub/odd\nname"), "x\n");
    expect(await at.run(["tool", ...args])).toEqual({ code: 0, out, err: "" });
  });

  test("a file name that is no UTF-8 comes byte for byte", async () => {
    using at = home();
    const ran = await at.shell(
      String.raw`cd "$(mktemp -d -p .)" && : > "$(printf 'n\377me')" && "$BURIN" tool find me --raw -0 | od -An -tx1`,
    );
    expect(ran.out.trim()).toBe("6e ff 6d 65 00");
  });
});
