// The standard chain of AWS credentials: variables, profile (keys or browser sign-in), container; the first that has any.
import * as v from "valibot";
import { invalid, missing, ok, sentence, type Result } from "../base/failure.ts";
import { parseJson } from "../base/json.ts";
import type { Environment } from "../host/env.ts";
import {
  profileIn,
  sectionsIn,
  ssoOf,
  type AwsFiles,
  type Section,
  type Sso,
} from "./aws-profile.ts";
import type { AwsKeys } from "./aws-sign.ts";

/** What the chain looks at. */
export type AwsWorld = {
  environment: Environment;
  home: string;
  /** Null where there is no such file. */
  readText(path: string): string | null;
  /** The body of a good answer. */
  get(url: string, headers: Record<string, string>): Promise<Result<string>>;
  now(): number;
};

export type AwsCredential = {
  keys: AwsKeys;
  /** Milliseconds since 1970; null: they hold until they are taken away. */
  expiresAt: number | null;
};

export function awsFiles(world: AwsWorld): AwsFiles {
  const { environment, home } = world;
  const read = (variable: string, name: string): ReturnType<typeof sectionsIn> =>
    sectionsIn(world.readText(environment[variable] || `${home}/.aws/${name}`) ?? "");
  return {
    config: read("AWS_CONFIG_FILE", "config"),
    credentials: read("AWS_SHARED_CREDENTIALS_FILE", "credentials"),
  };
}

export function profileName({ environment }: AwsWorld): string {
  return environment["AWS_PROFILE"] || environment["AWS_DEFAULT_PROFILE"] || "default";
}

export async function awsCredential(world: AwsWorld): Promise<Result<AwsCredential>> {
  return fromVariables(world) ?? (await fromProfile(world)) ?? (await fromContainer(world)) ?? NONE;
}

const NONE = missing(
  "there are no AWS credentials: set AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE (after `aws configure` or `aws sso login`)",
);

function fromVariables({ environment }: AwsWorld): Result<AwsCredential> | null {
  const accessKeyId = environment["AWS_ACCESS_KEY_ID"] ?? "";
  const secretAccessKey = environment["AWS_SECRET_ACCESS_KEY"] ?? "";
  if (accessKeyId === "" || secretAccessKey === "") return null;
  const sessionToken = environment["AWS_SESSION_TOKEN"] || null;
  return ok({ keys: { accessKeyId, secretAccessKey, sessionToken }, expiresAt: null });
}

async function fromProfile(world: AwsWorld): Promise<Result<AwsCredential> | null> {
  const name = profileName(world);
  const files = awsFiles(world);
  const profile = profileIn(files, name);
  if (profile === null) {
    return name === "default"
      ? null
      : missing(`there is no AWS profile ${name}; those there are: aws configure list-profiles`);
  }
  const keys = keysIn(profile);
  if (keys !== null) return ok({ keys, expiresAt: null });
  const sso = ssoOf(files, profile);
  if (sso !== null) return fromSso(world, name, sso);
  if (!profile.has("role_arn") && !profile.has("credential_process")) return null;
  return invalid(
    `the AWS profile ${name} takes on a role or runs a program, which is left to the AWS tools: eval "$(aws configure export-credentials --profile ${name} --format env)"`,
  );
}

function keysIn(profile: Section): AwsKeys | null {
  const accessKeyId = profile.get("aws_access_key_id");
  const secretAccessKey = profile.get("aws_secret_access_key");
  if (accessKeyId === undefined || secretAccessKey === undefined) return null;
  return { accessKeyId, secretAccessKey, sessionToken: profile.get("aws_session_token") ?? null };
}

const SsoToken = v.object({ accessToken: v.string(), expiresAt: v.string() });
const SsoKeys = v.object({
  roleCredentials: v.object({
    accessKeyId: v.string(),
    secretAccessKey: v.string(),
    sessionToken: v.string(),
    expiration: v.number(),
  }),
});

async function fromSso(world: AwsWorld, profile: string, sso: Sso): Promise<Result<AwsCredential>> {
  const file = new Bun.CryptoHasher("sha1").update(sso.name).digest("hex");
  const text = world.readText(`${world.home}/.aws/sso/cache/${file}.json`) ?? "";
  const token = v.safeParse(SsoToken, parseJson(text));
  if (!token.success || !(Date.parse(token.output.expiresAt) > world.now())) {
    return missing(
      `the sign-in of the AWS profile ${profile} is over: aws sso login --profile ${profile}`,
    );
  }
  const query = new URLSearchParams({ role_name: sso.role, account_id: sso.accountId });
  const url = `https://portal.sso.${sso.region}.${domainOf(sso.region)}/federation/credentials?${query.toString()}`;
  const got = await world.get(url, { "x-amz-sso_bearer_token": token.output.accessToken });
  if (!got.ok)
    return invalid(`no keys came for the AWS profile ${profile}: ${sentence(got.failure)}`);
  const read = v.safeParse(SsoKeys, parseJson(got.value));
  if (!read.success) return invalid(`what came for the AWS profile ${profile} are no keys`);
  const { expiration, ...keys } = read.output.roleCredentials;
  return ok({ keys, expiresAt: expiration });
}

/** China's regions have a domain of their own. */
export function domainOf(region: string): string {
  return region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
}

const ContainerKeys = v.object({
  AccessKeyId: v.string(),
  SecretAccessKey: v.string(),
  Token: v.string(),
  Expiration: v.string(),
});
const CONTAINER_HOST = "http://169.254.170.2";
/** Plain HTTP only to the machine itself and to the addresses of the container services. */
const PLAIN_HOSTS =
  /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|169\.254\.170\.(2|23)|\[fd00:ec2::23\])$/;

async function fromContainer(world: AwsWorld): Promise<Result<AwsCredential> | null> {
  const address = containerAddress(world);
  if (address === "") return null;
  const url = URL.parse(address);
  if (url === null || !(url.protocol === "https:" || PLAIN_HOSTS.test(url.hostname))) {
    return invalid("the address of the container's AWS credentials is not one to send a token to");
  }
  const token = containerToken(world);
  const got = await world.get(url.href, token === "" ? {} : { authorization: token });
  if (!got.ok) return invalid(`the container has no AWS credentials: ${sentence(got.failure)}`);
  const read = v.safeParse(ContainerKeys, parseJson(got.value));
  if (!read.success) return invalid("what the container gives are no AWS credentials");
  const { AccessKeyId, SecretAccessKey, Token, Expiration } = read.output;
  return ok({
    keys: { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: Token },
    expiresAt: Date.parse(Expiration),
  });
}

function containerAddress({ environment }: AwsWorld): string {
  const relative = environment["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"] ?? "";
  if (relative !== "") return CONTAINER_HOST + relative;
  return environment["AWS_CONTAINER_CREDENTIALS_FULL_URI"] ?? "";
}

function containerToken(world: AwsWorld): string {
  const { environment } = world;
  const file = environment["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"] ?? "";
  const written = file === "" ? null : world.readText(file);
  return (written ?? environment["AWS_CONTAINER_AUTHORIZATION_TOKEN"] ?? "").trim();
}
