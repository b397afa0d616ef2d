// Who searches a batch, when several threads could: a number in memory that they share, which one of them takes away.

/** `claims` hold the numbers of what is open, each in its place. True for one caller only. */
export function claim(claims: Int32Array, id: number): boolean {
  return Atomics.compareExchange(claims, id % claims.length, id, 0) === id;
}
