// A scratch folder with given files, gone when its `using` scope ends.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export type TempTree = { root: string; path(name: string): string } & Disposable;

/** Files by relative name; a name that ends in "/" is an empty folder. */
export function tempTree(files: Record<string, string | Uint8Array> = {}): TempTree {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "burin-tree-")));
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name);
    mkdirSync(name.endsWith("/") ? path : dirname(path), { recursive: true });
    if (!name.endsWith("/")) writeFileSync(path, content);
  }
  return {
    root,
    path: (name) => join(root, name),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}
