// Sessions of the compiled binary with Bedrock, CodeWhisperer and Ollama: each request is checked as the vendor's reference has it.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "bun:test";
import { bedrockServer, uncached, type BedrockReply } from "../support/bedrock-server.ts";
import { home, type Home, type Ran } from "../support/binary.ts";
import { codewhispererServer, type CodewhispererReply } from "../support/codewhisperer-server.ts";
import { ollamaServer, type OllamaReply } from "../support/ollama-server.ts";

const TIMEOUT_MS = 30_000;

const BEDROCK: BedrockReply[] = [
  {
    blocks: [
      {
        reasoningContent: {
          reasoningText: { text: "Both files matter.\n", signature: "c2lnMQ==" },
        },
      },
      { text: "I read both." },
      { toolUse: { toolUseId: "tooluse_1", name: "read", input: { path: "a.txt" } } },
      { toolUse: { toolUseId: "tooluse_2", name: "read", input: { path: "b.txt" } } },
    ],
    usage: { inputTokens: 100, cacheWriteInputTokens: 50 },
  },
  {
    blocks: [
      { reasoningContent: { redactedContent: "b3BhcXVl" } },
      { toolUse: { toolUseId: "tooluse_3", name: "read", input: { path: "gone.txt" } } },
      { toolUse: { toolUseId: "tooluse_4", name: "grep", input: { pattern: "alpha" } } },
    ],
    usage: { inputTokens: 20, cacheReadInputTokens: 150 },
  },
  { blocks: [{ text: "Alpha and beta." }] },
  { blocks: [{ text: "Still so." }] },
];

const OLLAMA: OllamaReply[] = [
  {
    thinking: "Both files matter.",
    text: "I read both.",
    calls: [
      { name: "read", arguments: { path: "a.txt" } },
      { name: "read", arguments: { path: "b.txt" } },
    ],
  },
  {
    calls: [
      { name: "read", arguments: { path: "gone.txt" } },
      { name: "grep", arguments: { pattern: "alpha" } },
    ],
  },
  { thinking: "Enough.", text: "Alpha and beta." },
  { text: "Still so." },
];

const CODEWHISPERER: CodewhispererReply[] = [
  {
    text: "I read both.",
    calls: [
      { toolUseId: "tooluse_1", name: "read", input: { path: "a.txt" } },
      { toolUseId: "tooluse_2", name: "read", input: { path: "b.txt" } },
    ],
  },
  {
    text: "",
    calls: [
      { toolUseId: "tooluse_3", name: "read", input: { path: "gone.txt" } },
      { toolUseId: "tooluse_4", name: "grep", input: { pattern: "alpha" } },
    ],
  },
  { text: "Alpha and beta." },
  { text: "Still so." },
];

const CLAUDE = "us.anthropic.claude-sonnet-4-5-20250929-v1:0";
const KEYS = { AWS_ACCESS_KEY_ID: "AKIDEXAMPLE", AWS_SECRET_ACCESS_KEY: "aws-secret" };

const SESSIONS = [
  {
    name: "Bedrock, signed",
    flags: ["--provider", "bedrock", "-m", CLAUDE],
    env: { ...KEYS, AWS_SESSION_TOKEN: "aws-token", AWS_REGION: "eu-west-1" },
    serve: () => bedrockServer(BEDROCK),
    usage: { input: 330, cached: 150, output: 60, reasoning: 0 },
  },
  {
    name: "Bedrock, with a key of its own",
    flags: ["--provider", "bedrock", "-m", CLAUDE],
    env: { AWS_BEARER_TOKEN_BEDROCK: "bedrock-key" },
    serve: () => bedrockServer(BEDROCK),
    usage: { input: 330, cached: 150, output: 60, reasoning: 0 },
  },
  {
    name: "Ollama",
    flags: ["--provider", "ollama", "-m", "qwen3"],
    env: {},
    serve: () => ollamaServer(OLLAMA),
    usage: { input: 60, cached: 0, output: 21, reasoning: 0 },
  },
  {
    name: "CodeWhisperer",
    flags: ["--provider", "codewhisperer", "-m", "claude-sonnet-4.5"],
    env: { KIRO_API_KEY: "kiro-key" },
    serve: () => codewhispererServer(CODEWHISPERER),
    usage: { input: 30, cached: 0, output: 60, reasoning: 0 },
  },
];

/** The part that grows: of CodeWhisperer's requests only the history, for what is asked stands apart from it. */
function prefixOf(body: string): string {
  const asked = body.indexOf('],"currentMessage"');
  return asked < 0 ? body.slice(0, -"]}]}".length) : body.slice(0, asked);
}

