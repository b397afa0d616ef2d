// After a request that failed: wait and ask again, do without a tool, hand over to another model, or give up.
import type { ProviderError } from "../model/event.ts";
import { modelLabel } from "../model/model-name.ts";
import { rejectedTool } from "../model/rejected-tool.ts";
import { isCut, planRetry, type RetryPlan, type Spent } from "../model/retry.ts";
import { live, stored, type TurnEvent } from "./event.ts";
import type { Recovery, TakenOver, TurnKit } from "./kit.ts";

export type RecoveryStep =
  | RetryPlan
  /** Again at once, without the tool. */
  | { kind: "without"; tool: string }
  /** Again at once, with another model. */
  | { kind: "switched"; to: TakenOver };

/** What has been tried for one request. */
export type Recovering = {
  next(error: ProviderError): Promise<RecoveryStep>;
  /** Does what the step says, and tells it; comes back when the next try may begin, or the signal was given. */
  take(
    step: Exclude<RecoveryStep, { kind: "give-up" }>,
    error: ProviderError,
  ): AsyncGenerator<TurnEvent>;
};

export async function startRecovering(kit: TurnKit): Promise<Recovering> {
  const recovery = await kit.recovery();
  const spent = { refused: 0, cut: 0 };
  let since: number | null = null;
  let isTold = false;

  /** Hooks hear of the first failure only. */
  async function hooked(error: ProviderError): Promise<TakenOver | null> {
    if (isTold) return null;
    isTold = true;
    return recovery.turnError(error);
  }

  function count(error: ProviderError): Spent {
    since ??= kit.now();
    spent[isCut(error) ? "cut" : "refused"] += 1;
    return { ...spent, elapsedMs: kit.now() - since };
  }

  async function next(error: ProviderError): Promise<RecoveryStep> {
    const tool = rejectedTool(
      error,
      kit.request().tools.map(({ name }) => name),
    );
    if (tool !== null) return { kind: "without", tool };
    const taken = await hooked(error);
    if (taken !== null) return { kind: "switched", to: taken };
    const plan = planRetry(error, count(error), limitsOf(kit, recovery), recovery);
    if (plan.kind === "wait" || !isAnothersChance(error)) return plan;
    const to = await recovery.fallback();
    if (to === null) return plan;
    // Another model has its own tries.
    Object.assign(spent, { refused: 0, cut: 0 });
    since = null;
    return { kind: "switched", to };
  }

  async function* take(
    step: Exclude<RecoveryStep, { kind: "give-up" }>,
    { kind, message }: ProviderError,
  ): AsyncGenerator<TurnEvent> {
    const began = kit.now();
    if (step.kind === "wait") {
      const { attempt, ms } = step;
      yield live({ type: "retry", attempt, tries: recovery.limits.tries, ms, because: message });
      await recovery.pause(ms, kit.signal);
      if (kit.signal.aborted) return;
    }
    if (step.kind === "without") {
      recovery.quarantine(step.tool);
      yield live({ type: "notice", text: without(step.tool, message) });
    }
    if (step.kind === "switched") {
      const name = modelLabel({ provider: step.to.provider, id: step.to.model });
      yield live({ type: "notice", text: `${message}; ${name} goes on from here` });
    }
    const attempt = step.kind === "wait" ? step.attempt : 0;
    const waitedMs = Math.round(kit.now() - began);
    const data = { attempt, waitedMs, kind, because: message };
    yield stored(kit.log.append({ type: "model.retry", data }));
    if (step.kind === "switched") {
      yield stored(kit.log.append({ type: "model.changed", data: step.to }));
    }
  }

  return { next, take };
}

/** A turn's own limit of time ends waiting, too. */
function limitsOf({ limits, now }: TurnKit, recovery: Recovery): Recovery["limits"] {
  if (limits.deadline === null) return recovery.limits;
  const left = Math.max(0, limits.deadline - now());
  return { ...recovery.limits, budgetMs: Math.min(recovery.limits.budgetMs, left) };
}

/** The provider is down, too slow, or has no more for this account: another one may well answer. */
function isAnothersChance({ kind, retryable }: ProviderError): boolean {
  return kind === "quota" || retryable;
}

function without(tool: string, message: string): string {
  return `the provider refuses the tool ${tool}, so this session goes on without it: ${message}`;
}
