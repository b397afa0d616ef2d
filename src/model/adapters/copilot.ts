// Copilot's host speaks the wires of others and wants to be told, by headers, who asks and on whose behalf.
import type { Adapter } from "../provider.ts";
import type { ModelMessage, ModelRequest } from "../request.ts";

/** Its service turns away requests without these two; burin names itself in them. */
const EDITOR = { "editor-version": "burin/1", "editor-plugin-version": "burin/1" };
/** The one integration that it takes from clients without a registration of their own. */
const INTEGRATION = { "copilot-integration-id": "vscode-chat" };

/** `inner` is the wire of the model: chat, or responses where the model speaks only that. */
export function copilot(inner: Adapter): Adapter {
  const { overSocket: _, ...overHttp } = inner;
  return {
    ...overHttp,
    encode: (endpoint, request) => {
      const encoded = inner.encode(endpoint, request);
      return { ...encoded, headers: { ...encoded.headers, ...headersFor(request) } };
    },
  };
}

/** Only what a person asks counts as a premium request; the rounds that follow from it do not. */
function headersFor({ messages }: ModelRequest): Record<string, string> {
  return {
    ...EDITOR,
    ...INTEGRATION,
    "openai-intent": "conversation-edits",
    "x-initiator": messages.at(-1)?.role === "user" ? "user" : "agent",
    ...(messages.some(hasImage) ? { "copilot-vision-request": "true" } : {}),
  };
}

function hasImage(message: ModelMessage): boolean {
  return message.role !== "assistant" && message.parts.some(({ type }) => type === "image");
}
