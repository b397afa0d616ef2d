// Listens to one reply: shows it live, journals it while it grows, and stores it when it is final.
import type {
  ModelEvent,
  ProviderError,
  ProviderErrorKind,
  StopReason,
  ToolCall,
} from "../model/event.ts";
import type { AssistantStatus, Draft, StoredAssistantPart } from "../session/event.ts";
import { live, stored, type TurnEnd, type TurnEvent } from "./event.ts";
import type { TurnKit } from "./kit.ts";
import type { Recovering } from "./recover.ts";

export type Reply =
  | { kind: "calls"; calls: ToolCall[] }
  /** The request is larger than the model's context: it has to become smaller first. */
  | { kind: "overflow"; message: string }
  | { kind: "end"; end: TurnEnd };

const CUT =
  "the reply was cut at the model's output limit: ask for smaller pieces or raise --max-output-tokens";
const UNENDED = "the stream ended without its end";
const FILTERED = "the provider's content filter stopped the reply: reword the prompt";

/** What a reply says besides its content. */
type Aside =
  | Extract<ModelEvent, { type: "usage" | "response" | "metrics" }>
  /** `part` is an index of `content`. */
  | { type: "kept"; part: number; item: unknown };

/** Everything heard so far of one reply. */
type Heard = {
  content: StoredAssistantPart[];
  /** A call began since the last text: the next text is another part, in the log as on the screen. */
  isBorder: boolean;
  /** Stored after the message they belong to. */
  after: Aside[];
  last: Last | null;
};

/** How the reply ended. */
type Last = { type: "stop"; reason: StopReason } | { type: "failed"; error: ProviderError };

/** Hears a reply; where the request fails, `recover` decides whether and when it is sent again, and to whom. */
export async function* listen(kit: TurnKit): AsyncGenerator<TurnEvent, Reply> {
  let recovering: Recovering | null = null;
  for (;;) {
    const heard = yield* hear(kit);
    const error = failureOf(heard);
    if (error === null || isStopped(kit)) return yield* keep(heard, kit);
    recovering ??= await startRecovering(kit);
    const step = await recovering.next(error);
    if (step.kind === "give-up") {
      heard.last = { type: "failed", error: { ...error, message: step.message } };
      return yield* keep(heard, kit);
    }
    yield* keepPart(heard, kit);
    yield* recovering.take(step, error);
    if (isStopped(kit)) return { kind: "end", end: { status: "interrupted" } };
  }
}

function isStopped({ signal }: TurnKit): boolean {
  return signal.aborted;
}

async function startRecovering(kit: TurnKit): Promise<Recovering> {
  const { startRecovering: start } = await import("./recover.ts");
  return start(kit);
}

/** One try. */
async function* hear(kit: TurnKit): AsyncGenerator<TurnEvent, Heard> {
  const heard: Heard = { content: [], isBorder: false, after: [], last: null };
  try {
    for await (const event of kit.model.stream(kit.request(), kit.signal)) {
      const shown = take(event, heard);
      kit.log.journal(() => heard.content);
      if (shown !== null) yield shown;
    }
  } catch (error) {
    heard.last = thrown(error, kit.signal);
  }
  return heard;
}

/** What was shown stays: stored as it broke off, and then passed over in requests once another try begins. */
async function* keepPart(heard: Heard, kit: TurnKit): AsyncGenerator<TurnEvent> {
  const isShown = heard.content.some((part) => part.type === "tool_call" || part.text !== "");
  if (isShown) yield* store(heard, "interrupted", kit);
}

async function* keep(heard: Heard, kit: TurnKit): AsyncGenerator<TurnEvent, Reply> {
  const status = statusOf(heard);
  yield* store(heard, status, kit);
  return replyOf(heard, status);
}

async function* store(
  { content, last, after }: Heard,
  status: AssistantStatus,
  kit: TurnKit,
): AsyncGenerator<TurnEvent> {
  const stop = last?.type === "stop" ? last.reason : null;
  const error = status === "error" ? { error: failureText(last) } : {};
  yield stored(
    kit.log.append({ type: "message.assistant", data: { content, status, stop, ...error } }),
  );
  for (const aside of after) yield stored(kit.log.append(await draftOf(aside, kit)));
}

/** Stopped by the person, and what only a smaller request would help. */
const UNHELPED: ReadonlySet<ProviderErrorKind> = new Set(["aborted", "context_overflow"]);

/** The failure that another try might help against. */
function failureOf({ last }: Heard): ProviderError | null {
  if (last === null) return problem("stream_cut", true, UNENDED);
  if (last.type === "stop" || UNHELPED.has(last.error.kind)) return null;
  return last.error;
}

