// The settings file: one valibot schema that is parsed, checked and explained from; unknown keys are only warned of.
import * as v from "valibot";
import { MODALITIES } from "../base/modalities.ts";
import { MODES } from "../base/modes.ts";

const text = v.pipe(v.string("text"), v.nonEmpty("text that is not empty"));
const texts = v.array(text, "a list of texts");
const wholeNumber = v.pipe(v.number("a whole number"), v.integer("a whole number"));
const count = v.pipe(wholeNumber, v.minValue(1, "at least 1"));

/** 0 is no limit. */
const timeLimit = v.pipe(
  v.number("a number of seconds"),
  v.minValue(0, "0, for no limit, or a number of seconds"),
);

const providerSchema = v.object({
  wire: v.optional(text),
  transport: v.optional(v.picklist(["auto", "http", "websocket"], '"auto", "http" or "websocket"')),
  base_url: v.optional(v.pipe(v.string("a URL"), v.url("a URL such as http://127.0.0.1:8080/v1"))),
  api_key_env: v.optional(text),
  api_key_command: v.optional(text),
  auth: v.optional(v.picklist(["auto", "required", "none"], '"auto", "required" or "none"')),
  connect_timeout_s: v.optional(timeLimit),
  timeout_s: v.optional(timeLimit),
  idle_timeout_s: v.optional(timeLimit),
  proxy: v.optional(text),
  tls: v.optional(
    v.object({ insecure: v.optional(v.boolean("true or false")), ca: v.optional(text) }, "a table"),
  ),
});

const edit = v.picklist(["exact", "fuzzy", "anchored"], '"exact", "fuzzy" or "anchored"');

const usd = v.pipe(v.number("a number of US dollars"), v.minValue(0, "at least 0"));

const pricesSchema = v.object(
  {
    input: usd,
    output: usd,
    cache_read: v.optional(usd),
    cache_write: v.optional(usd),
    reasoning: v.optional(usd),
  },
  "a table of USD per million tokens with at least input and output",
);

const modelSchema = v.object({
  context: v.optional(count),
  max_output: v.optional(count),
  prices: v.optional(pricesSchema),
  reasoning: v.optional(v.boolean("true or false")),
  hidden: v.optional(v.boolean("true or false")),
  edit: v.optional(edit),
  modalities: v.optional(
    v.array(v.picklist(MODALITIES, MODALITIES.map((one) => `"${one}"`).join(", ")), "a list"),
  ),
});

const retrySchema = v.object(
  {
    base_ms: v.optional(v.pipe(wholeNumber, v.minValue(0, "at least 0"))),
    tries: v.optional(v.pipe(wholeNumber, v.minValue(0, "at least 0"))),
    budget_s: v.optional(timeLimit),
  },
  "a table",
);

/** Beside the models by name: what holds for all of them. */
const modelsSchema = v.objectWithRest(
  { fallback: v.optional(texts), retry: v.optional(retrySchema) },
  modelSchema,
  "a table for each model",
);

const seconds = v.pipe(v.number("a number of seconds"), v.minValue(1, "at least 1 second"));

const bashSchema = v.object(
  {
    shell: v.optional(text),
    timeout_s: v.optional(seconds),
    max_timeout_s: v.optional(seconds),
    rtk: v.optional(v.union([v.boolean(), v.literal("auto")], 'true, false or "auto"')),
    env: v.optional(v.record(v.string(), v.string("text"), "a table of texts")),
  },
  "a table",
);

export const SettingsSchema = v.object({
  schema_version: v.optional(v.literal(1, "1, the only version so far")),
  model: v.optional(text),
  mode: v.optional(v.picklist(MODES, MODES.map((mode) => `"${mode}"`).join(", "))),
  session: v.optional(v.object({ dir: v.optional(text) }, "a table")),
  agent: v.optional(
    v.object(
      {
        max_rounds: v.optional(count),
        max_headless_rounds: v.optional(count),
        max_cost: v.optional(usd),
      },
      "a table",
    ),
  ),
  providers: v.optional(v.record(v.string(), providerSchema, "a table for each provider")),
  models: v.optional(modelsSchema),
  permissions: v.optional(
    v.object(
      { allow: v.optional(texts), ask: v.optional(texts), deny: v.optional(texts) },
      "a table",
    ),
  ),
  tools: v.optional(
    v.object(
      {
        enabled: v.optional(texts),
        disabled: v.optional(texts),
        require: v.optional(texts),
        edit: v.optional(edit),
        bash: v.optional(bashSchema),
      },
      "a table",
    ),
  ),
  headless: v.optional(
    v.object({ ask: v.optional(v.picklist(["allow", "deny"], '"allow" or "deny"')) }, "a table"),
  ),
});

export type Settings = v.InferOutput<typeof SettingsSchema>;
