// Permission: a refusal never runs the tool, a person's always is granted, and nobody's word is told as a person's.
import { describe, expect, test } from "bun:test";
import type { Answer, Ask, Unasked } from "../../src/agent/confirm.ts";
import { invalid, ok } from "../../src/base/failure.ts";
import type { Verdict } from "../../src/policy/verdict.ts";
import type { Tool } from "../../src/tools/tool.ts";
import {
  ask,
  ALLOWED,
  call,
  decisions,
  DONE,
  endOf,
  output,
  question,
  results,
  tool,
  turnKit,
} from "./fixture.ts";

/** Three writes whose verdict and answer are given. */
async function judged(
  verdict: Verdict,
  answer: Answer | Unasked = { kind: "once" },
  mode = "standard",
) {
  const ran: string[] = [];
  const grants: string[] = [];
  const asked: Ask[] = [];
  const write = tool("write", "write", (input) => String(ran.push(JSON.stringify(input))));
  const steps = [1, 2].map((n) => call("write", `c${n}`, { n }));
  const { kit } = turnKit([{ steps }, DONE], [write], {
    mode,
    judge: () => (grants.length > 0 ? { kind: "allow", by: "grant", because: "granted" } : verdict),
    grant: (rule) => grants.push(rule),
    confirm: (each) => {
      asked.push(each);
      return Promise.resolve(answer);
    },
  });
  const events = await ask(kit);
  return {
    ran,
    grants,
    asked,
    results: results(events),
    decisions: decisions(events),
    end: endOf(events),
  };
}

const about = { tool: "write", toolCallId: "c1", mode: "standard" };

describe("a refusal never runs the tool", () => {
  test("when a rule denies", async () => {
    const seen = await judged({ kind: "deny", by: "rule", because: "the rule forbids it" });
    expect(seen.ran).toEqual([]);
    expect(seen.results[0]).toBe(
      "c1: denied: the rule forbids it. It was not run; do it another way or tell the user",
    );
    expect(seen.decisions[0]).toEqual({
      ...about,
      decision: "deny",
      by: "rule",
      because: "the rule forbids it",
    });
  });

  test("when a person says no, with their reason", async () => {
    const seen = await judged(question(), { kind: "no", reason: "use tabs" });
    expect({ ran: seen.ran, results: seen.results }).toEqual({
      ran: [],
      results: [
        "c1: the user refused this call: use tabs",
        "c2: the user refused this call: use tabs",
      ],
    });
    expect(seen.decisions[0]).toEqual({
      ...about,
      decision: "deny",
      by: "person",
      because: "it writes",
    });
  });

  test("when a person says no without a reason", async () => {
    const seen = await judged(question(), { kind: "no", reason: null });
    expect(seen.results[0]).toBe(
      "c1: the user refused this call. It was not run; ask what they want instead",
    );
  });

  test("when nobody is there, and it is not said that a person refused", async () => {
    const because = "nobody is there";
    const seen = await judged(question(), { kind: "unasked", isAllowed: false, because });
    expect(seen.ran).toEqual([]);
    expect(seen.results[0]).toBe(
      "c1: denied: nobody is there. It was not run; do it another way or tell the user",
    );
    expect(seen.decisions[0]).toEqual({ ...about, decision: "deny", by: "mode", because });
  });

  test("when judging itself fails", async () => {
    let ran = false;
    const write = tool("write", "write", () => String((ran = true)));
    const { kit } = turnKit([{ steps: [call("write", "a")] }, DONE], [write], {
      judge: () => {
        throw new Error("no policy");
      },
    });
    expect(results(await ask(kit))).toEqual(["a: write failed inside burin (a bug): no policy"]);
    expect(ran).toBe(false);
  });
});

describe("stop", () => {
  test("ends the turn and gives the remaining calls results", async () => {
    const seen = await judged(question(), { kind: "stop" });
    expect({ ...seen, asked: seen.asked.length }).toEqual({
      ran: [],
      grants: [],
      asked: 1,
      results: [
        "c1: the user refused the call and ended the turn",
        "c2: not run: the user ended the turn",
      ],
      decisions: [{ ...about, decision: "deny", by: "person", because: "it writes" }],
      end: { status: "denied", because: "the user refused the call and ended the turn" },
    });
  });

  test("keeps a reader that was admitted before from running", async () => {
    const ran: unknown[] = [];
    const read = tool("read", "read", (input) => String(ran.push(input)));
    const verdicts = [ALLOWED, question()];
    const { kit } = turnKit(
      [{ steps: [call("read", "a", { n: 1 }), call("read", "b", { n: 2 })] }],
      [read],
      {
        judge: () => verdicts.shift() ?? ALLOWED,
        confirm: () => Promise.resolve({ kind: "stop" }),
      },
    );
    expect(results(await ask(kit))).toEqual([
      "a: not run: the user ended the turn",
      "b: the user refused the call and ended the turn",
    ]);
    expect(ran).toEqual([]);
  });
});

