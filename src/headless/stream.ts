// `--output stream-json`: one object a line as things happen, `type` first; a line never repeats an earlier one.
import type { LiveEvent, TurnEvent } from "../agent/event.ts";
import type { EventData, KnownEvent } from "../session/event.ts";
import { closingOf } from "./text.ts";
import type { Said, Sink } from "./sink.ts";

/** Described for other programs in docs/protocols/stream-json.md. */
export function streamSink(isQuiet: boolean): Sink {
  return {
    begin: ({ id, name, model }) => said([{ type: "session", session: id, name, model }]),
    event: (event) => said(linesOf(event)),
    end: (report) =>
      Promise.resolve({
        ...said([{ type: "result", ...report }]),
        err: closingOf(report, isQuiet).err,
      }),
  };
}

type Line = { type: string; [field: string]: unknown };

function said(lines: Line[]): Said {
  return { out: lines.map((line): string => `${JSON.stringify(line)}\n`).join(""), err: "" };
}

function linesOf(event: TurnEvent): Line[] {
  switch (event.kind) {
    case "live":
      return liveLines(event.event);
    case "stored":
      return storedLines(event.event);
    case "end":
      return [];
  }
}

function liveLines(event: LiveEvent): Line[] {
  switch (event.type) {
    case "text":
      return [{ type: "text", text: event.delta }];
    case "thinking":
      return [{ type: "reasoning", text: event.delta }];
    case "notice":
      return [{ type: "notice", text: event.text }];
    case "retry": {
      const { attempt, tries, ms, because } = event;
      return [{ type: "retry", attempt, tries, wait_ms: ms, because }];
    }
    case "request":
    case "call.begin":
    case "call.delta":
    case "tool.begin":
    case "tool.output":
      return [];
  }
}

function storedLines(event: KnownEvent): Line[] {
  switch (event.type) {
    case "message.assistant":
      return callLines(event.data);
    case "message.tool":
      return [resultLine(event.data)];
    case "permission.decision": {
      const { tool, toolCallId, decision, by, because } = event.data;
      return [{ type: "permission", id: toolCallId, tool, decision, by, because }];
    }
    case "model.usage": {
      const { usage, costUsd } = event.data;
      const { input, cacheRead: cached, output, reasoning } = usage;
      return [{ type: "usage", input, cached, output, reasoning, cost_usd: costUsd }];
    }
    case "message.user":
    case "session.started":
    case "session.renamed":
    case "session.leaf":
    case "checkpoint":
    case "session.ended":
    case "model.response":
    case "model.provider_item":
    case "model.metrics":
    case "model.retry":
    case "model.changed":
      return [];
  }
}

/** Told by the reply and not by the runs: a call that is refused or repeated has a line as well. */
function callLines({ content, status }: EventData["message.assistant"]): Line[] {
  if (status !== "complete") return [];
  return content.flatMap((part) =>
    part.type === "tool_call"
      ? [{ type: "tool_call", id: part.id, name: part.name, arguments: part.arguments }]
      : [],
  );
}

function resultLine(data: EventData["message.tool"]): Line {
  const { toolCallId, name, isError, summary, content, durationMs, diff } = data;
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
