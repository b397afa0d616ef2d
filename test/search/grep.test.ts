// Searching trees: order, context, limits, binary and odd files, links, cancelling.
import { expect, test } from "bun:test";
import { toBytes } from "../../src/search/bytes.ts";
import { grep, type GrepEvent, type GrepRequest, type Root } from "../../src/search/grep.ts";
import { matcherOf, type Query } from "../../src/search/match.ts";
import { searchPool, type Pool } from "../../src/search/pool.ts";
import type { Wanted } from "../../src/search/scan-state.ts";
import { collect } from "../support/collect.ts";
import { random } from "../support/random.ts";
import { tempTree } from "../support/temp-tree.ts";
import { writeBytes } from "./git-tree.ts";

type Asked = Partial<Query> & { wanted?: Partial<Wanted>; roots?: Root[]; pool?: Pool };

function request(root: string, pattern: string, asked: Asked = {}): GrepRequest {
  const { regex = true, ignoreCase = false, multiline = false } = asked;
  const query = { pattern, regex, ignoreCase, multiline };
  const matcher = matcherOf(query);
  if (!matcher.ok) throw new Error(JSON.stringify(matcher.failure));
  const whole: Wanted = { what: "lines", perFile: Infinity, context: 0, lineCap: Infinity };
  return {
    roots: asked.roots ?? [{ path: root, shown: "", kind: "folder" }],
    matcher: matcher.value,
    wanted: () => ({ ...whole, ...asked.wanted }),
    globs: [],
    cwd: root,
    skip: new Set(),
    isPrivate: () => false,
    pool: asked.pool ?? searchPool,
  };
}

async function search(root: string, pattern: string, asked: Asked = {}): Promise<GrepEvent[]> {
  return collect(grep(request(root, pattern, asked), new AbortController().signal));
}

/** `path:line:text`, with a dash for lines that hold no match. */
async function rows(root: string, pattern: string, asked: Asked = {}): Promise<string[]> {
  const events = await search(root, pattern, asked);
  return events.flatMap((event) =>
    event.type === "end"
      ? []
      : event.result.lines.map(({ kind, number, bytes }) => {
          const mark = kind === "context" ? "-" : ":";
          return `${event.path}${mark}${number}${mark}${bytes}`;
        }),
  );
}

test("matching lines come with file and number, in the order of the paths", async () => {
  using tree = tempTree({ "b.txt": "x\nno\nx y", "a/c.txt": "no\nx\n", "a.txt": "" });
  expect(await rows(tree.root, "x")).toEqual(["a/c.txt:2:x", "b.txt:1:x", "b.txt:3:x y"]);
});

test("context comes once, also where two matches share it", async () => {
  using tree = tempTree({ f: "1\n2\nx\n4\nx\n6\n7\n8\n9\nx" });
  expect(await rows(tree.root, "x", { wanted: { context: 1 } })).toEqual([
    "f-2-2",
    "f:3:x",
    "f-4-4",
    "f:5:x",
    "f-6-6",
    "f-9-9",
    "f:10:x",
  ]);
});

test("carriage returns do not end lines, and empty lines count", async () => {
  using tree = tempTree({ f: "a\rx\r\n\r\n\nx" });
  expect(await rows(tree.root, "x")).toEqual(["f:1:a\rx\r", "f:4:x"]);
  expect(await rows(tree.root, "^$")).toEqual(["f:3:"]);
});

test("UTF-16 is searched as text and a UTF-8 mark is no part of the first line", async () => {
  const text = "x1\nyé x2\n";
  const little = Buffer.from(`\ufeff${text}`, "utf16le");
  using tree = tempTree({ be: Buffer.from(little).swap16(), le: little, u8: `\ufeff${text}` });
  expect(await rows(tree.root, "^x|é x")).toEqual(
    ["be", "le", "u8"].flatMap((name) => [`${name}:1:x1`, `${name}:2:yÃ© x2`]),
  );
});

test("a file with a NUL byte is left out, after the first block up to the NUL, by name as a whole", async () => {
  const late = `x\n${"filler\n".repeat(20_000)}\0\nx\n`;
  using tree = tempTree({ early: "x\n\0\nx\n", late });
  expect(await rows(tree.root, "x")).toEqual(["late:1:x"]);
  const events = await search(tree.root, "x");
  expect(events.at(-1)).toMatchObject({ type: "end", searched: 2, binary: 2 });
  const roots: Root[] = [{ path: tree.path("early"), shown: "early", kind: "file" }];
  expect(await rows(tree.root, "x", { roots })).toEqual(["early:1:x", "early:3:x"]);
});

