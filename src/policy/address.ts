// Web addresses as rules speak of them: a host is the same host on every port and however it is spelled.

/** The host as an offer names it, with a port that is not the usual one; empty where the text is no URL. */
export function hostOf(url: string): string {
  const parsed = URL.parse(url);
  return parsed === null ? "" : bareName(parsed) + portOf(parsed.port);
}

/**
 * What a pattern may match of a URL. One that allows holds for the usual port only, or for the port it names; one that
 * forbids or asks holds for the host whatever the port, and for all of an origin.
 */
export function spelledAddresses(url: string, decision: "allow" | "ask" | "deny"): string[] {
  const parsed = URL.parse(url);
  if (parsed === null) return [url];
  const { protocol, port, pathname, search } = parsed;
  const name = bareName(parsed);
  const [host, path] = [name + portOf(port), pathname + search];
  const withPort = name + portOf(port === "" ? (USUAL_PORTS[protocol] ?? "") : port);
  if (decision === "allow") return [`${protocol}//${host}${path}`, host, withPort];
  return [name, host, withPort].flatMap((each) => [
    each,
    each + path,
    `${protocol}//${each}`,
    `${protocol}//${each}${path}`,
  ]);
}

const USUAL_PORTS: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

function portOf(port: string): string {
  return port === "" ? "" : `:${port}`;
}

/** `evil.test.` is `evil.test`. */
function bareName({ hostname }: URL): string {
  return hostname.replace(/\.+$/, "");
}

/** A pattern's host as URLs spell it: in lower case, other scripts in their ASCII form, without a dot at its end. */
export function addressText(glob: string): string {
  const [, scheme = "", host = "", path = ""] =
    /^([a-z][a-z\d+.-]*:\/\/)?([^/]*)([^]*)$/i.exec(glob) ?? [];
  const [, name = "", port = ""] = /^([^]*?)[.。]?(:[\d*?]+)?$/.exec(host) ?? [];
  const labels = name.split(/[.。．｡]/).map(asciiLabel);
  return scheme.toLowerCase() + labels.join(".") + port + path;
}

function asciiLabel(label: string): string {
  const lower = label.toLowerCase();
  const isPlain = /^[\0-\u007f]*$/.test(lower) || /[*?\\]/.test(lower);
  return isPlain ? lower : (URL.parse(`http://${lower}/`)?.hostname ?? lower);
}
