// `burin auth login|status|logout`: signing in to providers, keeping their keys, and what is there.
import type { ArgsDef } from "citty";
import { EXIT_FAILED, EXIT_SIGNAL } from "../base/exit-codes.ts";
import { invalid, ok, sentence, type Failure, type Result } from "../base/failure.ts";
import { visible } from "../base/plain.ts";
import { environment } from "../host/env.ts";
import { err } from "../host/out.ts";
import { places } from "../host/places.ts";
import { authStatus, type AuthFound, type AuthStatus } from "../model/credentials-status.ts";
import { credentialFolder, forget, readSignIn, writeSignIn } from "../model/credentials-store.ts";
import { hasSignIn, type DeviceCode } from "../model/credentials-way.ts";
import { wayOf } from "../model/credentials-ways.ts";
import { command } from "./command.ts";
import { print, refuse, refuseText } from "./exit.ts";
import { settingsOf } from "./settings-of.ts";

const ARGS = {
  import: { type: "boolean", description: "login codex: take over the login of the Codex program" },
  issuer: {
    type: "string",
    valueHint: "URL",
    description: "login: a company's own issuer, such as https://COMPANY.ghe.com",
  },
  json: { type: "boolean", description: "status: one JSON array" },
} as const satisfies ArgsDef;

type AuthArgs = { import?: boolean | undefined; issuer?: string | undefined };

export const authCommand = command({
  name: "burin auth",
  summary: "sign in to a provider or keep its key; see what is there; forget it",
  usage: [
    "burin auth login codex|github-copilot   a code to enter in a browser",
    "burin auth login PROVIDER               reads the key from standard input",
    "burin auth status [--json]              where credentials come from, never what they are",
    "burin auth status github-copilot        asks what is left of the premium requests",
    "burin auth logout PROVIDER",
  ],
  args: ARGS,
  extras: { words: 2 },
  examples: ["burin auth login codex", "burin auth login openai < key.txt", "burin auth status"],
  run: async ({ args, words: [what = "status", provider] }) => {
    if (what === "status") {
      return provider === "github-copilot" ? quota(args.json === true) : status(args.json === true);
    }
    if (what !== "login" && what !== "logout") {
      return refuseText(`unknown command auth ${what}: login, status or logout`);
    }
    if (provider === undefined || !/^[\w.-]+$/.test(provider)) {
      return refuseText(`burin auth ${what} needs the name of a provider, such as codex or openai`);
    }
    return what === "login" ? login(provider, args) : logout(provider);
  },
});

async function login(provider: string, args: AuthArgs): Promise<number> {
  return hasSignIn(provider) ? signIn(provider, args) : keep(provider);
}

async function signIn(provider: string, args: AuthArgs): Promise<number> {
  const env = environment();
  const folder = credentialFolder(places(env).data);
  const record = args.import ? await imported(provider) : await byDevice(provider, args.issuer);
  if (!record.ok) return ended(record.failure);
  const failure = writeSignIn(folder, provider, record.value);
  if (failure !== null) return ended(failure);
  if (args.import) {
    err("burin: the Codex program may have to sign in again once burin has renewed this login\n");
  }
  return print(`signed in to ${provider}: burin -m ${provider}/MODEL\n`);
}

async function imported(provider: string): ReturnType<typeof byDevice> {
  if (provider !== "codex")
    return invalid("--import is for codex: there is no other login to take over");
  const { importCodex } = await import("../model/credentials-import.ts");
  return importCodex(environment(), Date.now());
}

async function byDevice(provider: string, issuer: string | undefined) {
  const way = await wayOf(provider);
  if (!way.ok) return way;
  const origin = issuerOf(issuer);
  if (!origin.ok) return origin;
  const { signInByDevice, waitOrStop } = await import("../model/credentials-device.ts");
  const { issuerOver } = await import("../model/credentials-ask.ts");
  const { signal } = stopping();
  return signInByDevice(way.value, way.value.site(origin.value), {
    ask: issuerOver(environment()),
    now: Date.now,
    signal,
    wait: waitOrStop,
    show: (code) => err(instructions(code)),
  });
}

