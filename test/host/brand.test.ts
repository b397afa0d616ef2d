// The brand of commands: handed down, never shed, never borne by what is no command.
import { expect, test } from "bun:test";
import { isOfProcess, processBrands } from "../../src/host/brand.ts";
import { unless } from "../support/unless.ts";

const LIMIT = ["bash", "-c", "ulimit -HR"];

function limitNow(argv: string[] = LIMIT): bigint {
  return BigInt(Bun.spawnSync(argv).stdout.toString().trim());
}

unless(process.platform !== "linux" && "only Linux hands this limit down")(
  "what is started with a brand bears it, also without session, environment and parent",
  async () => {
    const brands = await processBrands();
    if (brands === null) throw new Error("there are no brands");
    const lonely = ["bash", "-c", '(setsid env -i "$BASH" -c "ulimit -HR" &); sleep 0.1'];
    const { brand, started } = brands.during(() => limitNow(lonely));
    expect([started, brand % 2n, isOfProcess(brand, brands.base)]).toEqual([brand, 1n, true]);
  },
);

unless(process.platform !== "linux" && "only Linux hands this limit down")(
  "each command has its own, and what is started between them has none",
  async () => {
    const brands = await processBrands();
    if (brands === null) throw new Error("there are no brands");
    const first = brands.during(limitNow);
    const between = limitNow();
    const second = brands.during(limitNow);
    expect(first.started).toBe(first.brand);
    expect(second.started).toBe(second.brand);
    expect(second.brand < between && between < first.brand).toBe(true);
    expect(isOfProcess(between, brands.base)).toBe(false);
  },
);

test("brands of another process are told apart", () => {
  const base = 2n ** 62n;
  const span = 2n ** 24n;
  expect(
    [base - 1n, base - 2n, base + 1n, base - span + 1n, base - span - 1n].map((brand) =>
      isOfProcess(brand, base),
    ),
  ).toEqual([true, false, false, true, false]);
});
