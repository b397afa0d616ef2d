// A seeded source tree to search in: folders within folders, words as code has them, a few files that are no text.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { random, type Random } from "../test/support/random.ts";

export type SearchTree = { root: string; files: number; bytes: number };

/** Stands in one of a hundred files. */
export const NEEDLE = "resolveNeedle";

const FILES_PER_FOLDER = 25;

export function searchTree(root: string, files: number): SearchTree {
  const chance = random(files);
  const words = Array.from({ length: 4_000 }, () => word(chance));
  let bytes = 0;
  for (let at = 0; at < files; at += 1) {
    const folder = join(root, folderOf(Math.floor(at / FILES_PER_FOLDER)));
    if (at % FILES_PER_FOLDER === 0) mkdirSync(folder, { recursive: true });
    const content = contentOf(chance, words);
    writeFileSync(join(folder, `${chance.pick(words)}-${at}${extensionOf(chance)}`), content);
    bytes += content.length;
  }
  mkdirSync(join(root, ".git", "objects"), { recursive: true });
  mkdirSync(join(root, ".git", "refs"));
  writeFileSync(join(root, ".git", "HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(root, ".gitignore"), "node_modules/\ndist/\n*.log\n/build\n.env*\n*.tmp\n");
  return { root, files, bytes };
}

/** Twelve folders in each. */
function folderOf(number: number): string {
  const below = number === 0 ? "" : folderOf(Math.floor((number - 1) / 12));
  return join(below, number === 0 ? "" : `part${number}`);
}

function extensionOf(chance: Random): string {
  return chance.pick([".ts", ".ts", ".ts", ".tsx", ".js", ".json", ".md", ".css", ".py", ".go"]);
}

const SYLLABLES = ["re", "con", "get", "set", "val", "ue", "na", "me", "list", "item", "or", "Ex"];
const MORE = ["port", "Func", "tion", "ind", "Map", "key", "ing", "Arr", "ay", "Use", "st", "ate"];

function word(chance: Random): string {
  const parts = Array.from({ length: 1 + chance.int(3) }, () =>
    chance.pick(chance.chance(0.5) ? SYLLABLES : MORE),
  );
  return parts.join("");
}

const SHAPES = [
  (a: string, b: string): string => `const ${a} = ${b}(options.${a}, { ${b}: 12 });`,
  (a: string, b: string): string => `  if (${a}.${b} === undefined) return null;`,
  (a: string, b: string): string => `export function ${a}(${b}: string): Promise<void> {`,
  (a: string, b: string): string => `  // ${a} must come before ${b}, see the ${a} notes.`,
  (a: string, b: string): string => `  return ${a}.map((each) => each.${b} ?? 42);`,
  (): string => "}",
  (): string => "",
];

function contentOf(chance: Random, words: readonly string[]): string | Buffer {
  if (chance.chance(0.01)) return Buffer.alloc(2_000 + chance.int(8_000));
  // Few large files and many small ones: about 3.6 KB each.
  const lines = Math.floor(5 + 300 * (chance.int(1_000) / 1_000) ** 2);
  const rows = Array.from({ length: lines }, () =>
    chance.pick(SHAPES)(chance.pick(words), chance.pick(words)),
  );
  if (chance.chance(0.01)) rows.push(`  ${NEEDLE}Qa${chance.int(90) + 10}(found);`);
  return `${rows.join("\n")}\n`;
}
