// rtk in the place of a command: judged, seen, and never in the way.
import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { bashTool } from "../../src/tools/bash.ts";
import { rewrite } from "../../src/tools/rtk.ts";
import { SHELL_DEFAULTS } from "../../src/tools/shell.ts";
import { tempTree } from "../support/temp-tree.ts";
import { textOf, toolKit } from "../support/tool-kit.ts";

const folder = tempTree();
const { PATH } = process.env;
afterAll(() => {
  process.env["PATH"] = PATH;
  folder[Symbol.dispose]();
});

/** A stand-in of rtk first on PATH; `script` sees the command as `$2`. */
function install(script: string): void {
  const path = folder.path("rtk");
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  process.env["PATH"] = `${folder.root}:${PATH}`;
}

describe("rtk", () => {
  test("is not asked where the settings do not say so", async () => {
    install("echo rtk $2");
    expect(await rewrite("git status", "/", false)).toEqual({ command: "git status", note: null });
  });

  test.each([0, 3])("may replace a command (exit code %d)", async (code) => {
    install(`[ "$1" = rewrite ] && echo "rtk $2"; exit ${code}`);
    expect(await rewrite("git status", "/", "auto")).toEqual({
      command: "rtk git status",
      note: "rtk made this of it: rtk git status",
    });
  });

  test.each([
    ["has none of its own", "exit 1"],
    ["forbids it", "echo rtk $2; exit 2"],
    ["says nothing", "exit 0"],
    ["gives it back", 'echo "$2"'],
    ["gives what cannot be read", String.raw`printf 'rtk \033[8m rm -rf x'`],
  ])("leaves a command where it %s", async (_, script) => {
    install(script);
    expect(await rewrite("git status", "/", true)).toEqual({ command: "git status", note: null });
  });

  test("leaves a command and says why where it dies", async () => {
    install("kill -9 $$");
    expect(await rewrite("git status", "/", "auto")).toEqual({
      command: "git status",
      note: "rtk gave no answer: run as written",
    });
  });

  test("leaves a command and says why where it hangs", async () => {
    install("sleep 1000 & echo rtk; wait");
    expect(await rewrite("git status", "/", "auto")).toEqual({
      command: "git status",
      note: "rtk gave no answer: run as written",
    });
  }, 20_000);

  test("is missed only where the settings insist on it", async () => {
    process.env["PATH"] = "/nowhere";
    expect(await rewrite("true", "/", "auto")).toEqual({ command: "true", note: null });
    expect(await rewrite("true", "/", true)).toEqual({
      command: "true",
      note: "rtk is not on PATH: run as written",
    });
  });
});

describe("bash with rtk", () => {
  const shell = { ...SHELL_DEFAULTS, rtk: "auto" as const };

  test("has both commands judged and shows the one that runs", async () => {
    install('echo "echo short $2"');
    const prepared = await bashTool.prepare({ command: "git log" }, { cwd: "/", shell });
    expect(prepared.ok && [prepared.value.touches, prepared.value.title]).toEqual([
      [
        { kind: "run", command: "git log", cwd: "/" },
        { kind: "run", command: "echo short git log", cwd: "/" },
      ],
      "bash echo short git log",
    ]);
  });

  test("runs what rtk made and says so", async () => {
    install('echo "echo short $2"');
    using tree = tempTree();
    await using kit = toolKit(tree.root, { shell });
    const text = await textOf(bashTool, { command: "git log" }, kit);
    expect(text).toStartWith("short git log\n[rtk made this of it: echo short git log]\n[exit 0,");
  });
});
