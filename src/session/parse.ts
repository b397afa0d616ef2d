// One line of a log to an event: known types are validated, everything else is kept as it came.
import * as v from "valibot";
import type { Result } from "../base/failure.ts";
import { invalid, ok } from "../base/failure.ts";
import { parseJson } from "../base/json.ts";
import { STATUSES } from "../base/plan.ts";
import type { EventData, EventType, KnownEvent, SessionEvent } from "./event.ts";

/** What every event has, of whatever type and version. */
const Envelope = v.object({
  v: v.number(),
  type: v.string(),
  id: v.pipe(v.string(), v.nonEmpty()),
  parentId: v.nullable(v.string()),
  time: v.string(),
  data: v.optional(v.unknown()),
});

const Nullable = { string: v.nullable(v.string()), number: v.nullable(v.number()) };

const UserParts = v.array(
  v.variant("type", [
    v.object({ type: v.literal("text"), text: v.string() }),
    v.object({
      type: v.picklist(["image", "audio", "file"]),
      mediaType: v.string(),
      data: v.string(),
      name: v.string(),
    }),
  ]),
);

const AssistantParts = v.array(
  v.variant("type", [
    v.object({ type: v.picklist(["text", "reasoning"]), text: v.string() }),
    v.object({
      type: v.literal("tool_call"),
      id: v.string(),
      name: v.string(),
      arguments: v.string(),
    }),
  ]),
);

const Usage = v.object({
  input: v.number(),
  cacheRead: v.number(),
  cacheWrite: v.number(),
  output: v.number(),
  reasoning: v.number(),
  costUsd: Nullable.number,
});

const Started = v.object({
  name: v.string(),
  cwd: v.string(),
  git: v.nullable(v.object({ root: v.string(), branch: Nullable.string, commit: Nullable.string })),
  version: v.string(),
  provider: v.string(),
  model: v.string(),
  mode: v.string(),
  system: v.array(v.string()),
  prefixHash: v.string(),
});

const Ended = v.object({
  status: v.picklist(["complete", "interrupted", "error", "limit", "denied"]),
  reason: v.string(),
  rounds: v.number(),
  toolCalls: v.number(),
});

const UserMessage = v.object({
  content: UserParts,
  origin: v.picklist(["prompt", "steer", "queue", "loop", "hook", "background", "harness"]),
});

const AssistantMessage = v.object({
  content: AssistantParts,
  status: v.picklist(["complete", "interrupted", "length", "error"]),
  stop: v.nullable(v.picklist(["end", "calls", "length", "refusal", "filter", "paused"])),
  error: v.exactOptional(v.string()),
});

const ToolMessage = v.object({
  toolCallId: v.string(),
  name: v.string(),
  content: UserParts,
  isError: v.boolean(),
  tier: v.picklist(["hot", "warm", "cold"]),
  summary: v.string(),
  durationMs: v.number(),
  truncated: v.exactOptional(
    v.object({ bytes: Nullable.number, lines: v.number(), file: Nullable.string }),
  ),
  diff: v.exactOptional(v.string()),
  checkpoint: v.exactOptional(v.string()),
  plan: v.exactOptional(v.array(v.object({ text: v.string(), status: v.picklist(STATUSES) }))),
});

const Checkpoint = v.object({
  files: v.array(
    v.object({
      path: v.string(),
      before: Nullable.string,
      bytes: v.number(),
      blob: Nullable.string,
      after: v.string(),
    }),
  ),
});

const Travel = v.object({
  kind: v.picklist(["http", "websocket"]),
  isReused: v.boolean(),
  isContinued: v.boolean(),
  inputItems: v.number(),
  sentItems: v.number(),
  inputBytes: v.number(),
  instructionBytes: v.number(),
  toolBytes: v.number(),
  tools: v.number(),
  fallback: Nullable.string,
});

const Metrics = v.object({
  requestBytes: v.number(),
  responseBytes: v.number(),
  headersMs: Nullable.number,
  firstEventMs: Nullable.number,
  totalMs: v.number(),
  transport: v.exactOptional(Travel),
});

const Decision = v.object({
  tool: v.string(),
  toolCallId: v.string(),
  decision: v.picklist(["allow", "deny"]),
  by: v.picklist(["rule", "person", "mode", "grant", "floor"]),
  because: v.string(),
  mode: v.string(),
  grant: v.exactOptional(v.string()),
});

/** A schema for each type rather than one union of all: the check of a long log takes a third of the time. */
const DATA = {
  "session.started": Started,
  "session.renamed": v.object({ name: v.string() }),
  "session.leaf": v.object({ leaf: v.string(), reason: v.string() }),
  "session.ended": Ended,
  "message.user": UserMessage,
  "message.assistant": AssistantMessage,
  "message.tool": ToolMessage,
  checkpoint: Checkpoint,
  "model.usage": v.object({ usage: Usage, costUsd: Nullable.number, model: v.string() }),
  "model.response": v.object({ responseId: Nullable.string, model: Nullable.string }),
  "model.provider_item": v.object({
    wire: v.string(),
    model: v.string(),
    part: v.number(),
    item: v.unknown(),
  }),
  "model.metrics": Metrics,
  "model.retry": v.object({
    attempt: v.number(),
    waitedMs: v.number(),
    kind: v.string(),
    because: v.string(),
  }),
  "model.changed": v.object({ provider: v.string(), model: v.string() }),
  "permission.decision": Decision,
} satisfies { [T in EventType]: v.GenericSchema<EventData[T]> };

const SCHEMAS: ReadonlyMap<string, v.GenericSchema> = new Map(Object.entries(DATA));

/** `what` of the failure says why the line is no event. */
export function parseLine(line: string): Result<SessionEvent> {
  const raw = parseJson(line);
  if (raw === undefined) return invalid("it is not JSON");
  if (!v.is(Envelope, raw))
    return invalid("it is no event: v, type, id, parentId or time is missing");
  // The value itself is kept, not valibot's copy: fields this version does not know stay where they are.
  if (isKnown(raw)) return ok(raw);
  const { id, parentId, time } = raw;
  return ok({ v: 1, type: "unknown", id, parentId, time, raw });
}

function isKnown(event: v.InferOutput<typeof Envelope>): event is KnownEvent {
  const schema = SCHEMAS.get(event.type);
  return event.v === 1 && schema !== undefined && v.is(schema, event.data);
}

/** The stored assistant parts in a value; null where it holds anything else. */
export function assistantParts(value: unknown): v.InferOutput<typeof AssistantParts> | null {
  return v.is(AssistantParts, value) ? value : null;
}
