// The chain of AWS credentials: what goes before what, where it looks, and what it says when it finds nothing.
import { describe, expect, test } from "bun:test";
import { broken, invalid, missing, ok, type Result } from "../../src/base/failure.ts";
import { bedrockAccess, regionFor, signer } from "../../src/model/aws-access.ts";
import {
  awsCredential,
  type AwsCredential,
  type AwsWorld,
} from "../../src/model/aws-credentials.ts";
import type { Endpoint } from "../../src/model/provider.ts";

type Got = { url: string; headers: Record<string, string> };
type Fake = AwsWorld & { got: Got[] };
type Given = {
  environment?: Record<string, string>;
  files?: Record<string, string>;
  answer?: Result<string>;
  now?: number;
};

function world({ environment = {}, files = {}, answer, now = 0 }: Given): Fake {
  const got: Got[] = [];
  return {
    got,
    environment,
    home: "/home/p",
    readText: (path) => files[path] ?? null,
    get(url, headers) {
      got.push({ url, headers });
      return Promise.resolve(answer ?? broken("nobody there"));
    },
    now: () => now,
  };
}

const VARIABLES = { AWS_ACCESS_KEY_ID: "AKVAR", AWS_SECRET_ACCESS_KEY: "s1" };
const CREDENTIALS = "/home/p/.aws/credentials";
const CONFIG = "/home/p/.aws/config";
const KEYS = "[default]\naws_access_key_id = AKDEF\naws_secret_access_key = s2\n";
/** SHA-1 of the session's name, as the AWS tools name the file. */
const SSO_CACHE = "/home/p/.aws/sso/cache/d033e22ae348aeb5660fc2140aec35850c4da997.json";
const SSO = [
  "[profile work]",
  "sso_session = admin",
  "sso_account_id = 123456789012",
  "sso_role_name = Dev Ops",
  "[sso-session admin]",
  "sso_region = eu-west-1",
  "sso_start_url = https://start.example",
].join("\n");
const TOKEN = JSON.stringify({ accessToken: "tok", expiresAt: "2030-01-01T00:00:00Z" });
const ROLE = JSON.stringify({
  roleCredentials: {
    accessKeyId: "AKSSO",
    secretAccessKey: "s3",
    sessionToken: "t3",
    expiration: 1234,
  },
});
const CONTAINER = JSON.stringify({
  AccessKeyId: "AKCON",
  SecretAccessKey: "s4",
  Token: "t4",
  Expiration: "1970-01-01T00:00:09Z",
});

function found(
  accessKeyId: string,
  secretAccessKey: string,
  sessionToken: string | null = null,
): Result<AwsCredential> {
  return ok({ keys: { accessKeyId, secretAccessKey, sessionToken }, expiresAt: null });
}

