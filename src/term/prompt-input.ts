// The keyboard as a stream, for a prompt that reads keys itself: it hears byte by byte, and nothing after its answer.
import { Readable } from "node:stream";

export type PromptInput = {
  stream: Readable;
  hear(bytes: Uint8Array): void;
  /** What was typed after the answer. */
  rest(): Uint8Array;
};

/** Ctrl+D. */
const END_OF_INPUT = 4;
const NEWLINE = 10;
const RETURN = 13;

/** `endOfInput` is called for Ctrl+D, a key that prompts do not know. */
export function promptInput(endOfInput: () => void): PromptInput {
  let isAsking = false;
  let pending: Uint8Array = new Uint8Array();
  const stream = Object.assign(new Readable({ read: () => undefined }), {
    isTTY: true,
    // The terminal stays raw around the prompt; this only tells when the prompt begins and when it has its answer.
    setRawMode: (isOn: boolean): void => {
      isAsking = isOn;
      queueMicrotask(pump);
    },
  });
  return {
    stream,
    hear: (bytes) => {
      pending = Buffer.concat([pending, bytes]);
      pump();
    },
    rest: () => pending,
  };

  function pump(): void {
    while (hasNext()) next();
  }

  function hasNext(): boolean {
    return isAsking && pending.length > 0;
  }

  function next(): void {
    const [byte = 0] = pending;
    pending = pending.subarray(1);
    if (byte === END_OF_INPUT) endOfInput();
    // Enter that was typed before the terminal was raw is a newline. Emitted, not pushed: heard before the next byte.
    else stream.emit("data", Buffer.from([byte === NEWLINE ? RETURN : byte]));
  }
}
