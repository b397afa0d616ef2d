// Requests with a sign-in: to its own server with a token that holds, and never to another.
import { describe, expect, test } from "bun:test";
import { copilot } from "../../src/model/adapters/copilot.ts";
import { openaiChat } from "../../src/model/adapters/openai-chat.ts";
import { signInAccess, tokenAccess } from "../../src/model/credentials-access.ts";
import { credentialFolder, readSignIn, writeSignIn } from "../../src/model/credentials-store.ts";
import { openModel } from "../../src/model/stream.ts";
import { DEFAULT_HTTP } from "../../src/wire/http.ts";
import { fakeIssuer, signInAt as record, webToken } from "../support/fake-issuer.ts";
import { tempTree } from "../support/temp-tree.ts";
import { requestOf, user } from "./requests.ts";

const HOUR_MS = 3_600_000;

describe("requests with a sign-in", () => {
  const wanted = (tree: { root: string }, baseUrl: string, isElsewhere: boolean) => ({
    provider: "github-copilot" as const,
    endpoint: { provider: "github-copilot", baseUrl, credential: { kind: "none" } as const },
    isElsewhere,
    data: tree.root,
    environment: {},
  });

  /** What the model says: its text, or the sentence of its failure. */
  async function say(access: Awaited<ReturnType<typeof signInAccess>>): Promise<string> {
    if (!access.ok || access.value === null) return "no access";
    const { endpoint, authorize, renewing } = access.value;
    const adapter = copilot(openaiChat());
    const model = renewing(
      openModel({ adapter, endpoint, authorize, modelId: "m", http: DEFAULT_HTTP }),
    );
    let said = "";
    for await (const event of model.stream(requestOf([user("hi")]), new AbortController().signal)) {
      if (event.type === "text") said += event.delta;
      if (event.type === "failed") said += event.error.message;
    }
    return said;
  }

  test("go to the server that belongs to it, with a token that holds", async () => {
    using tree = tempTree({});
    await using issuer = fakeIssuer();
    const stale = record(issuer, { accessToken: "stale", refreshToken: "gho_1" });
    writeSignIn(credentialFolder(tree.root), "github-copilot", stale);
    expect(
      await say(await signInAccess(wanted(tree, "https://api.githubcopilot.com", false))),
    ).toBe("hello");
    expect(issuer.shown).toEqual([
      { path: "/copilot_internal/v2/token", token: "token gho_1" },
      { path: "/chat/completions", token: "Bearer copilot-1" },
    ]);
  });

  test("are tried once more with a new token where the old one is no longer taken", async () => {
    using tree = tempTree({});
    await using issuer = fakeIssuer();
    issuer.accepts.token = "copilot-1";
    const held = record(issuer, { accessToken: "withdrawn", expiresAt: Date.now() + HOUR_MS });
    writeSignIn(credentialFolder(tree.root), "github-copilot", held);
    expect(await say(await signInAccess(wanted(tree, issuer.url, false)))).toBe("hello");
    expect(issuer.counts.refreshes).toBe(1);
  });

  test("fail with a sentence where it was withdrawn, which shows no token", async () => {
    using tree = tempTree({});
    await using issuer = fakeIssuer();
    issuer.accepts.token = "another";
    const held = record(issuer, { accessToken: "withdrawn", expiresAt: Date.now() + HOUR_MS });
    writeSignIn(credentialFolder(tree.root), "github-copilot", held);
    const said = await say(await signInAccess(wanted(tree, issuer.url, false)));
    expect(said).toContain("the token ••• is not valid");
    expect(said).not.toMatch(/withdrawn|copilot-1/);
  });

  test("are none where the user names another server: it is shown nothing", async () => {
    using tree = tempTree({});
    await using issuer = fakeIssuer();
    await using other = fakeIssuer();
    const held = record(issuer, { expiresAt: Date.now() + HOUR_MS });
    writeSignIn(credentialFolder(tree.root), "github-copilot", held);
    expect(await say(await signInAccess(wanted(tree, other.url, true)))).toBe("no access");
    expect([issuer.asked, other.asked]).toEqual([[], []]);
  });

  test("with a token from a variable write nothing", async () => {
    using tree = tempTree({});
    const token = { key: webToken(Date.now() + HOUR_MS, "x"), source: "CODEX_ACCESS_TOKEN" };
    const access = await tokenAccess(token, {
      ...wanted(tree, "https://chatgpt.com/backend-api/codex", false),
      provider: "codex",
    });
    if (!access.ok) throw new Error("no access");
    const { signal } = new AbortController();
    const asked = { url: "https://chatgpt.com/backend-api/codex/responses", headers: {}, body: "" };
    expect(await access.value.authorize(asked, signal)).toEqual({
      ok: true,
      value: {
        ...asked,
        headers: {
          authorization: `Bearer ${token.key}`,
          originator: "burin",
          "chatgpt-account-id": "acct-1",
        },
      },
    });
    expect(readSignIn(credentialFolder(tree.root), "codex")).toEqual({ ok: true, value: null });
  });
});
