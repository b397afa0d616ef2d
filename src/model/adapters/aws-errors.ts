// What AWS services say when they refuse or fail, as the problem that every wire maps its errors to.
import * as v from "valibot";
import type { ProviderError, ProviderErrorKind } from "../event.ts";
import type { Frame, ReplyHead } from "../provider.ts";
import { refusal, unreadable } from "./bad-reply.ts";
import { text } from "./loose.ts";
import { providerError, streamError, type Problem } from "./openai-errors.ts";

const TYPE = "__type";
const Said = v.object({ message: text, Message: text, originalMessage: text, [TYPE]: text });

/** By the exception's name, in lower case and without its last word; the status that goes with it inside a good stream. */
const KNOWN: Readonly<Record<string, { kind: ProviderErrorKind | null; status: number }>> = {
  accessdenied: { kind: "auth", status: 403 },
  expiredtoken: { kind: "auth", status: 403 },
  incompletesignature: { kind: "auth", status: 403 },
  internalserver: { kind: "server", status: 500 },
  invalidsignature: { kind: "auth", status: 403 },
  missingauthenticationtoken: { kind: "auth", status: 403 },
  modelerror: { kind: "server", status: 424 },
  modelnotready: { kind: "overloaded", status: 429 },
  modelstreamerror: { kind: "server", status: 424 },
  modeltimeout: { kind: "timeout", status: 408 },
  resourcenotfound: { kind: "model_not_found", status: 404 },
  servicequotaexceeded: { kind: "quota", status: 402 },
  serviceunavailable: { kind: "overloaded", status: 503 },
  throttling: { kind: "rate_limit", status: 429 },
  unrecognizedclient: { kind: "auth", status: 403 },
  // What was wrong with the request, its text tells.
  validation: { kind: null, status: 400 },
};

const BY_TEXT: readonly [kind: ProviderErrorKind, text: RegExp][] = [
  ["context_overflow", /too long|too many (input )?tokens|exceeds? .{0,40}(context|input)/i],
  [
    "model_not_found",
    /model identifier is invalid|on-demand throughput isn.t supported|end of its life/i,
  ],
  ["tool_unsupported", /doesn.t support tool use/i],
];

/** The error in a reply whose status is none of success. */
export async function awsRefusal(
  head: ReplyHead,
  frames: AsyncIterable<Frame>,
): Promise<ProviderError> {
  const [type = ""] = (head.headers["x-amzn-errortype"] ?? "").split(":");
  return withRequestId(head, await refusal(head, frames, (value) => awsProblem(type, value)));
}

/** The error that a frame is: damage, a body where a stream should be, an exception; null for a frame that is none. */
export function frameFault(head: ReplyHead, frame: Frame, value: unknown): ProviderError | null {
  if (frame.event === "damaged") return streamError(head, "stream_cut", frame.data);
  if (frame.event !== "body") return messageFault(head, frame, value);
  if (value === undefined) return unreadable(head, frame.data);
  return messageFault(head, { event: "error:", data: frame.data }, value);
}

/** `exception:NAME` with a body, or `error:CODE` with a text. */
function messageFault(
  head: ReplyHead,
  { event, data }: Frame,
  value: unknown,
): ProviderError | null {
  const type = /^(?:exception|error):(.*)$/.exec(event)?.[1];
  if (type === undefined) return null;
  const problem = awsProblem(type, value ?? { message: data });
  return withRequestId(head, providerError(head, problem));
}

function awsProblem(type: string, value: unknown): Problem {
  const said = saidIn(value);
  const name = type || said.name;
  const { message } = said;
  const known = KNOWN[name.toLowerCase().replace(/(exception|error)$/, "")];
  const problem = { message, codes: [name], status: known?.status ?? null };
  const kind = known?.kind ?? BY_TEXT.find(([, pattern]) => pattern.test(message))?.[0];
  return kind === undefined ? problem : { ...problem, kind };
}

/** Services differ in how they write the message; some name the exception in the body. */
function saidIn(value: unknown): { name: string; message: string } {
  const read = v.safeParse(Said, value);
  if (!read.success) return { name: "", message: "" };
  const { message, Message, originalMessage, [TYPE]: type } = read.output;
  return { name: type.replace(/^.*#/, ""), message: message || Message || originalMessage };
}

function withRequestId(head: ReplyHead, error: ProviderError): ProviderError {
  return { ...error, requestId: head.headers["x-amzn-requestid"] ?? error.requestId };
}