describe("credentials", () => {
  test.each<[string, Given, Result<AwsCredential>]>([
    [
      "of the variables go before all others",
      {
        environment: { ...VARIABLES, AWS_SESSION_TOKEN: "t1", AWS_PROFILE: "p" },
        files: { [CREDENTIALS]: KEYS },
      },
      found("AKVAR", "s1", "t1"),
    ],
    [
      "of half a pair of variables are none",
      { environment: { AWS_ACCESS_KEY_ID: "AKVAR" }, files: { [CREDENTIALS]: KEYS } },
      found("AKDEF", "s2"),
    ],
    [
      "are the default profile's where none is named",
      { files: { [CREDENTIALS]: KEYS } },
      found("AKDEF", "s2"),
    ],
    [
      "of the credentials file go before those of the config file",
      {
        environment: { AWS_PROFILE: "p" },
        files: {
          [CONFIG]:
            "[profile p]\naws_access_key_id=AKOLD\naws_secret_access_key=old\nregion=eu-north-1",
          [CREDENTIALS]: `${KEYS}[p]\r\naws_access_key_id=AKP ; mine\r\naws_secret_access_key=s5\r\naws_session_token = t5`,
        },
      },
      found("AKP", "s5", "t5"),
    ],
    [
      "may lie in files of other names",
      { environment: { AWS_SHARED_CREDENTIALS_FILE: "/x" }, files: { "/x": KEYS } },
      found("AKDEF", "s2"),
    ],
  ])("%s", async (_, given, expected) => {
    expect(await awsCredential(world(given))).toEqual(expected);
  });

  test("of a sign-in are fetched with its token", async () => {
    const files = { [CONFIG]: SSO, [SSO_CACHE]: TOKEN };
    const at = world({ environment: { AWS_PROFILE: "work" }, files, answer: ok(ROLE) });
    expect(await awsCredential(at)).toEqual(
      ok({
        keys: { accessKeyId: "AKSSO", secretAccessKey: "s3", sessionToken: "t3" },
        expiresAt: 1234,
      }),
    );
    expect(at.got).toEqual([
      {
        url: "https://portal.sso.eu-west-1.amazonaws.com/federation/credentials?role_name=Dev+Ops&account_id=123456789012",
        headers: { "x-amz-sso_bearer_token": "tok" },
      },
    ]);
  });

  test.each<[string, Record<string, string>, string, Record<string, string>]>([
    [
      "of a container come from the one address it has",
      { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: "/v2/x" },
      "http://169.254.170.2/v2/x",
      {},
    ],
    [
      "of a container come from the address it names, with the token it gives",
      {
        AWS_CONTAINER_CREDENTIALS_FULL_URI: "http://127.0.0.1:9/x",
        AWS_CONTAINER_AUTHORIZATION_TOKEN: "old",
        AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: "/token",
      },
      "http://127.0.0.1:9/x",
      { authorization: "fresh" },
    ],
  ])("%s", async (_, environment, url, headers) => {
    const at = world({ environment, files: { "/token": "fresh\n" }, answer: ok(CONTAINER) });
    expect(await awsCredential(at)).toEqual(
      ok({
        keys: { accessKeyId: "AKCON", secretAccessKey: "s4", sessionToken: "t4" },
        expiresAt: 9000,
      }),
    );
    expect(at.got).toEqual([{ url, headers }]);
  });

  test.each<[string, Given, Result<never>]>([
    [
      "where there are none",
      {},
      missing(
        "there are no AWS credentials: set AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE (after `aws configure` or `aws sso login`)",
      ),
    ],
    [
      "where the profile is not there",
      { environment: { AWS_PROFILE: "p" }, files: { [CREDENTIALS]: KEYS } },
      missing("there is no AWS profile p; those there are: aws configure list-profiles"),
    ],
    [
      "where the sign-in is over",
      {
        environment: { AWS_PROFILE: "work" },
        files: { [CONFIG]: SSO, [SSO_CACHE]: TOKEN },
        now: Date.parse("2030-01-01T00:00:00Z"),
      },
      missing("the sign-in of the AWS profile work is over: aws sso login --profile work"),
    ],
    [
      "where nobody signed in",
      { environment: { AWS_PROFILE: "work" }, files: { [CONFIG]: SSO } },
      missing("the sign-in of the AWS profile work is over: aws sso login --profile work"),
    ],
    [
      "where the sign-in gives none",
      { environment: { AWS_PROFILE: "work" }, files: { [CONFIG]: SSO, [SSO_CACHE]: TOKEN } },
      invalid("no keys came for the AWS profile work: nobody there"),
    ],
    [
      "where a role is taken on",
      {
        environment: { AWS_PROFILE: "r" },
        files: {
          [CONFIG]: "[profile r]\nrole_arn = arn:aws:iam::1:role/x\nsource_profile = default",
        },
      },
      invalid(
        'the AWS profile r takes on a role or runs a program, which is left to the AWS tools: eval "$(aws configure export-credentials --profile r --format env)"',
      ),
    ],
    [
      "where the container would send a token abroad",
      { environment: { AWS_CONTAINER_CREDENTIALS_FULL_URI: "http://example.com/x" } },
      invalid("the address of the container's AWS credentials is not one to send a token to"),
    ],
    [
      "where the container gives something else",
      { environment: { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: "/x" }, answer: ok("<html>") },
      invalid("what the container gives are no AWS credentials"),
    ],
  ])("say what to do %s", async (_, given, expected) => {
    expect(await awsCredential(world(given))).toEqual(expected);
  });
});

