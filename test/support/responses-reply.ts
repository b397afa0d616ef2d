// Replies of the Responses API in tests: as events, and as the input items that a later request must hold of them.

export type ReplyItem =
  | { type: "reasoning"; id: string; summary: string; encrypted: string }
  | { type: "message"; text: string; phase?: string }
  | { type: "function_call"; id: string; name: string; input: Record<string, unknown> };

export type ResponsesReply = {
  items: ReplyItem[];
  usage?: Record<string, unknown>;
  /** The reason why it is incomplete; left out: it is complete. */
  incomplete?: string;
};

export type StreamEvent = { type: string; [field: string]: unknown };

export function sse(...events: StreamEvent[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}

export function responsesBody(reply: ResponsesReply, at = 0): string {
  return sse(...responsesEvents(reply, at));
}

/** The reply as a stream: every text in two halves, and an event of a kind that nobody knows. */
export function responsesEvents({ items, usage, incomplete }: ResponsesReply, at = 0) {
  const id = replyId(at);
  const response = (more: object): object => ({
    id,
    object: "response",
    model: "served-model",
    error: null,
    incomplete_details: null,
    output: [],
    usage: null,
    ...more,
  });
  const end = {
    status: incomplete === undefined ? "completed" : "incomplete",
    incomplete_details: incomplete === undefined ? null : { reason: incomplete },
    output: items.map(wireItem),
    usage: { input_tokens: 10, output_tokens: 20, ...usage },
  };
  const type = `response.${end.status}`;
  return [
    { type: "response.created", response: response({ status: "in_progress" }) },
    { type: "response.in_progress", response: response({ status: "in_progress" }) },
    { type: "codex.rate_limits", plan: "x" },
    ...items.flatMap(itemEvents),
    { type, response: response(end) },
  ].map((event, index): StreamEvent => ({ ...event, sequence_number: index }));
}

export function replyId(at: number): string {
  return `resp_${at + 1}`;
}

function itemEvents(item: ReplyItem, index: number): StreamEvent[] {
  const done = wireItem(item);
  const event = (type: string, more: object): StreamEvent => ({
    type: `response.${type}`,
    item_id: done["id"],
    output_index: index,
    ...more,
  });
  return [
    event("output_item.added", { item: { ...done, ...emptied(item), status: "in_progress" } }),
    ...growth(item, event),
    event("output_item.done", { item: done }),
  ];
}

function emptied({ type }: ReplyItem): object {
  if (type === "function_call") return { arguments: "" };
  return type === "message" ? { content: [] } : { summary: [], encrypted_content: "" };
}

function growth(
  item: ReplyItem,
  event: (type: string, more: object) => StreamEvent,
): StreamEvent[] {
  switch (item.type) {
    case "message":
      return [
        ...halves(item.text).map((delta) =>
          event("output_text.delta", { content_index: 0, delta }),
        ),
        event("output_text.done", { content_index: 0, text: item.text }),
      ];
    case "reasoning":
      return halves(item.summary).map((delta) =>
        event("reasoning_summary_text.delta", { summary_index: 0, delta }),
      );
    case "function_call": {
      const text = JSON.stringify(item.input);
      return [
        ...halves(text).map((delta) => event("function_call_arguments.delta", { delta })),
        event("function_call_arguments.done", { arguments: text }),
      ];
    }
  }
}

function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== "");
}

/** As the server gives it. */
function wireItem(item: ReplyItem): StreamEvent {
  switch (item.type) {
    case "message": {
      const content = [{ type: "output_text", text: item.text, annotations: [] }];
      const phase = item.phase === undefined ? {} : { phase: item.phase };
      return {
        id: "msg_1",
        type: item.type,
        role: "assistant",
        status: "completed",
        ...phase,
        content,
      };
    }
    case "reasoning":
      return { ...inputItem(item), status: null, content: null };
    case "function_call":
      return { id: `fc_${item.id}`, status: "completed", ...inputItem(item) };
  }
}

/** As it comes back in the input. */
export function inputItem(item: ReplyItem): StreamEvent {
  switch (item.type) {
    case "message": {
      const phase = item.phase === undefined ? {} : { phase: item.phase };
      return { type: item.type, role: "assistant", ...phase, content: item.text };
    }
    case "reasoning": {
      const summary = item.summary === "" ? [] : [{ type: "summary_text", text: item.summary }];
      return { type: item.type, id: item.id, summary, encrypted_content: item.encrypted };
    }
    case "function_call":
      return {
        type: item.type,
        call_id: item.id,
        name: item.name,
        arguments: JSON.stringify(item.input),
      };
  }
}
