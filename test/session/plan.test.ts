// The plan that holds now, and how much media a conversation carries: both are folds over the log.
import { expect, test } from "bun:test";
import type { PlanItem } from "../../src/base/plan.ts";
import type { Draft, KnownEvent } from "../../src/session/event.ts";
import { mediaBytes } from "../../src/session/media.ts";
import { parseLine } from "../../src/session/parse.ts";
import { planIn } from "../../src/session/plan.ts";
import { eventOf } from "../support/scripted-place.ts";

const picture = { type: "image", mediaType: "image/png", data: "AAAA", name: "a.png" } as const;

function result(changes: Partial<(Draft & { type: "message.tool" })["data"]>): Draft {
  return {
    type: "message.tool",
    data: {
      toolCallId: "c",
      name: "TodoWrite",
      content: [],
      isError: false,
      tier: "cold",
      summary: "",
      durationMs: 0,
      ...changes,
    },
  };
}

/** As a resumed session reads them. */
function stored(drafts: readonly Draft[]): KnownEvent[] {
  return drafts.map((draft, at) => eventOf(draft, at));
}

const PLAN: PlanItem[] = [{ text: "a", status: "in_progress" }];

test("the last plan holds, by whatever name the tool was called", () => {
  const events = stored([
    result({ plan: [{ text: "old", status: "pending" }] }),
    result({ plan: PLAN }),
    result({ name: "read" }),
  ]);
  expect(planIn(events)).toEqual(PLAN);
  expect(planIn([...events, ...stored([result({ plan: [] })])])).toEqual([]);
  expect(planIn([])).toEqual([]);
});

test("a plan comes back from its line as it was", () => {
  const [event] = stored([result({ plan: PLAN })]);
  const read = parseLine(JSON.stringify(event));
  expect(read.ok && planIn([read.value])).toEqual(PLAN);
});

test("media is counted as it is sent, from prompts and results", () => {
  const events = stored([
    { type: "message.user", data: { content: [picture], origin: "prompt" } },
    result({ content: [{ type: "text", text: "x" }, picture, picture] }),
  ]);
  expect(mediaBytes(events)).toBe(12);
});
