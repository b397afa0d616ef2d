// The table of models that `burin models` prints.
import { pad, width } from "../base/cells.ts";
import { visible } from "../base/plain.ts";
import type { ListedModel } from "../model/catalog.ts";
import type { Prices } from "../model/price.ts";

const HEAD = ["model", "window", "output", "takes", "in", "cached", "out"];

export function modelTable(models: readonly ListedModel[]): string {
  const rows = [HEAD, ...models.map(cellsOf)];
  const widths = HEAD.map((_, at) => Math.max(...rows.map((cells) => width(cells[at] ?? ""))));
  const lines = rows.map((cells) =>
    cells
      .map((cell, at) =>
        at === 0 || at === 3 ? pad(cell, widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
      )
      .join("  "),
  );
  return `${lines.map((line) => line.trimEnd()).join("\n")}\nprices: USD per million tokens; — is not known\n`;
}

function cellsOf({
  provider,
  id,
  context,
  maxOutput,
  sees,
  reasons,
  prices,
}: ListedModel): string[] {
  const takes = ["text", ...(sees ? ["image"] : []), ...(reasons ? ["(reasons)"] : [])].join(" ");
  const rates = [prices?.input, prices?.cacheRead, prices?.output].map((rate) =>
    rateText(rate, prices),
  );
  return [visible(`${provider}/${id}`, ""), tokens(context), tokens(maxOutput), takes, ...rates];
}

/** A cache rate of 0 beside prices is one that nobody wrote down. */
function rateText(rate: number | undefined, prices: Prices | null): string {
  if (rate === undefined || prices === null) return "—";
  return rate === 0 && prices.input > 0 ? "—" : String(rate);
}

function tokens(amount: number): string {
  if (amount === 0) return "—";
  return amount >= 1_000_000
    ? `${Number((amount / 1_000_000).toFixed(2))}M`
    : `${Math.round(amount / 1000)}k`;
}
