// Damages bytes as lines, disks and proxies do: flips, cuts, doubles, mixes up, and puts in what JSON makes much of.
import type { Random } from "../../support/random.ts";

const SPICE = [
  "{",
  "}",
  '"',
  "[",
  "]",
  ":",
  ",",
  "\\",
  "null",
  "-1e999",
  "\n\n",
  "data: ",
  "\u0000",
];

export function mutated(bytes: Uint8Array, chance: Random): Uint8Array {
  let damaged = Buffer.from(bytes);
  const times = 1 + chance.int(6);
  for (let time = 0; time < times; time += 1) damaged = once(damaged, chance);
  return damaged;
}

function once(bytes: Buffer, chance: Random): Buffer<ArrayBuffer> {
  const from = chance.int(bytes.length + 1);
  const to = Math.min(bytes.length, from + chance.int(200));
  const [before, middle, after] = [
    bytes.subarray(0, from),
    bytes.subarray(from, to),
    bytes.subarray(to),
  ];
  switch (chance.int(5)) {
    case 0:
      return Buffer.concat([before, after]);
    case 1:
      return Buffer.concat([before, middle, middle, after]);
    case 2:
      return Buffer.concat([before, Buffer.from(chance.pick(SPICE)), bytes.subarray(from)]);
    case 3:
      return Buffer.concat([before, Buffer.from([chance.int(256)]), bytes.subarray(from + 1)]);
    default:
      return Buffer.concat([after, before, middle]);
  }
}
