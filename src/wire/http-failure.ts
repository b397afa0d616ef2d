// Why an HTTP exchange failed: the runtime's errors as a closed set of kinds, in sentences that hold no secret.

export type HttpFailureKind =
  | "aborted"
  | "timeout"
  | "refused"
  | "dns"
  | "tls"
  | "reset"
  | "invalid";

/** `message` names the host, and the proxy where one is in between; never a path, a query or a credential. */
export type HttpFailure = { kind: HttpFailureKind; message: string };

export const ABORTED: HttpFailure = { kind: "aborted", message: "the request was stopped" };

/** Host (and proxy) of a URL as errors name them: `api.example.com`, `api.example.com through the proxy proxy:3128`. */
export function placeOf(url: string, proxy: string | null): string {
  const target = URL.parse(url);
  if (target === null) return "the server";
  const host = target.protocol === "http+unix:" ? decodeURIComponent(target.host) : target.host;
  return proxy === null ? host : `${host} through the proxy ${proxy}`;
}

/** Whether the URL's host is this machine: such requests never take a proxy. */
export function isLoopback(url: string): boolean {
  // A socket of the file system leads nowhere else.
  if (url.startsWith("http+unix:")) return true;
  const host = URL.parse(url)?.hostname ?? "";
  return host === "localhost" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** What went wrong, from the error that the runtime threw. Its own message is not used: it can hold the URL. */
export function describe(error: unknown, place: string): HttpFailure {
  const code = codeOf(error);
  if (code === "ERR_PROXY_TUNNEL") return refusedTunnel(error, place);
  const known = KNOWN[code];
  if (known) return { kind: known.kind, message: `${place} ${known.message}` };
  if (isTlsCode(code)) {
    return {
      kind: "tls",
      message: `the certificate of ${place} was not accepted (${code}); name its authority in NODE_EXTRA_CA_CERTS, or as tls.ca of the provider`,
    };
  }
  if (code === "" && error instanceof TypeError && error.message.includes("eader")) {
    return {
      kind: "invalid",
      message: "a header, most likely the key, holds a character that is not allowed",
    };
  }
  return {
    kind: "reset",
    message: `the exchange with ${place} broke off (${code || "no cause given"})`,
  };
}

const KNOWN: Readonly<Record<string, { kind: HttpFailureKind; message: string }>> = {
  ECONNREFUSED: { kind: "refused", message: "refused the connection; is the server running?" },
  ConnectionRefused: { kind: "refused", message: "refused the connection; is the server running?" },
  // Of a socket in the file system.
  ENOENT: { kind: "refused", message: "is not there; is the server running?" },
  EACCES: { kind: "refused", message: "may not be used by you; check its rights" },
  ENOTFOUND: { kind: "dns", message: "was not found; check the name and the network" },
  EAI_AGAIN: { kind: "dns", message: "could not be looked up just now; check the network" },
  ENETUNREACH: { kind: "refused", message: "cannot be reached; check the network" },
  EHOSTUNREACH: { kind: "refused", message: "cannot be reached; check the network" },
  ETIMEDOUT: { kind: "timeout", message: "did not answer" },
  ECONNRESET: { kind: "reset", message: "closed the connection before the reply was complete" },
  EPIPE: { kind: "reset", message: "closed the connection before the reply was complete" },
  EPROTO: {
    kind: "tls",
    message: "does not speak TLS on this port; should the URL begin with http://?",
  },
  CERT_HAS_EXPIRED: {
    kind: "tls",
    message: "has a certificate that has expired; is the clock right?",
  },
  CERT_NOT_YET_VALID: {
    kind: "tls",
    message: "has a certificate that is not valid yet; is the clock right?",
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    kind: "tls",
    message: "has a certificate for another name; check the URL",
  },
  Malformed_HTTP_Response: { kind: "reset", message: "sent something that is not HTTP" },
  InvalidHTTPResponse: { kind: "reset", message: "sent something that is not HTTP" },
  ZlibError: { kind: "reset", message: "sent a compressed body that is damaged" },
  BrotliDecompressionError: { kind: "reset", message: "sent a compressed body that is damaged" },
  ZstdDecompressionError: { kind: "reset", message: "sent a compressed body that is damaged" },
  UnsupportedProxyProtocol: {
    kind: "invalid",
    message: "cannot be reached: only http:// and https:// proxies are supported",
  },
  ERR_INVALID_URL: {
    kind: "invalid",
    message: "has a URL that cannot be used; check the base URL",
  },
  ERR_INVALID_ARG_VALUE: {
    kind: "invalid",
    message: "has a URL that cannot be used; check the base URL",
  },
};

/** 407 from a proxy: it wants a name and a password. */
export const PROXY_AUTH = 407;

export function wantsProxyAuth(place: string): HttpFailure {
  return {
    kind: "invalid",
    message: `${place} cannot be reached: the proxy wants a name and a password (HTTP ${PROXY_AUTH}); put them in its URL, as http://NAME:PASSWORD@HOST`,
  };
}

/** The runtime's sentence holds the proxy's status, and nothing secret is taken from it. */
function refusedTunnel(error: unknown, place: string): HttpFailure {
  const status = /\b[1-5]\d\d\b/.exec(error instanceof Error ? error.message : "")?.[0];
  if (status === String(PROXY_AUTH)) return wantsProxyAuth(place);
  const how = status === undefined ? "" : ` (HTTP ${status})`;
  return {
    kind: "refused",
    message: `${place} cannot be reached: the proxy refused the tunnel${how}`,
  };
}

export function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}

function isTlsCode(code: string): boolean {
  return /CERT|SIGNATURE|ISSUER|SSL|TLS/.test(code);
}
