// A process that notes usage twenty times: `bun usage-writer.ts FILE SESSION`.
import { addUsage } from "../../src/session/usage-log.ts";

const [file = "", session = ""] = process.argv.slice(2);
const tokens = { rounds: 1, input: 1, cacheRead: 0, cacheWrite: 0, output: 1, reasoning: 0 };
for (let count = 0; count < 20; count += 1) {
  const time = new Date().toISOString();
  const line = {
    v: 1,
    time,
    session,
    project: "/p",
    provider: "p",
    model: "m",
    ...tokens,
    costUsd: null,
  } as const;
  if ((await addUsage(file, [line])) !== null) process.exit(1);
}