function issuerOf(written: string | undefined): Result<string | null> {
  if (written === undefined) return ok(null);
  const url = URL.parse(written);
  if (url !== null && /^https?:$/.test(url.protocol)) return ok(url.origin);
  return invalid(
    `--issuer must be a URL such as https://COMPANY.ghe.com, not ${JSON.stringify(written)}`,
  );
}

/** Ctrl+C ends the waiting, with nothing stored. */
function stopping(): AbortController {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => controller.abort());
  return controller;
}

function instructions({ url, userCode, expiresInMs }: DeviceCode): string {
  const minutes = Math.round(expiresInMs / 60_000);
  return [
    `Open  ${url}`,
    `Enter ${userCode}`,
    `(holds for ${minutes} minutes; only enter a code that you asked for yourself; Ctrl+C stops)`,
    "",
  ].join("\n");
}

async function keep(provider: string): Promise<number> {
  const { readSecretLine } = await import("../host/secret-line.ts");
  const { isHeaderText } = await import("../model/credentials.ts");
  const { writeKey } = await import("../model/credentials-store.ts");
  const key = await readSecretLine(() =>
    err(`Key for ${provider} (it is not shown), then Enter:\n`),
  );
  if (key === null) return refuseText(`no key came: burin auth login ${provider} < FILE`);
  if (!isHeaderText(key))
    return refuseText("that is no key: it holds spaces or characters that no header can carry");
  const failure = writeKey(credentialFolder(places(environment()).data), provider, key);
  return failure === null ? print(`the key of ${provider} is kept\n`) : ended(failure);
}

function logout(provider: string): number {
  const was = forget(credentialFolder(places(environment()).data), provider);
  return print(was ? `forgotten: ${provider}\n` : `there was nothing kept for ${provider}\n`);
}

async function status(isJson: boolean): Promise<number> {
  const env = environment();
  const { config, data } = places(env);
  const loaded = await settingsOf({ config, env });
  if (!loaded.ok) return refuse(loaded.failure);
  const found = authStatus({
    environment: env,
    data,
    tables: loaded.value.settings.providers ?? {},
  });
  if (isJson) return print(`${JSON.stringify(found)}\n`);
  if (found.length === 0)
    return print(
      "no credentials: burin auth login PROVIDER, or a variable such as OPENAI_API_KEY\n",
    );
  return print(found.map((each) => `${lineOf(each)}\n`).join(""));
}

async function quota(isJson: boolean): Promise<number> {
  const env = environment();
  const record = readSignIn(credentialFolder(places(env).data), "github-copilot");
  if (!record.ok) return refuse(record.failure);
  if (record.value === null) {
    return refuseText("nobody is signed in to github-copilot: burin auth login github-copilot");
  }
  const { copilotQuota } = await import("../model/credentials-quota.ts");
  const { issuerOver } = await import("../model/credentials-ask.ts");
  const asking = { ask: issuerOver(env), now: Date.now, signal: stopping().signal };
  const left = await copilotQuota(record.value, asking);
  if (!left.ok) return ended(left.failure);
  const { plan, premium } = left.value;
  if (isJson) return print(`${JSON.stringify(left.value)}\n`);
  const requests = premium === null ? "not counted" : `${premium.left} of ${premium.all} left`;
  return print(`plan ${visible(plan, "")}, premium requests of this month: ${requests}\n`);
}

/** The first is the one in use. */
function lineOf({ provider, ways }: AuthStatus): string {
  const [first, ...others] = ways.map(wayText);
  const beside = others.length === 0 ? "" : ` (also: ${others.join(", ")})`;
  return `${provider.padEnd(16)}${first ?? ""}${beside}`;
}

function wayText(found: AuthFound): string {
  switch (found.kind) {
    case "sign-in": {
      const who = found.account === null ? "" : ` as ${found.account}`;
      const until = found.expiresAt === null ? "" : `, token until ${found.expiresAt}`;
      return `signed in at ${new URL(found.issuer).host}${who}${until}`;
    }
    case "variable":
      return found.name;
    case "command":
      return "api_key_command";
    case "stored key":
      return "stored key";
    case "unusable":
      return found.why;
  }
}

function ended(failure: Failure): number {
  if (failure.kind === "aborted") {
    err("burin: stopped; nothing was stored\n");
    return EXIT_SIGNAL.SIGINT;
  }
  err(`burin: ${sentence(failure)}\n`);
  return EXIT_FAILED;
}
