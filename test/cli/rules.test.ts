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

test("~ alone is the home folder, which may be the root", () => {
  expect([textsOf([{ deny: ["ls(~)"] }]), textsOf([{ deny: ["read(~/x)"] }], "/")]).toEqual([
    ["deny ls(/home/u)"],
    ["deny read(/x)"],
  ]);
});

test("a rule that cannot be read is the failure", () => {
  expect(textsOf([{ ask: ["bash(/(/)"] }])).toMatchObject({ kind: "invalid" });
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
