// The rules of a run: flags after settings, aliases and `~` resolved, names of no tool told.
import { expect, test } from "bun:test";
import { rulesOf, unknownSubjects } from "../../src/cli/rules.ts";

function textsOf(sources: Parameters<typeof rulesOf>[0], home = "/home/u"): unknown {
  const rules = rulesOf(sources, home);
  return rules.ok ? rules.value.map(({ decision, text }) => `${decision} ${text}`) : rules.failure;
}

test("flags come after settings", () => {
  expect(textsOf([{ deny: ["bash(a)"], allow: ["bash(b)"] }, { allow: ["bash(c)"] }])).toEqual([
    "allow bash(b)",
    "deny bash(a)",
    "allow bash(c)",
  ]);
});

test("a rule under another name of a tool holds for the tool, and ~ is the home folder", () => {
  expect(
    textsOf([{ deny: ["Shell(rm *)", "read(~/.ssh/**)", "search", "write(a~/b)"] }], "/h*"),
  ).toEqual(["deny bash(rm *)", "deny read(/h\\*/.ssh/**)", "deny grep", "deny write(a~/b)"]);
});

test("a rule names a tool as a call may, with a prefix or in another case", () => {
  const rules = rulesOf([{ deny: ["functions.bash", "tools:Shell(rm *)", "mcp:S:bash"] }], "/h");
  expect(rules.ok && rules.value.map(({ subject }) => subject)).toEqual([
    "bash",
    "bash",
    "mcp:S:bash",
  ]);
  expect(textsOf([{ deny: ["todo-write"] }])).toEqual(["deny todo_write"]);
});

test("~ alone is the home folder, which may be the root", () => {
  expect([textsOf([{ deny: ["ls(~)"] }]), textsOf([{ deny: ["read(~/x)"] }], "/")]).toEqual([
    ["deny ls(/home/u)"],
    ["deny read(/x)"],
  ]);
});

test("a rule that cannot be read is the failure", () => {
  expect(textsOf([{ ask: ["bash(/(/)"] }])).toMatchObject({ kind: "invalid" });
  const placeOf = (text: string): string => `c.toml:${text.length}: `;
  expect(textsOf([{ ask: ["bash(/(/)"], placeOf }])).toMatchObject({
    what: expect.stringMatching(/^c\.toml:9: the pattern of the ask rule/),
  });
});

test("a rule for no known tool is told", () => {
  const rules = rulesOf(
    [{ deny: ["bsah(rm *)", "zzzzzz", "mcp:x:y", "plugin:a", "read", "all(x)", "*"] }],
    "/h",
  );
  expect(rules.ok ? unknownSubjects(rules.value) : []).toEqual([
    "the deny rule bsah(rm *) names no tool that is known; did you mean bash?",
    "the deny rule zzzzzz names no tool that is known",
  ]);
});
