// The built-in demo: a tiny project with a failing test, and the turns of a model that finds the fault and mends it.
import answer from "../data/demo/answer.md" with { type: "text" };
import readme from "../data/demo/README.md" with { type: "text" };
import test from "../data/demo/test.sh.txt" with { type: "text" };
import till from "../data/demo/till.sh.txt" with { type: "text" };
import type { Model } from "./provider.ts";
import type { ScriptStep, ScriptTurn } from "./script.ts";
import { scriptedModel } from "./scripted.ts";

export const DEMO_PROMPT = "A test of this project fails. Find out why and fix it.";

/** The files of the scratch repository, by name. Its test needs nothing but a POSIX shell. */
export function demoRepository(): Record<string, string> {
  return { "README.md": readme, "till.sh": till, "test.sh": test };
}

/** `paceMs` is the pause before each word, for the eyes of a person; 0 plays at once. */
export function demoModel(paceMs: number): Model {
  const say = (text: string): ScriptStep[] => spoken(text, paceMs);
  return scriptedModel(
    {
      turns: demoTurns(say),
      otherwise: {
        steps: say(
          "That call did not give what this demo needs to go on, so it ends here. Nothing else was changed.",
        ),
      },
      after: {
        steps: say(
          "That was the whole demo: its answers are written down beforehand. Choose a real model to go on.",
        ),
      },
    },
    "demo",
  );
}

function demoTurns(say: (text: string) => ScriptStep[]): ScriptTurn[] {
  return [
    {
      steps: [
        ...say("I look for the place where the total is computed."),
        { tool: "grep", args: { pattern: "total" }, fragments: 3 },
      ],
    },
    {
      expect: "till.sh",
      steps: [
        { tool: "read", args: { path: "till.sh" }, fragments: 2 },
        { tool: "read", args: { path: "test.sh" }, fragments: 2 },
      ],
    },
    {
      expect: ["while read -r price", "check()"],
      steps: [
        ...say("Now the test, to see it fail."),
        { tool: "bash", args: { command: "sh test.sh" }, fragments: 2 },
      ],
    },
    {
      expect: "expected 250, got 200",
      steps: [
        ...say(
          "The last price is lost when the list does not end with a line break. One line mends it.",
        ),
        { tool: "edit", args: { path: "till.sh", edits: [MENDING] }, fragments: 6 },
      ],
    },
    {
      expect: "till.sh",
      steps: [
        ...say("The test once more."),
        { tool: "bash", args: { command: "sh test.sh" }, fragments: 2 },
      ],
    },
    { expect: "0 failed", steps: say(answer.trim()) },
  ];
}

const MENDING = {
  oldText: "while read -r price; do",
  newText: 'while read -r price || [ -n "$price" ]; do',
};

/** A text word by word, as models speak. */
function spoken(text: string, paceMs: number): ScriptStep[] {
  const words = text.match(/\s*\S+/g) ?? [];
  if (paceMs === 0) return [{ text: [...words] }];
  return words.flatMap((word) => [{ delay: paceMs }, { text: word }]);
}
