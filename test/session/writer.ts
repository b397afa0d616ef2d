// A process for crash tests: opens the log named first and does what is named second until it is killed.
import { writeSync } from "node:fs";
import { openLog } from "../../src/session/reopen.ts";
import { say, user } from "./drafts.ts";

const [path = "", work = ""] = process.argv.slice(2);
const opened = openLog(path);
if (!opened.ok) {
  writeSync(1, JSON.stringify(opened.failure));
  process.exit(1);
}
const log = opened.value;

if (work === "hold") {
  writeSync(1, "open\n");
  await Bun.sleep(60_000);
}
if (work === "write") {
  // Each id is told after `append` returned: whatever was told must be found again.
  for (let count = 0; ; count += 1) {
    const text = "x".repeat((count * 7919) % 3000);
    const event = log.append(count % 2 === 0 ? user(text) : say(text));
    writeSync(1, `${event.id}\n`);
  }
}
if (work === "stream") {
  log.append(user("Count."));
  let text = "";
  for (let count = 1; ; count += 1) {
    text += `${count} `;
    log.journal(() => [{ type: "text", text }]);
    await Bun.sleep(1);
  }
}
