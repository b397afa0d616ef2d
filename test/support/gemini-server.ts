// The Gemini API in tests: replies as streams, requests checked against what its reference says.
import * as v from "valibot";
import {
  broken,
  vendorServer,
  type Asked,
  type Vendor,
  type VendorServer,
} from "./vendor-server.ts";

export type ReplyPart = {
  text?: string;
  thought?: true;
  thoughtSignature?: string;
  functionCall?: { id?: string; name: string; args: Record<string, unknown> };
};

export type GeminiReply = {
  parts: ReplyPart[];
  /** Left out: STOP. */
  finish?: string;
  usage?: Record<string, number>;
};

export function geminiServer(replies: readonly GeminiReply[]): VendorServer {
  return vendorServer(VENDOR, replies);
}

const VENDOR: Vendor<GeminiReply> = {
  body: geminiBody,
  refusal: (wrong) =>
    JSON.stringify({
      error: { code: 400, message: wrong.join("; "), status: "INVALID_ARGUMENT" },
    }),
  complaints,
};

export function sse(...chunks: unknown[]): string {
  return chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join("");
}

/** One chunk for each part; the reason to stop is in the last. */
export function geminiBody({ parts, finish, usage }: GeminiReply, at = 0): string {
  const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, ...usage };
  const named = { usageMetadata, modelVersion: "served-model", responseId: `r${at + 1}` };
  return sse(
    ...parts.map((part, index) => ({
      candidates: [
        {
          content: { role: "model", parts: [part] },
          ...(index === parts.length - 1 ? { finishReason: finish ?? "STOP" } : {}),
          index: 0,
        },
      ],
      ...named,
    })),
  );
}

const filled = v.pipe(v.string(), v.minLength(1));
const name = v.pipe(v.string(), v.regex(/^[A-Za-z_][\w.:-]{0,127}$/));
const signature = { thoughtSignature: v.optional(filled) };

type Schema = {
  type?: string | undefined;
  enum?: string[] | undefined;
  items?: Schema | undefined;
  properties?: Record<string, Schema> | undefined;
  required?: string[] | undefined;
  anyOf?: Schema[] | undefined;
};
const count = v.pipe(v.number(), v.integer());
const Schema: v.GenericSchema<Schema> = v.lazy(() =>
  v.pipe(
    v.strictObject({
      type: v.optional(v.picklist(["STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT"])),
      format: v.optional(v.picklist(["float", "double", "int32", "int64", "enum", "date-time"])),
      description: v.optional(v.string()),
      nullable: v.optional(v.boolean()),
      enum: v.optional(v.array(filled)),
      items: v.optional(Schema),
      minItems: v.optional(count),
      maxItems: v.optional(count),
      minLength: v.optional(count),
      maxLength: v.optional(count),
      minimum: v.optional(v.number()),
      maximum: v.optional(v.number()),
      pattern: v.optional(v.string()),
      properties: v.optional(v.record(v.string(), Schema)),
      required: v.optional(v.array(v.string())),
      anyOf: v.optional(v.array(Schema)),
    }),
    v.check((schema) => schema.type !== undefined || schema.anyOf !== undefined, "has no type"),
    v.check((schema) => schema.type !== "ARRAY" || schema.items !== undefined, "has no items"),
    v.check((schema) => schema.enum === undefined || schema.type === "STRING", "enumerates"),
    v.check(
      ({ required = [], properties = {} }) => required.every((field) => field in properties),
      "requires what it has not",
    ),
  ),
);

/** A tool's parameters, as the reference allows them. */
export const Parameters = v.pipe(
  Schema,
  v.check(
    ({ type, properties }) => type === "OBJECT" && Object.keys(properties ?? {}).length > 0,
    "should be non-empty for OBJECT type",
  ),
);

const InlineData = v.strictObject({
  inlineData: v.strictObject({ mimeType: filled, data: v.pipe(v.string(), v.base64()) }),
});
const FunctionResponse = v.strictObject({
  functionResponse: v.strictObject({
    id: v.optional(filled),
    name,
    response: v.union([
      v.strictObject({ output: v.string() }),
      v.strictObject({ error: v.string() }),
    ]),
  }),
});
const FunctionCall = v.strictObject({
  functionCall: v.strictObject({
    id: v.optional(filled),
    name,
    args: v.record(v.string(), v.unknown()),
  }),
  ...signature,
});
const Text = v.strictObject({
  text: v.string(),
  thought: v.optional(v.literal(true)),
  ...signature,
});

