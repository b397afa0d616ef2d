// What a tool call would touch: the only thing policy ever hears of tools.

/** Paths are absolute and lexically normalised; policy resolves links itself. */
export type Touch =
  | { kind: "read" | "write"; path: string }
  | { kind: "run"; command: string; cwd: string }
  | { kind: "fetch"; url: string }
  | { kind: "call"; server: string; tool: string };
