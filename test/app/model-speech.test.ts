// How a provider is spoken to: at its own address, at one that imitates it, and as the settings have it.
import { describe, expect, test } from "bun:test";
import { speaking } from "../../src/app/model-speech.ts";
import { sentence } from "../../src/base/failure.ts";
import { customPreset, presetOf } from "../../src/model/providers.ts";

const MINE = customPreset("mine", "http://host/v1");

function spoken(name: string, isItsOwn: boolean, table: Parameters<typeof speaking>[2] = {}) {
  const settled = speaking(presetOf(name) ?? MINE, isItsOwn, table);
  return settled.ok
    ? `${settled.value.wire} ${settled.value.transport}`
    : sentence(settled.failure);
}

describe("by itself", () => {
  test.each([
    ["openai", true, "openai-responses auto"],
    ["openai", false, "openai-chat http"],
    ["codex", true, "openai-responses auto"],
    ["codex", false, "openai-responses http"],
    ["anthropic", true, "anthropic http"],
    ["anthropic", false, "anthropic http"],
    ["groq", true, "openai-chat http"],
    ["mine", true, "openai-chat http"],
  ])("%s, at its own address: %p", (name, isItsOwn, said) => {
    expect(spoken(name, isItsOwn)).toBe(said);
  });
});

describe("the settings", () => {
  test("go before, for the wire and for the transport", () => {
    const table = { wire: "openai-responses", transport: "websocket" } as const;
    expect([
      spoken("mine", true, table),
      spoken("openai", false, table),
      spoken("openai", true, { wire: "openai-chat" }),
      spoken("openai", true, { transport: "http" }),
    ]).toEqual([
      "openai-responses websocket",
      "openai-responses websocket",
      "openai-chat auto",
      "openai-responses http",
    ]);
  });

  test("cannot name a wire that there is not", () => {
    expect(spoken("mine", true, { wire: "morse" })).toStartWith(
      '[providers.mine] wire = "morse": there is no such wire (known: openai-chat, openai-responses,',
    );
  });
});