describe("a signer", () => {
  const request = { url: "https://host/x", headers: { "content-type": "a/b" }, body: "{}" };
  const signal = new AbortController().signal;

  test("signs for Bedrock in its region, and keeps the request's own headers", async () => {
    const sign = signer(world({ environment: VARIABLES }), "eu-west-1");
    const signed = await sign(request, signal);
    expect(signed).toMatchObject({
      ok: true,
      value: { ...request, headers: { "content-type": "a/b", "x-amz-date": "19700101T000000Z" } },
    });
    const given = signed.ok ? signed.value.headers["authorization"] : "";
    expect(given).toContain("Credential=AKVAR/19700101/eu-west-1/bedrock/aws4_request");
  });

  test.each([
    ["once, where they hold", "2000-01-01T00:00:00Z", 1],
    ["again, where they end soon", "1970-01-01T00:04:59Z", 2],
  ])("looks up its keys %s", async (_, Expiration, times) => {
    const answer = ok(JSON.stringify({ ...JSON.parse(CONTAINER), Expiration }));
    const environment = { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: "/x" };
    const at = world({ environment, answer });
    const sign = signer(at, "us-east-1");
    await sign(request, signal);
    await sign(request, signal);
    expect(at.got).toHaveLength(times);
  });
});

const START = "https://bedrock-runtime.us-east-1.amazonaws.com";

test.each<[string, string, Given, string]>([
  ["the address", "https://bedrock-runtime.ap-south-1.amazonaws.com", {}, "ap-south-1"],
  ["the variable", START, { environment: { AWS_REGION: "eu-west-3" } }, "eu-west-3"],
  ["the older variable", START, { environment: { AWS_DEFAULT_REGION: "eu-west-2" } }, "eu-west-2"],
  ["the profile", START, { files: { [CONFIG]: "[default]\nregion = eu-west-1" } }, "eu-west-1"],
  ["nothing", START, {}, "us-east-1"],
  [
    "the variable, at a gateway",
    "http://127.0.0.1:1",
    { environment: { AWS_REGION: "x-1" } },
    "x-1",
  ],
])("the region is named by %s", (_, url, given, region) => {
  expect(regionFor(url, world(given))).toBe(region);
});

describe("access to Bedrock", () => {
  const none: Endpoint = { provider: "bedrock", baseUrl: START, credential: { kind: "none" } };
  const environment = { HOME: "/nowhere", AWS_REGION: "eu-west-1" };

  test.each<[string, string, string]>([
    ["its own region", START, "https://bedrock-runtime.eu-west-1.amazonaws.com"],
    ["an address that was named", "https://gate.example/x", "https://gate.example/x"],
  ])("leads to %s", (_, baseUrl, expected) => {
    const { endpoint, auth } = bedrockAccess({ ...none, baseUrl }, environment);
    expect([endpoint.baseUrl, auth]).toEqual([expected, "AWS credentials"]);
  });

  test("knows that China has a domain of its own", () => {
    const { endpoint } = bedrockAccess(none, { ...environment, AWS_REGION: "cn-north-1" });
    expect(endpoint.baseUrl).toBe("https://bedrock-runtime.cn-north-1.amazonaws.com.cn");
  });

  test("with a key signs nothing", () => {
    const credential = { kind: "key", key: "k", source: "--api-key" } as const;
    expect(bedrockAccess({ ...none, credential }, environment).authorize).toBeUndefined();
  });
});
