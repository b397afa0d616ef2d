// What this session has read: the memory behind read-before-write, staleness and the note for an unchanged repeat.

/** What identifies a version of a file; `hash` is null where the file was too big to be read whole. */
export type Version = { mtimeMs: number; size: number; hash: string | null };

export type Freshness = "unread" | "changed" | "fresh";

/** Paths are real paths (links resolved), so that a file is the same file under every name. */
export type Seen = {
  noteRead(path: string, version: Version): void;
  /** An own write counts as read. */
  noteWrite(path: string, version: Version): void;
  check(path: string, version: Version): Freshness;
  /** True when this range of this version was already given in the present context; the next time it is given again. */
  repeats(path: string, range: string, version: Version): boolean;
  /** The context lost earlier results (compaction): ranges are given again; what was read stays read. */
  forgetShown(): void;
};

export function createSeen(): Seen {
  const versions = new Map<string, Version>();
  const shown = new Map<string, Version>();
  const note = (path: string, version: Version): void => {
    versions.set(path, version);
  };
  return {
    noteRead: note,
    noteWrite: note,
    check(path, version) {
      const known = versions.get(path);
      if (known === undefined) return "unread";
      return sameVersion(known, version) ? "fresh" : "changed";
    },
    repeats(path, range, version) {
      const key = `${range}\n${path}`;
      const known = shown.get(key);
      if (known !== undefined && sameVersion(known, version)) {
        shown.delete(key);
        return true;
      }
      shown.set(key, version);
      return false;
    },
    forgetShown: () => shown.clear(),
  };
}

// The content decides where it is known: `touch` and a checkout of the same bytes change only the time.
function sameVersion(a: Version, b: Version): boolean {
  if (a.hash !== null && b.hash !== null) return a.hash === b.hash;
  return a.mtimeMs === b.mtimeMs && a.size === b.size;
}
