// A key that the user keeps elsewhere: the answer of a command that the settings name, or a private file of burin's.
import { invalid, ok, type Result } from "../base/failure.ts";
import type { Environment } from "../host/env.ts";
import { homeFolder } from "../host/places.ts";
import { askProgram } from "../host/process-ask.ts";
import type { FoundKey } from "./credentials.ts";
import { credentialFolder, readKey } from "./credentials-store.ts";

/** A password store may ask for a passphrase in a window of its own. */
const COMMAND_MS = 60_000;

export type KeptKey = {
  provider: string;
  /** `api_key_command`; null where the settings name none. */
  command: string | null;
  /** burin's data folder. */
  data: string;
  environment: Environment;
};

export async function keptKey(wanted: KeptKey): Promise<Result<FoundKey | null>> {
  const { command, data, provider } = wanted;
  if (command !== null) return fromCommand(command, wanted);
  const key = readKey(credentialFolder(data), provider);
  if (!key.ok || key.value === null) return key.ok ? ok(null) : key;
  return ok({ key: key.value, source: "stored key" });
}

async function fromCommand(
  command: string,
  { provider, environment }: KeptKey,
): Promise<Result<FoundKey>> {
  const answer = await askProgram(["sh", "-c", command], {
    cwd: homeFolder(environment),
    env: Object.fromEntries(
      Object.entries(environment).flatMap(([name, value]) =>
        value === undefined || name.startsWith("BUN_") ? [] : [[name, value]],
      ),
    ),
    timeoutMs: COMMAND_MS,
  });
  const key = answer?.text.split("\n")[0]?.trim() ?? "";
  if (answer?.code === 0 && key !== "") return ok({ key, source: "api_key_command" });
  const how = answer === null ? "did not answer" : `ended with exit code ${answer.code}`;
  const what = answer?.code === 0 ? "printed nothing" : how;
  return invalid(`the api_key_command of ${provider} ${what}: try it in a shell`);
}
