// Money as people read it.
import { expect, test } from "bun:test";
import { usd } from "../../src/base/money.ts";

test("few dollars have four digits, many two, and an unknown price is a dash", () => {
  expect([usd(0), usd(0.00214), usd(12.5), usd(null)]).toEqual([
    "$0.0000",
    "$0.0021",
    "$12.50",
    "—",
  ]);
});
