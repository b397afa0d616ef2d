// Markdown: the same lines however the text streams in, and nothing lost that another renderer shows.
import { expect, test } from "bun:test";
import { Marked } from "marked";
import { markedTerminal } from "marked-terminal";
import { width } from "../../src/base/cells.ts";
import { BLOCKS, finish, push, type Block } from "../../src/term/blocks.ts";
import { blockLines, loadLexer } from "../../src/term/markdown.ts";
import { COLORED, PLAIN } from "../../src/term/style.ts";
import { forSeeds, type Random } from "../support/random.ts";

const lex = await loadLexer();

const DOCUMENT = `# Title with \`code\`

A paragraph with **bold**, *italic*, ~~struck~~ and a [link](https://example.com/x) &amp; more
over two lines.

Setext heading
--------------

1. one
1. two **bold**
   - nested \`a\`
   - nested b

   second paragraph
1. three

- [ ] todo *now*
- [x] done
* another list

\`\`\`ts
const a = 1;

\tif (a) { }
\`\`\`
> a quote
> - with a list

| a | 漢字 | number |
|---|:---:|---:|
| x | y **b** | 12 |
| longer | 👨‍👩‍👧 | 1 |

***
![image](a.png) and <b>html</b>
last line without newline`;

const blocksOf = (source: string): Block[] => {
  const { blocks, done } = push(BLOCKS, source);
  return [...done, ...finish(blocks).done];
};
const linesOf = (source: string, columns = 60): string[] =>
  blocksOf(source).flatMap((block) => [
    ...(block.gap ? [""] : []),
    ...blockLines(block, { columns, style: PLAIN, lex }),
  ]);

test("a document is shown", () => {
  expect(linesOf(DOCUMENT)).toEqual([
    "# Title with code",
    "",
    "A paragraph with bold, italic, struck and a link",
    "(https://example.com/x) & more over two lines.",
    "",
    "## Setext heading",
    "",
    "1. one",
    "2. two bold",
    "   ◦ nested a",
    "   ◦ nested b",
    "",
    "   second paragraph",
    "3. three",
    "",
    "• ☐ todo now",
    "• ☑ done",
    "",
    "• another list",
    "",
    "ts",
    "  const a = 1;",
    "  ",
    "      if (a) { }",
    "",
    "│ a quote",
    "│ ",
    "│ • with a list",
    "",
    "a       漢字  number",
    "──────  ────  ──────",
    "x       y b       12",
    "longer   👨‍👩‍👧        1",
    "",
    "────────────────────────────────────────",
    "",
    "[image: image] (a.png) and <b>html</b> last line without",
    "newline",
  ]);
});

test("links are OSC 8 where styles are on, and their text stays", () => {
  const [block] = blocksOf("[text](https://example.com/ä)");
  const lines = block ? blockLines(block, { columns: 60, style: COLORED, lex }) : [];
  expect(lines).toEqual([
    "\u001b]8;;https://example.com/%C3%A4\u001b\\\u001b[4mtext\u001b[24m\u001b]8;;\u001b\\",
  ]);
});

test("escape sequences in the text do not reach the terminal", () => {
  const lines = linesOf(
    "a \u001b[2Jb\n\n```\n\u001b]52;c;x\u0007code\n```\n\n[x](http://a\u0007b)",
  );
  expect(lines.join("\n").includes("\u001b")).toBe(false);
});

test("a table too wide for the screen becomes records", () => {
  const table = `| first | second | third |\n|---|---|---|\n| ${"word ".repeat(8)} | b | ${"c ".repeat(20)} |`;
  const lines = linesOf(table, 20);
  expect({ first: lines[0], widest: Math.max(...lines.map(width)) <= 20 }).toEqual({
    first: "first: word word",
    widest: true,
  });
});

test("any split of the text gives the same blocks", () => {
  const whole = blocksOf(DOCUMENT);
  forSeeds(300, (random) => {
    expect(streamed(DOCUMENT, random)).toEqual(whole);
  });
});

