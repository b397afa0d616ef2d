// Temporary folders of sessions: private, gone with them, and swept when nobody holds them any more.
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeTempFolder, sweepTempFolders, type TempFolder } from "../../src/host/temp-folder.ts";
import { tempTree } from "../support/temp-tree.ts";

const LONG_AGO = new Date(2020, 1, 1);

function made(parent: string): TempFolder {
  const folder = makeTempFolder(parent);
  if (folder === null) throw new Error("no folder was made");
  return folder;
}

/** As a crashed run leaves it. */
function leftIn(parent: string, name: string): string {
  const path = join(parent, name);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, ".lock"), "");
  writeFileSync(join(path, "file"), "x");
  utimesSync(join(path, ".lock"), LONG_AGO, LONG_AGO);
  return path;
}

test("a folder is for the user alone, and goes with all that is in it", () => {
  using tree = tempTree();
  const folder = made(tree.root);
  expect(statSync(folder.path()).mode & 0o777).toBe(0o700);
  mkdirSync(join(folder.path(), "deep/er"), { recursive: true });
  folder.remove();
  expect(readdirSync(tree.root)).toEqual([]);
});

test("a folder that a command removed is there again for the next", () => {
  using tree = tempTree();
  const folder = made(tree.root);
  rmSync(folder.path(), { recursive: true });
  expect(existsSync(folder.path())).toBe(true);
  folder.remove();
});

test("there is none where it cannot be made", () => {
  using tree = tempTree();
  expect(makeTempFolder(tree.path("nowhere"))).toBeNull();
});

test("the sweep takes what a crashed run left", () => {
  using tree = tempTree();
  leftIn(tree.root, "burin-0123456789ab");
  sweepTempFolders(tree.root);
  expect(readdirSync(tree.root)).toEqual([]);
});

test("the sweep spares folders in use, young ones, and everything that is not surely burin's", () => {
  using tree = tempTree({ "elsewhere/.lock": "", "elsewhere/file": "x" });
  const used = made(tree.root);
  utimesSync(join(used.path(), ".lock"), LONG_AGO, LONG_AGO);
  utimesSync(tree.path("elsewhere/.lock"), LONG_AGO, LONG_AGO);
  const young = made(tree.root);
  leftIn(tree.root, "burin-home-Ab12cd");
  mkdirSync(tree.path("burin-aaaaaaaaaaaa"));
  symlinkSync(tree.path("elsewhere"), tree.path("burin-bbbbbbbbbbbb"));
  const before = readdirSync(tree.root);
  sweepTempFolders(tree.root);
  expect(readdirSync(tree.root)).toEqual(before);
  expect(readdirSync(tree.path("elsewhere")).toSorted()).toEqual([".lock", "file"]);
  for (const folder of [used, young]) folder.remove();
});

test("the sweep of a folder that is not there does nothing", () => {
  sweepTempFolders("/nowhere");
});
