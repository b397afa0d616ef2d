// `--output stream-json`: one object a line as things happen, `type` first; a line never repeats an earlier one.
import type { LiveEvent, TurnEvent } from "../agent/event.ts";
import type { KnownEvent } from "../session/event.ts";
import { closingOf } from "./text.ts";
import type { Sink } from "./sink.ts";

/** Described for other programs in docs/protocols/stream-json.md. */
export function streamSink(isQuiet: boolean): Sink {
  return {
    begin: ({ id, name, model }) => said({ type: "session", session: id, name, model }),
    event: (event) => said(lineOf(event)),
    end: (report) =>
      Promise.resolve({
        out: `${JSON.stringify({ type: "result", ...report })}\n`,
        err: closingOf(report, isQuiet).err,
      }),
  };
}

type Line = { type: string; [field: string]: unknown };

function said(line: Line | null): { out: string; err: string } {
  return { out: line === null ? "" : `${JSON.stringify(line)}\n`, err: "" };
}

function lineOf(event: TurnEvent): Line | null {
  switch (event.kind) {
    case "live":
      return liveLine(event.event);
    case "stored":
      return storedLine(event.event);
    case "end":
      return null;
  }
}

function liveLine(event: LiveEvent): Line | null {
  switch (event.type) {
    case "text":
      return { type: "text", text: event.delta };
    case "thinking":
      return { type: "reasoning", text: event.delta };
    case "tool.begin": {
      const { id, name, arguments: written } = event.call;
      return { type: "tool_call", id, name, arguments: written, title: event.title };
    }
    case "notice":
      return { type: "notice", text: event.text };
    case "request":
    case "call.begin":
    case "call.delta":
    case "tool.output":
      return null;
  }
}

function storedLine(event: KnownEvent): Line | null {
  if (event.type === "message.tool") {
    const { toolCallId, name, isError, summary, content, durationMs, diff } = event.data;
    const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
    return {
      type: "tool_result",
      id: toolCallId,
      name,
      is_error: isError,
      summary,
      text,
      ...(diff === undefined ? {} : { diff }),
      duration_ms: Math.round(durationMs),
    };
  }
  if (event.type === "permission.decision") {
    const { tool, toolCallId, decision, by, because } = event.data;
    return { type: "permission", id: toolCallId, tool, decision, by, because };
  }
  if (event.type === "model.usage") {
    const { usage, costUsd } = event.data;
    return {
      type: "usage",
      input: usage.input,
      cached: usage.cacheRead,
      output: usage.output,
      reasoning: usage.reasoning,
      cost_usd: costUsd,
    };
  }
  return null;
}
