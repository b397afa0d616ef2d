// A brand that descendants of a command do not shed by accident: a limit on real-time CPU, too high to limit anything, which the kernel hands down.

/** Odd for commands, even for whatever else burin starts. */
export type Brand = bigint;

export type Brands = {
  /** Every brand of this process lies below it, within a span that is its own. */
  base: Brand;
  /** What `start` starts bears the brand, as do all its descendants; nothing that is started later does. */
  during<T>(start: () => T): { brand: Brand; started: T };
};

/** RLIMIT_RTTIME of Linux, in microseconds: it counts for real-time scheduling only, and no other system has it. */
const RLIMIT_RTTIME = 15;
const NO_LIMIT = 2n ** 64n - 1n;
const HALF = 2n ** 62n;
/** Room for so many commands of one process; two processes meet by chance in one of 2^37 cases. */
const SPAN = 2n ** 24n;
/** A burin that runs in a command of another must stay below what it inherited. */
const MAX_DROP = 2n ** 34n;

/** One for the whole process, as the limit is; null where there is no such limit. */
export const processBrands: () => Promise<Brands | null> = once(openBrands);

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

async function openBrands(): Promise<Brands | null> {
  if (process.platform !== "linux") return null;
  const { openLibc } = await import("./libc.ts");
  const libc = openLibc({
    getrlimit: { args: ["i32", "ptr"], returns: "i32" },
    setrlimit: { args: ["i32", "ptr"], returns: "i32" },
  });
  if (libc === null) return null;
  const { getrlimit, setrlimit } = libc.symbols;
  const limits = new BigUint64Array(2);
  const lower = (to: bigint): boolean => {
    limits.fill(to);
    return setrlimit(RLIMIT_RTTIME, limits) === 0;
  };
  if (getrlimit(RLIMIT_RTTIME, limits) !== 0) return null;
  const base = baseBelow(limits[1] ?? 0n);
  if (base < SPAN || !lower(base)) return null;
  let last = base;
  return {
    base,
    during(start) {
      const brand = last - 1n;
      last -= 2n;
      lower(brand);
      try {
        return { brand, started: start() };
      } finally {
        lower(last);
      }
    },
  };
}

function baseBelow(limit: bigint): bigint {
  const [random = 0n] = crypto.getRandomValues(new BigUint64Array(1));
  if (limit === NO_LIMIT) return HALF + (random % (HALF / SPAN)) * SPAN;
  return (limit / SPAN - 1n - (random % MAX_DROP)) * SPAN;
}

/** Whether it is the brand of a command of the process with this base. */
export function isOfProcess(brand: Brand, base: Brand): boolean {
  return brand % 2n === 1n && brand < base && brand > base - SPAN;
}
