// How errors name the place and the cause: with host and proxy, without paths, passwords or the runtime's own words.
import { describe, expect, test } from "bun:test";
import { describe as describeError, isLoopback, placeOf } from "../../src/wire/http-failure.ts";

test.each([
  ["the host alone", "https://user:sekrit@api.example/v1?key=sekrit", null, "api.example"],
  ["a port", "http://host:8080/v1", null, "host:8080"],
  ["a proxy", "https://api.example", "proxy:3128", "api.example through the proxy proxy:3128"],
  ["a socket", "http+unix://%2Frun%2Fx.sock/v1", null, "/run/x.sock"],
  ["no URL", "nonsense", null, "the server"],
])("a place names %s", (_, url, proxy, place) => {
  expect(placeOf(url, proxy)).toBe(place);
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
      "the certificate of HOST was not accepted (UNABLE_TO_VERIFY_LEAF_SIGNATURE); name its authority in NODE_EXTRA_CA_CERTS, or as tls.ca of the provider",
    ],
    ["CERT_HAS_EXPIRED", "tls", "HOST has a certificate that has expired; is the clock right?"],
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
