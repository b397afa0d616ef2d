// A neutral request as GenerateAssistantResponse of CodeWhisperer: a history of pairs, and the message to answer.
import type { Endpoint, WireRequest } from "../provider.ts";
import type { MediaPart, ModelMessage, ModelRequest, UserPart } from "../request.ts";
import { argumentsObject } from "./replay.ts";

type Json = Record<string, unknown>;

export function encodeCodewhisperer(endpoint: Endpoint, request: ModelRequest): WireRequest {
  const { credential } = endpoint;
  return {
    url: `${endpoint.baseUrl.replace(/\/+$/, "")}/`,
    headers: {
      "content-type": "application/x-amz-json-1.0",
      accept: "application/vnd.amazon.eventstream",
      "x-amz-target": "AmazonCodeWhispererStreamingService.GenerateAssistantResponse",
      // What is said is not for training.
      "x-amzn-codewhisperer-optout": "true",
      ...(credential.kind === "key"
        ? { authorization: `Bearer ${credential.key}`, tokentype: "API_KEY" }
        : {}),
    },
    body: JSON.stringify(bodyOf(request)),
  };
}

/** The history comes before what changes most: its bytes begin the next request's. The effort has no place here. */
function bodyOf(request: ModelRequest): Json {
  const { model, cacheKey } = request;
  const turns = turnsOf(request);
  const last = turns.at(-1);
  const asked = last?.role === "user" ? last : { ...EMPTY, role: "user" as const };
  const before = asked === last ? turns.slice(0, -1) : turns;
  return {
    conversationState: {
      chatTriggerType: "MANUAL",
      ...(cacheKey === null ? {} : { conversationId: cacheKey }),
      history: before.map((turn) => wireTurn(turn, model, [])),
      currentMessage: wireTurn(asked, model, request.tools.map(wireTool)),
    },
  };
}

function wireTool({ name, description, parameters }: ModelRequest["tools"][number]): Json {
  return { toolSpecification: { name, description, inputSchema: { json: parameters } } };
}

/** All that one side said in a row. */
type Turn = {
  role: "user" | "assistant";
  texts: string[];
  images: MediaPart[];
  results: Json[];
  calls: Json[];
};

const EMPTY = { texts: [], images: [], results: [], calls: [] };

/** There is no place for the system's words: they begin the first message. */
function turnsOf(request: ModelRequest): Turn[] {
  const system = request.system.filter((block) => block !== "");
  const turns: Turn[] = system.length === 0 ? [] : [{ ...EMPTY, role: "user", texts: [...system] }];
  for (const message of request.messages) {
    const turn = turnOf(message);
    const last = turns.at(-1);
    if (last?.role === turn.role) turns[turns.length - 1] = joined(last, turn);
    else turns.push(turn);
  }
  return turns;
}

function joined(one: Turn, other: Turn): Turn {
  return {
    role: one.role,
    texts: [...one.texts, ...other.texts],
    images: [...one.images, ...other.images],
    results: [...one.results, ...other.results],
    calls: [...one.calls, ...other.calls],
  };
}

function turnOf(message: ModelMessage): Turn {
  switch (message.role) {
    case "user":
      return {
        ...EMPTY,
        role: "user",
        texts: textsIn(message.parts),
        images: imagesIn(message.parts),
      };
    case "tool":
      return {
        ...EMPTY,
        role: "user",
        images: imagesIn(message.parts),
        results: [
          {
            toolUseId: message.callId,
            content: [{ text: textsIn(message.parts).join("\n").toWellFormed() }],
            status: message.isError ? "error" : "success",
          },
        ],
      };
    case "assistant":
      return {
        ...EMPTY,
        role: "assistant",
        texts: message.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])),
        calls: message.parts.flatMap((part) =>
          part.type === "tool_call"
            ? [
                {
                  toolUseId: part.call.id,
                  name: part.call.name,
                  input: argumentsObject(part.call.arguments),
                },
              ]
            : [],
        ),
      };
  }
}

function textsIn(parts: UserPart[]): string[] {
  return parts.flatMap((part) => {
    if (part.type === "text") return [part.text];
    return part.type === "image" ? [] : [`[${part.type} ${part.name}: it cannot be sent here]`];
  });
}

function imagesIn(parts: UserPart[]): MediaPart[] {
  return parts.flatMap((part) => (part.type === "image" ? [part] : []));
}

function wireTurn(turn: Turn, modelId: string, tools: Json[]): Json {
  const { role, texts, images, results, calls } = turn;
  if (role === "assistant") {
    const content = texts.join("").toWellFormed();
    const uses = calls.length === 0 ? {} : { toolUses: calls };
    return { assistantResponseMessage: { content, ...uses } };
  }
  const context = {
    ...(results.length === 0 ? {} : { toolResults: results }),
    ...(tools.length === 0 ? {} : { tools }),
  };
  return {
    userInputMessage: {
      content: texts.join("\n\n").toWellFormed(),
      origin: "CLI",
      modelId,
      ...(images.length === 0 ? {} : { images: images.map(wireImage) }),
      ...(Object.keys(context).length === 0 ? {} : { userInputMessageContext: context }),
    },
  };
}

function wireImage({ mediaType, data }: MediaPart): Json {
  return { format: mediaType.replace(/^image\//, ""), source: { bytes: data } };
}
