// Servers behind a Unix socket: `unix:/run/model.sock:/v1` as people write it, `http+unix://…` as a URL to build on.

const SCHEME = "http+unix://";

/** What the settings and flags give, as a base URL: everything that names no socket stays as it is. */
export function baseUrlOf(written: string): string {
  const [, path, rest = ""] = /^unix:(?:\/\/)?(\/[^:?#]+)(?::(\/.*))?$/.exec(written) ?? [];
  return path === undefined ? written : SCHEME + encodeURIComponent(path) + rest;
}

/** The socket and the URL to ask for on it; null for every other URL. */
export function socketOf(url: string): { socket: string; url: string } | null {
  if (!url.startsWith(SCHEME)) return null;
  const [, host = "", rest = ""] = /^([^/?#]*)(.*)$/.exec(url.slice(SCHEME.length)) ?? [];
  try {
    return { socket: decodeURIComponent(host), url: `http://localhost${rest}` };
  } catch {
    return null;
  }
}