function lastLine({ out }: Ran): Record<string, unknown> {
  return JSON.parse(out.trim().split("\n").at(-1) ?? "{}");
}

/** A folder with two files, and a question about them. */
async function ask(at: Home, flags: string[], env: Record<string, string>): Promise<Ran> {
  writeFileSync(join(at.path, "a.txt"), "alpha\n");
  writeFileSync(join(at.path, "b.txt"), "beta\n");
  const how = ["--reasoning-effort", "high", "--output", "stream-json"];
  return at.run([...how, ...flags], { env });
}

describe.each(SESSIONS)("a session with $name", ({ flags, env, serve, usage }) => {
  test(
    "breaks no rule of the vendor's, and sends only more from round to round",
    async () => {
      using at = home();
      await using server = serve();
      const where = [...flags, "--base-url", server.url];
      const first = await ask(at, ["-p", "what is there?", "--name", "s", ...where], env);
      const second = await ask(at, ["-p", "really?", "--resume", "s", ...where], env);

      expect(server.complaints).toEqual([]);
      expect(lastLine(first)).toMatchObject({
        result: "Alpha and beta.",
        exit: 0,
        rounds: 3,
        tool_calls: 4,
        usage,
      });
      expect(lastLine(second)).toMatchObject({ result: "Still so.", exit: 0 });

      const bodies = server.requests.map(({ text }) => uncached(text));
      const grows = bodies.map((body, index) =>
        (bodies[index + 1] ?? body).startsWith(prefixOf(body)),
      );
      expect(grows).toEqual([true, true, true, true]);
    },
    TIMEOUT_MS,
  );
});

test(
  "Bedrock's requests carry the signature of the region, and no secret",
  async () => {
    using at = home();
    await using server = bedrockServer([{ blocks: [{ text: "Hi." }] }]);
    const flags = ["--provider", "bedrock", "-m", CLAUDE, "--base-url", server.url, "-p", "hi"];
    const ran = await at.run(flags, { env: { ...KEYS, AWS_REGION: "eu-west-1" } });
    expect([ran.code, ran.out]).toEqual([0, "Hi.\n"]);
    const [sent] = server.requests;
    expect(sent?.headers["authorization"]).toContain("/eu-west-1/bedrock/aws4_request");
    expect(JSON.stringify(sent)).not.toContain("aws-secret");
  },
  TIMEOUT_MS,
);

test(
  "Bedrock's keys are read from the profile that is named",
  async () => {
    using at = home();
    await using server = bedrockServer([{ blocks: [{ text: "Hi." }] }]);
    const profile = "[work]\naws_access_key_id = AKWORK\naws_secret_access_key = s\n";
    await Bun.write(join(at.path, ".aws/credentials"), profile);
    await Bun.write(join(at.path, ".aws/config"), "[profile work]\nregion = ap-south-1\n");
    const flags = ["--provider", "bedrock", "-m", CLAUDE, "--base-url", server.url, "-p", "hi"];
    const ran = await at.run(flags, { env: { AWS_PROFILE: "work" } });
    expect([ran.code, server.complaints]).toEqual([0, []]);
    expect(server.requests[0]?.headers["authorization"]).toMatch(
      /Credential=AKWORK\/\d{8}\/ap-south-1\/bedrock\/aws4_request/,
    );
  },
  TIMEOUT_MS,
);

test(
  "without any AWS credentials the run ends with the ways to some",
  async () => {
    using at = home();
    const ran = await at.run(["--provider", "bedrock", "-m", CLAUDE, "-p", "hi"]);
    expect([ran.code, ran.out]).toEqual([1, ""]);
    expect(ran.err).toContain("there are no AWS credentials: set AWS_BEARER_TOKEN_BEDROCK");
  },
  TIMEOUT_MS,
);

test.each([
  ["its own address", ""],
  ["the compatible one", "/v1"],
])(
  "Ollama at %s is asked for the window that the settings name",
  async (_, path) => {
    using at = home();
    await using server = ollamaServer([{ text: "Hi." }]);
    await Bun.write(
      join(at.path, ".config/burin/config.toml"),
      '[models."qwen3"]\ncontext = 32768\n',
    );
    const flags = ["--provider", "ollama", "-m", "qwen3", "--base-url", server.url + path];
    const ran = await at.run([...flags, "-p", "hi"]);
    expect([ran.code, ran.out, server.complaints]).toEqual([0, "Hi.\n", []]);
    expect(server.requests[0]?.text).toContain('"options":{"num_ctx":32768}');
  },
  TIMEOUT_MS,
);
