// One event of a session: the line format of the log. docs/protocols/log.md describes it for other programs.
import type { PlanItem } from "../base/plan.ts";
import type { Tier } from "../base/tier.ts";
import type { Metrics, StopReason, ToolCall, Usage } from "../model/event.ts";
import type { UserPart } from "../model/request.ts";

/** Where a user message came from. */
export type Origin = "prompt" | "steer" | "queue" | "loop" | "hook" | "background" | "harness";
export type AssistantStatus = "complete" | "interrupted" | "length" | "error";
export type EndStatus = "complete" | "interrupted" | "error" | "limit" | "denied";

/** The arguments of a stored call stay text: what the model wrote, byte for byte (the prompt cache depends on it). */
export type StoredAssistantPart =
  | { type: "text"; text: string }
  | { type: "reasoning"; text: string }
  | ({ type: "tool_call" } & ToolCall);

export type EventData = {
  "session.started": {
    name: string;
    cwd: string;
    git: { root: string; branch: string | null; commit: string | null } | null;
    version: string;
    provider: string;
    model: string;
    mode: string;
    /** The pinned prefix (system blocks), rendered once and reused byte for byte on resume. */
    system: string[];
    prefixHash: string;
  };
  "session.renamed": { name: string };
  "session.leaf": { leaf: string; reason: string };
  /** The end of a turn: how it ended and what it cost. */
  "session.ended": { status: EndStatus; reason: string; rounds: number; toolCalls: number };
  "message.user": { content: UserPart[]; origin: Origin };
  "message.assistant": {
    content: StoredAssistantPart[];
    status: AssistantStatus;
    stop: StopReason | null;
    /** The failure's sentence where status is `error`. */
    error?: string;
  };
  "message.tool": {
    toolCallId: string;
    name: string;
    content: UserPart[];
    isError: boolean;
    tier: Tier;
    summary: string;
    durationMs: number;
    /** What was left out; `bytes` is null where nobody counted them. */
    truncated?: { bytes: number | null; lines: number; file: string | null };
    diff?: string;
    /** The id of the event that keeps what the changed file held before. */
    checkpoint?: string;
    /** The plan of the session, where the call made or changed it. */
    plan?: PlanItem[];
  };
  /** Stored before a tool changes files: what undo puts back, and what it must find to do so. */
  checkpoint: {
    files: {
      /** The real path. */
      path: string;
      /** SHA-256 of the content before; null: there was no file. */
      before: string | null;
      /** Of the content before. */
      bytes: number;
      /** Where a copy of that lies, below the folder of blobs; null: none was needed, or none could be kept. */
      blob: string | null;
      /** SHA-256 of what the tool was about to write. */
      after: string;
    }[];
  };
  "model.usage": { usage: Usage; costUsd: number | null; model: string };
  "model.response": { responseId: string | null; model: string | null };
  "model.provider_item": { wire: string; model: string; part: number; item: unknown };
  "model.metrics": Metrics;
  /** A request failed and was sent again; a reply right before it that broke off is no part of the conversation. */
  "model.retry": { attempt: number; waitedMs: number; kind: string; because: string };
  "model.changed": { provider: string; model: string };
  "permission.decision": {
    tool: string;
    toolCallId: string;
    decision: "allow" | "deny";
    by: "rule" | "person" | "mode" | "grant" | "floor";
    because: string;
    mode: string;
    /** The rule granted for the rest of the session, where the person said always. */
    grant?: string;
  };
};

export type EventType = keyof EventData;
export type EventBase = { v: 1; id: string; parentId: string | null; time: string };
/** An event of a type this version knows. */
export type KnownEvent = {
  [T in EventType]: EventBase & { type: T; data: EventData[T] };
}[EventType];
/** A line that parsed as an event; unknown types and fields are kept and passed on. */
export type SessionEvent = KnownEvent | (EventBase & { type: "unknown"; raw: unknown });

/** An event before the log gave it id, parent and time. */
export type Draft = { [T in EventType]: { type: T; data: EventData[T] } }[EventType];
