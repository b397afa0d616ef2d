// The catalogue: the list inside, a newer one above it, the user's own words above both; and how a newer one is fetched.
import { describe, expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { withOwn } from "../../src/model/catalog-own.ts";
import { refreshCatalog } from "../../src/model/catalog-refresh.ts";
import { openCatalog } from "../../src/model/catalog.ts";
import { tempTree } from "../support/temp-tree.ts";

const TURBO = {
  context: 128_000,
  maxOutput: 4096,
  sees: true,
  reasons: false,
  prices: { input: 10, output: 30, cacheRead: 0, cacheWrite: 0, reasoning: null, long: null },
};

describe("the list inside", () => {
  test("knows window, limits and prices of a model", async () => {
    expect((await openCatalog(null)).facts("openai", "gpt-4-turbo")).toEqual(TURBO);
  });

  test("knows by its name alone whether a model takes images, where all agree", async () => {
    const catalog = await openCatalog(null);
    const names = ["gpt-4-turbo", "gpt-oss-120b", "gpt-5.3-codex-spark", "constructor"];
    expect(names.map((name) => catalog.seesAnywhere(name))).toEqual([true, false, null, null]);
  });

  test.each([
    ["openai", "no-such-model"],
    ["nobody", "gpt-4-turbo"],
    ["openai", "constructor"],
    ["__proto__", "toString"],
  ])("does not know %p %p", async (provider, id) => {
    expect((await openCatalog(null)).facts(provider, id)).toBeNull();
  });

  test("can be read whole, and calls no price 0 that is not known", async () => {
    const inside: Record<string, object> = await Bun.file("src/data/models.json").json();
    const all = (await openCatalog(null)).all();
    const listed = Object.values(inside).reduce((sum, rows) => sum + Object.keys(rows).length, 0);
    expect([all.length, all.length > 700]).toEqual([listed, true]);
    const free = new Set(
      all.filter(({ prices }) => prices?.output === 0).map(({ provider }) => provider),
    );
    expect([...free].toSorted()).toEqual(["codex", "github-copilot", "kimi-coding", "openrouter"]);
  });
});

describe("a newer list", () => {
  test("goes before the one inside, model by model", async () => {
    using tree = tempTree({
      "models.json": JSON.stringify({
        openai: {
          "gpt-4-turbo": [1000, 10, false, false, [1, 2, 3, 4], null, 5],
          new: [7, 8, true, true, null],
        },
      }),
    });
    const catalog = await openCatalog(tree.path("models.json"));
    expect([
      catalog.facts("openai", "gpt-4-turbo"),
      catalog.facts("openai", "new"),
      catalog.facts("openai", "gpt-5")?.context,
    ]).toEqual([
      {
        context: 1000,
        maxOutput: 10,
        sees: false,
        reasons: false,
        prices: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, reasoning: 5, long: null },
      },
      { context: 7, maxOutput: 8, sees: true, reasons: true, prices: null },
      400_000,
    ]);
  });

  test.each(["", "{", "[]", '{"openai": {"gpt-4-turbo": ["odd"]}}'])(
    "that cannot be read changes nothing: %p",
    async (text) => {
      using tree = tempTree({ "models.json": text });
      const catalog = await openCatalog(tree.path("models.json"));
      expect(catalog.facts("openai", "gpt-4-turbo")).toEqual(TURBO);
    },
  );
});

describe("the user's own words", () => {
  test("go before the catalogue, key by key", () => {
    expect(withOwn(TURBO, { context: 5, prices: { input: 1, output: 2, reasoning: 3 } })).toEqual({
      ...TURBO,
      context: 5,
      prices: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0, reasoning: 3, long: null },
    });
  });

  test("make a model known that is not listed; without any it stays unknown", () => {
    expect([withOwn(null, {}), withOwn(null, { max_output: 9 })]).toEqual([
      null,
      { context: 0, maxOutput: 9, sees: false, reasons: false, prices: null },
    ]);
  });
});

describe("a refresh", () => {
  const LIST = {
    google: {
      models: {
        g: {
          reasoning: true,
          modalities: { input: ["text", "image"] },
          limit: { context: 100, output: 10 },
          cost: {
            input: 1,
            output: 2,
            cache_read: 0.1,
            context_over_200k: { input: 2, output: 4 },
          },
        },
        odd: { limit: "none" },
      },
    },
    zai: { models: { free: { limit: { context: 5 }, cost: { input: 0, output: 0 } } } },
  };
  const serve = (fetch: () => Response) => {
    const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch });
    return { url: server.url, [Symbol.asyncDispose]: () => server.stop(true) };
  };

  test("keeps what can be read, under our names, in a file of the user's alone", async () => {
    using tree = tempTree({});
    await using server = serve(() => Response.json(LIST));
    const file = tree.path("cache/models.json");
    const done = await refreshCatalog({ url: server.url.href, file, environment: {} });
    expect(done).toEqual({ ok: true, value: { models: 2, providers: 2 } });
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      gemini: { g: [100, 10, true, true, [1, 2, 0.1, 0], [200_000, 2, 4, 0, 0], null] },
      zai: { free: [5, 0, false, false, null, null, null] },
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await openCatalog(file)).facts("gemini", "g")?.prices?.long?.input).toBe(2);
  });

  test.each<[string, () => Response, string]>([
    ["a page", () => new Response("<html>"), "sent no list of models"],
    ["a failure", () => new Response("{}", { status: 503 }), "answered with HTTP 503"],
  ])("leaves the old list where %s comes", async (_name, reply, said) => {
    using tree = tempTree({ "models.json": "old" });
    await using server = serve(reply);
    const file = tree.path("models.json");
    const done = await refreshCatalog({ url: server.url.href, file, environment: {} });
    expect(JSON.stringify(done)).toContain(said);
    expect(readFileSync(file, "utf8")).toBe("old");
  });
});
