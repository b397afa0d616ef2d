// Copilot's host: the wire that fits the model, and who asks.
import { describe, expect, test } from "bun:test";
import { presetAdapter } from "../../src/model/preset-adapter.ts";
import type { Endpoint } from "../../src/model/provider.ts";
import { presetOf } from "../../src/model/providers.ts";
import type { ModelMessage } from "../../src/model/request.ts";
import { called, requestOf, user } from "./requests.ts";

const endpoint: Endpoint = {
  provider: "github-copilot",
  baseUrl: "https://api.githubcopilot.com",
  credential: { kind: "none" },
};

async function sent(model: string, messages: ModelMessage[]) {
  const preset = presetOf("github-copilot");
  if (preset === null) throw new Error("no preset");
  const adapter = await presetAdapter(preset, model);
  return adapter.encode(endpoint, requestOf(messages, { model }));
}

test.each([
  ["gpt-4o", "chat/completions"],
  ["claude-sonnet-4.5", "chat/completions"],
  ["gpt-5-mini", "chat/completions"],
  ["gpt-5", "responses"],
  ["gpt-5.1-codex", "responses"],
])("%s is at %s", async (model, path) => {
  expect((await sent(model, [user("hi")])).url).toBe(`https://api.githubcopilot.com/${path}`);
});

describe("a request says", () => {
  const result: ModelMessage = {
    role: "tool",
    callId: "c",
    name: "ls",
    parts: [{ type: "text", text: "a" }],
    isError: false,
  };
  const picture: ModelMessage = {
    role: "user",
    parts: [{ type: "image", mediaType: "image/png", data: "AA==", name: "a.png" }],
  };

  test.each<[string, ModelMessage[], string, string | undefined]>([
    ["that a person asks", [user("hi")], "user", undefined],
    ["that a tool has answered", [user("hi"), called("c", "ls", "{}"), result], "agent", undefined],
    ["that it holds a picture", [picture], "user", "true"],
  ])("%s", async (_name, messages, initiator, vision) => {
    const { headers } = await sent("gpt-4o", messages);
    expect([headers["x-initiator"], headers["copilot-vision-request"]]).toEqual([
      initiator,
      vision,
    ]);
    expect(headers).toMatchObject({
      "editor-version": "burin/1",
      "openai-intent": "conversation-edits",
    });
  });
});
