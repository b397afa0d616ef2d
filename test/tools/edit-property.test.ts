// What must hold for every edit of every file: 10,000 seeded runs, most of them pure, some hundreds on files.
import { describe, expect, test } from "bun:test";
import { readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { diffTexts, formatDiff } from "../../src/base/diff.ts";
import { anchorOf } from "../../src/tools/anchor.ts";
import { editAnchored } from "../../src/tools/edit-anchored.ts";
import { editBytes, editText, type Edit } from "../../src/tools/edit-text.ts";
import { editTool } from "../../src/tools/edit.ts";
import { readTool } from "../../src/tools/read.ts";
import { forSeeds, random as seeded, type Random } from "../support/random.ts";
import { tempTree } from "../support/temp-tree.ts";
import { call, toolKit } from "../support/tool-kit.ts";
import { applied, plain } from "./patch.ts";

const PIECES = [
  "a",
  "bb",
  "x = 1",
  "é",
  "e\u0301",
  "😀",
  "“q”",
  "1–2",
  "\u00a0",
  " ",
  "\t",
  "$&",
  "\r",
];
const ENDS = ["\n", "\r\n"];

function someText(random: Random, most: number, pieces: readonly string[] = PIECES): string {
  return Array.from({ length: random.int(most + 1) }, () => random.pick(pieces)).join("");
}

/** Mixed line ends, now and then a byte order mark or no newline at the end. */
function someFile(random: Random): { mark: string; text: string } {
  const lines = Array.from(
    { length: random.int(12) },
    () => someText(random, 5) + random.pick(ENDS),
  );
  const last = random.chance(0.5) ? someText(random, 3) : "";
  return { mark: random.chance(0.2) ? "\ufeff" : "", text: lines.join("") + last };
}

/** A CRLF is one unit, as every other character is. */
function unitsOf(text: string): string[] {
  return text.match(/\r\n|[^]/gu) ?? [];
}

type Wish = { from: number; to: number; newText: string };

/** Ranges of units that do not overlap, in order. */
function someWishes(random: Random, units: number): Wish[] {
  const wishes: Wish[] = [];
  let from = random.int(4);
  while (from < units && wishes.length < 3) {
    const to = Math.min(units, from + 1 + random.int(8));
    wishes.push({ from, to, newText: someText(random, 4, [...PIECES, "\n"]) });
    from = to + random.int(10);
  }
  return wishes;
}

function editsOf(units: readonly string[], wishes: readonly Wish[], random: Random): Edit[] {
  const edits = wishes.map(({ from, to, newText }) => {
    const quoted = units.slice(from, to).join("");
    return { oldText: random.chance(0.7) ? plain(quoted) : quoted, newText };
  });
  return random.chance(0.5) ? edits : edits.toReversed();
}

/** What must come out: every unit outside the ranges as it was, newlines of the new text as they are around it. */
function wantedText(units: readonly string[], wishes: readonly Wish[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const { from, to, newText } of wishes) {
    const isEnd = (unit: string): boolean => unit === "\n" || unit === "\r\n";
    const near =
      units.slice(from, to).find(isEnd) ??
      units.slice(to).find(isEnd) ??
      units.slice(0, from).findLast(isEnd) ??
      "\n";
    parts.push(units.slice(done, from).join(""), plain(newText).replaceAll("\n", near));
    done = to;
  }
  return parts.join("") + units.slice(done).join("");
}

function isUnique(text: string, quoted: string): boolean {
  return text.split(quoted).length === 2 && text.indexOf(quoted) === text.lastIndexOf(quoted);
}

type Sample = { before: Buffer; wanted: string; edits: Edit[] };

/** Null where the quotes would not be unique. */
function sampleOf(random: Random): Sample | null {
  const { mark, text } = someFile(random);
  const units = unitsOf(text);
  const wishes = someWishes(random, units.length);
  const edits = editsOf(units, wishes, random);
  const view = plain(text);
  // A carriage return in front of a newline would become a part of it.
  const isClear = !/\r\r\n|\r$/.test(text) && edits.every(({ newText }) => !newText.includes("\r"));
  const isFit = edits.length > 0 && edits.every(({ oldText }) => isUnique(view, plain(oldText)));
  const wanted = mark + wantedText(units, wishes);
  const isChange = edits.every(({ oldText, newText }) => oldText !== newText);
  return isClear && isFit && isChange && wanted !== mark + text
    ? { before: Buffer.from(mark + text), wanted, edits }
    : null;
}

/** The next sample that can be used, from the same chance. */
function nextSample(random: Random): Sample {
  for (;;) {
    const sample = sampleOf(random);
    if (sample !== null) return sample;
  }
}

test("bytes outside the edits stay and those inside are the new text, in 4,000 files", () => {
  forSeeds(4000, (random) => {
    const { before, wanted, edits } = nextSample(random);
    const result = editBytes(before, edits);
    expect(result.ok && Buffer.from(result.value.result).toString()).toBe(wanted);
  });
});

test("the diff leads from the old text to the new one, in 2,000 files", () => {
  forSeeds(2000, (random) => {
    const { before, wanted } = nextSample(random);
    const old = before.toString();
    const diff = formatDiff(diffTexts(old, wanted), "x");
    expect(applied(old, diff)).toBe(plain(wanted));
  });
});

const WORDS = ["call(a)", "x = 'it'", 'y = "é"', "if (z):", "1 - 2", "return", "}"];

/** A few lines as one would write them, with an indentation that goes up and down. */
function someBlock(random: Random): string[] {
  const depths = Array.from({ length: 1 + random.int(4) }, () => random.int(3));
  return depths.map((depth) => "  ".repeat(depth) + random.pick(WORDS));
}

/** The same block in another spelling, all of which is tolerated. */
function respelled(random: Random, block: readonly string[]): string[] {
  const isTabbed = random.chance(0.3);
  const deeper = random.pick(["", "  ", "    "]);
  const form = random.pick(["NFC", "NFD"]);
  return block.map((line) => {
    const depth = line.length - line.trimStart().length;
    const indent = isTabbed ? "\t".repeat(depth / 2 + 1) : deeper + " ".repeat(depth);
    const body = Array.from(line.trimStart(), (sign) =>
      random.chance(0.3) ? varied(random, sign) : sign,
    );
    return `${indent}${body.join("").normalize(form)}${random.pick(["", "", " ", "\t "])}`;
  });
}

function varied(random: Random, sign: string): string {
  const others: Record<string, string[]> = {
    "'": ["‘", "’"],
    '"': ["“", "”"],
    "-": ["–", "—", "‑"],
    " ": ["\u00a0", "\u202f"],
  };
  return random.pick(others[sign] ?? [sign]);
}

function filler(random: Random): string[] {
  return Array.from(
    { length: random.int(4) },
    () => `filler ${random.int(1_000_000)}${random.pick(["", "  "])}`,
  );
}

test("two places that resemble the quote are never changed, in 2,000 files", () => {
  let runs = 0;
  forSeeds(2600, (random) => {
    const block = someBlock(random);
    const oldText = respelled(random, block).join("\n");
    const copies = [respelled(random, block), respelled(random, block)];
    const text = [
      ...filler(random),
      ...(copies[0] ?? []),
      "between",
      ...(copies[1] ?? []),
      ...filler(random),
    ].join("\n");
    // To the letter in one place: then it is that one.
    if (isUnique(text, oldText)) return;
    runs += 1;
    expect(editText(text, [{ oldText, newText: "NEW" }]).ok).toBe(false);
  });
  expect(runs).toBeGreaterThan(2000);
});

test("the only place that resembles the quote is changed and nothing beside it, in 2,000 files", () => {
  forSeeds(2000, (random) => {
    const block = someBlock(random);
    const [head, tail] = [filler(random), filler(random)];
    const end = random.pick(ENDS);
    const copy = respelled(random, block);
    const text = [...head, ...copy, ...tail, ""].join(end);
    const quote = respelled(random, block);
    const newText = `${/^\s*/.exec(quote[0] ?? "")?.[0] ?? ""}NEW\n`;
    const result = editText(text, [{ oldText: `${quote.join("\n")}\n`, newText }]);
    if (!result.ok) throw new Error(JSON.stringify({ text, quote, result }));
    const after = result.value.result;
    const before = head.map((line) => line + end).join("");
    const behind = tail.map((line) => line + end).join("");
    expect(after.startsWith(before) && after.endsWith(`NEW${end}${behind}`)).toBe(true);
    expect(after.slice(before.length, after.length - behind.length).trim()).toBe("NEW");
  });
});

test("anchors change the lines between them, or nothing where one of the two is another now, in 1,500 files", () => {
  forSeeds(1500, (random) => {
    const lines = Array.from({ length: 1 + random.int(8) }, () =>
      someText(random, 3, ["a", "b", "é", " "]),
    );
    const from = random.int(lines.length);
    const to = from + random.int(lines.length - from);
    const anchors = {
      from: anchorOf(from + 1, lines[from] ?? ""),
      to: anchorOf(to + 1, lines[to] ?? ""),
      newText: "NEW ü",
    };
    lines.push("end");
    const now = lines.map((line) => (random.chance(0.1) ? `${line}!` : line));
    const end = random.pick(ENDS);
    const result = editAnchored(now.join(end), [anchors]);
    const isSame = now[from] === lines[from] && now[to] === lines[to];
    const wanted = [...now.slice(0, from), "NEW ü", ...now.slice(to + 1)].join(end);
    expect({ text: result.ok ? result.value.result : null }).toEqual({
      text: isSame ? wanted : null,
    });
  });
});

describe("on files", () => {
  test("what is on disk is what was asked for, and the diff says so, 250 times", async () => {
    using tree = tempTree();
    for (let seed = 1; seed <= 250; seed += 1) {
      const { before, wanted, edits } = nextSample(seeded(seed));
      const path = tree.path(`${seed}.txt`);
      writeFileSync(path, before);
      await using kit = toolKit(tree.root);
      await call(readTool, { path }, kit);
      const output = await call(editTool, { path, edits }, kit);
      if (typeof output === "string") throw new Error(`seed ${seed}: ${output}`);
      expect({ seed, text: readFileSync(path, "utf8") }).toEqual({ seed, text: wanted });
      const old = before.toString().replace(/^\ufeff/, "");
      const now = plain(wanted.replace(/^\ufeff/, ""));
      expect({ seed, text: applied(old, output.diff ?? "") }).toEqual({ seed, text: now });
    }
  });

  test("no edit survives a file that changed after it was read, 250 times", async () => {
    using tree = tempTree();
    for (let seed = 1; seed <= 250; seed += 1) {
      const chance = seeded(seed);
      const { before, edits } = nextSample(chance);
      const path = tree.path(`${seed}.txt`);
      writeFileSync(path, before);
      const { atime, mtime } = statSync(path);
      await using kit = toolKit(tree.root);
      await call(readTool, { path }, kit);
      const changed = changedBytes(chance, before);
      writeFileSync(path, changed);
      if (chance.chance(0.5)) utimesSync(path, atime, mtime);
      const output = await call(editTool, { path, edits }, kit);
      expect({ seed, isRefused: typeof output === "string" }).toEqual({ seed, isRefused: true });
      expect(readFileSync(path).equals(changed)).toBe(true);
    }
  });
});

/** Another byte, one more or one less. */
function changedBytes(chance: Random, bytes: Buffer): Buffer {
  const at = chance.int(bytes.length);
  const how = chance.int(3);
  if (how === 0) return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
  if (how === 1)
    return Buffer.concat([bytes.subarray(0, at), Buffer.from("+"), bytes.subarray(at)]);
  const copy = Buffer.from(bytes);
  copy[at] = (bytes[at] ?? 0) ^ 1;
  return copy;
}