describe("a yes", () => {
  test("for the session grants the rule and is not asked again", async () => {
    const seen = await judged(question(), { kind: "session", rule: "write(src/**)" });
    expect({ ran: seen.ran.length, grants: seen.grants, asked: seen.asked.length }).toEqual({
      ran: 2,
      grants: ["write(src/**)"],
      asked: 1,
    });
    expect(seen.decisions).toEqual([
      { ...about, decision: "allow", by: "person", because: "it writes", grant: "write(src/**)" },
      { ...about, toolCallId: "c2", decision: "allow", by: "grant", because: "granted" },
    ]);
  });

  test("in standard mode covers the file from then on", async () => {
    expect((await judged(question())).grants).toEqual(["write(/w/a.txt)"]);
  });

  test.each<[string, Verdict, Answer | Unasked, string]>([
    ["in another mode", question(), { kind: "once" }, "guarded"],
    ["about the irreversible", question("/w/a", true), { kind: "once" }, "standard"],
    [
      "that no person gave",
      question(),
      { kind: "unasked", isAllowed: true, because: "settings" },
      "standard",
    ],
  ])("%s covers this call only", async (_name, verdict, answer, mode) => {
    const seen = await judged(verdict, answer, mode);
    expect({ ran: seen.ran.length, grants: seen.grants, asked: seen.asked.length }).toEqual({
      ran: 2,
      grants: [],
      asked: 2,
    });
    expect(seen.decisions.some((decision) => decision.grant !== undefined)).toBe(false);
  });

  test("that no person gave is told as the settings'", async () => {
    const seen = await judged(question(), {
      kind: "unasked",
      isAllowed: true,
      because: "the settings allow it",
    });
    expect(seen.decisions[0]).toEqual({
      ...about,
      decision: "allow",
      by: "mode",
      because: "the settings allow it",
    });
  });
});

test("what the mode allows by itself leaves no decision in the log", async () => {
  const seen = await judged(ALLOWED);
  expect({ ran: seen.ran.length, decisions: seen.decisions }).toEqual({ ran: 2, decisions: [] });
});

test("the question shows the call, its title and the preview of the change", async () => {
  const asked: Ask[] = [];
  const write: Tool = {
    ...tool("write", "write", () => ""),
    prepare: () =>
      ok({
        touches: [{ kind: "write", path: "/w/a.txt" }],
        title: "write a.txt",
        preview: () => Promise.resolve(ok("-old\n+new")),
        run: () => Promise.resolve(ok(output("written"))),
      }),
  };
  const verdict = question();
  if (verdict.kind !== "ask") throw new Error("it asks");
  const { kit } = turnKit([{ steps: [call("write", "a", { n: 1 })] }, DONE], [write], {
    judge: () => verdict,
    confirm: (each) => {
      asked.push(each);
      return Promise.resolve({ kind: "once" });
    },
  });
  await ask(kit);
  expect(asked).toEqual([
    {
      call: { id: "a", name: "write", arguments: '{"n":1}' },
      title: "write a.txt",
      question: verdict.question,
      preview: "-old\n+new",
    },
  ]);
});

describe("a change that cannot be made", () => {
  const futile: Tool = {
    ...tool("edit", "write", () => "edited"),
    prepare: () =>
      ok({
        touches: [{ kind: "write", path: "/w/a.txt" }],
        title: "edit a.txt",
        preview: () => Promise.resolve(invalid("a.txt was not read in this session")),
        run: () => Promise.resolve(invalid("a.txt was not read in this session")),
      }),
  };
  const run = async (mayRead: boolean): Promise<{ asked: Ask[]; told: string[] }> => {
    const asked: Ask[] = [];
    const turns = ["a", "b", "c"].map((id) => ({ steps: [call("edit", id)] }));
    const { kit } = turnKit([...turns, DONE], [futile], {
      judge: (_, touches) =>
        mayRead && touches.every(({ kind }) => kind === "read")
          ? { kind: "allow", by: "mode", because: "" }
          : question(),
      confirm: (each) => {
        asked.push(each);
        return Promise.resolve({ kind: "once" });
      },
    });
    return { asked, told: results(await ask(kit)) };
  };

  test("is told to the model without a question, and counts as no refusal", async () => {
    const why = "a.txt was not read in this session";
    expect(await run(true)).toEqual({ asked: [], told: [`a: ${why}`, `b: ${why}`, `c: ${why}`] });
  });

  test("is asked about where the reason would tell what must not be read", async () => {
    const { asked } = await run(false);
    expect(asked.map(({ preview }) => preview)).toEqual([null, null, null]);
  });
});

test("three rounds of nothing but denied calls end the turn", async () => {
  const write = tool("write", "write", () => "");
  const round = (id: string) => ({ steps: [call("write", id)] });
  const { kit, model } = turnKit([round("a"), round("b"), round("c"), DONE], [write], {
    judge: () => ({ kind: "deny", by: "mode", because: "no" }),
  });
  expect(endOf(await ask(kit))).toEqual({
    status: "denied",
    because: "3 rounds in a row held only denied calls",
  });
  expect(model.requests.length).toBe(3);
});
