// What a command sees of the environment.
import { expect, test } from "bun:test";
import { childEnvironment, MARKER } from "../../src/host/env.ts";
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
    "OTHER",
  ];
  const base = Object.fromEntries(names.map((name) => [name, "x"]));
  expect(childEnvironment({ ...base, GONE: undefined }, ["MY_KEY"], "run.1.")).toEqual({
    OTHER: "x",
    PAGER: "cat",
    GIT_PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
    DEBIAN_FRONTEND: "noninteractive",
    SSH_ASKPASS_REQUIRE: "never",
    [MARKER]: "run.1.",
  });
});
