// Recorded provider bytes to model events, as `burin debug decode` shows them.
import { invalid, ok, type Result } from "../base/failure.ts";
import type { ModelEvent, ProviderError, StopReason, ToolCall, Usage } from "./event.ts";
import { framesOf } from "./frames.ts";
import { isWire, WIRES } from "./wire-names.ts";
import { adapterFor } from "./wires.ts";

export type Recording = {
  wire: string;
  status: number;
  contentType: string;
  body: AsyncIterable<Uint8Array>;
};

export type Summary = {
  text: string;
  reasoning: string;
  calls: ToolCall[];
  stop: StopReason | null;
  failed: ProviderError | null;
  usage: Usage | null;
};

/** Nothing is read before the events are asked for. */
export async function decodeRecording(
  recording: Recording,
): Promise<Result<AsyncGenerator<ModelEvent>>> {
  if (!isWire(recording.wire)) {
    return invalid(`no wire is called “${recording.wire}”; known: ${WIRES.join(", ")}`);
  }
  const adapter = await adapterFor(recording.wire);
  const { status, contentType, body } = recording;
  const head = { status, contentType, headers: {} };
  return ok(
    adapter.decode(
      head,
      framesOf(adapter.framing, { head, body }, () => undefined),
    ),
  );
}

export async function summarize(events: AsyncIterable<ModelEvent>): Promise<Summary> {
  const summary: Summary = {
    text: "",
    reasoning: "",
    calls: [],
    stop: null,
    failed: null,
    usage: null,
  };
  for await (const event of events) add(summary, event);
  return summary;
}

function add(summary: Summary, event: ModelEvent): void {
  switch (event.type) {
    case "text":
      summary.text += event.delta;
      return;
    case "thinking":
      summary.reasoning += event.delta;
      return;
    case "call":
      summary.calls.push(event.call);
      return;
    case "usage":
      summary.usage = event.usage;
      return;
    case "stop":
      summary.stop = event.reason;
      return;
    case "failed":
      summary.failed = event.error;
      return;
    case "call.begin":
    case "call.delta":
    case "keep":
    case "response":
    case "metrics":
      return;
  }
}
