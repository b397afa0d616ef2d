// The shared recordings of real providers, where they are at hand: no cut changes what is read, no cut-off reply passes for a whole one.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "bun:test";
import * as v from "valibot";
import { collect, pieces } from "../support/collect.ts";
import { random } from "../support/random.ts";
import { events, summary } from "./chat-reply.ts";

const FOLDER = join(import.meta.dir, "../../../shared/cases/streams");
const Index = v.array(
  v.object({
    id: v.string(),
    api: v.string(),
    status: v.number(),
    headers: v.record(v.string(), v.string()),
  }),
);

async function recordings(): Promise<
  [id: string, file: string, head: { status: number; contentType: string }][]
> {
  if (!existsSync(FOLDER)) {
    console.log("the shared recordings are not here; their tests are passed over");
    return [];
  }
  const found: [string, string, { status: number; contentType: string }][] = [];
  for (const folder of ["recordings", "crafted"]) {
    const index = v.parse(Index, await Bun.file(join(FOLDER, folder, "index.json")).json());
    for (const { id, api, status, headers } of index) {
      const head = { status, contentType: headers["content-type"] ?? "" };
      if (api === "openai-chat") found.push([id, join(FOLDER, folder, `${id}.body`), head]);
    }
  }
  return found;
}

const found = await recordings();

describe.skipIf(found.length === 0)("a recording", () => {
  test.each(found)("%s reads the same however it is cut", async (id, file, head) => {
    const bytes = await Bun.file(file).bytes();
    const whole = await collect(events([bytes], head));
    for (const seed of [1, 2, 3]) {
      const cut = pieces(bytes, random(seed), bytes.length > 60_000 ? 997 : 1 + seed * 13);
      expect([id, seed, await collect(events(cut, head))]).toEqual([id, seed, whole]);
    }
  });

  test.each(found)("%s fails when half of it is missing", async (_, file, head) => {
    const bytes = await Bun.file(file).bytes();
    expect((await summary([bytes.subarray(0, bytes.length / 2)], head)).stop).toBeNull();
  });
});
