// The chat in a pseudo-terminal: how soon it can be used, what it costs when idle, a long stream with Markdown.
import { readFileSync } from "node:fs";
import { Terminal } from "@xterm/headless";
import type { Lab } from "./lab.ts";
import { ratio, smallest } from "./measure.ts";
import { LAST_WORDS } from "./replies.ts";

const RUNS = 10;
const STREAM_RUNS = 2;
const IDLE_MS = 2000;
const PATIENCE_MS = 10_000;
const SIZE = { cols: 100, rows: 30 };
const CLOCK_TICKS_PER_SECOND = 100;

const NAME_PROMPT = /Name of this session/;
const INPUT_PROMPT = /^›/m;

type Screen = { pid: number; shows(pattern: RegExp): Promise<number> } & AsyncDisposable;

/** Starts a program on a terminal that answers queries as a real one does. */
function open(lab: Lab, command: string[]): Screen {
  const emulator = new Terminal({ ...SIZE, allowProposedApi: true });
  const started = performance.now();
  const waiting = new Set<() => void>();
  const child = Bun.spawn(command, {
    cwd: lab.cwd,
    env: lab.env,
    terminal: {
      ...SIZE,
      data: (_, bytes) => emulator.write(bytes, () => waiting.forEach((look) => look())),
    },
  });
  emulator.onData((reply) => child.terminal?.write(reply));
  return {
    pid: child.pid,
    shows: async (pattern) => {
      const { promise, resolve, reject } = Promise.withResolvers<number>();
      const look = (): void => {
        if (pattern.test(textOf(emulator))) resolve(performance.now() - started);
      };
      const sorry = (): void =>
        reject(new Error(`${String(pattern)} did not appear; last row: ${lastRow(emulator)}`));
      const timer = setTimeout(sorry, PATIENCE_MS);
      waiting.add(look);
      look();
      return promise.finally(() => {
        clearTimeout(timer);
        waiting.delete(look);
      });
    },
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await child.exited;
      child.terminal?.close();
      emulator.dispose();
    },
  };
}

function textOf(emulator: Terminal): string {
  const buffer = emulator.buffer.active;
  const rows: string[] = [];
  for (let row = 0; row < SIZE.rows; row += 1)
    rows.push(buffer.getLine(buffer.baseY + row)?.translateToString(true) ?? "");
  return rows.join("\n");
}

function lastRow(emulator: Terminal): string {
  const rows = textOf(emulator).split("\n");
  return rows.findLast((row) => row !== "") ?? "(the screen is empty)";
}

function chat(lab: Lab, extra: string[]): string[] {
  return [lab.burin, ...lab.model("ok"), ...extra];
}

async function shown(lab: Lab, command: string[], pattern: RegExp): Promise<number> {
  await using screen = open(lab, command);
  // Awaited here: the screen closes when this function returns.
  return await screen.shows(pattern);
}

/** Start to the name prompt, and with --name to the input prompt, as ratios to hello world on the same terminal. */
export async function ready(lab: Lab): Promise<[number, number]> {
  const floor = async (): Promise<number> => shown(lab, [lab.hello], /hello/);
  const name = await ratio(RUNS, async () => shown(lab, chat(lab, []), NAME_PROMPT), floor);
  const named = chat(lab, ["--name", "bench"]);
  return [name, await ratio(RUNS, async () => shown(lab, named, INPUT_PROMPT), floor)];
}

/** Resident megabytes, and per cent of a core over two seconds in which nothing happens. */
export async function idle(lab: Lab): Promise<[number, number]> {
  await using screen = open(lab, chat(lab, ["--name", "bench"]));
  await screen.shows(INPUT_PROMPT);
  // What the start leaves to do (a first collection, late queries) is no part of being idle.
  await Bun.sleep(IDLE_MS / 2);
  const before = cpuSeconds(screen.pid);
  await Bun.sleep(IDLE_MS);
  const cpu = (100 * 1000 * (cpuSeconds(screen.pid) - before)) / IDLE_MS;
  return [residentMb(screen.pid), cpu];
}

/** Seconds of CPU of a chat that shows 20,000 deltas, its start included. */
export async function stream(lab: Lab): Promise<[number]> {
  const once = async (): Promise<number> => {
    const command = [lab.burin, "x", "--name", "bench", ...lab.model("stream-20000")];
    await using screen = open(lab, command);
    await screen.shows(new RegExp(LAST_WORDS));
    return cpuSeconds(screen.pid);
  };
  return [await smallest(STREAM_RUNS, once)];
}

function proc(pid: number, name: string): string {
  if (process.platform !== "linux") throw new Error("measured through /proc, on Linux only");
  return readFileSync(`/proc/${pid}/${name}`, "utf8");
}

function cpuSeconds(pid: number): number {
  // The name in brackets may hold spaces; user and system time are the 12th and 13th field after it.
  const fields = proc(pid, "stat").split(") ").at(-1)?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS_PER_SECOND;
}

function residentMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(proc(pid, "status"))?.[1]) / 1000;
}
