// The form of commit messages: what passes, and what each fault is called.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { faultsOf } from "../../scripts/commit-message.ts";
import { tempTree } from "../support/temp-tree.ts";

const SUBJECT_72 = `tools: ${"x".repeat(65)}`;

test.each([
  "repo: start",
  "policy: deny what the floor forbids",
  "wire: embed the decoder\n\nBecause a package for it would be larger than it.\n",
  "docs: process the map", // ends in s, and is imperative
  "bench: focus on the start",
  SUBJECT_72,
  `tools: x\n\n${"word ".repeat(14)}ab`,
  `tools: x\n\n/an/address/that/cannot/be/wrapped/${"x".repeat(80)}`,
])("%p passes", (message) => {
  expect(faultsOf(message)).toEqual([]);
});

test.each([
  ["Fix the thing", "the subject must read `room: what changes`"],
  ["", "the subject must read `room: what changes`"],
  ["tools:no space", "the subject must read `room: what changes`"],
  ["tools: added a thing", 'the subject must be imperative: "added" is not'],
  ["tools: adds a thing", 'the subject must be imperative: "adds" is not'],
  ["tools: adding a thing", 'the subject must be imperative: "adding" is not'],
  ["tools: add a thing.", "the subject must not end with a full stop"],
  [`${SUBJECT_72}x`, "the subject is wider than 72 columns"],
  ["tools: add\nmore", "the second line must be empty"],
  [`tools: add\n\n${"word ".repeat(15)}`, /^a line of the body is wider than 72 columns/],
  ["kitchen: add a stove", /^there is no room "kitchen"; rooms: base, /],
])("%p is refused", (message, fault) => {
  const faults = faultsOf(message);
  expect(faults).toHaveLength(1);
  if (typeof fault === "string") expect(faults).toEqual([fault]);
  else expect(faults[0]).toMatch(fault);
});

test("given a file, the script checks the message in it", () => {
  using tree = tempTree({ message: "Update stuff\n" });
  const script = join(import.meta.dir, "../../scripts/commit-message.ts");
  const run = Bun.spawnSync([process.execPath, script, tree.path("message")]);
  expect({ exitCode: run.exitCode, stderr: run.stderr.toString() }).toEqual({
    exitCode: 1,
    stderr: `${tree.path("message")}: the subject must read \`room: what changes\`\n`,
  });
});
