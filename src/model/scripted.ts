// The scripted model: plays turns written beforehand, for demos, reproductions and tests. No network.
import type { ModelEvent, ProviderError, ToolCall, Usage } from "./event.ts";
import type { Model } from "./provider.ts";
import type { ModelMessage, ModelRequest } from "./request.ts";
import type { Script, ScriptStep, ScriptTurn } from "./script.ts";

export type ScriptedModel = Model & {
  /** Every request so far, in order. */
  readonly requests: readonly ModelRequest[];
};

const CHARS_PER_TOKEN = 4;

/** Each request plays the next turn. */
export function scriptedModel(script: Script | ScriptTurn[], provider = "script"): ScriptedModel {
  const { turns, after, otherwise, loop } = Array.isArray(script) ? { turns: script } : script;
  const list = turns.flatMap((turn) =>
    Array.from({ length: turn.repeat ?? 1 }, (_, at) => ({ turn, round: at + 1 })),
  );
  const requests: ModelRequest[] = [];
  return {
    provider,
    wire: "demo",
    id: provider,
    requests,
    async *stream(request, signal) {
      requests.push(request);
      const number = requests.length;
      const last = after && { turn: after, round: 1 };
      const next = list[loop ? (number - 1) % list.length : number - 1] ?? last;
      if (next === undefined) {
        yield failed(`the script has no turn ${number}`);
        return;
      }
      const unmet = unmetExpectation(next.turn, request);
      if (unmet === null) yield* play(next.turn, next.round, request, signal);
      else if (otherwise) yield* play(otherwise, 1, request, signal);
      else yield failed(`turn ${number} of the script ${unmet}`);
    },
  };
}

/** Answers with what the user said last. */
export function echoModel(): Model {
  return {
    provider: "echo",
    wire: "demo",
    id: "echo",
    stream: (request, signal) =>
      play({ steps: [{ text: lastUserText(request) }] }, 1, request, signal),
  };
}

async function* play(
  turn: ScriptTurn,
  round: number,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const calls: ToolCall[] = [];
  let said = 0;
  for await (const event of playSteps(turn, round, request, signal)) {
    if (signal.aborted) break;
    if (event.type === "call") calls.push(event.call);
    else yield event;
    if ("delta" in event) said += event.delta.length;
  }
  if (signal.aborted) {
    yield { type: "failed", error: problem("aborted", "the request was stopped") };
    return;
  }
  yield* endOf(turn, calls, usageOf(turn, request, said));
}

/** A reply that breaks off has no whole calls. */
function endOf(turn: ScriptTurn, calls: ToolCall[], usage: Usage): ModelEvent[] {
  const error = errorOf(turn);
  if (error) {
    return [
      { type: "usage", usage },
      { type: "failed", error },
    ];
  }
  return [
    ...calls.map((call) => ({ type: "call", call }) as const),
    { type: "usage", usage },
    { type: "stop", reason: turn.stop ?? (calls.length > 0 ? "calls" : "end") },
  ];
}

async function* playSteps(
  turn: ScriptTurn,
  round: number,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const fill = (text: string): string => text.replaceAll("{{i}}", String(round));
  for (const [at, step] of (turn.steps ?? []).entries()) {
    if (step.delay !== undefined) await pause(step.delay, signal);
    const call = callOf(step, fill, `call_${request.messages.length}_${at + 1}`);
    if (call) yield* callEvents(call, step.fragments ?? 1);
    else yield* wordEvents(step, fill);
  }
}

type Fill = (text: string) => string;

function wordEvents(step: ScriptStep, fill: Fill): ModelEvent[] {
  const type = step.text === undefined ? "thinking" : "text";
  const words = [step.text ?? step.reasoning ?? []].flat();
  return Array.from({ length: step.repeat ?? 1 }, () => words)
    .flat()
    .map((delta) => ({ type, delta: fill(delta) }));
}

function callOf(step: ScriptStep, fill: Fill, id: string): ToolCall | null {
  if (step.tool === undefined) return null;
  const args = typeof step.args === "string" ? step.args : JSON.stringify(step.args ?? {});
  return { id: step.id ?? id, name: step.tool, arguments: fill(args) };
}

function callEvents(call: ToolCall, fragments: number): ModelEvent[] {
  const size = Math.max(1, Math.ceil(call.arguments.length / fragments));
  const events: ModelEvent[] = [{ type: "call.begin", id: call.id, name: call.name }];
  for (let at = 0; at < call.arguments.length; at += size) {
    events.push({ type: "call.delta", id: call.id, delta: call.arguments.slice(at, at + size) });
  }
  return [...events, { type: "call", call }];
}

function errorOf(turn: ScriptTurn): ProviderError | null {
  if (turn.cut) return { ...problem("stream_cut", "the reply broke off"), retryable: true };
  if (turn.error === undefined) return null;
  const { kind, message, retryable, retryAfterMs, status } = turn.error;
  return {
    ...problem(kind, message),
    retryable: retryable ?? false,
    retryAfterMs: retryAfterMs ?? null,
    status: status ?? null,
  };
}

function failed(message: string): ModelEvent {
  return { type: "failed", error: problem("bad_request", message) };
}

function problem(kind: ProviderError["kind"], message: string): ProviderError {
  return { kind, message, retryable: false, retryAfterMs: null, status: null, requestId: null };
}

/** What a script does not say is estimated; it costs nothing. */
function usageOf(turn: ScriptTurn, request: ModelRequest, said: number): Usage {
  const asked = JSON.stringify([request.system, request.messages, request.tools]).length;
  const given = turn.usage ?? {};
  return {
    input: given.input ?? Math.ceil(asked / CHARS_PER_TOKEN),
    cacheRead: given.cacheRead ?? 0,
    cacheWrite: given.cacheWrite ?? 0,
    output: given.output ?? Math.ceil(said / CHARS_PER_TOKEN),
    reasoning: given.reasoning ?? 0,
    costUsd: given.costUsd === undefined ? 0 : given.costUsd,
  };
}

/** Null when the tool results since the model's last message hold all that the turn expects. */
function unmetExpectation(turn: ScriptTurn, request: ModelRequest): string | null {
  const from = request.messages.findLastIndex((message) => message.role === "assistant");
  const results = request.messages.slice(from + 1).filter((message) => message.role === "tool");
  const shown = results.map(textOf).join("\n");
  const missing = [turn.expect ?? []].flat().find((text) => !shown.includes(text));
  if (missing === undefined) return null;
  return `expected a tool result with “${missing}”, but the last one is: ${shown.slice(0, 300) || "(none)"}`;
}

function lastUserText(request: ModelRequest): string {
  const last = request.messages.findLast((message) => message.role === "user");
  return last ? textOf(last) : "";
}

function textOf(message: ModelMessage): string {
  return message.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, signal.aborted ? 0 : ms);
  const stop = (): void => resolve();
  signal.addEventListener("abort", stop, { once: true });
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  });
}