function problem(kind: ProviderErrorKind, retryable: boolean, message: string): ProviderError {
  return { kind, retryable, retryAfterMs: null, status: null, requestId: null, message };
}

/** A model that throws has a bug; what was heard before is kept like that of any broken reply. */
function thrown(error: unknown, signal: AbortSignal): Last {
  const what = error instanceof Error ? error.message : String(error);
  const message = `burin failed while it listened to the model (a bug): ${what}`;
  const kind = signal.aborted ? "aborted" : "server";
  return { type: "failed", error: problem(kind, false, message) };
}

/** Notes one model event; gives what the screen should see of it. */
function take(event: ModelEvent, heard: Heard): TurnEvent | null {
  switch (event.type) {
    case "text":
      return grow(heard, "text", event.delta) ? live(event) : null;
    case "thinking":
      return grow(heard, "reasoning", event.delta) ? live(event) : null;
    case "call.begin":
      heard.isBorder = true;
      return live(event);
    case "call.delta":
      return live(event);
    case "call":
      heard.content.push({ type: "tool_call", ...event.call });
      return null;
    case "stop":
      heard.last = event;
      return refusalText(event, heard);
    case "failed":
      heard.last = event;
      return null;
    case "keep":
      heard.after.push({ type: "kept", part: partFor(event.of, heard), item: event.item });
      return null;
    case "usage":
    case "response":
    case "metrics":
      heard.after.push(event);
      return null;
  }
}

/** The part that something kept belongs to: the last one where it is of that kind, else an empty one made for it. */
function partFor(kind: StoredAssistantPart["type"], heard: Heard): number {
  const { content, after } = heard;
  const last = content.length - 1;
  const isTaken = after.some((aside) => aside.type === "kept" && aside.part === last);
  // What comes next is another part: two blocks of thinking have two signatures.
  heard.isBorder = true;
  const isOpen = content[last]?.type === kind && !isTaken;
  if (isOpen || kind === "tool_call") return Math.max(0, last);
  content.push({ type: kind, text: "" });
  return content.length - 1;
}

/** A refusal that came without text is shown, and kept, in the model's own words. */
function refusalText(
  { because }: Extract<ModelEvent, { type: "stop" }>,
  heard: Heard,
): TurnEvent | null {
  if (because === undefined || heard.content.some((part) => part.type === "text")) return null;
  return grow(heard, "text", because) ? live({ type: "text", delta: because }) : null;
}

async function draftOf(event: Aside, { model, price }: TurnKit): Promise<Draft> {
  switch (event.type) {
    case "kept": {
      const { part, item } = event;
      return {
        type: "model.provider_item",
        data: { wire: model.wire, model: model.id, part, item },
      };
    }
    case "usage": {
      const costUsd = event.usage.costUsd ?? (await price(event.usage));
      return { type: "model.usage", data: { usage: event.usage, costUsd, model: model.id } };
    }
    case "response":
      return { type: "model.response", data: { responseId: event.id, model: event.model } };
    case "metrics":
      return { type: "model.metrics", data: event.metrics };
  }
}

/**
 * Appends to the last part when it is of the same kind, else opens one: parts keep the order in which they came. False
 * where there is nothing to append.
 */
function grow(heard: Heard, type: "text" | "reasoning", delta: string): boolean {
  if (delta === "") return false;
  const last = heard.content.at(-1);
  if (last?.type === type && !heard.isBorder) last.text += delta;
  else heard.content.push({ type, text: delta });
  heard.isBorder = false;
  return true;
}

function statusOf({ last }: Heard): AssistantStatus {
  if (last === null) return "error";
  if (last.type === "failed") return last.error.kind === "aborted" ? "interrupted" : "error";
  if (last.reason === "length") return "length";
  return last.reason === "filter" ? "error" : "complete";
}

function replyOf({ content, last }: Heard, status: AssistantStatus): Reply {
  const calls = content.flatMap((part) =>
    part.type === "tool_call" ? [{ id: part.id, name: part.name, arguments: part.arguments }] : [],
  );
  const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
  if (status === "interrupted") return { kind: "end", end: { status } };
  if (last?.type === "failed" && last.error.kind === "context_overflow") {
    return { kind: "overflow", message: last.error.message };
  }
  if (status !== "complete") return failed(failureText(last));
  if (calls.length > 0) return { kind: "calls", calls };
  if (text === "") return failed("the model gave an empty reply: try again, or another model");
  return { kind: "end", end: { status: "complete", text } };
}

function failureText(last: Last | null): string {
  if (last === null) return UNENDED;
  if (last.type === "failed") return last.error.message;
  return last.reason === "filter" ? FILTERED : CUT;
}

function failed(message: string): Reply {
  return { kind: "end", end: { status: "error", message } };
}