const Content = v.variant("role", [
  v.strictObject({
    role: v.literal("user"),
    parts: v.array(v.union([v.strictObject({ text: filled }), InlineData, FunctionResponse])),
  }),
  v.strictObject({ role: v.literal("model"), parts: v.array(v.union([Text, FunctionCall])) }),
]);

const Body = v.strictObject({
  generationConfig: v.optional(
    v.strictObject({
      temperature: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(2))),
      maxOutputTokens: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
      thinkingConfig: v.optional(
        v.strictObject({
          includeThoughts: v.optional(v.boolean()),
          thinkingBudget: v.optional(v.pipe(v.number(), v.integer())),
          thinkingLevel: v.optional(v.picklist(["MINIMAL", "LOW", "MEDIUM", "HIGH"])),
        }),
      ),
    }),
  ),
  tools: v.optional(
    v.array(
      v.strictObject({
        functionDeclarations: v.array(
          v.strictObject({ name, description: filled, parameters: v.optional(Parameters) }),
        ),
      }),
    ),
  ),
  systemInstruction: v.optional(
    v.strictObject({ parts: v.array(v.strictObject({ text: filled })) }),
  ),
  contents: v.array(Content),
});

type Request = v.InferOutput<typeof Body>;
type WireContent = Request["contents"][number];

const PATH = /^\/v1beta\/models\/(gemini-[\w.-]+):streamGenerateContent\?alt=sse$/;

function complaints(asked: Asked, before: readonly GeminiReply[]): string[] {
  const read = v.safeParse(Body, asked.body);
  const [, model = ""] = PATH.exec(asked.path) ?? [];
  const head = broken({
    "it is posted to a model's stream": asked.method === "POST" && model !== "",
    "it has a key": (asked.headers["x-goog-api-key"] ?? "") !== "",
    "it is JSON": asked.headers["content-type"] === "application/json",
  });
  if (!read.success) {
    const issues = read.issues.map((issue) => `${v.getDotPath(issue) ?? ""} ${issue.message}`);
    return [...head, ...issues];
  }
  return [...head, ...conversation(read.output, model), ...replayed(read.output, before)];
}

function conversation({ contents, generationConfig }: Request, model: string): string[] {
  const thinking = generationConfig?.thinkingConfig;
  const isThree = model.startsWith("gemini-3");
  return broken({
    "it begins and ends with the user":
      contents[0]?.role === "user" && contents.at(-1)?.role === "user",
    "the roles alternate": contents.every((one, at) => one.role !== contents[at + 1]?.role),
    "no content is empty": contents.every(({ parts }) => parts.length > 0),
    "every call has its response, in the next content and in order": contents.every((one, at) =>
      isPaired(one, contents[at + 1]),
    ),
    "the first call of each content is signed":
      !isThree || contents.every(({ parts }) => isSigned(parts)),
    "level or budget, not both":
      thinking?.thinkingBudget === undefined || thinking.thinkingLevel === undefined,
    "levels are of generation 3": isThree || thinking?.thinkingLevel === undefined,
  });
}

function isSigned(parts: WireContent["parts"]): boolean {
  const first = parts.find((part) => "functionCall" in part);
  return first === undefined || first.thoughtSignature !== undefined;
}

/** Those of `next` answer those of `content`: by name and place, and by id where there is one. */
function isPaired(content: WireContent, next: WireContent | undefined): boolean {
  if (content.role !== "model") return true;
  const calls = content.parts.flatMap((part) =>
    "functionCall" in part ? [[part.functionCall.id, part.functionCall.name]] : [],
  );
  const responses = (next?.parts ?? []).flatMap((part) =>
    "functionResponse" in part ? [[part.functionResponse.id, part.functionResponse.name]] : [],
  );
  return Bun.deepEquals(calls, responses);
}

/** What was said comes back part by part as it was given, signatures in their places; thoughts alone may stay away. */
function replayed({ contents }: Request, before: readonly GeminiReply[]): string[] {
  const said = contents.filter(({ role }) => role === "model");
  const same = before.filter(({ parts }, at) => {
    const lasting = parts.filter(({ thought }) => thought !== true);
    return Bun.deepEquals(said[at]?.parts, lasting, true);
  });
  return broken({
    "every reply comes back unchanged":
      said.length === before.length && same.length === said.length,
  });
}
