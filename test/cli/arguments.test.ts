// Arguments are read strictly: what is not understood is an error, never a guess.
import { describe, expect, test } from "bun:test";
import type { ArgsDef } from "citty";
import { readArguments, type Extras } from "../../src/cli/arguments.ts";
import { command } from "../../src/cli/command.ts";

const DEFS = {
  print: { type: "boolean", alias: "p" },
  continue: { type: "boolean", alias: "c" },
  resume: { type: "string", alias: "r", valueHint: "REF" },
  model: { type: "string", alias: "m", valueHint: "ID" },
  deny: { type: "string", valueHint: "RULE" },
  mode: { type: "enum", options: ["standard", "yolo"] },
  session: { type: "boolean", default: true, negativeDescription: "nothing" },
  config: { type: "string", valueHint: "FILE" },
} as const satisfies ArgsDef;
const EXTRAS: Extras = {
  repeatable: ["deny"],
  optional: ["resume"],
  negatable: ["config"],
  words: 1,
};

function read(...raw: string[]): unknown {
  const result = readArguments(raw, DEFS, EXTRAS);
  return result.ok ? result.value : result.failure;
}

const given = (
  args: string[],
  words: string[] = [],
  lists: Record<string, string[]> = {},
): object => ({
  flags: args,
  lists,
  words,
});

test.each<[string[], object]>([
  [[], given([])],
  [["hi"], given([], ["hi"])],
  [["-p", "hi"], given(["--print"], ["hi"])],
  [["-pc"], given(["--print", "--continue"])],
  [["--model", "a"], given(["--model=a"])],
  [["--model=a=b"], given(["--model=a=b"])],
  [["-m=a"], given(["--model=a"])],
  [["--model="], given(["--model="])],
  [["--model", "-1.5"], given(["--model=-1.5"])],
  [["--model", "-"], given(["--model=-"])],
  [["--model=--print"], given(["--model=--print"])],
  [["-r"], given(["--resume="])],
  [["-r", "-p"], given(["--resume=", "--print"])],
  [["-r", "ref", "hi"], given(["--resume=ref"], ["hi"])],
  [["--deny", "a", "--deny=b"], given([], [], { deny: ["a", "b"] })],
  [["--no-session"], given(["--no-session"])],
  [["--no-config"], given(["--config="])],
  [["--", "--model"], given([], ["--model"])],
  [["-p", "--", "--"], given(["--print"], ["--"])],
  [["-"], given([], ["-"])],
  [[""], given([], [""])],
  [["--mode", "yolo"], given(["--mode=yolo"])],
])("%j", (raw, expected) => {
  expect(read(...raw)).toEqual(expected);
});

test.each<[string[], string]>([
  [["--modle", "x"], "unknown flag --modle; did you mean --model? (--help lists the flags)"],
  [["--no-print"], "unknown flag --no-print; did you mean --print? (--help lists the flags)"],
  [["--toString"], "unknown flag --toString (--help lists the flags)"],
  [["-x"], "unknown flag -x (--help lists the flags)"],
  [["-pm"], "unknown flag -pm (--help lists the flags)"],
  [["-px"], "unknown flag -px (--help lists the flags)"],
  [["--p"], "unknown flag --p (--help lists the flags)"],
  [["--print=yes"], "--print takes no value"],
  [["--no-session=x"], "--no-session takes no value"],
  [
    ["--no-session", "--session"],
    "--session and --no-session contradict each other: give one of them",
  ],
  [["--model"], "--model needs a value: ID"],
  [["-m", "--print"], "-m needs a value: ID"],
  [["--model", "--", "x"], "--model needs a value: ID"],
  [["--config="], "--config needs a value: FILE"],
  [["--config", ""], "--config needs a value: FILE"],
  [["--mode", "other"], '--mode must be one of standard, yolo, not "other"'],
  [["a", "b"], 'unexpected argument "b": see --help'],
  [["-pp", "a", "-mx"], "unknown flag -mx (--help lists the flags)"],
])("%j is refused", (raw, what) => {
  expect(read(...raw)).toEqual({ kind: "invalid", what });
});

describe("through citty", () => {
  test("a command gets its values as they were written", async () => {
    const seen: unknown[] = [];
    const one = command({
      name: "x",
      summary: "s",
      usage: [],
      args: DEFS,
      extras: EXTRAS,
      examples: [],
      run: ({ args, lists, words }) => {
        seen.push(
          {
            model: args.model,
            print: args.print,
            session: args.session,
            resume: args.resume,
            config: args.config,
          },
          lists,
          words,
        );
        return Promise.resolve(7);
      },
    });
    const raw = [
      "-p",
      "--model=a\nb --print=1",
      "--no-session",
      "-r",
      "--no-config",
      "--deny",
      "x(y)",
      "--",
      "--no-print",
    ];
    expect(await one.call(raw)).toEqual({ ok: true, value: 7 });
    expect(seen).toEqual([
      { model: "a\nb --print=1", print: true, session: false, resume: "", config: "" },
      { deny: ["x(y)"] },
      ["--no-print"],
    ]);
  });
});
