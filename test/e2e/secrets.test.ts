// Twelve planted secrets: none is in any log, event, output or child's environment, at the most talkative level.
import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { home } from "../support/binary.ts";
import { fakeIssuer } from "../support/fake-issuer.ts";
import { replayServer, type ReplayTurn } from "../support/replay-server.ts";

const secret = (name: string): string => `sekrit-${name}-7f3a9c`;

/** In the environment of every run, whether it needs them or not. */
const VARIABLES = {
  OPENAI_API_KEY: secret("openai"),
  ANTHROPIC_API_KEY: secret("anthropic"),
  OPENROUTER_API_KEY: secret("openrouter"),
  CODEX_ACCESS_TOKEN: secret("codex"),
  HF_TOKEN: secret("hf"),
  AWS_BEARER_TOKEN_BEDROCK: secret("bedrock"),
  MINE_KEY: secret("variable"),
};
const FLAG = secret("flag");
const STORED = secret("stored");
const COMMAND = secret("command");
// What the fake issuer gives: a GitHub token, and a Copilot token for it.
const GITHUB = "gho_1";
const COPILOT = "copilot-1";
const SECRETS = [...Object.values(VARIABLES), FLAG, STORED, COMMAND, GITHUB, COPILOT];

/** A turn that runs `env`, one that answers, and a refusal that quotes the key it was given. */
function turns(key: string): ReplayTurn[] {
  const call = { id: "c", name: "bash", arguments: JSON.stringify({ command: "env; echo DONE" }) };
  const refusal = { error: { message: `Incorrect API key provided: ${key}` } };
  return [
    { steps: [{ call }] },
    { steps: [{ text: "done" }] },
    { status: 401, body: JSON.stringify(refusal) },
  ];
}

/** Every file below a folder, without those that are there to hold credentials. */
function files(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return name === "credentials" ? [] : files(path);
    return name === "config.toml" ? [] : [path];
  });
}

test("twelve secrets stay where they belong", async () => {
  using at = home();
  await using issuer = fakeIssuer();
  const servers = await Promise.all(
    [VARIABLES.MINE_KEY, FLAG, STORED, COMMAND].map((key) => replayServer(turns(key))),
  );
  const [variable, flag, stored, command] = servers.map(({ url }) => `${url}/v1`);
  const config = join(at.path, ".config/burin/config.toml");
  mkdirSync(dirname(config), { recursive: true });
  writeFileSync(
    config,
    `[providers.variable]
base_url = "${variable}"
api_key_env = "MINE_KEY"
[providers.flag]
base_url = "${flag}"
[providers.stored]
base_url = "${stored}"
[providers.command]
base_url = "${command}"
api_key_command = "echo ${COMMAND}"
`,
  );
  const said: string[] = [];
  const run = async (args: string[], stdin?: string): Promise<void> => {
    const how = stdin === undefined ? {} : { stdin };
    const { out, err } = await at.run(args, { env: VARIABLES, ...how });
    said.push(out, err);
  };
  await run(["auth", "login", "stored"], `${STORED}\n`);
  await run(["auth", "login", "github-copilot", "--issuer", issuer.url]);
  for (const provider of ["variable", "flag", "stored", "command"]) {
    const more = provider === "flag" ? ["--api-key", FLAG] : [];
    const always = ["-m", `${provider}/m`, "--mode", "yolo", "--log-level", "debug", ...more];
    await run(["-p", "look", ...always, "--output", "stream-json"]);
    await run(["-p", "again", ...always]);
  }
  issuer.accepts.token = "another";
  await run(["-p", "hi", "-m", "github-copilot/gpt-4o", "--log-level", "debug"]);
  for (const what of [["auth", "status"], ["sessions"], ["usage", "--json"], ["models", "--json"]])
    await run(what);
  for (const { requests } of servers) expect(requests.length).toBe(3);
  for (const server of servers) await server[Symbol.asyncDispose]();

  // Each was used, so that its absence means something.
  const keys = servers.map(({ requests }) => requests[0]?.headers["authorization"]);
  expect(keys).toEqual([VARIABLES.MINE_KEY, FLAG, STORED, COMMAND].map((key) => `Bearer ${key}`));
  expect(issuer.shown.map(({ token }) => token)).toContain(`Bearer ${COPILOT}`);
  const outputs = said.join("\n");
  expect(outputs).toContain("DONE");
  expect(outputs).toContain("→ POST");
  expect(outputs).toContain("Incorrect API key provided: •••");
  const kept = files(at.path).map((path) => readFileSync(path, "latin1"));
  expect(kept.length).toBeGreaterThan(5);
  const leaks = SECRETS.filter(
    (each) => outputs.includes(each) || kept.some((text) => text.includes(each)),
  );
  expect([SECRETS.length, leaks]).toEqual([12, []]);
}, 60_000);
