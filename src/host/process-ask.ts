// Asks a small program for its answer: within a time, a bounded output, and no way to hang.

export type Answer = { code: number; text: string };

const MAX_ANSWER_BYTES = 256 * 1024;

/** Null where it could not be started, took too long or said too much. */
export async function askProgram(
  argv: readonly string[],
  how: { cwd: string; env: Record<string, string>; timeoutMs: number },
): Promise<Answer | null> {
  try {
    const child = Bun.spawn([...argv], {
      cwd: how.cwd,
      env: how.env,
      stdio: ["ignore", "pipe", "ignore"],
      detached: true,
    });
    const timer = setTimeout(() => endGroup(child.pid), how.timeoutMs);
    try {
      const text = await textWithin(child.stdout, MAX_ANSWER_BYTES);
      if (text === null) endGroup(child.pid);
      const code = await child.exited;
      return text === null || child.signalCode !== null ? null : { code, text };
    } finally {
      clearTimeout(timer);
      // What it may have left running has no business here.
      endGroup(child.pid);
    }
  } catch {
    return null;
  }
}

async function textWithin(
  stream: ReadableStream<Uint8Array>,
  limit: number,
): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > limit) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended, and its group with it.
  }
}
