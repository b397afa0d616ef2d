// Models, money and sign-in as a user meets them: the compiled program against servers on this machine.
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { home, type Home } from "../support/binary.ts";
import { fakeIssuer } from "../support/fake-issuer.ts";
import { replayServer, type ReplayTurn } from "../support/replay-server.ts";

const GONE = "http://127.0.0.1:1/v1";
const MODEL_LIST: ReplayTurn = { body: JSON.stringify({ data: [{ id: "qwen" }] }) };
const USAGE = { prompt_tokens: 1000, completion_tokens: 100 };

/** Settings in which no server of this machine is found but those given. */
function settings(at: Home, servers: Record<string, string>, more = ""): void {
  const places = { ollama: GONE, lmstudio: GONE, llamacpp: GONE, vllm: GONE, ...servers };
  const tables = Object.entries(places).map(
    ([name, url]) => `[providers.${name}]\nbase_url = "${url}"\n`,
  );
  const file = join(at.path, ".config/burin/config.toml");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${more}\n${tables.join("\n")}`);
}

describe("without key and settings", () => {
  test("the model of a server on this machine answers", async () => {
    using at = home();
    await using server = await replayServer([MODEL_LIST, { steps: [{ text: "from here" }] }]);
    settings(at, { lmstudio: `${server.url}/v1` });
    expect(await at.run(["-p", "x", "--quiet"])).toEqual({ code: 0, out: "from here\n", err: "" });
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /v1/models",
      "POST /v1/chat/completions",
    ]);
  });

  test("where none answers, three ways are named", async () => {
    using at = home();
    settings(at, {});
    const { code, err } = await at.run(["-p", "x"]);
    expect(code).toBe(2);
    for (const way of ["start a local server", "OPENAI_API_KEY=", "burin demo"])
      expect(err).toContain(way);
  });
});

describe("money", () => {
  const prices = "[models.qwen]\nprices = { input = 10, output = 50 }\n";

  test("is reckoned by the settings' prices, noted for each turn, and added up", async () => {
    using at = home();
    await using server = await replayServer([{ steps: [{ text: "a" }], usage: USAGE }]);
    settings(at, { vllm: `${server.url}/v1` }, prices);
    const ran = await at.run(["-p", "x", "-m", "vllm/qwen", "--json"]);
    expect(JSON.parse(ran.out)).toMatchObject({ cost_usd: 0.015 });
    const file = join(at.path, ".local/share/burin/usage.jsonl");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const sums = JSON.parse((await at.run(["usage", "--by", "model", "--json"])).out);
    expect(sums).toMatchObject([
      { key: "vllm/qwen", turns: 1, input: 1000, output: 100, costUsd: 0.015 },
    ]);
    expect((await at.run(["usage"])).out).toContain("$0.0150");
  });

  test("of a model without prices is unknown, never 0", async () => {
    using at = home();
    await using server = await replayServer([{ steps: [{ text: "a" }], usage: USAGE }]);
    settings(at, { vllm: `${server.url}/v1` });
    const ran = await at.run(["-p", "x", "-m", "vllm/qwen", "--json"]);
    expect(JSON.parse(ran.out)).toMatchObject({ cost_usd: null });
    const shown = (await at.run(["usage"])).out;
    expect([shown.includes("—"), shown.includes("$0.0000")]).toEqual([true, false]);
  });

  test("is not noted where nothing is recorded", async () => {
    using at = home();
    await using server = await replayServer([{ steps: [{ text: "a" }], usage: USAGE }]);
    settings(at, { vllm: `${server.url}/v1` }, prices);
    await at.run(["-p", "x", "-m", "vllm/qwen", "--no-session"]);
    expect(existsSync(join(at.path, ".local/share/burin/usage.jsonl"))).toBe(false);
  });

  test.each([
    ["a flag", ["--max-cost", "0.02"], ""],
    ["the settings", [], "[agent]\nmax_cost = 0.02\n"],
  ])("stops by %s before the request that would pass the limit", async (_name, flags, more) => {
    using at = home();
    const call = { id: "c", name: "ls", arguments: "{}" };
    await using server = await replayServer([
      { steps: [{ call }], usage: USAGE },
      { steps: [{ text: "late" }] },
    ]);
    settings(at, { vllm: `${server.url}/v1` }, `${more}${prices}`);
    const ran = await at.run(["-p", "x", "-m", "vllm/qwen", ...flags]);
    expect([ran.code, server.requests.length]).toEqual([3, 1]);
    expect(ran.err).toContain(
      "0.02 USD: $0.0150 are spent, and the next request would take at least $0.01",
    );
  });
});

describe("burin models", () => {
  test("lists those of servers on this machine, with the window they have, and those of the catalogue", async () => {
    using at = home();
    const list = { body: JSON.stringify({ data: [{ id: "qwen", max_model_len: 40_960 }] }) };
    await using server = await replayServer([list, list]);
    settings(at, { vllm: `${server.url}/v1` }, "[models.gpt-4-turbo]\ncontext = 5000\n");
    const rows = JSON.parse((await at.run(["models", "--json"])).out);
    expect(rows[0]).toMatchObject({ provider: "vllm", id: "qwen", context: 40_960, prices: null });
    expect(rows.find((row: { id: string }) => row.id === "gpt-4-turbo")).toMatchObject({
      context: 5000,
    });
  });

  test("shows the rows with the word in their name, and prices that are not known as —", async () => {
    using at = home();
    settings(at, {});
    const { out } = await at.run(["models", "openai/gpt-4-turbo"]);
    expect(out.split("\n")[1]?.split(/\s{2,}/)).toEqual([
      "openai/gpt-4-turbo",
      "128k",
      "4k",
      "text image",
      "10",
      "—",
      "30",
    ]);
  });

  test("refreshes from the list that is named", async () => {
    using at = home();
    settings(at, {});
    const list = { groq: { models: { fresh: { limit: { context: 9000, output: 10 } } } } };
    await using server = await replayServer([{ body: JSON.stringify(list) }]);
    const ran = await at.run(["models", "refresh", "--from", `${server.url}/api.json`]);
    expect(ran).toMatchObject({ code: 0, out: expect.stringContaining("1 models of 1 providers") });
    expect((await at.run(["models", "groq/fresh"])).out).toContain("9k");
  });
});

describe("burin auth", () => {
  test("signs in with a code, speaks with the token, and forgets it", async () => {
    using at = home();
    await using issuer = fakeIssuer();
    const login = await at.run(["auth", "login", "github-copilot", "--issuer", issuer.url]);
    expect(login).toMatchObject({ code: 0, err: expect.stringContaining("Enter WXYZ-9876") });
    expect((await at.run(["auth", "status"])).out).toStartWith(
      "github-copilot  signed in at 127.0.0.1",
    );
    const said = await at.run(["-p", "hi", "-m", "github-copilot/gpt-4o", "--quiet"]);
    expect(said).toEqual({ code: 0, out: "hello\n", err: "" });
    expect(issuer.shown.at(-1)).toEqual({ path: "/chat/completions", token: "Bearer copilot-1" });
    expect((await at.run(["auth", "status", "github-copilot"])).out).toBe(
      "plan individual, premium requests of this month: 290.5 of 300 left\n",
    );
    expect((await at.run(["auth", "logout", "github-copilot"])).out).toBe(
      "forgotten: github-copilot\n",
    );
    const after = await at.run(["-p", "hi", "-m", "github-copilot/gpt-4o"]);
    expect([after.code, after.err.includes("burin auth login github-copilot")]).toEqual([2, true]);
  }, 20_000);

  test("takes over the login of the Codex program", async () => {
    using at = home();
    mkdirSync(join(at.path, ".codex"));
    const tokens = { access_token: "a", refresh_token: "r", id_token: "i", account_id: "acct" };
    writeFileSync(join(at.path, ".codex/auth.json"), JSON.stringify({ tokens }));
    expect((await at.run(["auth", "login", "codex", "--import"])).code).toBe(0);
    expect((await at.run(["auth", "status"])).out).toContain(
      "signed in at auth.openai.com as acct",
    );
  });

  test("keeps a key that comes on standard input, for the server of that provider", async () => {
    using at = home();
    await using server = await replayServer([{ steps: [{ text: "a" }] }]);
    settings(at, { mine: `${server.url}/v1` });
    const kept = await at.run(["auth", "login", "mine"], { stdin: "sekrit-key\n" });
    expect([kept.code, kept.out + kept.err]).toEqual([0, expect.not.stringContaining("sekrit")]);
    await at.run(["-p", "x", "-m", "mine/m"]);
    expect(server.requests[0]?.headers["authorization"]).toBe("Bearer sekrit-key");
    const elsewhere = await replayServer([{ steps: [{ text: "a" }] }]);
    await at.run(["-p", "x", "--provider", "mine", "-m", "m", "--base-url", `${elsewhere.url}/v1`]);
    expect(elsewhere.requests[0]?.headers["authorization"]).toBeUndefined();
    await elsewhere[Symbol.asyncDispose]();
  });

  test("ends on Ctrl+C with nothing stored", async () => {
    using at = home();
    await using issuer = fakeIssuer();
    issuer.steps.push("pending", "pending");
    const child = at.start(["auth", "login", "codex", "--issuer", issuer.url]);
    const reader = child.stderr.getReader();
    await reader.read();
    child.kill("SIGINT");
    expect(await child.exited).toBe(130);
    expect(existsSync(join(at.path, ".local/share/burin/credentials"))).toBe(false);
  });
});
