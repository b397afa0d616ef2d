// When a process started: what tells a living process from a later one that was given the same pid.
import { readFileSync } from "node:fs";

/** Fields of /proc/<pid>/stat after the command's closing bracket; the start time is the twentieth of them. */
const START_FIELD = 19;

/** An opaque text that is equal only for the same process; null where no such process runs. */
export function startOf(pid: number): string | null {
  return process.platform === "linux" ? startInProc(pid) : startByPs(pid);
}

function startInProc(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The command in brackets may hold spaces and brackets itself.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[START_FIELD] ?? null;
  } catch {
    return null;
  }
}

export function startByPs(pid: number): string | null {
  const run = Bun.spawnSync(["ps", "-o", "lstart=", "-p", String(pid)], {
    env: { PATH: "/bin:/usr/bin", LC_ALL: "C", TZ: "UTC" },
    stderr: "ignore",
  });
  const text = run.stdout.toString().trim();
  return text === "" ? null : text;
}
