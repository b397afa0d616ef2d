// What a model takes beside text: the user's word, the catalogue's, its name's; in doubt nothing.
import { expect, test } from "bun:test";
import { acceptsOf } from "../../src/model/accepts.ts";

const model = { provider: "custom", id: "m", modalities: null, sees: null };

test("what is not known is not sent: the server might refuse every later request", () => {
  expect(acceptsOf(model)).toEqual({ image: false, audio: false, file: false });
});

test.each(["llama3.2-vision", "qwen2.5vl:7b", "Qwen/Qwen3-VL-8B", "llava:13b", "pixtral-12b"])(
  "%s says itself that it sees",
  (id) => {
    expect(acceptsOf({ ...model, id }).image).toBe(true);
  },
);

test.each(["devl-7b", "vlad-1", "qwen3-coder", "deepseek-r1"])("%s does not", (id) => {
  expect(acceptsOf({ ...model, id }).image).toBe(false);
});

test("the catalogue goes before the name, and documents go only to endpoints that know them", () => {
  expect(acceptsOf({ ...model, id: "x-vision", sees: false }).image).toBe(false);
  expect(acceptsOf({ ...model, provider: "openai", sees: true })).toEqual({
    image: true,
    audio: false,
    file: true,
  });
  expect(acceptsOf({ ...model, provider: "groq", sees: true }).file).toBe(false);
  expect(acceptsOf({ ...model, provider: "openai", id: "gpt-audio", sees: false }).audio).toBe(
    true,
  );
});

test("the user's word goes before everything", () => {
  const told = { ...model, id: "x-vision", sees: true };
  expect(acceptsOf({ ...told, modalities: ["text", "pdf"] })).toEqual({
    image: false,
    audio: false,
    file: true,
  });
  expect(acceptsOf({ ...model, modalities: ["image", "audio"] })).toEqual({
    image: true,
    audio: true,
    file: false,
  });
});
