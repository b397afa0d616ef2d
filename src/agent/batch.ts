// The calls of one reply: readers in a row run together, everything else runs alone, results keep the order asked.
import { queue, type Queue } from "../base/queue.ts";
import type { ToolCall } from "../model/event.ts";
import { INTERRUPTED } from "../session/fold.ts";
import type { Output } from "../tools/tool.ts";
import { stored, type TurnEvent } from "./event.ts";
import { judgeCall, type Judgement } from "./judge.ts";
import type { CallKit } from "./kit.ts";
import { check, refusal, runCall, type Checked, type Ready } from "./perform.ts";

/** Results of read calls by name and arguments, valid until the next call that is no read. */
export type ReadCache = Map<string, Output>;

export type BatchEnd = {
  /** Why the person ended the turn at a permission question; null when nobody did. */
  stopped: string | null;
  isAllRefused: boolean;
};

/** At most so many readers at once: more would only fight for the disk. */
const MAX_PARALLEL = 8;

type Run = { kit: CallKit; cache: ReadCache };
type Outcome = { call: ToolCall; output: Output; durationMs: number };
type Judged = { checked: Checked; refused: Output | null };

export async function* runBatch(
  calls: readonly ToolCall[],
  run: Run,
): AsyncGenerator<TurnEvent, BatchEnd> {
  const end: BatchEnd = { stopped: null, isAllRefused: true };
  for await (const group of groups(calls, run.kit)) {
    const judged: Judged[] = [];
    for (const checked of group) {
      const refused = yield* admitCall(checked, end, run.kit);
      judged.push({ checked, refused });
    }
    yield* runGroup(end.stopped === null ? judged : judged.map(notRun), run);
  }
  return end;
}

/** Once the person ended the turn, what was admitted before does not begin either. */
function notRun({ checked, refused }: Judged): Judged {
  return { checked, refused: refused ?? refusal(STOPPED) };
}

const STOPPED = "not run: the user ended the turn";

/** Null when the call may run, else the result that says why it may not. */
async function* admitCall(
  checked: Checked,
  end: BatchEnd,
  kit: CallKit,
): AsyncGenerator<TurnEvent, Output | null> {
  if (!checked.isReady) {
    end.isAllRefused = false;
    return checked.refused;
  }
  if (kit.signal.aborted) return refusal(INTERRUPTED);
  if (end.stopped !== null) return refusal(STOPPED);
  const judgement = await judgeCall(checked, kit);
  if (judgement.kind === "futile") {
    end.isAllRefused = false;
    return refusal(judgement.because);
  }
  if (judgement.decision !== null) {
    yield stored(kit.log.append({ type: "permission.decision", data: judgement.decision }));
  }
  switch (judgement.kind) {
    case "run":
      end.isAllRefused = false;
      return null;
    case "refuse":
      return refusal(judgement.because, refusedWord(judgement));
    case "stop":
      end.stopped = judgement.because;
      return refusal(judgement.because, "refused");
  }
}

/** The text of a refusal is for the model; the person who said it, or wrote the rule, needs a word. */
function refusedWord({ decision }: Extract<Judgement, { decision: unknown }>): string | null {
  if (decision === null) return null;
  return decision.by === "person" ? "refused" : "denied";
}

/**
 * Consecutive readers form a group; any other call is a group of its own: a barrier. A call is checked only when all
 * writes before it are done, for it may be about what they leave.
 */
async function* groups(calls: readonly ToolCall[], kit: CallKit): AsyncGenerator<Checked[]> {
  let readers: Checked[] = [];
  for (const call of calls) {
    const checked = await check(call, kit);
    if (readers.length === MAX_PARALLEL || (readers.length > 0 && !isReader(checked))) {
      yield readers;
      readers = [];
    }
    if (isReader(checked)) readers.push(checked);
    else yield [checked];
  }
  if (readers.length > 0) yield readers;
}

function isReader(checked: Checked): boolean {
  if (!checked.isReady) return true;
  // What touches no file (a question, a look at background commands) has a new answer every time.
  const { touches } = checked.prepared;
  return touches.length > 0 && touches.every((touch) => touch.kind === "read");
}

async function* runGroup(group: readonly Judged[], run: Run): AsyncGenerator<TurnEvent> {
  const events = queue<TurnEvent>();
  const outcomes = startAll(group, run, events);
  const all = Promise.allSettled(outcomes).then(() => events.close());
  yield* events;
  await all;
  for (const outcome of outcomes) yield stored(store(await outcome, run.kit));
}

/** Starts every call of the group; identical ones share one run. */
function startAll(
  group: readonly Judged[],
  run: Run,
  events: Queue<TurnEvent>,
): Promise<Outcome>[] {
  const running = new Map<string, Promise<Outcome>>();
  return group.map(({ checked, refused }) => {
    const { call } = checked;
    if (refused !== null || !checked.isReady) {
      return Promise.resolve({ call, output: refused ?? refusal("not run"), durationMs: 0 });
    }
    const key = `${call.name} ${call.arguments}`;
    const started = running.get(key) ?? perform(checked, key, run, events);
    if (isReader(checked)) running.set(key, started);
    return started.then((outcome) => ({ ...outcome, call }));
  });
}

async function perform(
  ready: Ready,
  key: string,
  { kit, cache }: Run,
  events: Queue<TurnEvent>,
): Promise<Outcome> {
  // Cancelled since it was admitted, while the person was asked about a call beside it.
  if (kit.signal.aborted) return { call: ready.call, output: refusal(INTERRUPTED), durationMs: 0 };
  const isRead = isReader(ready);
  if (!isRead) cache.clear();
  const known = cache.get(key);
  if (known) return { call: ready.call, output: known, durationMs: 0 };
  const begun = kit.now();
  const output = await runCall(ready, kit, events);
  if (isRead && !output.isError) cache.set(key, output);
  return { call: ready.call, output, durationMs: kit.now() - begun };
}

function store(
  { call, output, durationMs }: Outcome,
  kit: CallKit,
): ReturnType<CallKit["log"]["append"]> {
  const { parts, isError, summary, diff, checkpoint, truncated, plan } = output;
  return kit.log.append({
    type: "message.tool",
    data: {
      toolCallId: call.id,
      name: call.name,
      content: parts,
      isError,
      tier: kit.tool(call.name)?.tier ?? "hot",
      summary,
      durationMs,
      ...(truncated ? { truncated } : {}),
      ...(diff === undefined ? {} : { diff }),
      ...(checkpoint === undefined ? {} : { checkpoint }),
      ...(plan === undefined ? {} : { plan }),
    },
  });
}
