// The queue between producers that must not wait and one consumer.
import { expect, test } from "bun:test";
import { queue } from "../../src/base/queue.ts";
import { collect } from "../support/collect.ts";
import { random } from "../support/random.ts";

test("values that came before anybody reads are given in order", async () => {
  const numbers = queue<number>();
  numbers.push(1);
  numbers.push(2);
  numbers.close();
  expect(await collect(numbers)).toEqual([1, 2]);
});

test("a reader that waits gets what is pushed later", async () => {
  const numbers = queue<number>();
  const reader = numbers[Symbol.asyncIterator]();
  const first = reader.next();
  numbers.push(1);
  expect(await first).toEqual({ value: 1, done: false });
  const second = reader.next();
  numbers.push(2);
  expect(await second).toEqual({ value: 2, done: false });
});

test("closing ends a reader that waits", async () => {
  const numbers = queue<number>();
  const next = numbers[Symbol.asyncIterator]().next();
  numbers.close();
  expect(await next).toEqual({ value: undefined, done: true });
});

test("what is pushed while a value is handled is not lost", async () => {
  const numbers = queue<number>();
  numbers.push(1);
  const seen: number[] = [];
  for await (const number of numbers) {
    seen.push(number);
    if (number < 5) numbers.push(number + 1);
    else numbers.close();
  }
  expect(seen).toEqual([1, 2, 3, 4, 5]);
});

test("undefined and null are values like others", async () => {
  const values = queue<undefined | null>();
  values.push(undefined);
  values.push(null);
  values.close();
  expect(await collect(values)).toEqual([undefined, null]);
});

test("however producer and reader alternate, everything arrives once and in order", async () => {
  for (let seed = 1; seed <= 100; seed += 1) {
    const chance = random(seed);
    const numbers = queue<number>();
    const reading = collect(numbers);
    const all = Array.from({ length: chance.int(50) }, (_, at) => at);
    for (const number of all) {
      numbers.push(number);
      for (let turns = chance.int(3); turns > 0; turns -= 1) await Promise.resolve();
    }
    numbers.close();
    expect({ seed, seen: await reading }).toEqual({ seed, seen: all });
  }
});
