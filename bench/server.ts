// A model server in a process of its own, so that its time is not burin's: OpenAI chat; the model's name chooses what it does.
import * as v from "valibot";
import { callReply, longReply, textReply } from "./replies.ts";

/** What `/report` answers: about the requests since the report before. */
export type Report = {
  requests: number;
  /** Milliseconds from the end of each reply to the arrival of the next request. */
  gaps: number[];
  /** How many of the requests after the first began with all that the one before them held. */
  prefixesKept: number;
  /** Characters of the first request's system messages and tools. */
  promptChars: number;
};

const ChatRequest = v.object({
  model: v.string(),
  messages: v.array(v.unknown()),
  tools: v.optional(v.unknown()),
});
const Message = v.object({ role: v.string(), content: v.unknown() });

type ChatRequest = v.InferOutput<typeof ChatRequest>;

const fresh = (): Report => ({ requests: 0, gaps: [], prefixesKept: 0, promptChars: 0 });

const state = { report: fresh(), last: [""], doneAt: 0 };

function contents(request: ChatRequest, roles: string[]): unknown[] {
  const messages = request.messages.map((message) => v.parse(Message, message));
  return messages.filter(({ role }) => roles.includes(role)).map(({ content }) => content);
}

/** `ok` says a word, `loop-N` asks for N commands one by one, `stream-N` says N deltas. */
function replyTo(request: ChatRequest): string[] {
  const [kind, count = "0"] = request.model.split("-");
  if (kind === "stream") return longReply(Number(count));
  const results = contents(request, ["tool"]).length;
  if (kind === "loop" && results < Number(count))
    return callReply(`call_${results}`, `echo round ${results}`);
  return textReply();
}

function note(request: ChatRequest, arrivedAt: number): void {
  const { report, last } = state;
  // Tools first: they must not change either.
  const parts = [request.tools ?? null, ...request.messages].map((part) => JSON.stringify(part));
  if (report.requests === 0) {
    const texts = contents(request, ["system", "developer"]).map((content) =>
      typeof content === "string" ? content : JSON.stringify(content),
    );
    report.promptChars = texts.join("").length + (parts[0]?.length ?? 0);
  } else {
    report.gaps.push(arrivedAt - state.doneAt);
    if (last.every((part, at) => part === parts[at])) report.prefixesKept += 1;
  }
  report.requests += 1;
  state.last = parts;
}

async function answer(http: Request): Promise<Response> {
  const arrivedAt = performance.now();
  const request = v.parse(ChatRequest, await http.json());
  note(request, arrivedAt);
  const writes = replyTo(request).values();
  const encoder = new TextEncoder();
  const body = new ReadableStream({
    pull(controller) {
      const next = writes.next();
      if (next.done !== true) {
        controller.enqueue(encoder.encode(next.value));
        return;
      }
      state.doneAt = performance.now();
      controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

function takeReport(): Report {
  const report = state.report;
  state.report = fresh();
  return report;
}

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  idleTimeout: 0,
  fetch(http) {
    const { pathname } = new URL(http.url);
    if (pathname === "/report") return Response.json(takeReport());
    if (pathname.endsWith("/chat/completions")) return answer(http);
    if (pathname.endsWith("/models"))
      return Response.json({ object: "list", data: [{ id: "ok", object: "model" }] });
    return new Response("not here", { status: 404 });
  },
});
console.log(server.port);
