// The bash tool: what the model is told of a command.
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { listProcesses } from "../../src/host/process-list.ts";
import { bashTool } from "../../src/tools/bash.ts";
import type { Output } from "../../src/tools/tool.ts";
import { tempTree } from "../support/temp-tree.ts";
import { call, textOf, toolKit } from "../support/tool-kit.ts";

/** Without the one figure that differs from run to run. */
function timeless(output: Output | string): unknown {
  return JSON.parse(JSON.stringify(output).replaceAll(/, [\d.]+ s, in/g, ", T s, in"));
}

async function bash(command: string, more: object = {}): Promise<string> {
  using tree = tempTree();
  await using kit = toolKit(tree.root);
  const text = await textOf(bashTool, { command, ...more }, kit);
  return text.replaceAll(tree.root, "ROOT").replaceAll(/, [\d.]+ s, in/g, ", T s, in");
}

describe("bash", () => {
  test("tells output, exit code, time and folder", async () => {
    using tree = tempTree();
    await using kit = toolKit(tree.root);
    expect(
      timeless(await call(bashTool, { command: "echo out; echo err >&2; exit 3" }, kit)),
    ).toEqual({
      parts: [{ type: "text", text: `out\nerr\n[exit 3, T s, in ${tree.root}]` }],
      isError: true,
      summary: "exit 3",
    });
    expect(timeless(await call(bashTool, { command: "true" }, kit))).toEqual({
      parts: [{ type: "text", text: `(no output)\n[exit 0, T s, in ${tree.root}]` }],
      isError: false,
      summary: "exit 0",
    });
  });

  test("tells the signal", async () => {
    expect(await bash("kill -9 $$")).toBe("(no output)\n[ended by SIGKILL, T s, in ROOT]");
  });

  test("shows text without escapes and progress, invalid UTF-8 counted", async () => {
    expect(await bash("printf '\\033[31mred\\033[0m 1%%\\r2%%\\n\\377\\n'")).toBe(
      "2%\n\ufffd\n[1 invalid UTF-8 sequence replaced]\n[exit 0, T s, in ROOT]",
    );
  });

  test("runs in the folder that is asked for, and cd does not last", async () => {
    using tree = tempTree({ "a b/": "" });
    await using kit = toolKit(tree.root);
    expect(await textOf(bashTool, { command: "pwd", cwd: "a b" }, kit)).toStartWith(
      `${tree.path("a b")}\n`,
    );
    await textOf(bashTool, { command: "cd /" }, kit);
    expect(await textOf(bashTool, { command: "pwd" }, kit)).toStartWith(`${tree.root}\n`);
  });

  test("ends a command that takes too long", async () => {
    expect(await bash("echo begun; sleep 1000", { timeout: 0.3 })).toBe(
      "begun\n[timeout after 0.3 s, all its processes ended, T s, in ROOT]",
    );
  });

  test("names what still runs and ends it with the turn", async () => {
    using tree = tempTree();
    const kit = toolKit(tree.root);
    const text = await textOf(bashTool, { command: "sleep 1000 & echo $!" }, kit);
    const pid = Number(/^\d+/.exec(text)?.[0]);
    expect(text).toContain(`[still running, ended with this turn: sleep (${pid});`);
    await kit.processes.endSurvivors();
    expect(listProcesses().filter((entry) => entry.pid === pid)).toEqual([]);
  });

  test("shows what came before it was stopped", async () => {
    using tree = tempTree();
    const stop = new AbortController();
    const chunks: string[] = [];
    const live = (chunk: string): void => {
      chunks.push(chunk);
      stop.abort();
    };
    await using kit = toolKit(tree.root, { signal: stop.signal, live });
    const output = await call(bashTool, { command: "echo begun; sleep 1000" }, kit);
    expect(timeless(output)).toEqual({
      parts: [
        {
          type: "text",
          text: `begun\n[stopped by the user, all its processes ended, T s, in ${tree.root}]`,
        },
      ],
      isError: true,
      summary: "stopped by the user, all its processes ended",
    });
    expect(chunks).toEqual(["begun\n"]);
  });

  test("keeps the whole of a long output in a file", async () => {
    using tree = tempTree();
    await using kit = toolKit(tree.root);
    const output = await call(bashTool, { command: "seq 100000" }, kit);
    const file = typeof output === "string" ? null : output.truncated?.file;
    expect(readFileSync(file ?? "", "utf8")).toEndWith("\n99999\n100000\n");
    expect(await textOf(bashTool, { command: `wc -l < ${file}` }, kit)).toStartWith("100000\n");
  });

  test("declares the command and where it runs", async () => {
    const input = { cmd: "npm  test\n# and more", workdir: "sub", description: "run the tests" };
    const prepared = await bashTool.prepare(input, { cwd: "/here" });
    expect(prepared.ok && [prepared.value.touches, prepared.value.title]).toEqual([
      [{ kind: "run", command: "npm  test\n# and more", cwd: "/here/sub" }],
      "bash npm test # and more",
    ]);
  });

  test("refuses an empty command and one with a NUL byte", async () => {
    using tree = tempTree();
    await using kit = toolKit(tree.root);
    expect(await textOf(bashTool, { command: " \n" }, kit)).toBe(
      "bash: command is empty. Nothing was done",
    );
    expect(await textOf(bashTool, { command: `touch x\0y` }, kit)).toBe(
      "bash: command holds a NUL byte. Nothing was done",
    );
    expect(existsSync(tree.path("x"))).toBe(false);
  });
});
