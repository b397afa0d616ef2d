// What a debug log shows of an exchange: both heads, and of them nothing that could be a secret.
import { visible } from "../base/plain.ts";

const HIDDEN = "•••";
/** Names whose values are never secret. All others show that they are there, and no more. */
const OPEN_HEADERS =
  /^(accept|accept-encoding|anthropic-(beta|version)|cache-control|cf-ray|connection|content-(encoding|length|type)|date|host|openai-(beta|processing-ms|version)|request-id|retry-after(-ms)?|server|transfer-encoding|user-agent|vary|via|x-(amzn-requestid|request-id|should-retry)|(x|anthropic)-ratelimit-[\w-]+)$/;
/** Of a query only what chooses a form of the answer. */
const OPEN_PARAMETERS: ReadonlySet<string> = new Set(["alt", "api-version"]);

type Head = { method: string; url: string; headers: Record<string, string>; body: string | null };
type Came =
  | { ok: true; reply: { status: number; headers: Record<string, string> } }
  | { ok: false; failure: { message: string } };

export type Log = { sent(request: Head, place: string): void; came(result: Came): void };

export function logTo(take: (lines: string) => void): Log {
  let since = 0;
  return {
    sent({ method, url, headers, body }, place) {
      since = performance.now();
      const size = Buffer.byteLength(body ?? "");
      take(lines("→", `${method} ${plainUrl(url)} (${place}, ${size} bytes)`, headers));
    },
    came(result) {
      const after = `after ${Math.round(performance.now() - since)} ms`;
      if (!result.ok) take(lines("✗", `${result.failure.message} (${after})`, {}));
      else take(lines("←", `HTTP ${result.reply.status} ${after}`, result.reply.headers));
    },
  };
}

function lines(mark: string, first: string, headers: Record<string, string>): string {
  const rows = Object.entries(headers).map(([name, value]) => {
    const shown = OPEN_HEADERS.test(name.toLowerCase()) ? visible(value, "") : HIDDEN;
    return `${mark}   ${visible(name.toLowerCase(), "")}: ${shown}\n`;
  });
  return `${mark} ${visible(first, "")}\n${rows.join("")}`;
}

/** Without name and password, and without what a query may carry. */
function plainUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null) return "a URL that cannot be read";
  const query = [...url.searchParams].map(
    ([name, value]) => `${name}=${OPEN_PARAMETERS.has(name) ? value : HIDDEN}`,
  );
  return `${url.protocol}//${url.host}${url.pathname}${query.length === 0 ? "" : `?${query.join("&")}`}`;
}
