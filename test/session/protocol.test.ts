// docs/protocols/log.md is true: its examples are lines of the fixtures, and its table names what the code knows.
import { expect, test } from "bun:test";
import { readFileSync, readdirSync } from "node:fs";
import { parseLine } from "../../src/session/parse.ts";

const FIXTURES = "test/fixtures/log";
const doc = readFileSync("docs/protocols/log.md", "utf8");
const fixtureLines = readdirSync(FIXTURES).flatMap((name) =>
  readFileSync(`${FIXTURES}/${name}`, "utf8").split("\n"),
);

test("every example is a line of a fixture", () => {
  const examples = [...doc.matchAll(/^```jsonl\n(.*?)\n```$/gms)].flatMap(
    ([, block]) => block?.split("\n") ?? [],
  );
  expect(examples.length).toBeGreaterThan(5);
  expect(examples.filter((line) => !fixtureLines.includes(line))).toEqual([]);
});

test("the table of events names every type of the fixtures, and the fixtures show every type of the table", () => {
  const table = doc.slice(doc.indexOf("## Events"), doc.indexOf("Parts of a user message"));
  const documented = [...table.matchAll(/^\| `([a-z_.]+)` \|/gm)].flatMap(([, type]) => type ?? []);
  const shown = new Set<string>();
  for (const line of fixtureLines) {
    const parsed = parseLine(line);
    if (parsed.ok && parsed.value.type !== "unknown") shown.add(parsed.value.type);
  }
  expect(documented.toSorted()).toEqual([...shown].toSorted());
});
