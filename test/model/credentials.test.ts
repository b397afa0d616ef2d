// Keys: where they come from, in which order, and that no sentence holds one.
import { describe, expect, test } from "bun:test";
import { chmodSync, statSync } from "node:fs";
import { keptKey } from "../../src/model/credentials-kept.ts";
import { authStatus } from "../../src/model/credentials-status.ts";
import { credentialFolder, forget, keyFile, writeKey } from "../../src/model/credentials-store.ts";
import { tempTree } from "../support/temp-tree.ts";
import { authLabel, resolveCredential, type Keys } from "../../src/model/credentials.ts";
import { customPreset, presetOf, PRESETS } from "../../src/model/providers.ts";

const KEYS: Keys = {
  provider: "p",
  policy: "required",
  tokenVariable: null,
  keyVariable: "P_KEY",
  spareVariable: "SPARE",
  flag: null,
  environment: {},
  kept: () => Promise.resolve({ ok: true, value: null }),
  hasSignIn: false,
};
const resolve = (more: Partial<Keys>) => resolveCredential({ ...KEYS, ...more });
const key = (text: string, source: string) =>
  ({ ok: true, value: { kind: "key", key: text, source } }) as const;
const none = { ok: true, value: { kind: "none" } } as const;

describe("a key", () => {
  test("comes from the flag, then a token's variable, then the key's, then what is kept, then the spare one", async () => {
    const all: Partial<Keys> = {
      tokenVariable: "P_TOKEN",
      environment: { P_KEY: "v", P_TOKEN: "t" },
      kept: () => Promise.resolve({ ok: true, value: { key: "k", source: "stored key" } }),
    };
    expect(await resolve({ ...all, flag: "f" })).toEqual(key("f", "--api-key"));
    expect(await resolve(all)).toEqual(key("t", "P_TOKEN"));
    expect(await resolve({ ...all, environment: { P_KEY: "v" } })).toEqual(key("v", "P_KEY"));
    const spare = { SPARE: "s" };
    expect(await resolve({ ...all, environment: spare })).toEqual(key("k", "stored key"));
    expect(await resolve({ environment: spare })).toEqual(key("s", "SPARE"));
  });

  test("that is kept is not asked for where a variable has one", async () => {
    const kept = () => Promise.reject(new Error("asked"));
    expect(await resolve({ kept, environment: { P_KEY: "v" } })).toEqual(key("v", "P_KEY"));
  });

  test("loses the blanks around it; an empty one is none", async () => {
    expect(await resolve({ environment: { P_KEY: " v\n" } })).toEqual(key("v", "P_KEY"));
    expect(await resolve({ policy: "auto", flag: "", environment: { P_KEY: "  " } })).toEqual(none);
  });

  test("is not needed where the policy does not ask for it", async () => {
    expect(await resolve({ policy: "auto" })).toEqual(none);
    expect(await resolve({ policy: "none", environment: { P_KEY: "v" } })).toEqual(none);
  });

  test("that is missing names the ways to one", async () => {
    expect(await resolve({})).toEqual({
      ok: false,
      failure: {
        kind: "invalid",
        what: "p needs an API key: set P_KEY or pass --api-key; without one, run a local server (--provider ollama) or try `burin demo`",
      },
    });
  });

  test.each(["sek rit", "sek\nrit", "sekrité"])(
    "that no header can carry is refused without being shown",
    async (text) => {
      const refused = await resolve({ environment: { P_KEY: text } });
      expect(refused.ok).toBe(false);
      expect(JSON.stringify(refused)).not.toContain("sek");
      expect(JSON.stringify(refused)).toContain("P_KEY");
    },
  );

  test("is shown by its source", () => {
    expect([
      authLabel({ kind: "none" }),
      authLabel({ kind: "key", key: "k", source: "P_KEY" }),
    ]).toEqual(["no key", "P_KEY"]);
  });
});

describe("presets", () => {
  test("are whole: usable URLs, one of each name", () => {
    expect(new Set(PRESETS.map(({ name }) => name)).size).toBe(PRESETS.length);
    for (const { baseUrl, auth, keyVariable, signIn } of PRESETS) {
      expect(URL.canParse(baseUrl)).toBe(true);
      expect(auth !== "required" || keyVariable !== null || signIn !== null).toBe(true);
    }
  });

  test("of local servers start without a key", async () => {
    for (const { name, auth, keyVariable } of PRESETS.filter(({ baseUrl }) =>
      baseUrl.includes("127.0.0.1"),
    )) {
      expect([name, await resolve({ policy: auth, keyVariable })]).toEqual([name, none]);
    }
  });

  test("are found by name; any other endpoint takes a key where one is given", () => {
    expect(presetOf("deepseek")?.quirks.replayThinking).toBe(true);
    expect(presetOf("nobody")).toBeNull();
    expect(customPreset("mine", "http://host/v1")).toMatchObject({
      name: "mine",
      auth: "auto",
      wire: "openai-chat",
    });
  });
});

describe("a kept key", () => {
  const kept = (data: string, command: string | null = null) =>
    keptKey({ provider: "p", command, data, environment: { ...process.env } });

  test("is a file that only the user can read, until it is forgotten", async () => {
    using tree = tempTree({});
    const folder = credentialFolder(tree.root);
    expect(writeKey(folder, "p", "k1")).toBeNull();
    expect(statSync(keyFile(folder, "p")).mode & 0o777).toBe(0o600);
    expect(await kept(tree.root)).toEqual({
      ok: true,
      value: { key: "k1\n", source: "stored key" },
    });
    expect([forget(folder, "p"), forget(folder, "p")]).toEqual([true, false]);
    expect(await kept(tree.root)).toEqual({ ok: true, value: null });
  });

  test("that others can read is refused without being shown", async () => {
    using tree = tempTree({});
    const folder = credentialFolder(tree.root);
    writeKey(folder, "p", "sekrit");
    chmodSync(keyFile(folder, "p"), 0o640);
    const refused = JSON.stringify(await kept(tree.root));
    expect(refused).toContain("can be read by others");
    expect(refused).not.toContain("sekrit");
  });

  test("can be a command's first line", async () => {
    using tree = tempTree({});
    expect(await kept(tree.root, "echo ' k2 '; echo more")).toEqual({
      ok: true,
      value: { key: "k2", source: "api_key_command" },
    });
  });

  test.each([
    ["exit 3", "ended with exit code 3"],
    ["true", "printed nothing"],
    ["echo sekrit; exit 1", "ended with exit code 1"],
  ])("is none where the command fails: %p", async (command, said) => {
    using tree = tempTree({});
    const refused = JSON.stringify(await kept(tree.root, command));
    expect(refused).toContain(`the api_key_command of p ${said}`);
    expect(refused).not.toContain("sekrit");
  });
});

test("the status names sources in their order, and never what they hold", () => {
  using tree = tempTree({});
  writeKey(credentialFolder(tree.root), "openai", "sekrit");
  const status = authStatus({
    environment: { OPENAI_API_KEY: "sekrit", COPILOT_GITHUB_TOKEN: "sekrit", GROQ_API_KEY: " " },
    data: tree.root,
    tables: { mine: { api_key_command: "pass show mine" } },
  });
  expect(status).toEqual([
    {
      provider: "openai",
      ways: [{ kind: "variable", name: "OPENAI_API_KEY" }, { kind: "stored key" }],
    },
    { provider: "github-copilot", ways: [{ kind: "variable", name: "COPILOT_GITHUB_TOKEN" }] },
    { provider: "mine", ways: [{ kind: "command" }] },
  ]);
});
