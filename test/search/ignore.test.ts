// Ignore rules as tables: every form that git documents.
import { expect, test } from "bun:test";
import { toBytes } from "../../src/search/bytes.ts";
import { decide, parseRules, type Decision } from "../../src/search/ignore.ts";

type Row = [rules: string, path: string, decision: Decision | null];

/** A path that ends in a slash is a folder. */
function decided(rules: string, path: string, fold = false): Decision | null {
  const isFolder = path.endsWith("/");
  const full = toBytes(`/r/${isFolder ? path.slice(0, -1) : path}`);
  const at = full.lastIndexOf("/");
  const parsed = parseRules(toBytes(rules), "/r", fold);
  return decide(parsed, full.slice(0, at), full.slice(at + 1), isFolder);
}

const TABLES: Record<string, Row[]> = {
  "names match at any depth, paths with a slash only from the folder of their file": [
    ["a.log", "a.log", "ignore"],
    ["a.log", "deep/er/a.log", "ignore"],
    ["a.log", "xa.log", null],
    ["sub/a", "sub/a", "ignore"],
    ["sub/a", "x/sub/a", null],
    ["/a", "a", "ignore"],
    ["/a", "sub/a", null],
  ],
  "a slash at the end is for folders only": [
    ["build/", "build/", "ignore"],
    ["build/", "build", null],
    ["build/", "x/build/", "ignore"],
    ["a/b/", "a/b/", "ignore"],
    ["a/b/", "a/b", null],
  ],
  "the last rule that matches decides": [
    ["*.txt\n!keep.txt", "keep.txt", "keep"],
    ["!keep.txt\n*.txt", "keep.txt", "ignore"],
    ["a\n!a\na", "a", "ignore"],
    ["*\n!*/", "sub/", "keep"],
    ["a\n!a/", "a", "ignore"],
  ],
  "two stars cross folders only between slashes": [
    ["a/**/b", "a/b", "ignore"],
    ["a/**/b", "a/x/y/b", "ignore"],
    ["**/b", "b", "ignore"],
    ["a/**", "a/x/y", "ignore"],
    ["a/**", "a", null],
    ["a/**/", "a/x/", "ignore"],
    ["a**b", "axxb", "ignore"],
    ["x/a**b", "x/a/b", null],
    ["a/***/b", "a/x/y/b", "ignore"],
    ["*/b", "x/y/b", null],
  ],
  "git's own quirk: a literal start before two stars and a slash crosses folders": [
    ["foo**/bar", "foo/x/bar", "ignore"],
    ["foo**/bar", "fooz/bar", "ignore"],
  ],
  "classes hold single bytes, ranges and names, never a slash": [
    ["f[0-9]", "f7", "ignore"],
    ["f[!0-9]", "f7", null],
    ["f[^0-9]", "fx", "ignore"],
    ["[]a]x", "]x", "ignore"],
    ["[a-]", "-", "ignore"],
    ["[[:alpha:][:digit:]]", "7", "ignore"],
    ["[[:nothing:]]", "n", null],
    ["[[:alpha", "a", null],
    ["a[/]b", "a/b", null],
    ["[\\]]", "]", "ignore"],
    ["[a-\\c]", "b", "ignore"],
    ["[b-a]", "a", null],
    ["[é].md", "é.md", null],
    ["[open", "[open", null],
  ],
  "a backslash takes the meaning from the next character": [
    ["a\\*b", "a*b", "ignore"],
    ["a\\*b", "axb", null],
    ["\\!a", "!a", "ignore"],
    ["\\#a", "#a", "ignore"],
    ["foo\\", "foo\\", null],
    ["f?\\", "fo\\", null],
  ],
  "spaces at the end go, other blanks and escaped ones stay": [
    ["a  ", "a", "ignore"],
    ["a\\ ", "a ", "ignore"],
    ["a\\  ", "a ", "ignore"],
    ["a\\\\ ", "a\\", "ignore"],
    ["a\t", "a\t", "ignore"],
    ["a\t", "a", null],
    ["   ", " ", null],
  ],
  "comments, empty lines, CRLF, a byte order mark and a missing last newline do no harm": [
    ["# a\n\na\r\nb\r\n", "a", "ignore"],
    ["# a\n\na\r\nb\r\n", "b", "ignore"],
    ["#a", "#a", null],
    ["\ufeffa\nb", "a", "ignore"],
    ["!\na", "!", null],
    ["/", "a/", null],
  ],
};

for (const [name, rows] of Object.entries(TABLES)) {
  test(name, () => {
    expect(rows.map(([rules, path]) => [rules, path, decided(rules, path)])).toEqual(rows);
  });
}

test("with core.ignoreCase letters match in both cases, also in ranges", () => {
  const rows: Row[] = [
    ["Build", "bUILD", "ignore"],
    ["sub/A*", "SUB/abc", "ignore"],
    ["[a-c]x", "BX", "ignore"],
    ["É", "é", null],
  ];
  expect(rows.map(([rules, path]) => [rules, path, decided(rules, path, true)])).toEqual(rows);
});

test("a rule made to run away is decided at once", () => {
  const name = "a".repeat(200);
  expect(decided(`${"a*".repeat(60)}b`, name)).toBeNull();
  expect(decided(`x/${"**/a*".repeat(40)}/b`, `x/${`${name}/`.repeat(15)}c`)).toBeNull();
});
