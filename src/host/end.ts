// Ends a family of processes: TERM, a short grace, KILL; fast when they obey, and nothing is missed that forks meanwhile.
import { type Family, listAllProcesses, membersOf, type ProcessEntry } from "./process-list.ts";

const TERM_GRACE_MS = 2000;
/** After KILL only a process stuck in the kernel remains: it is not waited for any longer than this. */
const KILL_WAIT_MS = 400;
const POLL_MS = 15;

/** For the session: the screen lives on while processes end. */
export async function endFamily(family: Family): Promise<void> {
  const step = ending(family, TERM_GRACE_MS);
  while (!step()) await Bun.sleep(POLL_MS);
}

/** For exit handlers and the watcher: blocks, at most half a second longer than the grace. */
export function endFamilyNow(family: Family, graceMs = TERM_GRACE_MS): void {
  const step = ending(family, graceMs);
  while (!step()) Bun.sleepSync(POLL_MS);
}

/** One step looks, signals and says whether nothing is left. */
function ending(family: Family, graceMs: number): () => boolean {
  const began = performance.now();
  const told = new Map<number, ProcessEntry>();
  return () => {
    const elapsed = performance.now() - began;
    const known = [...family.known, ...told.values()];
    const members = membersOf(listAllProcesses(), { ...family, known });
    if (members.length === 0 || elapsed > graceMs + KILL_WAIT_MS) return true;
    for (const member of members) {
      if (elapsed > graceMs) signal(member, "SIGKILL");
      else if (told.get(member.pid)?.started !== member.started) terminate(member);
      told.set(member.pid, member);
    }
    return false;
  };
}

/** A stopped process takes TERM only when it goes on. */
function terminate(entry: ProcessEntry): void {
  signal(entry, "SIGTERM");
  signal(entry, "SIGCONT");
}

function signal(entry: ProcessEntry, name: "SIGTERM" | "SIGCONT" | "SIGKILL"): void {
  try {
    process.kill(entry.pid, name);
  } catch {
    // It ended between the look and the signal, or belongs to another user: the next look tells.
  }
}
