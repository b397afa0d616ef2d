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

/** Where the list and our presets call a provider by different names. */
const OUR_NAMES: Readonly<Record<string, string>> = { google: "gemini", moonshotai: "moonshot" };

const source = process.argv[2];
if (source === undefined) {
  console.error("usage: bun scripts/catalog.ts FACTS.json");
  process.exit(2);
}
const facts = v.parse(Facts, await Bun.file(source).json());

const byProvider = Map.groupBy(facts, ({ provider }) => OUR_NAMES[provider] ?? provider);
const blocks = [...byProvider.keys()].toSorted().map((provider) => {
  const models = (byProvider.get(provider) ?? []).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const rows = models.map((model) => {
    const { input, output, cacheRead, cacheWrite } = model.usdPerMTok;
    const row = [
      model.context,
      model.maxOutput,
      model.input.includes("image"),
      model.reasoning,
      ...[input, output, cacheRead, cacheWrite].map((price) => Number(price.toPrecision(6))),
    ];
    return `    ${JSON.stringify(model.id)}: [${row.map((cell) => JSON.stringify(cell)).join(", ")}]`;
  });
  return `  ${JSON.stringify(provider)}: {\n${rows.join(",\n")}\n  }`;
});
const TARGET = "src/data/models.json";
await Bun.write(TARGET, `{\n${blocks.join(",\n")}\n}\n`);
Bun.spawnSync(["node_modules/.bin/oxfmt", TARGET]);
console.log(`${facts.length} models of ${byProvider.size} providers`);
