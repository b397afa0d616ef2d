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

type Variables = Readonly<Record<string, string | undefined>>;

/** Host (and proxy) of a URL as errors name them: `api.example.com`, `api.example.com through the proxy proxy:3128`. */
export function placeOf(url: string, environment: Variables): string {
  const target = URL.parse(url);
  if (target === null) return "the server";
  const proxy = proxyFor(target, environment);
  return proxy === null ? target.host : `${target.host} through the proxy ${proxy}`;
}

/** Whether the URL's host is this machine: such requests never take a proxy. */
export function isLoopback(url: string): boolean {
  const host = URL.parse(url)?.hostname ?? "";
  return host === "localhost" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** What went wrong, from the error that the runtime threw. Its own message is not used: it can hold the URL. */
export function describe(error: unknown, place: string): HttpFailure {
  const code = codeOf(error);
  const known = KNOWN[code];
  if (known) return { kind: known.kind, message: `${place} ${known.message}` };
  if (isTlsCode(code)) {
    return {
      kind: "tls",
      message: `the certificate of ${place} was not accepted (${code}); name its authority in NODE_EXTRA_CA_CERTS`,
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
  Malformed_HTTP_Response: { kind: "reset", message: "sent something that is not HTTP" },
  InvalidHTTPResponse: { kind: "reset", message: "sent something that is not HTTP" },
  ZlibError: { kind: "reset", message: "sent a compressed body that is damaged" },
  BrotliDecompressionError: { kind: "reset", message: "sent a compressed body that is damaged" },
  ZstdDecompressionError: { kind: "reset", message: "sent a compressed body that is damaged" },
  UnsupportedProxyProtocol: {
    kind: "invalid",
    message: "cannot be reached: only http:// and https:// proxies are supported",
  },
  ERR_PROXY_TUNNEL: { kind: "refused", message: "cannot be reached: the proxy refused the tunnel" },
  ERR_INVALID_URL: {
    kind: "invalid",
    message: "has a URL that cannot be used; check the base URL",
  },
  ERR_INVALID_ARG_VALUE: {
    kind: "invalid",
    message: "has a URL that cannot be used; check the base URL",
  },
};

function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}

function isTlsCode(code: string): boolean {
  return /CERT|SIGNATURE|ISSUER|SSL|TLS/.test(code);
}

/** The proxy's host that the runtime takes for this target, by the usual variables. */
function proxyFor(target: URL, environment: Variables): string | null {
  if (isLoopback(target.href)) return null;
  const read = (name: string): string =>
    environment[name.toLowerCase()] ?? environment[name.toUpperCase()] ?? "";
  if (isExempt(target, read("no_proxy"))) return null;
  const scheme = target.protocol === "https:" ? read("https_proxy") : read("http_proxy");
  const chosen = scheme || read("all_proxy");
  if (chosen === "") return null;
  return (
    URL.parse(chosen)?.host || URL.parse(`http://${chosen}`)?.host || "named in the environment"
  );
}

function isExempt(target: URL, list: string): boolean {
  return list
    .split(",")
    .map((entry) =>
      entry
        .trim()
        .replace(/^\*?\./, "")
        .toLowerCase(),
    )
    .some((entry) => {
      if (entry === "") return false;
      if (entry === "*" || entry === target.host) return true;
      return target.hostname === entry || target.hostname.endsWith(`.${entry}`);
    });
}