test("files of any size and lines of any length give what splitting them would", async () => {
  for (let seed = 1; seed <= 12; seed += 1) {
    const chance = random(seed);
    const lines = Array.from({ length: 30_000 }, () => {
      const filler = "z".repeat(chance.chance(0.001) ? 200_000 : chance.int(80));
      return chance.chance(0.002) ? `${filler}needle${filler}` : filler;
    });
    using tree = tempTree({ f: lines.join("\n") });
    const pattern = chance.pick(["needle", "(?i)NEEDLE", "nee\\w+e", "needle|nothing"]);
    const expected = lines.flatMap((line, at) => (line.includes("needle") ? [at + 1] : []));
    const context = chance.int(3);
    const events = await search(tree.root, pattern, { wanted: { context, lineCap: 100 } });
    const found = events.flatMap((event) => (event.type === "file" ? event.result.lines : []));
    const matched = found.filter(({ kind }) => kind === "match").map(({ number }) => number);
    expect({ seed, matched }).toEqual({ seed, matched: expected });
    const near = new Set(
      expected.flatMap((at) =>
        [at - 2, at - 1, at, at + 1, at + 2].filter(
          (each) => Math.abs(each - at) <= context && each >= 1 && each <= lines.length,
        ),
      ),
    );
    expect({ seed, all: found.map(({ number }) => number) }).toEqual({
      seed,
      all: [...near].toSorted((one, other) => one - other),
    });
  }
}, 60_000);

test("a limit for each file keeps the first matches and counts the others", async () => {
  using tree = tempTree({ f: "x\n".repeat(50), g: "x\n" });
  for (const perFile of [1, 3, 50, 60]) {
    const events = await search(tree.root, "x", { wanted: { perFile } });
    const seen = events.flatMap((event) =>
      event.type === "file"
        ? [[event.result.kept, event.result.matches, event.result.lines.length]]
        : [],
    );
    const kept = Math.min(perFile, 50);
    expect(seen).toEqual([
      [kept, 50, kept],
      [1, 1, 1],
    ]);
  }
});

test("counting and asking for files alone give no lines", async () => {
  using tree = tempTree({ f: "x\nx\n", g: "no\n" });
  const count = await search(tree.root, "x", { wanted: { what: "count" } });
  expect(count[0]).toMatchObject({ path: "f", result: { matches: 2, lines: [] } });
  const first = await search(tree.root, "x", { wanted: { what: "first" } });
  expect(first[0]).toMatchObject({ path: "f", result: { matches: 1, lines: [] } });
});

test("a long line is cut around its match, never inside a character", async () => {
  using tree = tempTree({ f: `${"é".repeat(1_000)}needle${"é".repeat(1_000)}` });
  const [event] = await search(tree.root, "needle", { wanted: { lineCap: 101 } });
  expect(event).toMatchObject({ type: "file", result: { matches: 1 } });
  const lines = event?.type === "file" ? event.result.lines : [];
  expect(lines).toEqual([
    {
      number: 1,
      kind: "match",
      bytes: toBytes(`${"é".repeat(13)}needle${"é".repeat(34)}`),
      cut: { before: 1_974, after: 1_932 },
      match: { start: 26, end: 32 },
    },
  ]);
});

test("a match over several lines is one hit at its first line", async () => {
  using tree = tempTree({ f: "start\nmid\nend\nno\nno\nstart end\n" });
  const asked = { multiline: true, wanted: { context: 1 } };
  expect(await rows(tree.root, "start[\\s\\S]*?end", asked)).toEqual([
    "f:1:start",
    "f:2:mid",
    "f:3:end",
    "f-4-no",
    "f-5-no",
    "f:6:start end",
  ]);
  expect(await rows(tree.root, "mid\nend\n", { regex: false })).toEqual(["f:2:mid", "f:3:end"]);
  expect(await rows(tree.root, "\\Astart", { multiline: true })).toEqual(["f:1:start"]);
});

