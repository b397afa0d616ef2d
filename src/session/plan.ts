// The plan that holds now: what the last call that set one left in the log.
import type { PlanItem } from "../base/plan.ts";
import type { SessionEvent } from "./event.ts";

/** Empty where there is none. */
export function planIn(events: readonly SessionEvent[]): readonly PlanItem[] {
  const last = events.findLast(
    (event) => event.type === "message.tool" && event.data.plan !== undefined,
  );
  return last?.type === "message.tool" ? (last.data.plan ?? []) : [];
}
