// The processes of this machine, as the kernel tells of them.
import { readdirSync, readFileSync } from "node:fs";

/** Processes whose command line ends so. */
export function pidsOf(...words: string[]): string[] {
  const end = `${words.join("\0")}\0`;
  return readdirSync("/proc").filter(
    (pid) => /^\d+$/.test(pid) && procFile(pid, "cmdline").endsWith(end),
  );
}

/** The most memory a running process ever held, in MB. */
export function peakMemoryMb(pid: number): number {
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(procFile(String(pid), "status"))?.[1];
  if (peak === undefined) throw new Error(`process ${pid} is not running`);
  return Number(peak) / 1024;
}

/** Empty once the process is gone. */
function procFile(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "latin1");
  } catch {
    return "";
  }
}
