// The live view of a command: everything of a little output, the newest of a flood, nothing after its end.
import { expect, test } from "bun:test";
import { liveView } from "../../src/tools/live-view.ts";

function shown(chunks: readonly string[]): string {
  const texts: string[] = [];
  const view = liveView((text) => texts.push(text));
  for (const chunk of chunks) view.add(Buffer.from(chunk));
  view.close();
  return texts.join("");
}

test("a little output is shown whole, without escapes", () => {
  expect(shown(["one\n", "\u001b[31mtwo\u001b[0m\n"])).toBe("one\ntwo\n");
});

test("of a flood only the end is shown", () => {
  const text = shown([
    ...Array.from({ length: 2000 }, (_, at) => `line ${at}\n`.repeat(10)),
    "last\n",
  ]);
  expect(text.endsWith("last\n")).toBe(true);
  expect(text.length).toBeLessThanOrEqual(8 * 1024);
});

test("what waits does not change with the reader's buffer", () => {
  const texts: string[] = [];
  const view = liveView((text) => texts.push(text));
  const buffer = Buffer.from("first");
  view.add(buffer);
  buffer.fill("x");
  view.close();
  expect(texts).toEqual(["first"]);
});
