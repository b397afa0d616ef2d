// Signature Version 4 against AWS's published examples: the IAM request of its documentation, and cases of its test suite.
import { describe, expect, test } from "bun:test";
import { signatureHeaders, type Signable } from "../../src/model/aws-sign.ts";

const KEYS = {
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
  sessionToken: null,
};
const AT = new Date("2015-08-30T12:36:00Z");
const SUITE = { region: "us-east-1", service: "service" };
/** The session token of the test suite. */
const TOKEN =
  "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA==";

function request(more: Partial<Signable> = {}): Signable {
  return { method: "GET", url: "https://example.amazonaws.com/", headers: {}, body: "", ...more };
}

function authorization(service: string, names: string, signature: string): string {
  return `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/${service}/aws4_request, SignedHeaders=${names}, Signature=${signature}`;
}

describe("the published example", () => {
  test("of IAM's ListUsers", () => {
    const asked = request({
      url: "https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08",
      headers: { "Content-Type": "application/x-www-form-urlencoded; charset=utf-8" },
    });
    const scope = { region: "us-east-1", service: "iam" };
    expect(signatureHeaders(asked, KEYS, scope, AT)).toEqual({
      "x-amz-date": "20150830T123600Z",
      authorization: authorization(
        "iam",
        "content-type;host;x-amz-date",
        "5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7",
      ),
    });
  });

  test.each<[string, Partial<Signable>, string, string]>([
    [
      "get-vanilla",
      {},
      "host;x-amz-date",
      "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
    ],
    [
      "get-vanilla-query-order-key-case",
      { url: "https://example.amazonaws.com/?Param2=value2&Param1=value1" },
      "host;x-amz-date",
      "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
    ],
    [
      "post-vanilla",
      { method: "POST" },
      "host;x-amz-date",
      "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b",
    ],
    [
      "post-x-www-form-urlencoded",
      {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
        body: "Param1=value1",
      },
      "content-type;host;x-amz-date",
      "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a",
    ],
  ])("%s", (_, more, names, signature) => {
    expect(signatureHeaders(request(more), KEYS, SUITE, AT)["authorization"]).toBe(
      authorization("service", names, signature),
    );
  });

  test("post-sts-header-before, with keys that hold for a while", () => {
    const keys = { ...KEYS, sessionToken: TOKEN };
    expect(signatureHeaders(request({ method: "POST" }), keys, SUITE, AT)).toEqual({
      "x-amz-date": "20150830T123600Z",
      "x-amz-security-token": TOKEN,
      authorization: authorization(
        "service",
        "host;x-amz-date;x-amz-security-token",
        "85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead",
      ),
    });
  });
});

// Computed with AWS's own client for Python: the path is encoded once more than it is sent.
test.each([
  [
    "eu.anthropic.claude-sonnet-4-5-20250929-v1%3A0",
    "4be705b9896d3a0e86e89846de803ebcb7291b2638e95a2be2f2954f58f14fdd",
  ],
  [
    "arn%3Aaws%3Abedrock%3Aeu-west-1%3A1%3Ainference-profile%2Fx",
    "f1c589697237a36ac4567ac8c85684330a845b11395824b22784eaa3c681d92c",
  ],
])("a request to Bedrock's model %s is signed as AWS's client signs it", (model, signature) => {
  const asked = request({
    method: "POST",
    url: `https://bedrock-runtime.eu-west-1.amazonaws.com/model/${model}/converse-stream`,
    headers: { "content-type": "application/json", accept: "a/b" },
    body: '{"é":1}',
  });
  const scope = { region: "eu-west-1", service: "bedrock" };
  const signed = signatureHeaders(asked, { ...KEYS, sessionToken: "TOK" }, scope, AT);
  expect(signed["authorization"]).toEndWith(
    `SignedHeaders=content-type;host;x-amz-date;x-amz-security-token, Signature=${signature}`,
  );
});

describe("a signature", () => {
  const signature = (more: Partial<Signable>, at = AT): string =>
    signatureHeaders(request(more), KEYS, SUITE, at)["authorization"] ?? "";

  test.each<[string, Partial<Signable>]>([
    ["the body", { body: "a" }],
    ["the path", { url: "https://example.amazonaws.com/model/a%3A0/x" }],
    ["the host's port", { url: "https://example.amazonaws.com:444/" }],
    ["the query", { url: "https://example.amazonaws.com/?a=b" }],
    ["the content type", { headers: { "content-type": "application/json" } }],
  ])("depends on %s", (_, more) => {
    expect(signature(more)).not.toBe(signature({}));
  });

  test("does not depend on headers that proxies change", () => {
    expect(signature({ headers: { accept: "*/*", "accept-encoding": "gzip" } })).toBe(
      signature({}),
    );
  });

  test("depends on the time, to the second", () => {
    expect(signature({}, new Date(AT.getTime() + 999))).toBe(signature({}));
    expect(signature({}, new Date(AT.getTime() + 1000))).not.toBe(signature({}));
  });
});
