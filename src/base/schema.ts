// From a valibot schema to the JSON Schema a model is given: as few tokens as say the same.
import { toJsonSchema } from "@valibot/to-json-schema";
import type { GenericSchema } from "valibot";
import { isRecord, type JsonObject as Json } from "./json.ts";

export { isRecord };

/** Said by no one's need: the dialect, and closed objects, which the parser enforces anyway. */
const NOISE: ReadonlySet<string> = new Set(["$schema", "additionalProperties"]);

export function jsonSchema(schema: GenericSchema): Json {
  return compact({ ...toJsonSchema(schema, { errorMode: "ignore" }) });
}

function compact(node: Json): Json {
  const kept = Object.entries(node).filter(
    ([key, value]) => !NOISE.has(key) && !(key === "required" && isEmpty(value)),
  );
  return Object.fromEntries(kept.map(([key, value]) => [key, compactValue(value)]));
}

function compactValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(compactValue);
  return isRecord(value) ? compact(value) : value;
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
