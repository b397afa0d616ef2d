// What a request to the Responses API must be like, as its reference says; stored is nothing, so that all must be there.
import * as v from "valibot";
import { inputItem, type ResponsesReply } from "./responses-reply.ts";
import { broken } from "./vendor-server.ts";

const filled = v.pipe(v.string(), v.minLength(1));
const callId = v.pipe(v.string(), v.minLength(1), v.maxLength(64));
const dataUrl = v.pipe(v.string(), v.regex(/^data:[\w/+.-]+;base64,[A-Za-z\d+/]*=*$/));

const Content = v.variant("type", [
  v.strictObject({ type: v.literal("input_text"), text: v.string() }),
  v.strictObject({
    type: v.literal("input_image"),
    detail: v.picklist(["auto", "low", "high"]),
    image_url: dataUrl,
  }),
  v.strictObject({ type: v.literal("input_file"), filename: filled, file_data: dataUrl }),
]);

const contents = v.pipe(v.array(Content), v.nonEmpty());

const Item = v.union([
  v.strictObject({ type: v.literal("message"), role: v.literal("user"), content: contents }),
  v.strictObject({
    type: v.literal("message"),
    role: v.literal("assistant"),
    phase: v.optional(v.picklist(["commentary", "final_answer"])),
    content: filled,
  }),
  v.strictObject({
    type: v.literal("reasoning"),
    id: filled,
    summary: v.array(v.strictObject({ type: v.literal("summary_text"), text: v.string() })),
    encrypted_content: filled,
  }),
  v.strictObject({
    type: v.literal("function_call"),
    call_id: callId,
    name: v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/)),
    arguments: v.pipe(v.string(), v.startsWith("{")),
  }),
  v.strictObject({
    type: v.literal("function_call_output"),
    call_id: callId,
    output: v.union([v.string(), contents]),
  }),
]);

const FIELDS = {
  model: filled,
  store: v.literal(false),
  prompt_cache_key: v.optional(v.pipe(v.string(), v.maxLength(64))),
  reasoning: v.optional(
    v.strictObject({
      effort: v.picklist(["none", "minimal", "low", "medium", "high", "xhigh"]),
      summary: v.optional(v.picklist(["auto", "concise", "detailed"])),
    }),
  ),
  include: v.optional(v.tuple([v.literal("reasoning.encrypted_content")])),
  instructions: v.optional(filled),
  tools: v.optional(
    v.array(
      v.strictObject({
        type: v.literal("function"),
        name: v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/)),
        description: v.string(),
        parameters: v.looseObject({ type: v.literal("object") }),
        strict: v.literal(false),
      }),
    ),
  ),
  temperature: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(2))),
  max_output_tokens: v.optional(v.pipe(v.number(), v.integer(), v.minValue(16))),
  input: v.pipe(v.array(Item), v.nonEmpty()),
};

const SCHEMAS = {
  http: v.strictObject({ ...FIELDS, stream: v.literal(true) }),
  websocket: v.strictObject({
    ...FIELDS,
    type: v.literal("response.create"),
    previous_response_id: v.optional(filled),
  }),
};

export type InputItem = v.InferOutput<typeof Item>;
export type ResponsesRequest = {
  input: InputItem[];
  previous: string | null;
};

/** The request, or what is wrong with how it is written. */
export function readRequest(
  over: "http" | "websocket",
  body: unknown,
): ResponsesRequest | string[] {
  const read = v.safeParse(SCHEMAS[over], body);
  if (!read.success) {
    return read.issues.map((issue) => `${v.getDotPath(issue) ?? ""} ${issue.message}`);
  }
  const { input } = read.output;
  const previous =
    "previous_response_id" in read.output ? (read.output.previous_response_id ?? null) : null;
  return { input, previous };
}

/** What is wrong with a whole conversation after these replies. */
export function conversationFaults(
  input: readonly InputItem[],
  before: readonly ResponsesReply[],
): string[] {
  const said = input.filter(isOwn);
  const wanted = before.flatMap(({ items }) => items.map(inputItem));
  return broken({
    "it begins with the user": isUser(input[0]),
    "it ends with what the model has not seen": !isOwn(input.at(-1)),
    "every call has one result, before anything else is said": isPaired(input),
    "thoughts are followed by what they led to": input.every(
      (item, at) => item.type !== "reasoning" || isOwn(input[at + 1]),
    ),
    "every reply comes back unchanged": Bun.deepEquals(said, wanted, true),
  });
}

function isUser(item: InputItem | undefined): boolean {
  return item?.type === "message" && item.role === "user";
}

function isOwn(item: InputItem | undefined): boolean {
  return item !== undefined && item.type !== "function_call_output" && !isUser(item);
}

function isPaired(input: readonly InputItem[]): boolean {
  const open = new Set<string>();
  const known = new Set<string>();
  for (const [at, item] of input.entries()) {
    if (item.type === "function_call") {
      if (known.has(item.call_id)) return false;
      known.add(item.call_id);
      open.add(item.call_id);
    } else if (item.type === "function_call_output") {
      if (!open.delete(item.call_id)) return false;
    } else if (open.size > 0 && !isOwn(input[at])) return false;
  }
  return open.size === 0;
}
