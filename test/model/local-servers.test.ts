// Servers on this machine: found where they answer, passed over where they do not, asked for what their models hold.
import { describe, expect, test } from "bun:test";
import { findLocal, firstModelAt } from "../../src/app/local-model.ts";
import { answeringServers, windowAt, type LocalName } from "../../src/model/local-servers.ts";
import { sentence } from "../../src/base/failure.ts";

type Routes = Record<string, unknown>;

/** Answers the given paths with JSON, all others with 404. */
function serve(routes: Routes) {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      const { pathname } = new URL(request.url);
      return Object.hasOwn(routes, pathname)
        ? Response.json(routes[pathname])
        : new Response("no", { status: 404 });
    },
  });
  return { url: server.url.origin, [Symbol.asyncDispose]: () => server.stop(true) };
}

const GONE = "http://127.0.0.1:1/v1";
const MODELS = { "/v1/models": { data: [{ id: "nomic-embed-text" }, { id: "qwen" }] } };
const TAGS = { "/api/tags": { models: [{ name: "llama:8b" }, { name: "bge-m3:latest" }] } };

describe("servers that answer", () => {
  test("are found with the models that can chat", async () => {
    await using ollama = serve(TAGS);
    await using studio = serve(MODELS);
    const found = await answeringServers([
      { name: "ollama", baseUrl: ollama.url },
      { name: "lmstudio", baseUrl: `${studio.url}/v1/` },
      { name: "vllm", baseUrl: GONE },
    ]);
    expect(found.map(({ name, models }) => [name, models])).toEqual([
      ["ollama", ["llama:8b"]],
      ["lmstudio", ["qwen"]],
    ]);
  });

  test.each<[string, () => Response | Promise<Response>]>([
    ["says something else", () => new Response("<html>")],
    ["says it in another form", () => Response.json({ models: [] })],
    ["never answers", () => new Promise<Response>(() => undefined)],
    ["refuses", () => Response.json({ data: [] }, { status: 401 })],
  ])("are passed over where one %s", async (_name, fetch) => {
    const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch });
    const found = await answeringServers([{ name: "llamacpp", baseUrl: server.url.href }]);
    await server.stop(true);
    expect(found).toEqual([]);
  });

  test("are only looked for on this machine", async () => {
    expect(await answeringServers([{ name: "vllm", baseUrl: "http://host.invalid/v1" }])).toEqual(
      [],
    );
  });
});

test.each<[LocalName, string, Routes, number | null]>([
  ["ollama", "", { "/api/ps": { models: [{ name: "m", context_length: 8192 }] } }, 8192],
  [
    "ollama",
    "/v1",
    { "/api/ps": { models: [] }, "/api/show": { model_info: { "qwen2.context_length": 32_768 } } },
    32_768,
  ],
  [
    "lmstudio",
    "/v1",
    {
      "/api/v0/models": {
        data: [{ id: "m", max_context_length: 131_072, loaded_context_length: 4096 }],
      },
    },
    4096,
  ],
  [
    "lmstudio",
    "/v1",
    { "/api/v0/models": { data: [{ id: "m", max_context_length: 131_072 }] } },
    131_072,
  ],
  ["llamacpp", "/v1", { "/props": { default_generation_settings: { n_ctx: 16_384 } } }, 16_384],
  ["vllm", "/v1", { "/v1/models": { data: [{ id: "m", max_model_len: 40_960 }] } }, 40_960],
  ["vllm", "/v1", { "/v1/models": { data: [{ id: "other", max_model_len: 1 }] } }, null],
  ["llamacpp", "/v1", {}, null],
])("%s at “%s” says what its model holds", async (name, path, routes, wanted) => {
  await using server = serve(routes);
  expect(await windowAt({ name, baseUrl: `${server.url}${path}` }, "m")).toBe(wanted);
});

describe("without a word about the model", () => {
  const nowhere = {
    ollama: { base_url: GONE },
    lmstudio: { base_url: GONE },
    llamacpp: { base_url: GONE },
  };

  test("the first of the first server that has one is taken", async () => {
    await using empty = serve({ "/api/tags": { models: [] } });
    await using full = serve(MODELS);
    const providers = {
      ...nowhere,
      ollama: { base_url: empty.url },
      vllm: { base_url: `${full.url}/v1` },
    };
    expect(await findLocal(providers, null)).toEqual({ provider: "vllm", id: "qwen" });
    expect(await findLocal(providers, "qwen")).toEqual({ provider: "vllm", id: "qwen" });
    expect(await findLocal(providers, "another")).toBeNull();
  });

  test("a server without one says what to do", async () => {
    await using empty = serve({ "/api/tags": { models: [] } });
    const first = await firstModelAt("ollama", empty.url);
    expect(first.ok ? "" : sentence(first.failure)).toEndWith(
      "has no model to chat with: ollama pull MODEL",
    );
    const gone = await firstModelAt("vllm", GONE);
    expect(gone.ok ? "" : sentence(gone.failure)).toStartWith(
      "no model server answers at 127.0.0.1:1",
    );
  });
});