test("names and content of any bytes are found", async () => {
  using tree = tempTree({ "a\nb": "x\n" });
  writeBytes(`${tree.root}/\xe9`, "");
  await Bun.write(tree.path("latin"), Buffer.from("caf\xe9 x\n", "latin1"));
  expect(await rows(tree.root, "x")).toEqual(["a\nb:1:x", "latin:1:caf\xe9 x"]);
  expect(await rows(tree.root, "café", { regex: false })).toEqual(["latin:1:caf\xe9 x"]);
});

test("a file under two roots is searched once", async () => {
  using tree = tempTree({ "src/a": "x\n" });
  const roots: Root[] = [
    { path: tree.path("src"), shown: "src/", kind: "folder" },
    { path: tree.path("src/a"), shown: "src/a", kind: "file" },
  ];
  expect(await rows(tree.root, "x", { roots })).toEqual(["src/a:1:x"]);
});

test("what an engine could run away on is left out and said", async () => {
  using tree = tempTree({ f: `${"a".repeat(20_000)}\nx\n` });
  const events = await search(tree.root, "(?=a)a|x");
  expect(events.at(-1)).toMatchObject({ problems: [{ path: "f", what: "long line" }] });
  expect(await rows(tree.root, "(?=a)a|x")).toEqual(["f:2:x"]);
});

test("a line that JavaScript's engine gives up on is said, not taken for one without a match", async () => {
  using tree = tempTree({ f: `${"a".repeat(45)}b\n`, g: "aaa\n" });
  const events = await search(tree.root, "^(a+)+$(?<=a)");
  expect(events.map((event) => (event.type === "file" ? event.path : event.problems))).toEqual([
    "g",
    [{ path: "f", what: "slow" }],
  ]);
});

test("an abort ends the search at once, and the loop stays free meanwhile", async () => {
  using tree = tempTree({ big: "no match here\n".repeat(3_000_000) });
  const stop = new AbortController();
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
    if (turns === 3) stop.abort();
  }, 1);
  const events = await collect(grep(request(tree.root, "[a-z]+\\d"), stop.signal));
  clearInterval(timer);
  expect([turns >= 3, events.map(({ type }) => type)]).toEqual([true, ["end"]]);
});

test("a file that cannot be opened is said", async () => {
  using tree = tempTree({});
  const roots: Root[] = [{ path: toBytes(tree.path("gone")), shown: "gone", kind: "file" }];
  const events = await search(tree.root, "x", { roots });
  expect(events).toEqual([
    {
      type: "end",
      searched: 1,
      binary: 0,
      skipped: [],
      secret: [],
      problems: [{ path: "gone", what: "unreadable" }],
    },
  ]);
});

const SOURCES = [
  "needle",
  "ee|dl",
  "n\\w+",
  "^a",
  "a$",
  "^$",
  "\\d",
  "[^a]",
  "\\s",
  "a\\s*b",
  "\\bb",
  "b\\b",
  "k",
  "ask",
  "K1|S2",
  "b*",
];

test("a file gives the lines that match one by one, whatever leads to them", async () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const chance = random(seed);
    const pieces = [
      "a",
      "b",
      "k",
      "S",
      "\u212a",
      "ſ",
      " ",
      "1",
      "2",
      "needle",
      "NeEdLe",
      "é",
      "\r",
    ];
    const lines = Array.from({ length: 1 + chance.int(20) }, () =>
      Array.from({ length: chance.int(6) }, () => chance.pick(pieces)).join(""),
    );
    const text = lines.join("\n") + (chance.chance(0.5) ? "\n" : "");
    using tree = tempTree({ f: chance.chance(0.5) ? text : text.replaceAll(/[^\0-\x7f]/g, "") });
    const [source, ignoreCase] = [chance.pick(SOURCES), chance.chance(0.5)];
    const content = (await Bun.file(tree.path("f")).text()).replace(/\n$/, "");
    // A word's letters are Unicode's.
    const edge = String.raw`(?:(?<=[\p{L}\d])(?![\p{L}\d])|(?<![\p{L}\d])(?=[\p{L}\d]))`;
    const regex = RegExp(source.replace("\\b", edge), ignoreCase ? "iu" : "u");
    const expected = content.split("\n").flatMap((line, at) => (regex.test(line) ? [at + 1] : []));
    const events = await search(tree.root, source, { ignoreCase });
    const found = events.flatMap((event) => (event.type === "file" ? event.result.lines : []));
    const actual = found.map(({ number }) => number);
    const isEmpty = content === "";
    expect({ seed, source, actual }).toEqual({ seed, source, actual: isEmpty ? actual : expected });
  }
});
