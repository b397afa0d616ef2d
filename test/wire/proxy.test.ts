// Which proxy a URL takes: the forms of the variables and of NO_PROXY that other programs know.
import { describe, expect, test } from "bun:test";
import { proxyName, proxyOf } from "../../src/wire/proxy.ts";

const PROXY = "http://proxy:3128";

describe("the variables", () => {
  test.each<[what: string, url: string, environment: Record<string, string>, proxy: string | null]>(
    [
      ["for https", "https://api.example", { HTTPS_PROXY: PROXY }, PROXY],
      [
        "in small letters first",
        "http://api.example",
        { HTTP_PROXY: "http://other:1", http_proxy: PROXY },
        PROXY,
      ],
      [
        "empty in small letters",
        "http://api.example",
        { HTTP_PROXY: PROXY, http_proxy: "" },
        PROXY,
      ],
      ["for everything", "https://api.example", { ALL_PROXY: PROXY }, PROXY],
      ["for the other scheme", "https://api.example", { HTTP_PROXY: PROXY }, null],
      ["without a scheme", "https://api.example", { https_proxy: "proxy:3128" }, PROXY],
      ["for this machine", "http://127.0.0.1:8080", { HTTP_PROXY: PROXY }, null],
      ["for a socket", "http+unix://%2Frun%2Fx.sock", { ALL_PROXY: PROXY }, null],
      ["not there", "https://api.example", {}, null],
    ],
  )("%s", (_what, url, environment, proxy) => {
    expect(proxyOf(url, null, environment)).toBe(proxy);
  });
});

describe("a provider's own setting", () => {
  const environment = { HTTPS_PROXY: "http://other:1", NO_PROXY: "*" };

  test("goes before the variables", () => {
    expect(proxyOf("https://api.example", "proxy:3128", environment)).toBe(PROXY);
  });

  test("may be none", () => {
    expect(proxyOf("https://api.example", "none", { HTTPS_PROXY: PROXY })).toBeNull();
  });
});

describe("NO_PROXY", () => {
  test.each([
    ["*", "https://api.example", true],
    ["api.example", "https://api.example", true],
    ["API.Example", "https://api.example", true],
    ["example", "https://api.example", true],
    [".example", "https://api.example", true],
    ["*.example", "https://api.example", true],
    ["api.example", "https://myapi.example", false],
    ["other, api.example", "https://api.example", true],
    ["other api.example", "https://api.example", true],
    ["api.example:443", "https://api.example", true],
    ["api.example:8443", "https://api.example", false],
    ["api.example:8443", "https://api.example:8443", true],
    ["10.1.2.3", "http://10.1.2.3:8000", true],
    ["10.0.0.0/8", "http://10.1.2.3:8000", true],
    ["10.0.0.0/8", "http://11.1.2.3", false],
    ["10.0.0.0/8", "http://api.example", false],
    ["10.0.0.0/x", "http://10.1.2.3", false],
    ["fd00::/8", "http://[fd12::1]:8000", true],
    ["fd00::/8", "http://[2001:db8::1]", false],
    ["[2001:db8::1]", "http://[2001:db8::1]:80", true],
    ["[2001:db8::1]:8000", "http://[2001:db8::1]", false],
    ["2001:db8::1", "http://[2001:db8::1]", true],
    ["", "https://api.example", false],
    [",,", "https://api.example", false],
  ])("%p and %s", (list, url, isExempt) => {
    const environment = { ALL_PROXY: PROXY, NO_PROXY: list };
    expect(proxyOf(url, null, environment)).toBe(isExempt ? null : PROXY);
  });
});

test("errors call a proxy by its host alone", () => {
  expect(["http://u:sekrit@proxy:3128", "http://::"].map(proxyName)).toEqual([
    "proxy:3128",
    "named in the environment",
  ]);
});
