// JSON Schema as the subset of OpenAPI that Gemini takes for the parameters of tools.
import { isRecord, type JsonObject } from "../../base/json.ts";

/** What a type may have besides; everything else is left out. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  STRING: ["minLength", "maxLength", "pattern"],
  NUMBER: ["minimum", "maximum"],
  INTEGER: ["minimum", "maximum"],
  ARRAY: ["minItems", "maxItems"],
  OBJECT: [],
  BOOLEAN: [],
};
const FORMATS: ReadonlySet<string> = new Set([
  "float",
  "double",
  "int32",
  "int64",
  "enum",
  "date-time",
]);
/** References are written out where they stand: what would grow beyond this ends as objects of any shape. */
const MAX_NODES = 1000;

type Place = {
  root: JsonObject;
  /** The references that led here: one that holds itself ends as an object of any shape. */
  inside: readonly string[];
  spent: { nodes: number };
};

export function geminiSchema(schema: JsonObject): JsonObject {
  return rewritten(schema, { root: schema, inside: ["#"], spent: { nodes: 0 } });
}

function rewritten(schema: unknown, place: Place): JsonObject {
  place.spent.nodes += 1;
  if (!isRecord(schema) || place.spent.nodes > MAX_NODES) return { type: "OBJECT" };
  const { whole, inside } = merged(schema, place);
  const { isNullable, variants } = variantsOf(whole);
  const about = {
    ...(typeof whole["description"] === "string" ? { description: whole["description"] } : {}),
    ...(isNullable ? { nullable: true } : {}),
  };
  const deeper = { ...place, inside };
  const [only] = variants;
  if (variants.length > 1) {
    return { ...about, anyOf: variants.map((variant) => rewritten(variant, deeper)) };
  }
  if (only !== undefined && only !== whole) return { ...rewritten(only, deeper), ...about };
  return { ...typed(whole, deeper), ...about };
}

type Merged = { whole: JsonObject; inside: readonly string[] };

/** References are put in place, and what all of several parts demand becomes one schema. */
function merged({ $ref, allOf, ...own }: JsonObject, place: Place): Merged {
  const isReference = typeof $ref === "string";
  const isKnown = isReference && place.inside.includes($ref);
  const target = isReference ? found($ref, place.root) : undefined;
  const parts = [...listOf(allOf), isKnown ? { type: "object" } : target].filter(isRecord);
  const start = { whole: own, inside: isReference ? [...place.inside, $ref] : place.inside };
  return parts.reduce((sum: Merged, part): Merged => {
    const { whole, inside } = merged(part, { ...place, inside: sum.inside });
    return { whole: joined(sum.whole, whole), inside };
  }, start);
}

function joined(left: JsonObject, right: JsonObject): JsonObject {
  const properties = [left["properties"], right["properties"]].filter(isRecord);
  const required = [...listOf(left["required"]), ...listOf(right["required"])];
  return {
    ...right,
    ...left,
    ...(properties.length === 0 ? {} : { properties: Object.assign({}, ...properties) }),
    ...(required.length === 0 ? {} : { required }),
  };
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** `#/$defs/Name` */
function found(reference: string, root: JsonObject): unknown {
  const [start, ...steps] = reference.split("/");
  if (start !== "#") return undefined;
  let node: unknown = root;
  for (const step of steps) {
    const name = step.replaceAll("%20", " ").replaceAll("~1", "/").replaceAll("~0", "~");
    node = isRecord(node) && Object.hasOwn(node, name) ? node[name] : undefined;
  }
  return node;
}

/** Alternatives without the one that is null; a list of types is such too. One that is the schema itself: there are none. */
function variantsOf(schema: JsonObject): { isNullable: boolean; variants: JsonObject[] } {
  const { anyOf, oneOf, ...own } = schema;
  const given = [anyOf, oneOf].find((list) => Array.isArray(list));
  const { type } = schema;
  if (Array.isArray(given) && given.length > 0) {
    const real = given.filter(isRecord).filter((variant) => !isNull(variant));
    const variants = real.map((variant) => joined(variant, own));
    return { isNullable: real.length < given.length, variants };
  }
  if (!Array.isArray(type)) return { isNullable: schema["nullable"] === true, variants: [schema] };
  const real = type.filter((name) => name !== "null");
  const variants = real.map((name: unknown) => ({ ...own, type: name }));
  return { isNullable: real.length < type.length, variants };
}

function isNull(schema: JsonObject): boolean {
  return schema["type"] === "null" || schema["const"] === null;
}

function typed(schema: JsonObject, place: Place): JsonObject {
  const type = typeOf(schema);
  const kept = Object.fromEntries(
    (KEPT[type] ?? []).filter((name) => name in schema).map((name) => [name, schema[name]]),
  );
  const { format } = schema;
  return {
    type,
    ...(typeof format === "string" && FORMATS.has(format) ? { format } : {}),
    ...kept,
    ...enumOf(schema, type),
    ...(type === "ARRAY" ? { items: rewritten(itemsOf(schema), place) } : {}),
    ...(type === "OBJECT" ? fieldsOf(schema, place) : {}),
  };
}

function typeOf(schema: JsonObject): string {
  const { type } = schema;
  if (typeof type === "string" && Object.hasOwn(KEPT, type.toUpperCase()))
    return type.toUpperCase();
  if (isRecord(schema["properties"])) return "OBJECT";
  if ("items" in schema) return "ARRAY";
  const [sample] = valuesOf(schema);
  if (typeof sample === "number") return "NUMBER";
  return typeof sample === "boolean" ? "BOOLEAN" : "STRING";
}

function valuesOf(schema: JsonObject): unknown[] {
  if ("const" in schema) return [schema["const"]];
  return listOf(schema["enum"]);
}

/** Only texts can be enumerated. */
function enumOf(schema: JsonObject, type: string): JsonObject {
  const values = valuesOf(schema).filter((value) => typeof value === "string" && value !== "");
  return type === "STRING" && values.length > 0 ? { enum: values } : {};
}

/** Of a tuple the first kind; without a word about them, texts. */
function itemsOf(schema: JsonObject): unknown {
  const { items, prefixItems } = schema;
  const first: unknown = [items, prefixItems].find(
    (list) => Array.isArray(list) && list.length > 0,
  );
  if (Array.isArray(first)) return first[0];
  return isRecord(items) ? items : { type: "string" };
}

function fieldsOf(schema: JsonObject, place: Place): JsonObject {
  const { properties, required } = schema;
  if (!isRecord(properties) || Object.keys(properties).length === 0) return {};
  const fields = Object.entries(properties).map(([name, field]) => [name, rewritten(field, place)]);
  const names = listOf(required).filter(
    (name) => typeof name === "string" && Object.hasOwn(properties, name),
  );
  return {
    properties: Object.fromEntries(fields),
    ...(names.length === 0 ? {} : { required: [...new Set(names)] }),
  };
}
