// Keys: where they come from, in which order, and that no sentence holds one.
import { describe, expect, test } from "bun:test";
import { authLabel, resolveCredential, type Keys } from "../../src/model/credentials.ts";
import { customPreset, presetOf, PRESETS } from "../../src/model/providers.ts";

const KEYS: Keys = {
  provider: "p",
  policy: "required",
  keyVariable: "P_KEY",
  flag: null,
  environment: {},
};
const resolve = (more: Partial<Keys>) => resolveCredential({ ...KEYS, ...more });
const key = (text: string, source: string) =>
  ({ ok: true, value: { kind: "key", key: text, source } }) as const;
const none = { ok: true, value: { kind: "none" } } as const;

describe("a key", () => {
  test("comes from the flag before the variable", () => {
    expect(resolve({ flag: "f", environment: { P_KEY: "v" } })).toEqual(key("f", "--api-key"));
    expect(resolve({ environment: { P_KEY: "v" } })).toEqual(key("v", "P_KEY"));
  });

  test("loses the blanks around it; an empty one is none", () => {
    expect(resolve({ environment: { P_KEY: " v\n" } })).toEqual(key("v", "P_KEY"));
    expect(resolve({ policy: "auto", flag: "", environment: { P_KEY: "  " } })).toEqual(none);
  });

  test("is not needed where the policy does not ask for it", () => {
    expect(resolve({ policy: "auto" })).toEqual(none);
    expect(resolve({ policy: "none", environment: { P_KEY: "v" } })).toEqual(none);
  });

  test("that is missing names the ways to one", () => {
    expect(resolve({})).toEqual({
      ok: false,
      failure: {
        kind: "invalid",
        what: "p needs an API key: set P_KEY or pass --api-key; without one, run a local server (--provider ollama) or try `burin demo`",
      },
    });
  });

  test.each(["sek rit", "sek\nrit", "sekrité"])(
    "that no header can carry is refused without being shown",
    (text) => {
      const refused = resolve({ environment: { P_KEY: text } });
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
    for (const { baseUrl, auth, keyVariable } of PRESETS) {
      expect(URL.canParse(baseUrl)).toBe(true);
      expect(auth !== "required" || keyVariable !== null).toBe(true);
    }
  });

  test("of local servers start without a key", () => {
    for (const { name, auth, keyVariable } of PRESETS.filter(({ baseUrl }) =>
      baseUrl.includes("127.0.0.1"),
    )) {
      expect([name, resolve({ policy: auth, keyVariable })]).toEqual([name, none]);
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
