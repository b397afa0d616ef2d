// What a command sees of the environment.
import { expect, test } from "bun:test";
import { childEnvironment, MARKER, NO_PROMPTS } from "../../src/host/env.ts";
import { PRESETS } from "../../src/model/providers.ts";

test("no key of a provider, no withheld variable and nothing that changes Bun reaches a command", () => {
  const presets = PRESETS.flatMap(({ keyVariable }) => keyVariable ?? []);
  expect(presets).toContain("VLLM_API_KEY");
  const names = [
    ...presets,
    "BURIN_API_KEY",
    "ANTHROPIC_API_KEY",
    "MY_KEY",
    "BUN_OPTIONS",
    "SUDO_ASKPASS",
    "OTHER",
  ];
  const base = Object.fromEntries(names.map((name) => [name, "x"]));
  expect(childEnvironment({ ...base, GONE: undefined }, ["MY_KEY"], "run.1.")).toEqual({
    OTHER: "x",
    ...NO_PROMPTS,
    [MARKER]: "run.1.",
  });
});
