// The tree of events: keeps the live branch in memory and of everything else only where to find it again.
import type { SessionEvent } from "./event.ts";

/** Where an event can be had again: in a file at an offset, or in memory. */
export type Spot =
  | { kind: "file"; offset: number; length: number }
  | { kind: "memory"; event: SessionEvent };

export type Tree = {
  /** From the first event to the leaf. */
  events(): readonly SessionEvent[];
  /** The event the next one follows; null before the first. */
  leaf(): string | null;
  /**
   * Takes the next event of the file. It becomes the leaf, unless it is a `session.leaf`, which names one. False where
   * its id was there before: it is left out.
   */
  add(event: SessionEvent, spot: Spot): boolean;
};

/** `depth` is the event's place on any branch that holds it. */
type Node = { parent: string | null; depth: number; spot: Spot };

export function growTree(reread: (spot: Spot) => SessionEvent | null): Tree {
  const nodes = new Map<string, Node>();
  const branch: SessionEvent[] = [];

  const isLive = (id: string, { depth }: Node): boolean => branch[depth]?.id === id;

  /** Makes `id` the leaf; events of a branch left before are read again. */
  function moveTo(id: string | null): void {
    const missing: Spot[] = [];
    let at = id;
    let node = at === null ? undefined : nodes.get(at);
    while (at !== null && node !== undefined && !isLive(at, node)) {
      missing.push(node.spot);
      at = node.parent;
      node = at === null ? undefined : nodes.get(at);
    }
    branch.length = node === undefined ? 0 : node.depth + 1;
    for (const spot of missing.toReversed()) {
      const event = reread(spot);
      if (event !== null) branch.push(event);
    }
  }

  return {
    events: () => branch,
    leaf: () => branch.at(-1)?.id ?? null,
    add(event, spot) {
      if (nodes.has(event.id)) return false;
      const leaf = branch.at(-1)?.id ?? null;
      const isKnownParent = event.parentId === null || nodes.has(event.parentId);
      // One whose parent is not in the file follows the leaf it found, so that no history is cut off.
      const parent = isKnownParent ? event.parentId : leaf;
      if (event.type === "session.leaf") {
        if (nodes.has(event.data.leaf)) moveTo(event.data.leaf);
        return true;
      }
      if (parent !== leaf) moveTo(parent);
      nodes.set(event.id, { parent, depth: branch.length, spot });
      branch.push(event);
      return true;
    },
  };
}
