// What the settings say of commands: limits that fit each other, programs that must be there, and what a command sees of it.
import { describe, expect, test } from "bun:test";
import { sentence } from "../../src/base/failure.ts";
import { requirePrograms, shellOf } from "../../src/cli/commands-of.ts";
import { SHELL_DEFAULTS, shellArgv } from "../../src/tools/shell.ts";
import { tempTree } from "../support/temp-tree.ts";
import { burin } from "./source.ts";

const CONFIG = "home/.config/burin/config.toml";
const ECHO = ["-p", "hi", "--provider", "echo", "--quiet"];

test("without settings the defaults hold", () => {
  expect(shellOf({})).toEqual(SHELL_DEFAULTS);
});

test("the usual time limit is never above the highest, which follows it up", () => {
  const limits = (bash: object): [number, number] => {
    const { timeout, maxTimeout } = shellOf({ tools: { bash } });
    return [timeout, maxTimeout];
  };
  expect([
    limits({ timeout_s: 30 }),
    limits({ timeout_s: 900 }),
    limits({ max_timeout_s: 60 }),
    limits({ timeout_s: 90, max_timeout_s: 60 }),
  ]).toEqual([
    [30, 600],
    [900, 900],
    [60, 60],
    [60, 60],
  ]);
});

test.each([
  [null, [expect.stringMatching(/bash$/), "-lc", "true"]],
  ["zsh", ["zsh", "-lc", "true"]],
  ["/bin/sh", ["/bin/sh", "-c", "true"]],
  ["dash", ["dash", "-c", "true"]],
  ["bash --noprofile -c", ["bash", "--noprofile", "-c", "true"]],
])("the shell %p runs a command so", (shell, argv) => {
  expect(shellArgv({ ...SHELL_DEFAULTS, shell }, "true")).toEqual(argv);
});

describe("required programs", () => {
  const refusal = (tools: object): string => {
    const found = requirePrograms({ tools });
    return found.ok ? "" : sentence(found.failure);
  };

  test("that are there refuse nothing", () => {
    expect(refusal({ require: ["sh"], bash: { shell: "sh -c" } })).toBe("");
  });

  test("are named where they are missing, with the setting", () => {
    expect(refusal({ require: ["sh", "no-such-program"] })).toBe(
      "no-such-program was not found on PATH, and the setting [tools] require names it: install no-such-program, or take it out of the setting",
    );
    expect(refusal({ bash: { shell: "no-such-shell -c" } })).toStartWith(
      "no-such-shell was not found on PATH, and the setting [tools.bash] shell names it:",
    );
  });

  test("that are missing stop the start with exit code 2", () => {
    using tree = tempTree({
      "project/": "",
      [CONFIG]: '[tools]\nrequire = ["no-such-program"]\n',
    });
    const ran = burin(tree, ECHO);
    expect([ran.code, ran.out, ran.err.split("\n").length]).toEqual([2, "", 2]);
  });
});

describe("[tools.bash]", () => {
  const settings =
    '[tools.bash]\nshell = "sh -c"\ntimeout_s = 77\nmax_timeout_s = 1\nenv = { MINE = "yes", EDITOR = "my-editor" }\n';
  const command = 'echo "$0 $MINE $EDITOR"; sleep 60';
  const result = /^sh yes my-editor\n\[timeout after 1 s, all its processes ended, /;

  test("holds for burin tool", () => {
    using tree = tempTree({ "project/": "", [CONFIG]: settings });
    expect(burin(tree, ["tool", "bash", "--", command]).out).toMatch(result);
  });

  test("holds for a run", () => {
    const turn = { steps: [{ tool: "bash", args: { command } }] };
    using tree = tempTree({
      "project/": "",
      [CONFIG]: settings,
      "script.json": JSON.stringify({ turns: [turn, { steps: [{ text: "done" }] }] }),
    });
    const script = ["--provider", `script:${tree.path("script.json")}`];
    burin(tree, ["-p", "x", "--mode", "yolo", "--name", "s", ...script]);
    const shown = burin(tree, ["show", "s", "--json"]).out.split("\n");
    const tool = shown.find((line) => line.includes('"message.tool"')) ?? "{}";
    expect(JSON.parse(tool).data.content[0].text).toMatch(result);
  });
});
