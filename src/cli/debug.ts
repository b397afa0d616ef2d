// `burin debug decode`: a provider's recorded bytes as model events, to see what burin makes of them.
import { accessSync, constants, statSync } from "node:fs";
import type { ArgsDef } from "citty";
import { invalid, missing, ok, type Result } from "../base/failure.ts";
import { decodeRecording, summarize } from "../model/decode.ts";
import { WIRES } from "../model/wire-names.ts";
import { command } from "./command.ts";
import { print, refuse, refuseText } from "./exit.ts";
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
        refuseText(
          what === undefined
            ? "burin debug needs to know what: burin debug decode"
            : `unknown command debug ${what}; did you mean burin debug decode?`,
        ),
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
  const status = httpStatus(wish.status);
  if (!status.ok) return refuse(status.failure);
  const body = bytesOf(wish.file);
  if (!body.ok) return refuse(body.failure);
  const events = await decodeRecording({
    wire: wish.wire,
    status: status.value,
    contentType: wish["content-type"] ?? "text/event-stream",
    body: body.value,
  });
  if (!events.ok) return refuse(events.failure);
  if (wish.summary) return print(`${JSON.stringify(await summarize(events.value))}\n`);
  for await (const event of events.value) {
    const printed = print(`${JSON.stringify(event)}\n`);
    if (printed !== 0) return printed;
  }
  return 0;
}

function httpStatus(text: string | undefined): Result<number> {
  const status = wholeNumber("--status", text ?? "200");
  if (!status.ok) return status;
  if (status.value !== null && status.value >= 100 && status.value <= 599) return ok(status.value);
  return invalid(`--status must be an HTTP status, 100 to 599, not ${text}`);
}

function bytesOf(file: string | undefined): Result<AsyncIterable<Uint8Array>> {
  if (file === undefined || file === "-") return ok(Bun.stdin.stream());
  try {
    if (statSync(file).isDirectory()) return invalid(`${file} is a folder: give a file of bytes`);
    accessSync(file, constants.R_OK);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return missing(`${file} cannot be read (${why}): give a file of bytes, or standard input`);
  }
  return ok(Bun.file(file).stream());
}
