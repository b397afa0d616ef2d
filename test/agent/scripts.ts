// Random scripts for property tests: turns that answer, call, fail, are cut, and misuse tools in every way.
import type { ScriptStep, ScriptTurn } from "../../src/model/script.ts";
import type { Tool } from "../../src/tools/tool.ts";
import type { Random } from "../support/random.ts";
import { tool } from "./fixture.ts";

const TEXTS = ["", "yes", "größer\u2028", "\ud83d", "\ude00", "two\nlines\n", "**bold**"];
const TOOLS = ["read", "write", "throw", "unknown"];
const ARGUMENTS = ["{}", '{"n":1}', '{"n":2}', '{"n":', ""];

export function randomTurns(random: Random): ScriptTurn[] {
  return Array.from({ length: 1 + random.int(4) }, (_, at) => randomTurn(random, at));
}

function randomTurn(random: Random, turn: number): ScriptTurn {
  const steps = Array.from({ length: random.int(6) }, (_, at) =>
    randomStep(random, `c${turn}-${at}`),
  );
  const kind = random.int(8);
  if (kind === 0) return { steps, cut: true };
  if (kind === 1) return { steps, error: { kind: "server", message: "it broke" } };
  if (kind === 2) return { steps, stop: random.pick(["length", "filter", "refusal"] as const) };
  return { steps };
}

function randomStep(random: Random, id: string): ScriptStep {
  if (random.chance(0.5)) return { tool: random.pick(TOOLS), args: random.pick(ARGUMENTS), id };
  const words = Array.from({ length: random.int(4) }, () => random.pick(TEXTS));
  return random.chance(0.7) ? { text: words } : { reasoning: words };
}

export function randomTools(): Tool[] {
  return [
    tool("read", "read", (input) => `read ${JSON.stringify(input)}`),
    tool("write", "write", (input, kit) => {
      kit.live("writing\n");
      return `wrote ${JSON.stringify(input)}`;
    }),
    tool("throw", "write", () => {
      throw new Error("a bug");
    }),
  ];
}
