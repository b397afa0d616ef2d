// Arguments of a call that come leaf by leaf, each with the path to its place.
import { isRecord, type JsonObject } from "../../base/json.ts";
import type { GeminiPartialArg } from "./gemini-shape.ts";

export type PartialArguments = {
  /** False where the piece has no place among what came before: then the whole cannot be trusted. */
  add(piece: GeminiPartialArg): boolean;
  whole(): JsonObject;
};

type Step = string | number;
type Container = JsonObject | unknown[];

const STEP = /\.([^.[\]]+)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y;

export function partialArguments(): PartialArguments {
  const root: JsonObject = {};
  /** The path of a text that goes on. */
  let open: string | null = null;
  return {
    add(piece) {
      const steps = stepsOf(piece.jsonPath);
      const last = steps?.pop();
      if (steps === undefined || last === undefined) return false;
      const holder = holderAt(root, steps, last);
      if (holder === null) return false;
      const goesOn = open === piece.jsonPath ? entry(holder, last) : "";
      open = piece.willContinue ? piece.jsonPath : null;
      return put(holder, last, valueOf(piece, typeof goesOn === "string" ? goesOn : ""));
    },
    whole: () => root,
  };
}

function valueOf(piece: GeminiPartialArg, before: string): unknown {
  if (piece.stringValue !== null) return before + piece.stringValue;
  return piece.numberValue ?? piece.boolValue;
}

/** `$.files[0].name`; undefined where it is no such path. */
function stepsOf(path: string): Step[] | undefined {
  if (!path.startsWith("$")) return undefined;
  const steps: Step[] = [];
  STEP.lastIndex = 1;
  for (let at = 1; at < path.length; at = STEP.lastIndex) {
    const found = STEP.exec(path);
    if (found === null) return undefined;
    const [, name, index, quoted, doubleQuoted] = found;
    steps.push(
      index === undefined ? (name ?? unescaped(quoted ?? doubleQuoted ?? "")) : Number(index),
    );
  }
  return steps;
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, "$1");
}

/** Walks to what holds the last step, making on the way what is not there; null where something else is in the way. */
function holderAt(root: JsonObject, steps: readonly Step[], last: Step): Container | null {
  let holder: Container = root;
  for (const [at, step] of steps.entries()) {
    const next = steps[at + 1] ?? last;
    const found: unknown = entry(holder, step) ?? (typeof next === "number" ? [] : {});
    if (!isContainer(found) || !put(holder, step, found)) return null;
    holder = found;
  }
  return holder;
}

function isContainer(value: unknown): value is Container {
  return isRecord(value) || Array.isArray(value);
}

function entry(holder: Container, step: Step): unknown {
  return Object.hasOwn(holder, step) ? Reflect.get(holder, step) : undefined;
}

/** An array grows by one at a time; a field named `__proto__` is a field like others. */
function put(holder: Container, step: Step, value: unknown): boolean {
  const fits = Array.isArray(holder)
    ? typeof step === "number" && step <= holder.length
    : typeof step === "string";
  if (!fits) return false;
  return Reflect.defineProperty(holder, step, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}
