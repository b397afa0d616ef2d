// The address of a wire's endpoint under a base URL, which may end with a slash, hold a query or name the version.

/** `version` is left out where the base names one; the whole is left alone where the base ends with the path. */
export function pathUnder(baseUrl: string, version: string, path: string): string {
  const [address = "", query] = baseUrl.split("?", 2);
  const base = address.replace(/\/+$/, "");
  return `${fullPath(base, version, path)}${query === undefined ? "" : `?${query}`}`;
}

/** Where the base URL names the version itself, or needs none. */
export function pathAfter(baseUrl: string, path: string): string {
  const [address = "", query] = baseUrl.split("?", 2);
  const base = address.replace(/\/+$/, "");
  const full = base.endsWith(`/${path}`) ? base : `${base}/${path}`;
  return query === undefined ? full : `${full}?${query}`;
}

const NAMES_VERSION = /\/v\d+(alpha|beta)?\d*(\/|$)/;

function fullPath(base: string, version: string, path: string): string {
  if (base.endsWith(`/${path}`)) return base;
  const root = URL.parse(base)?.pathname ?? "";
  return NAMES_VERSION.test(root) ? `${base}/${path}` : `${base}/${version}/${path}`;
}
