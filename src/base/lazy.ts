// A value made when it is first asked for, and only once: for what costs a start time and most runs never need.

export function lazy<T extends object>(make: () => T): () => T {
  const made: { value?: T } = {};
  return () => (made.value ??= make());
}
