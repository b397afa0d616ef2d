// Which proxy stands between burin and a URL: the provider's own setting, else the variables everybody uses.
import { isLoopback } from "./http-failure.ts";
import { isInRange } from "./public-address.ts";

export type Variables = Readonly<Record<string, string | undefined>>;

/** What a setting says to use no proxy, whatever the variables name. */
export const NO_PROXY = "none";

/**
 * The proxy's URL, or null for none. This machine is never reached through one. What is written without a scheme is an
 * HTTP proxy; the runtime refuses what is neither http nor https.
 */
export function proxyOf(
  url: string,
  setting: string | null,
  environment: Variables,
): string | null {
  const target = URL.parse(url);
  if (target === null || isLoopback(url) || setting === NO_PROXY) return null;
  const chosen = setting ?? fromVariables(target, environment);
  if (chosen === "") return null;
  return /^[a-z][a-z\d+.-]*:\/\//i.test(chosen) ? chosen : `http://${chosen}`;
}

/** How errors call it: without name and password. */
export function proxyName(proxy: string): string {
  return URL.parse(proxy)?.host || "named in the environment";
}

function fromVariables(target: URL, environment: Variables): string {
  const read = (name: string): string =>
    environment[name.toLowerCase()] || environment[name.toUpperCase()] || "";
  if (isExempt(target, read("no_proxy"))) return "";
  return read(target.protocol === "https:" ? "https_proxy" : "http_proxy") || read("all_proxy");
}

/** NO_PROXY: names with all below them, `*`, addresses, ranges such as 10.0.0.0/8, each with a port if wanted. */
function isExempt(target: URL, list: string): boolean {
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => entry !== "" && fits(target, entry));
}

function fits(target: URL, entry: string): boolean {
  if (entry === "*") return true;
  const host = target.hostname.replace(/^\[|\]$/g, "");
  if (entry.includes("/")) return isInRange(host, entry);
  const { name, port } = partsOf(entry);
  if (port !== null && port !== portOf(target)) return false;
  return host === name || host.endsWith(`.${name}`);
}

/** `host:443`, `[::1]:443`, `::1`, `.example.com`, `*.example.com`. */
function partsOf(entry: string): { name: string; port: string | null } {
  const bare = entry.replace(/^\*?\./, "");
  const [, bracketed, port = null] = /^\[(.*)\](?::(\d+))?$/.exec(bare) ?? [];
  if (bracketed !== undefined) return { name: bracketed, port };
  const [name = "", after, more] = bare.split(":");
  // More than one colon is an address of the sixth version without a port.
  if (after === undefined || more !== undefined) return { name: bare, port: null };
  return { name, port: after };
}

function portOf({ port, protocol }: URL): string {
  if (port !== "") return port;
  return protocol === "https:" ? "443" : "80";
}
