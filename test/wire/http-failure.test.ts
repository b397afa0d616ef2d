// How errors name the place and the cause: with host and proxy, without paths, passwords or the runtime's own words.
import { describe, expect, test } from "bun:test";
import { describe as describeError, isLoopback, placeOf } from "../../src/wire/http-failure.ts";

const PLACES: [what: string, url: string, environment: Record<string, string>, place: string][] = [
  ["the host alone", "https://user:sekrit@api.example/v1?key=sekrit", {}, "api.example"],
  ["a port", "http://host:8080/v1", {}, "host:8080"],
  [
    "a proxy",
    "https://api.example",
    { HTTPS_PROXY: "http://u:sekrit@proxy:3128" },
    "api.example through the proxy proxy:3128",
  ],
  [
    "a proxy in small letters",
    "http://api.example",
    { http_proxy: "http://proxy:1" },
    "api.example through the proxy proxy:1",
  ],
  [
    "a proxy for everything",
    "https://api.example",
    { ALL_PROXY: "proxy:1" },
    "api.example through the proxy proxy:1",
  ],
  [
    "a proxy for the other scheme",
    "https://api.example",
    { HTTP_PROXY: "http://proxy:1" },
    "api.example",
  ],
  [
    "an exempt host",
    "https://api.example",
    { HTTPS_PROXY: "http://proxy:1", NO_PROXY: "other, api.example" },
    "api.example",
  ],
  [
    "an exempt domain",
    "https://api.example",
    { HTTPS_PROXY: "http://proxy:1", no_proxy: ".example" },
    "api.example",
  ],
  [
    "everything exempt",
    "https://api.example",
    { HTTPS_PROXY: "http://proxy:1", NO_PROXY: "*" },
    "api.example",
  ],
  [
    "a name that only ends alike",
    "https://myapi.example",
    { HTTPS_PROXY: "http://proxy:1", NO_PROXY: "api.example" },
    "myapi.example through the proxy proxy:1",
  ],
  [
    "this machine, which takes no proxy",
    "http://127.0.0.1:1",
    { HTTP_PROXY: "http://proxy:1" },
    "127.0.0.1:1",
  ],
  [
    "a proxy that is no URL",
    "https://api.example",
    { HTTPS_PROXY: "::" },
    "api.example through the proxy named in the environment",
  ],
  ["no URL", "nonsense", {}, "the server"],
];

test.each(PLACES)("a place names %s", (_, url, environment, place) => {
  expect(placeOf(url, environment)).toBe(place);
});

test.each([
  ["http://localhost:1", true],
  ["http://127.9.9.9", true],
  ["http://[::1]:1/x", true],
  ["http://127.0.0.1.example", false],
  ["http://localhost.example", false],
  ["nonsense", false],
])("%p is this machine: %p", (url, is) => {
  expect(isLoopback(url)).toBe(is);
});

/** An error such as the runtime throws, whose own message must not be passed on. */
function withCode(code: unknown): Error {
  return Object.assign(new Error("GET http://u:sekrit@h/?key=sekrit"), { code });
}

describe("an error of the runtime", () => {
  test.each([
    ["ECONNREFUSED", "refused", "HOST refused the connection; is the server running?"],
    ["ENOTFOUND", "dns", "HOST was not found; check the name and the network"],
    ["ECONNRESET", "reset", "HOST closed the connection before the reply was complete"],
    [
      "UnsupportedProxyProtocol",
      "invalid",
      "HOST cannot be reached: only http:// and https:// proxies are supported",
    ],
    ["ERR_PROXY_TUNNEL", "refused", "HOST cannot be reached: the proxy refused the tunnel"],
    [
      "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
      "tls",
      "the certificate of HOST was not accepted (UNABLE_TO_VERIFY_LEAF_SIGNATURE); name its authority in NODE_EXTRA_CA_CERTS",
    ],
    [
      "CERT_HAS_EXPIRED",
      "tls",
      "the certificate of HOST was not accepted (CERT_HAS_EXPIRED); name its authority in NODE_EXTRA_CA_CERTS",
    ],
    ["ENEW", "reset", "the exchange with HOST broke off (ENEW)"],
  ] as const)("%s", (code, kind, message) => {
    expect(describeError(withCode(code), "HOST")).toEqual({ kind, message });
  });

  test("that tells nothing is not passed on", () => {
    for (const error of [withCode(undefined), withCode(7), "text", null, undefined]) {
      expect(describeError(error, "HOST")).toEqual({
        kind: "reset",
        message: "the exchange with HOST broke off (no cause given)",
      });
    }
  });
});
