// Writes src/data/models.json from a list of model facts:  bun scripts/catalog.ts FACTS.json
import * as v from "valibot";

const Facts = v.array(
  v.object({
    provider: v.string(),
    id: v.string(),
    context: v.number(),
    maxOutput: v.number(),
    input: v.array(v.string()),
    reasoning: v.boolean(),
    usdPerMTok: v.object({
      input: v.number(),
      output: v.number(),
      cacheRead: v.number(),
      cacheWrite: v.number(),
    }),
  }),
);
type Fact = v.InferOutput<typeof Facts>[number];

/** Where the list and our presets call a provider by different names. */
const OUR_NAMES: Readonly<Record<string, string>> = {
  "azure-openai-responses": "azure",
  google: "gemini",
  moonshotai: "moonshot",
  "openai-codex": "codex",
  "vercel-ai-gateway": "vercel",
};

/** Requests cost nothing where a subscription pays; elsewhere four zeros mean that nobody wrote the prices down. */
const SUBSCRIPTIONS = new Set(["codex", "github-copilot", "kimi-coding", "openrouter"]);

// What the list leaves out: requests with more input tokens than the first number are charged at these rates as a whole.
// From the vendors' price pages: input, output, cache read, cache write.
const LONG_CONTEXT: readonly [models: RegExp, tier: readonly number[]][] = [
  [/^gemini\/gemini-2\.5-pro/, [200_000, 2.5, 15, 0.25, 0]],
  [/^gemini\/gemini-3(?:\.1)?-pro/, [200_000, 4, 18, 0.4, 0]],
  [/^anthropic\/claude-sonnet-4-(?:0|5|20250514)/, [200_000, 6, 22.5, 0.6, 7.5]],
  [/^openai\/gpt-5\.4$/, [272_000, 5, 22.5, 0.5, 0]],
];

const source = process.argv[2];
if (source === undefined) {
  console.error("usage: bun scripts/catalog.ts FACTS.json");
  process.exit(2);
}
const facts = v.parse(Facts, await Bun.file(source).json());

const byProvider = Map.groupBy(facts, ({ provider }) => OUR_NAMES[provider] ?? provider);
const blocks = [...byProvider.keys()].toSorted().map((provider) => {
  const models = (byProvider.get(provider) ?? []).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const rows = models.map(
    (model) => `    ${JSON.stringify(model.id)}: ${JSON.stringify(rowOf(provider, model))}`,
  );
  return `  ${JSON.stringify(provider)}: {\n${rows.join(",\n")}\n  }`;
});
const TARGET = "src/data/models.json";
await Bun.write(TARGET, `{\n${blocks.join(",\n")}\n}\n`);
Bun.spawnSync(["node_modules/.bin/oxfmt", TARGET]);
console.log(`${facts.length} models of ${byProvider.size} providers`);

/** In the order that src/model/catalog.ts reads. */
function rowOf(provider: string, model: Fact): unknown[] {
  const { input, output, cacheRead, cacheWrite } = model.usdPerMTok;
  const prices = [input, output, cacheRead, cacheWrite].map((price) =>
    Number(price.toPrecision(6)),
  );
  const isKnown = SUBSCRIPTIONS.has(provider) || prices.some((price) => price > 0);
  const long = LONG_CONTEXT.find(([models]) => models.test(`${provider}/${model.id}`));
  return [
    model.context,
    model.maxOutput,
    model.input.includes("image"),
    model.reasoning,
    isKnown ? prices : null,
    ...(long === undefined ? [] : [long[1]]),
  ];
}
