// A process that wants an access token that holds, and prints it: `bun refresher.ts FOLDER`.
import { issuerOver } from "../../src/model/credentials-ask.ts";
import { codexWay } from "../../src/model/credentials-codex.ts";
import { freshSignIn } from "../../src/model/credentials-fresh.ts";

const fresh = await freshSignIn(
  { provider: "codex", folder: process.argv[2] ?? "", way: codexWay },
  { ask: issuerOver({}), now: Date.now, signal: new AbortController().signal },
  null,
);
process.stdout.write(fresh.ok ? fresh.value.accessToken : "");
