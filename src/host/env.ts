// The only reader of process.env: what burin takes from the environment, and what its children may see of it.

export type Environment = Readonly<Record<string, string | undefined>>;

/** A snapshot of the environment. */
export function environment(): Environment {
  return { ...process.env };
}
