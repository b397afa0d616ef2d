// `burin debug decode`: a provider's recorded bytes as model events, to see what burin makes of them.
import { existsSync } from "node:fs";
import type { ArgsDef } from "citty";
import { out } from "../host/out.ts";
import { decodeRecording, summarize } from "../model/decode.ts";
import { WIRES } from "../model/wires.ts";
import { command } from "./command.ts";
import { refuse, refuseText } from "./exit.ts";
import { wholeNumber } from "./values.ts";

const ARGS = {
  wire: { type: "enum", options: [...WIRES], description: "The protocol the bytes are in" },
  status: {
    type: "string",
    valueHint: "N",
    description: "HTTP status of the reply (default: 200)",
  },
  "content-type": {
    type: "string",
    valueHint: "TYPE",
    description: "Content type of the reply (default: text/event-stream)",
  },
  summary: {
    type: "boolean",
    description: "One object: text, reasoning, calls, stop, failed, usage",
  },
} as const satisfies ArgsDef;

export const debugCommand = command({
  name: "burin debug",
  summary: "look inside",
  usage: ["burin debug decode --wire WIRE [FLAGS] [FILE]      without FILE: standard input"],
  args: ARGS,
  extras: { words: 2 },
  examples: ["burin debug decode --wire openai-chat --summary reply.sse"],
  run: ({ args, words: [what, file] }) => {
    if (what !== "decode") {
      return Promise.resolve(
        refuseText(`unknown command debug ${what ?? ""}; did you mean burin debug decode?`),
      );
    }
    return decode({ ...args, file });
  },
});

async function decode(wish: {
  wire?: string | undefined;
  status?: string | undefined;
  "content-type"?: string | undefined;
  summary?: boolean | undefined;
  file: string | undefined;
}): Promise<number> {
  if (wish.wire === undefined) return refuseText(`--wire is missing: one of ${WIRES.join(", ")}`);
  const status = wholeNumber("--status", wish.status);
  if (!status.ok) return refuse(status.failure);
  const body = bytesOf(wish.file);
  if (body === null) return refuseText(`${wish.file ?? "standard input"} cannot be read`);
  const events = decodeRecording({
    wire: wish.wire,
    status: status.value ?? 200,
    contentType: wish["content-type"] ?? "text/event-stream",
    body,
  });
  if (!events.ok) return refuse(events.failure);
  if (wish.summary) out(`${JSON.stringify(await summarize(events.value))}\n`);
  else for await (const event of events.value) out(`${JSON.stringify(event)}\n`);
  return 0;
}

/** Null where the file cannot be opened. */
function bytesOf(file: string | undefined): AsyncIterable<Uint8Array> | null {
  if (file === undefined || file === "-") return Bun.stdin.stream();
  return existsSync(file) ? Bun.file(file).stream() : null;
}
