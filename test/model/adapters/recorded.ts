// The shared recordings of one wire, where they are at hand.
import { existsSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";

const FOLDER = join(import.meta.dir, "../../../../shared/cases/streams");
const Index = v.array(
  v.object({
    id: v.string(),
    api: v.string(),
    status: v.number(),
    headers: v.record(v.string(), v.string()),
  }),
);

export type Recorded = {
  id: string;
  bytes: Uint8Array;
  head: { status: number; contentType: string };
};

export async function recordedOf(wanted: string): Promise<Recorded[]> {
  if (!existsSync(FOLDER)) {
    console.log("the shared recordings are not here; their tests are passed over");
    return [];
  }
  const found: Recorded[] = [];
  for (const folder of ["recordings", "crafted"]) {
    const index = v.parse(Index, await Bun.file(join(FOLDER, folder, "index.json")).json());
    for (const { id, api, status, headers } of index) {
      if (api !== wanted) continue;
      const bytes = await Bun.file(join(FOLDER, folder, `${id}.body`)).bytes();
      found.push({ id, bytes, head: { status, contentType: headers["content-type"] ?? "" } });
    }
  }
  return found;
}
