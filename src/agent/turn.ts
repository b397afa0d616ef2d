// One turn: the prompt is stored, then rounds of one reply and its tool calls follow until the model stops.
import { messageOf } from "../base/failure.ts";
import { usd } from "../base/money.ts";
import type { UserPart } from "../model/request.ts";
import type { Origin } from "../session/event.ts";
import { totals } from "../session/usage.ts";
import type { ReadCache } from "./batch.ts";
import { live, reasonOf, stored, type TurnEnd, type TurnEvent } from "./event.ts";
import type { TurnKit } from "./kit.ts";
import { listen, type Reply } from "./listen.ts";

const COST_BLIND =
  "the price of this model is not known, so --max-cost cannot stop it; --max-rounds and --max-time can";
/** Rounds in a row whose every call was refused, after which going on makes no sense. */
const MAX_REFUSED_ROUNDS = 3;

/**
 * The only way to run a turn: chat, headless and subagents all consume this. A stored event is on disk before it is
 * yielded; the last event is `end`. Expected failures end the turn; an exception is a bug, and ends it as well.
 */
export async function* turn(prompt: UserPart[], kit: TurnKit): AsyncGenerator<TurnEvent> {
  const before = totals(kit.log.events());
  const admitted = admit(kit, prompt, "prompt");
  kit.log.sync();
  yield admitted;
  const end = yield* walled(rounds(kit));
  const after = totals(kit.log.events());
  yield stored(
    kit.log.append({
      type: "session.ended",
      data: {
        status: end.status,
        reason: reasonOf(end),
        rounds: after.rounds - before.rounds,
        toolCalls: after.toolCalls - before.toolCalls,
      },
    }),
  );
  kit.log.sync();
  yield* notices(kit);
  yield { kind: "end", end };
}

/**
 * One reply and its calls, again and again. `listen` hears and stores the reply; `batch` runs its calls, each through
 * `perform` (find, check, run) and `judge` (policy, and the person where it asks); the results are the next request's end.
 */
async function* rounds(kit: TurnKit): AsyncGenerator<TurnEvent, TurnEnd> {
  const cache: ReadCache = new Map();
  let refused = 0;
  for (let round = 1; ; round++) {
    const limit = await limitReached(kit, round);
    if (limit !== null) return { status: "limit", which: limit };
    for (const text of kit.inbox.take()) yield admit(kit, [{ type: "text", text }], "steer");
    for (const text of kit.news()) yield admit(kit, [{ type: "text", text }], "background");
    yield* announce(round, kit);

    const reply = yield* listen(kit);
    if (reply.kind !== "calls") return endOf(reply);

    const { runBatch } = await import("./batch.ts");
    const hands = await kit.hands();
    const batch = yield* runBatch(reply.calls, { kit: { ...kit, ...hands }, cache });
    if (kit.signal.aborted) return { status: "interrupted" };
    if (batch.stopped !== null) return { status: "denied", because: batch.stopped };
    refused = batch.isAllRefused ? refused + 1 : 0;
    if (refused >= MAX_REFUSED_ROUNDS) {
      return { status: "denied", because: `${refused} rounds in a row held only denied calls` };
    }
  }
}

function endOf(reply: Exclude<Reply, { kind: "calls" }>): TurnEnd {
  return reply.kind === "end" ? reply.end : { status: "error", message: reply.message };
}

function admit(kit: TurnKit, content: UserPart[], origin: Origin): TurnEvent {
  return stored(kit.log.append({ type: "message.user", data: { content, origin } }));
}

/** A request is about to leave; first what the person should know by now. */
function* announce(round: number, kit: TurnKit): Generator<TurnEvent> {
  yield* notices(kit);
  if (round === 2 && isCostBlind(kit)) yield live({ type: "notice", text: COST_BLIND });
  yield live({ type: "request", round });
}

/** What the log has to say: that the disk is full and nothing more is recorded. */
function* notices(kit: TurnKit): Generator<TurnEvent> {
  for (const text of kit.log.takeNotices()) yield live({ type: "notice", text });
}

/** A limit on what nobody can count must not look like one that holds. */
function isCostBlind({ limits, log }: TurnKit): boolean {
  return limits.maxCostUsd !== null && totals(log.events()).costUsd === null;
}

async function limitReached(kit: TurnKit, round: number): Promise<string | null> {
  const { maxRounds, maxCostUsd, deadline } = kit.limits;
  if (round > maxRounds) return `rounds (${maxRounds})`;
  if (deadline !== null && kit.now() >= deadline) return "time";
  if (maxCostUsd === null) return null;
  return costLimit(kit, maxCostUsd);
}

/** Before the request that would pass it: its input alone has a price that can be told in advance. */
async function costLimit(kit: TurnKit, maxUsd: number): Promise<string | null> {
  const events = kit.log.events();
  const spent = totals(events).costUsd;
  if (spent === null) return null;
  if (spent >= maxUsd) return `cost (${maxUsd} USD)`;
  const { costAhead } = await import("./cost-ahead.ts");
  const ahead = await costAhead(events, kit);
  if (spent + ahead <= maxUsd) return null;
  return `cost (${maxUsd} USD: ${usd(spent)} are spent, and the next request would take at least ${usd(ahead)})`;
}

/** The wall of a turn: a bug in burin ends this turn with a sentence, never the session. */
async function* walled(
  run: AsyncGenerator<TurnEvent, TurnEnd>,
): AsyncGenerator<TurnEvent, TurnEnd> {
  try {
    return yield* run;
  } catch (error) {
    const message = `burin failed inside this turn (a bug): ${messageOf(error)}`;
    return { status: "error", message };
  }
}
