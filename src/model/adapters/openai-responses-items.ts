// The items of a Responses reply while they grow: messages, thinking and calls, each with its beginning, its growth and its end.
import { isRecord, type JsonObject } from "../../base/json.ts";
import type { ModelEvent } from "../event.ts";
import type { WireItem } from "./openai-responses-shape.ts";

export type Item =
  | { kind: "message"; isShown: boolean; refusal: string }
  | {
      kind: "reasoning";
      /** Some servers send thinking in full and in short: what comes first is shown. */
      shown: "" | "summary" | "text";
      /** The number of the piece that grows; pieces are paragraphs. */
      piece: number;
    }
  | {
      kind: "call";
      id: string;
      name: string;
      arguments: string;
      /** How much of the arguments the screen has seen. */
      said: number;
    }
  /** What a server does by itself, or what only programs with other tools are asked. */
  | { kind: "other" };

export type OwnId = (given: string) => string;

/** Of an event that names no kind of item. */
export function emptyItem(kind: "message" | "reasoning" | "call"): Item {
  switch (kind) {
    case "message":
      return { kind, isShown: false, refusal: "" };
    case "reasoning":
      return { kind, shown: "", piece: 0 };
    case "call":
      return { kind, id: "", name: "", arguments: "", said: 0 };
  }
}

export function itemOf({ type }: WireItem): Item {
  switch (type) {
    case "message":
    case "reasoning":
      return emptyItem(type);
    case "function_call":
      return emptyItem("call");
    default:
      return { kind: "other" };
  }
}

/** Calls that none of ours can answer: no such tool was offered. */
const FOREIGN_CALLS: ReadonlySet<string> = new Set([
  "apply_patch_call",
  "computer_call",
  "custom_tool_call",
  "local_shell_call",
  "shell_call",
]);

export function waitsForCaller({ type }: WireItem): boolean {
  return FOREIGN_CALLS.has(type);
}

export function* think(
  item: Extract<Item, { kind: "reasoning" }>,
  how: "summary" | "text",
  { piece, delta }: { piece: number; delta: string },
): Generator<ModelEvent> {
  if (delta === "" || (item.shown !== "" && item.shown !== how)) return;
  const isNext = item.shown !== "" && piece !== item.piece;
  item.shown = how;
  item.piece = piece;
  yield { type: "thinking", delta: isNext ? `\n\n${delta}` : delta };
}

/** The call gets its name, as soon as there is one. */
export function* name(
  call: Extract<Item, { kind: "call" }>,
  given: WireItem,
  ownId: OwnId,
): Generator<ModelEvent> {
  if (call.name !== "" || given.name === "") return;
  call.id = ownId(given.call_id || given.id);
  call.name = given.name;
  yield { type: "call.begin", id: call.id, name: call.name };
  yield* say(call);
}

export function* growCall(
  call: Extract<Item, { kind: "call" }>,
  delta: string,
): Generator<ModelEvent> {
  call.arguments += delta;
  yield* say(call);
}

/** The arguments as a whole, which go before what was put together from pieces. */
export function* settleCall(
  call: Extract<Item, { kind: "call" }>,
  whole: unknown,
): Generator<ModelEvent> {
  const text = typeof whole === "string" || whole === undefined ? whole : JSON.stringify(whole);
  if (text === undefined || text.trim() === "" || text === "null") return;
  const goesOn = text.startsWith(call.arguments);
  call.arguments = text;
  if (goesOn) yield* say(call);
}

/** What is new to the screen, once it knows the call. */
function* say(call: Extract<Item, { kind: "call" }>): Generator<ModelEvent> {
  const delta = call.arguments.slice(call.said);
  if (call.name === "" || delta === "") return;
  call.said = call.arguments.length;
  yield { type: "call.delta", id: call.id, delta };
}

/** What a whole item has besides what its pieces brought. `raw` is the item as it came. */
export function* ending(
  item: Item,
  { read, raw, ownId }: { read: WireItem; raw: unknown; ownId: OwnId },
): Generator<ModelEvent> {
  switch (item.kind) {
    case "message":
      yield* endMessage(item, read);
      return;
    case "reasoning":
      yield* endReasoning(item, read, raw);
      return;
    case "call":
      yield* name(item, read, ownId);
      yield* settleCall(item, read.arguments);
      if (item.id === "") item.id = ownId(read.call_id || read.id);
      yield { type: "call", call: { id: item.id, name: item.name, arguments: argumentsOf(item) } };
      return;
    case "other":
      return;
  }
}

/** A call without arguments can come with blank ones. */
function argumentsOf(call: { arguments: string }): string {
  return call.arguments.trim() === "" ? "{}" : call.arguments;
}

function* endMessage(
  item: Extract<Item, { kind: "message" }>,
  { content, phase }: WireItem,
): Generator<ModelEvent> {
  const joined = content.map((piece) => piece?.text ?? "").join("");
  if (!item.isShown && joined !== "") {
    item.isShown = true;
    yield { type: "text", delta: joined };
  }
  item.refusal ||= content.map((piece) => piece?.refusal ?? "").join("");
  // Whether it was a word in between or the answer: the model wants to be told again.
  if (item.isShown && phase !== "") {
    yield { type: "keep", of: "text", item: { type: "message", phase } };
  }
}

function* endReasoning(
  item: Extract<Item, { kind: "reasoning" }>,
  { summary, content, encrypted_content }: WireItem,
  raw: unknown,
): Generator<ModelEvent> {
  if (item.shown === "") {
    const [short, long] = [summary, content].map((pieces) =>
      pieces.flatMap((piece) => piece?.text || []).join("\n\n"),
    );
    const delta = short || long || "";
    if (delta !== "") yield { type: "thinking", delta };
  }
  // Nothing is stored at the server: an item that holds only its own name would not be found there.
  if (!isRecord(raw) || (encrypted_content === "" && content.length === 0)) return;
  yield { type: "keep", of: "reasoning", item: replayable(raw) };
}

/** Servers refuse null where they left a field empty themselves, and a status that they gave. */
function replayable(raw: JsonObject): JsonObject {
  const kept = Object.entries(raw).filter(([field, value]) => value !== null && field !== "status");
  return Object.fromEntries(kept);
}
