// Where measurements are made: fresh copies of burin and of hello world, an empty home and folder, a model server.
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { compile } from "../scripts/compile.ts";

export type Lab = {
  burin: string;
  hello: string;
  /** An empty folder, the working directory of every run. */
  cwd: string;
  env: Record<string, string>;
  /** The arguments that make burin talk to the server and leave no session. */
  model(name: string): string[];
  /** What the server saw since the last time it was asked. */
  report(): Promise<Report>;
} & Disposable;

const Report = v.object({
  requests: v.number(),
  gaps: v.array(v.number()),
  prefixesKept: v.number(),
  promptChars: v.number(),
});
export type Report = v.InferOutput<typeof Report>;

const root = join(import.meta.dir, "..");

export async function openLab(): Promise<Lab> {
  const scratch = mkdtempSync(join(tmpdir(), "burin-bench-"));
  const cwd = join(scratch, "work");
  const home = join(scratch, "home");
  for (const folder of [cwd, home]) mkdirSync(folder);
  const hello = join(scratch, "hello");
  const burin = join(scratch, "burin");
  const built = await compile({
    entries: ["bench/hello.ts"],
    outfile: hello,
    version: "0",
    target: null,
  });
  if (!built.ok) throw new Error(`hello world was not built: ${built.output}`);
  const binary = join(root, "dist", "burin");
  if (!existsSync(binary)) throw new Error("there is no dist/burin: run `bun run build` first");
  // Whether a file's pages are fresh in the cache moves the start more than our code does: both are new.
  copyFileSync(binary, burin);
  chmodSync(burin, 0o755);
  const server = Bun.spawn([process.execPath, join(import.meta.dir, "server.ts")], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const origin = `http://127.0.0.1:${await firstLine(server.stdout)}`;
  return {
    burin,
    hello,
    cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: home, TERM: "xterm-256color", LANG: "C.UTF-8" },
    model: (name) => ["--base-url", `${origin}/v1`, "--model", name, "--no-session"],
    report: async () => v.parse(Report, await (await fetch(`${origin}/report`)).json()),
    [Symbol.dispose]: () => {
      server.kill();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of stream) {
    text += decoder.decode(bytes, { stream: true });
    if (text.includes("\n")) return text.slice(0, text.indexOf("\n"));
  }
  throw new Error("the model server ended before it was ready");
}
