// JSON Schema as Gemini takes it: what tools of all kinds come with becomes what its reference allows.
import { describe, expect, test } from "bun:test";
import * as v from "valibot";
import { geminiSchema } from "../../../src/model/adapters/gemini-schema.ts";
import { Parameters } from "../../support/gemini-server.ts";
import { forSeeds, type Random } from "../../support/random.ts";

const TEXT = { type: "STRING" };

const FIELDS: [what: string, field: unknown, expected: unknown][] = [
  ["types in capitals", { type: "integer", minimum: 0 }, { type: "INTEGER", minimum: 0 }],
  [
    "no keyword that is unknown",
    { type: "string", title: "T", default: "x", examples: [], description: "D", minLength: 1 },
    { type: "STRING", description: "D", minLength: 1 },
  ],
  [
    "formats that are known",
    { type: "string", format: "date-time" },
    { ...TEXT, format: "date-time" },
  ],
  ["no other formats", { type: "string", format: "uri" }, TEXT],
  ["a list of types with null", { type: ["string", "null"] }, { ...TEXT, nullable: true }],
  [
    "a list of types",
    { type: ["string", "number"], description: "D" },
    {
      anyOf: [
        { ...TEXT, description: "D" },
        { type: "NUMBER", description: "D" },
      ],
      description: "D",
    },
  ],
  [
    "items of several types",
    { type: "array", items: { type: ["object", "null"] } },
    { type: "ARRAY", items: { type: "OBJECT", nullable: true } },
  ],
  ["items where none are given", { type: "array" }, { type: "ARRAY", items: TEXT }],
  [
    "a tuple",
    { type: "array", prefixItems: [{ type: "number" }, {}] },
    { type: "ARRAY", items: { type: "NUMBER" } },
  ],
  [
    "alternatives with null",
    { anyOf: [{ type: "string" }, { type: "null" }] },
    { ...TEXT, nullable: true },
  ],
  [
    "alternatives",
    { oneOf: [{ type: "string" }, { type: "boolean" }] },
    { anyOf: [TEXT, { type: "BOOLEAN" }] },
  ],
  ["a constant", { const: "x" }, { ...TEXT, enum: ["x"] }],
  ["texts to choose from", { enum: ["a", "b", ""] }, { ...TEXT, enum: ["a", "b"] }],
  ["no numbers to choose from", { enum: [1, 2] }, { type: "NUMBER" }],
  ["a reference", { $ref: "#/$defs/name", description: "D" }, { ...TEXT, description: "D" }],
  ["a reference into nothing", { $ref: "#/$defs/none" }, TEXT],
  [
    "all of several",
    {
      allOf: [
        { type: "object", properties: { a: { type: "string" } }, required: ["a", "gone"] },
        { properties: { b: { $ref: "#/$defs/name" } }, required: ["b"] },
      ],
    },
    { type: "OBJECT", properties: { a: TEXT, b: TEXT }, required: ["a", "b"] },
  ],
  [
    "all of several references",
    { allOf: [{ $ref: "#/$defs/one" }, { $ref: "#/$defs/two" }] },
    { type: "OBJECT", properties: { a: TEXT, b: TEXT } },
  ],
  ["an object of any shape", { type: "object", additionalProperties: true }, { type: "OBJECT" }],
  ["anything at all", true, { type: "OBJECT" }],
];

describe("a schema has", () => {
  test.each(FIELDS)("%s", (_, field, expected) => {
    const schema = {
      type: "object",
      properties: { x: field },
      $defs: {
        name: { type: "string" },
        one: { properties: { a: { type: "string" } } },
        two: { properties: { b: { $ref: "#/$defs/name" } } },
      },
    };
    const rewritten = geminiSchema(schema);
    expect(rewritten).toEqual({ type: "OBJECT", properties: { x: expected } });
    expect(v.safeParse(Parameters, rewritten).issues ?? []).toEqual([]);
  });
});

test("a schema that holds itself ends somewhere", () => {
  const node = { type: "object", properties: { next: { $ref: "#/$defs/node" } } };
  const loop = { $ref: "#/$defs/loop" };
  const schema = { properties: { node: { $ref: "#/$defs/node" }, loop }, $defs: { node, loop } };
  expect(v.safeParse(Parameters, geminiSchema(schema)).success).toBe(true);
});

test("a schema whose references would fill the memory stays small", () => {
  const twice = (name: string) => ({ properties: { a: { $ref: name }, b: { $ref: name } } });
  const $defs = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [`d${at}`, twice(`#/$defs/d${at + 1}`)]),
  );
  const text = JSON.stringify(geminiSchema({ ...twice("#/$defs/d0"), $defs }));
  expect(text.length).toBeLessThan(100_000);
});

function anySchema(chance: Random, depth: number): unknown {
  const deeper = (): unknown => (depth > 4 ? {} : anySchema(chance, depth + 1));
  const kinds = ["string", "number", "integer", "array", "object", "null", "odd", 5] as const;
  const forms: (() => object)[] = [
    () => ({ type: chance.pick(kinds) }),
    () => ({ type: [chance.pick(kinds), chance.pick(kinds)] }),
    () => ({ anyOf: [deeper(), deeper()] }),
    () => ({ oneOf: [deeper()], description: "D" }),
    () => ({ allOf: [deeper(), deeper()] }),
    () => ({ $ref: chance.pick(["#", "#/properties/a", "#/$defs/x", "#/%", "http://x"]) }),
    () => ({ items: chance.chance(0.5) ? deeper() : [deeper()] }),
    () => ({ properties: { a: deeper(), b: deeper() }, required: ["a", "c", 1] }),
    () => ({ enum: ["x", 1, null] }),
    () => ({ const: chance.pick(["x", 1, null, true]) }),
  ];
  return Object.assign({}, chance.pick(forms)(), chance.chance(0.3) ? chance.pick(forms)() : {});
}

test("whatever comes becomes a schema that the reference allows", () => {
  forSeeds(500, (chance) => {
    const schema = {
      type: "object",
      properties: { a: anySchema(chance, 0), b: anySchema(chance, 0) },
    };
    expect(v.safeParse(Parameters, geminiSchema(schema)).issues ?? []).toEqual([]);
  });
});
