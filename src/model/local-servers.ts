// Model servers on this machine: which of the usual ones answer, what they serve, and how much their models hold.
import { isRecord, parseJson, type JsonObject } from "../base/json.ts";
import { isLoopback } from "../wire/http-failure.ts";
import { DEFAULT_HTTP, send, type HttpRequest } from "../wire/http.ts";

export const LOCAL_SERVERS = ["ollama", "lmstudio", "llamacpp", "vllm"] as const;
export type LocalName = (typeof LOCAL_SERVERS)[number];

/** Where a server of that name should be. */
export type LocalPlace = { name: LocalName; baseUrl: string };

/** `models` in the server's order, without those that cannot chat. */
export type LocalServer = LocalPlace & { models: string[] };

/** On this machine a server that runs answers within this. */
const LOOK_MS = 150;
/** One that is busy with a prompt may take longer to say what its model holds. */
const ASK_MS = 1000;
const MAX_ANSWER_BYTES = 4 << 20;
const CANNOT_CHAT = /embed|rerank|whisper|(?:^|[^a-z])(?:bge|e5|tts)(?![a-z])/i;

export function isLocalName(name: string): name is LocalName {
  return LOCAL_SERVERS.some((each) => each === name);
}

/** All are asked at once, only on this machine; those that answer, in the order given. */
export async function answeringServers(places: readonly LocalPlace[]): Promise<LocalServer[]> {
  const answers = await Promise.all(
    places
      .filter(({ baseUrl }) => isLoopback(baseUrl))
      .map(async ({ name, baseUrl }) => {
        const models = await modelsAt({ name, baseUrl }, LOOK_MS);
        return models === null ? [] : [{ name, baseUrl, models }];
      }),
  );
  return answers.flat();
}

/** Null where the server does not answer as a model server. */
async function modelsAt({ name, baseUrl }: LocalPlace, withinMs: number): Promise<string[] | null> {
  const path =
    name === "ollama" ? `${rootOf(baseUrl)}/api/tags` : `${withoutSlash(baseUrl)}/models`;
  const list = await ask({ url: path, body: null }, withinMs);
  const rows = list?.[name === "ollama" ? "models" : "data"];
  if (!Array.isArray(rows)) return null;
  const names = rows.filter(isRecord).map((row) => row["id"] ?? row["name"]);
  return names.filter((each) => typeof each === "string").filter((id) => !CANNOT_CHAT.test(id));
}

/** Tokens; null where the server does not say. */
export async function windowAt(
  { name, baseUrl }: LocalPlace,
  model: string,
): Promise<number | null> {
  switch (name) {
    case "ollama":
      return ollamaWindow(rootOf(baseUrl), model);
    case "lmstudio": {
      const row = rowOf(await get(`${rootOf(baseUrl)}/api/v0/models`), "data", model);
      return positive(row?.["loaded_context_length"]) ?? positive(row?.["max_context_length"]);
    }
    case "llamacpp": {
      const props = await get(`${rootOf(baseUrl)}/props`);
      const settings = props?.["default_generation_settings"];
      return isRecord(settings) ? positive(settings["n_ctx"]) : null;
    }
    case "vllm": {
      const row = rowOf(await get(`${withoutSlash(baseUrl)}/models`), "data", model);
      return positive(row?.["max_model_len"]);
    }
  }
}

/** What a loaded model was given room for, else what the model itself can hold. */
async function ollamaWindow(root: string, model: string): Promise<number | null> {
  const loaded = rowOf(await get(`${root}/api/ps`), "models", model);
  const given = positive(loaded?.["context_length"]);
  if (given !== null) return given;
  const shown = await ask({ url: `${root}/api/show`, body: JSON.stringify({ model }) }, ASK_MS);
  const facts = shown?.["model_info"];
  if (!isRecord(facts)) return null;
  const length = Object.entries(facts).find(([key]) => key.endsWith(".context_length"));
  return positive(length?.[1]);
}

function rowOf(list: JsonObject | null, key: string, model: string): JsonObject | null {
  const rows = list?.[key];
  if (!Array.isArray(rows)) return null;
  return rows.filter(isRecord).find((row) => row["id"] === model || row["name"] === model) ?? null;
}

function positive(value: unknown): number | null {
  return typeof value === "number" && value > 0 ? value : null;
}

/** The compatible API is below the server's root. */
function rootOf(baseUrl: string): string {
  return withoutSlash(baseUrl).replace(/\/(?:v1|api)$/, "");
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}

function get(url: string): Promise<JsonObject | null> {
  return ask({ url, body: null }, ASK_MS);
}

/** Null where nothing usable came in time: a server that is not there is no failure. */
async function ask(
  { url, body }: Pick<HttpRequest, "url" | "body">,
  withinMs: number,
): Promise<JsonObject | null> {
  const headers = { accept: "application/json", "content-type": "application/json" };
  const method = body === null ? "GET" : "POST";
  const late = AbortSignal.timeout(withinMs);
  const sent = await send({ url, method, headers, body }, DEFAULT_HTTP, late);
  if (!sent.ok) return null;
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of sent.reply.body) {
    size += piece.length;
    if (size > MAX_ANSWER_BYTES) return null;
    pieces.push(piece);
  }
  if (sent.reply.broke() !== null || sent.reply.status !== 200) return null;
  const value = parseJson(Buffer.concat(pieces).toString());
  return isRecord(value) ? value : null;
}
