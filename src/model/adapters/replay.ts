// What goes back with a part: only to the wire and model that gave it, and only where it is of the shape that wire keeps.
import { isRecord, type JsonObject } from "../../base/json.ts";
import type { Wire } from "../wire-names.ts";
import type { AssistantPart } from "../request.ts";

/** Null where there is nothing, or nothing for this wire and model. */
export function keptItem({ kept }: AssistantPart, wire: Wire, model: string): JsonObject | null {
  if (kept?.wire !== wire || kept.model !== model) return null;
  return isRecord(kept.item) ? kept.item : null;
}

export function replays(part: AssistantPart, wire: Wire, model: string): boolean {
  return keptItem(part, wire, model) !== null;
}

/**
 * The arguments of an old call as an object: of a broken call, its result tells the model what was wrong. Half a
 * surrogate pair is no Unicode text, and a reason to refuse the whole request.
 */
export function argumentsObject(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text, (_, entry: unknown) =>
      typeof entry === "string" ? entry.toWellFormed() : entry,
    );
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
