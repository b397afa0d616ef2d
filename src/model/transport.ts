// How requests travel: what every transport does, and the one over HTTP.
import { send, type HttpOptions, type HttpResult } from "../wire/http.ts";
import type { TransportFigures } from "./event.ts";
import type { BodyPieces, WireRequest } from "./provider.ts";

/** `auto` is a WebSocket as long as the server goes along with it. */
export type TransportChoice = "auto" | "http" | "websocket";

export type Sent = HttpResult & { sentBytes: number; figures: TransportFigures | null };

export type Transport = {
  /** Never throws. `figures` is null where the wire knows but one way. */
  send(request: WireRequest, signal: AbortSignal): Promise<Sent>;
  close(): void;
};

export function overHttp(http: HttpOptions): Transport {
  return {
    async send(request, signal) {
      const { url, headers, body, pieces } = request;
      const result = await send({ method: "POST", url, headers, body }, http, signal);
      const figures = pieces === undefined ? null : figuresOf(pieces);
      return { ...result, sentBytes: Buffer.byteLength(body), figures };
    },
    close: () => undefined,
  };
}

/** Of a request that is sent whole over HTTP. */
export function figuresOf({ items, parts }: BodyPieces): TransportFigures {
  const count = items.length;
  return {
    kind: "http",
    isReused: false,
    isContinued: false,
    inputItems: count,
    sentItems: count,
    inputBytes: items.reduce((sum, item) => sum + Buffer.byteLength(item), 0),
    ...parts,
    fallback: null,
  };
}
