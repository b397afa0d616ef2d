// How long a tool result stays verbatim in the context.

/** `hot` always, `warm` until the next compaction, `cold` until a later round has used it. */
export type Tier = "hot" | "warm" | "cold";
