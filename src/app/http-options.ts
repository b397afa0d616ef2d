// How requests to one provider travel: where to, within which limits of time, through which proxy.
import { invalid, ok, type Result } from "../base/failure.ts";
import { DEFAULT_HTTP, type HttpOptions } from "../wire/http.ts";
import { baseUrlOf } from "../wire/socket-url.ts";
import type { HttpWish, ProviderHttp } from "./encrypted-http.ts";

export async function httpFor(wish: HttpWish): Promise<Result<ProviderHttp>> {
  const { baseUrl, table, env, trace } = wish;
  const { proxy } = table;
  const http = {
    timeouts: timeoutsOf(table),
    environment: env,
    ...(proxy === undefined ? {} : { proxy }),
    ...(trace === undefined ? {} : { trace }),
  };
  if (!baseUrl.startsWith("https:")) return ok({ http, notices: [], preconnect: () => undefined });
  // A server of this machine usually goes without: it should not wait for what knows of certificates.
  const { encryptedHttp } = await import("./encrypted-http.ts");
  return encryptedHttp(http, wish);
}

/** The base URL of a flag or a setting; null where none is given. */
export function givenBaseUrl(written: string | null): Result<string | null> {
  const url = written === null ? null : baseUrlOf(written);
  if (url === null || (/^(?:https?|http\+unix):\/\//i.test(url) && URL.canParse(url)))
    return ok(url);
  return invalid(
    `the base URL ${JSON.stringify(written)} is not an http or https URL, such as http://127.0.0.1:8080/v1, nor a socket, such as unix:/run/model.sock:/v1`,
  );
}

function timeoutsOf(table: HttpWish["table"]): HttpOptions["timeouts"] {
  const { connectMs, firstByteMs, idleMs } = DEFAULT_HTTP.timeouts;
  return {
    ...(connectMs === undefined ? {} : { connectMs: ms(table.connect_timeout_s, connectMs) }),
    firstByteMs: ms(table.timeout_s, firstByteMs),
    idleMs: ms(table.idle_timeout_s, idleMs),
  };
}

function ms(seconds: number | undefined, usual: number): number {
  return seconds === undefined ? usual : seconds * 1000;
}
