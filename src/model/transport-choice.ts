// Which transport a model's requests take: HTTP, or a WebSocket where the wire knows one and the settings want it.
import type { HttpOptions } from "../wire/http.ts";
import type { Adapter } from "./provider.ts";
import { overHttp, type Transport, type TransportChoice } from "./transport.ts";

/** What knows of WebSockets is loaded with the first request that is to take one. */
export function transportOf(
  { overSocket }: Adapter,
  choice: TransportChoice,
  http: HttpOptions,
): Transport {
  const direct = overHttp(http);
  if (choice === "http" || overSocket === undefined) return direct;
  let opening: Promise<Transport> | null = null;
  const open = async (): Promise<Transport> => {
    const { overWebSocket } = await import("./transport-websocket.ts");
    return overWebSocket({ overSocket, direct, http, hasFallback: choice === "auto" });
  };
  return {
    async send(request, signal) {
      opening ??= open();
      return (await opening).send(request, signal);
    },
    close: () => void opening?.then((transport) => transport.close()),
  };
}