test("any split of random Markdown gives the same blocks, and no word is lost", () => {
  const parts = [
    "# h",
    "word",
    "- item",
    "  - nested",
    "1. one",
    "",
    "```",
    "~~~js",
    "> q",
    "| a | b |",
    "|---|---|",
    "---",
    "===",
    "    code",
    "* x",
    "<div>",
    "[a]: http://b",
    "**bold",
    "`tick",
  ];
  forSeeds(400, (random) => {
    const lines = Array.from(
      { length: random.int(25) },
      (_, at) => `${random.pick(parts)} w${at}w`,
    );
    const source = lines.join("\n");
    expect(streamed(source, random)).toEqual(blocksOf(source));
    const shown = linesOf(source, 40).join("\n");
    const words = lines.flatMap((line) => line.match(/w\d+w/g) ?? []);
    expect(words.filter((word) => !shown.includes(word))).toEqual([]);
  });
});

test("a long paragraph is cut after a sentence, outside of marks, however it streams in", () => {
  const sentence = "This is a sentence with **bold. Text** and `code. Here` of some length. ";
  const source = `${sentence.repeat(20)}\n${sentence.repeat(3)}\n\nA short one.`;
  const whole = blocksOf(source);
  forSeeds(100, (random) => {
    expect(streamed(source, random)).toEqual(whole);
  });
  const words = whole.map((block) => (block.kind === "text" ? block.source : "")).join(" ");
  expect({
    ends: whole.filter(
      (block) => block.kind === "text" && block.source.trimEnd().endsWith("length."),
    ).length,
    gaps: whole.filter((block) => block.gap).length,
    words: words.split(/\s+/),
  }).toEqual({
    ends: whole.length - 1,
    gaps: 1,
    words: source.split(/\s+/),
  });
});

test("nothing that marked-terminal shows is missing", async () => {
  const reference = new Marked(markedTerminal({ width: 60, reflowText: true }));
  const theirs = Bun.stripANSI(await reference.parse(DOCUMENT));
  const ours = linesOf(DOCUMENT).join("\n");
  const words = theirs.match(/\p{L}[\p{L}\p{N}.:/]+/gu) ?? [];
  expect(words.filter((word) => !ours.includes(word))).toEqual([]);
});

test("streaming is linear: a long text in small deltas is cut in one pass", () => {
  const delta = "some words ";
  let blocks = BLOCKS;
  let count = 0;
  for (let at = 0; at < 20_000; at += 1) {
    const step = push(blocks, at % 40 === 39 ? "end.\n\n" : delta);
    blocks = step.blocks;
    count += step.done.length;
  }
  expect(count).toBe(500);
});

test("a long text without any end is taken in small deltas: none looks at all that came before", () => {
  const textOf = (block: Block): string => (block.kind === "code" ? block.line : block.source);
  for (const delta of ["A".repeat(20), "a\n", "- a\n", "  - a\n"]) {
    let blocks = BLOCKS;
    const done: Block[] = [];
    for (let at = 0; at < 100_000; at += 1) {
      const step = push(blocks, delta);
      blocks = step.blocks;
      done.push(...step.done);
    }
    const all = [...done, ...finish(blocks).done].map(textOf).join("\n");
    expect(`${all}\n`.length).toBe(delta.length * 100_000 + (delta.endsWith("\n") ? 0 : 1));
  }
});

test("what is nested more deeply than can be followed, or too long to be lexed, is shown as written", () => {
  const quotes = "> ".repeat(9000);
  const long = "_a_".repeat(20_000);
  expect([linesOf(quotes).join(" ").trim(), linesOf(long)]).toEqual([quotes.trim(), [long]]);
});

function streamed(source: string, random: Random): Block[] {
  let blocks = BLOCKS;
  const all: Block[] = [];
  for (let at = 0; at < source.length;) {
    const size = 1 + random.int(random.chance(0.2) ? 80 : 6);
    const step = push(blocks, source.slice(at, at + size));
    blocks = step.blocks;
    all.push(...step.done);
    at += size;
  }
  return [...all, ...finish(blocks).done];
}
