// Seeded chance for property tests: the same seed gives the same choices, so that a failure can be had again.

export type Random = {
  /** 0 ≤ n < below */
  int(below: number): number;
  chance(share: number): boolean;
  pick<T>(items: readonly T[]): T;
};

export function random(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (below: number): number => Math.floor(next() * below);
  return {
    int,
    chance: (share) => next() < share,
    pick(items) {
      const item = items[int(items.length)];
      if (item === undefined) throw new Error("nothing to pick from");
      return item;
    },
  };
}

/** Runs a property for the seeds from 1 on; names the seed of the one that fails. */
export function forSeeds(count: number, property: (random: Random) => void): void {
  for (let seed = 1; seed <= count; seed += 1) {
    try {
      property(random(seed));
    } catch (error) {
      throw new Error(`the property fails for seed ${seed}`, { cause: error });
    }
  }
}
