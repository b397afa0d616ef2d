// Signing in by a code on another device, and tokens that are renewed by one process at a time and never thrown away.
import { describe, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { sentence } from "../../src/base/failure.ts";
import { issuerOver } from "../../src/model/credentials-ask.ts";
import { importedSignIn } from "../../src/model/credentials-codex.ts";
import { signInByDevice } from "../../src/model/credentials-device.ts";
import { freshSignIn } from "../../src/model/credentials-fresh.ts";
import {
  readSignIn,
  signInFile,
  writeSignIn,
  type SignIn,
} from "../../src/model/credentials-store.ts";
import { SIGN_INS, type SignInProvider, type Way } from "../../src/model/credentials-way.ts";
import { wayOf } from "../../src/model/credentials-ways.ts";
import {
  fakeIssuer,
  signInAt as record,
  webToken,
  type FakeIssuer,
} from "../support/fake-issuer.ts";
import { tempTree } from "../support/temp-tree.ts";

const HOUR_MS = 3_600_000;
const REFRESHER = Bun.fileURLToPath(import.meta.resolve("./refresher.ts"));

async function way(provider: string): Promise<Way> {
  const found = await wayOf(provider);
  if (!found.ok) throw new Error(sentence(found.failure));
  return found.value;
}

/** Signs in with a clock that jumps: gives the result, how long was waited each time, and what the person saw. */
async function signIn(provider: SignInProvider, issuer: FakeIssuer, stopAfter = Infinity) {
  const controller = new AbortController();
  const waits: number[] = [];
  const seen: string[] = [];
  let now = Date.now();
  const its = await way(provider);
  const result = await signInByDevice(its, its.site(issuer.url), {
    ask: issuerOver({}),
    now: () => now,
    signal: controller.signal,
    show: ({ userCode }) => seen.push(userCode),
    wait: (ms) => {
      waits.push(ms);
      now += ms;
      if (waits.length >= stopAfter) controller.abort();
      return Promise.resolve();
    },
  });
  return { result, waits, seen };
}

describe.each([...SIGN_INS])("signing in to %s", (provider) => {
  test("waits for the person, less often when told so, and gives what to keep", async () => {
    await using issuer = fakeIssuer();
    issuer.steps.push("pending", "slow_down", "pending");
    const { result, waits, seen } = await signIn(provider, issuer);
    expect(waits).toEqual([5000, 5000, 10_000, 10_000]);
    expect(seen).toEqual([provider === "codex" ? "ABCD-1234" : "WXYZ-9876"]);
    expect(result).toMatchObject({ ok: true, value: { v: 1, issuer: issuer.url } });
  });

  test.each<["denied" | "expired", string]>([
    ["denied", "the sign-in was refused in the browser"],
    ["expired", "the code expired before anybody entered it: start again"],
  ])("ends where the code was %s", async (step, said) => {
    await using issuer = fakeIssuer();
    issuer.steps.push("pending", step);
    const { result } = await signIn(provider, issuer);
    expect(result).toEqual({ ok: false, failure: { kind: "invalid", what: said } });
  });

  test("ends by itself when nobody ever enters the code", async () => {
    await using issuer = fakeIssuer();
    issuer.steps.push(...Array.from({ length: 1000 }, () => "pending" as const));
    const { result, waits } = await signIn(provider, issuer);
    expect([result.ok, waits.reduce((sum, ms) => sum + ms, 0)]).toEqual([false, 900_000]);
  });

  test("can be stopped", async () => {
    await using issuer = fakeIssuer();
    issuer.steps.push("pending", "pending", "pending");
    const { result } = await signIn(provider, issuer, 2);
    expect(result).toEqual({ ok: false, failure: { kind: "aborted" } });
    expect(issuer.asked.length).toBe(2);
  });
});

test("a Copilot token comes from GitHub's, and only the exchange sees that one", async () => {
  await using issuer = fakeIssuer();
  const { result } = await signIn("github-copilot", issuer);
  expect(result).toMatchObject({
    ok: true,
    value: { accessToken: "copilot-1", refreshToken: "gho_1", baseUrl: issuer.url },
  });
  expect(issuer.shown).toEqual([{ path: "/copilot_internal/v2/token", token: "token gho_1" }]);
});

async function fresh(folder: string, refused: string | null = null) {
  const asking = { ask: issuerOver({}), now: Date.now, signal: new AbortController().signal };
  return freshSignIn({ provider: "codex", folder, way: await way("codex") }, asking, refused);
}

describe("a stored sign-in", () => {
  test("is used as it is while its token holds", async () => {
    using tree = tempTree({});
    await using issuer = fakeIssuer();
    const held = record(issuer, { expiresAt: Date.now() + HOUR_MS });
    expect(writeSignIn(tree.root, "codex", held)).toBeNull();
    expect(await fresh(tree.root)).toEqual({ ok: true, value: held });
    expect(issuer.asked).toEqual([]);
  });

  test.each<[string, Partial<SignIn>]>([
    ["its token has ended", {}],
    ["its token ends in a minute", { expiresAt: Date.now() + 60_000 }],
    [
      "it is nine hours old",
      { expiresAt: Date.now() + HOUR_MS, refreshedAt: Date.now() - 9 * HOUR_MS },
    ],
  ])("is renewed and kept where %s", async (_name, more) => {
    using tree = tempTree({});
    await using issuer = fakeIssuer();
    writeSignIn(tree.root, "codex", record(issuer, more));
    const renewed = await fresh(tree.root);
    expect(renewed).toMatchObject({
      ok: true,
      value: { refreshToken: "refresh-2", account: "acct-1" },
    });
    expect(readSignIn(tree.root, "codex")).toEqual(renewed);
    expect(statSync(signInFile(tree.root, "codex")).mode & 0o777).toBe(0o600);
  });

  test("is kept where it cannot be renewed, and its token used to the end", async () => {
    using tree = tempTree({});
    await using issuer = fakeIssuer();
    issuer.revoke();
    const ending = record(issuer, { expiresAt: Date.now() + 60_000 });
    writeSignIn(tree.root, "codex", ending);
    expect(await fresh(tree.root)).toEqual({ ok: true, value: ending });
    const ended = record(issuer);
    writeSignIn(tree.root, "codex", ended);
    const failed = await fresh(tree.root);
    expect(failed.ok ? "" : sentence(failed.failure)).toMatch(
      /^the sign-in to codex could not be renewed: 127.0.0.1:\d+ refused \(HTTP 401: refresh_token_reused\); it is kept: try again, or burin auth login codex$/,
    );
    expect(readSignIn(tree.root, "codex")).toEqual({ ok: true, value: ended });
  });

  test("that others can read is refused", async () => {
    using tree = tempTree({ "codex.json": "{}" });
    const failed = await fresh(tree.root);
    expect(failed.ok ? "" : sentence(failed.failure)).toContain(
      "can be read by others: chmod 600 it",
    );
  });

  test("is renewed once where four processes want it at the same moment", async () => {
    using tree = tempTree({});
    await using issuer = fakeIssuer(200);
    writeSignIn(tree.root, "codex", record(issuer));
    const runs = Array.from({ length: 4 }, async () => {
      const child = Bun.spawn([process.execPath, REFRESHER, tree.root], {
        stdout: "pipe",
        stderr: "inherit",
      });
      return child.stdout.text();
    });
    const tokens = await Promise.all(runs);
    expect([new Set(tokens).size, tokens[0]?.length === 0, issuer.counts.refreshes]).toEqual([
      1,
      false,
      1,
    ]);
  });
});

test("the login of the Codex program can be taken over", () => {
  const now = Date.now();
  const access = webToken(now + HOUR_MS, "x");
  const file = {
    tokens: { access_token: access, refresh_token: "r", id_token: "", account_id: "acct-9" },
    last_refresh: "2026-01-02T03:04:05Z",
  };
  expect(importedSignIn(file, now)).toEqual({
    v: 1,
    issuer: "https://auth.openai.com",
    clientId: "app_EMoamEEZ73f0CkXaXp7hrann",
    baseUrl: "https://chatgpt.com/backend-api/codex",
    accessToken: access,
    refreshToken: "r",
    expiresAt: Math.floor((now + HOUR_MS) / 1000) * 1000,
    refreshedAt: Date.parse("2026-01-02T03:04:05Z"),
    account: "acct-9",
  });
  expect(importedSignIn({ OPENAI_API_KEY: "k" }, now)).toBeNull();
});
