// May this call run? The policy's verdict, and where it says ask, a person's answer.
import type { Draft } from "../session/event.ts";
import type { Verdict } from "../policy/verdict.ts";
import type { TurnKit } from "./kit.ts";
import type { Ready } from "./perform.ts";

type Decision = Extract<Draft, { type: "permission.decision" }>["data"];

/** `decision` goes to the log; null for what the mode allows by itself, which is most calls. */
export type Judgement =
  | { kind: "run"; decision: Decision | null }
  | { kind: "refuse" | "stop"; because: string; decision: Decision };

export async function judgeCall(ready: Ready, kit: TurnKit): Promise<Judgement> {
  const verdict = kit.judge(ready.tool.name, ready.prepared.touches);
  switch (verdict.kind) {
    case "allow":
      return { kind: "run", decision: verdict.by === "mode" ? null : allowed(ready, kit, verdict) };
    case "deny":
      return {
        kind: "refuse",
        because: `denied: ${verdict.because}. It was not run; do it another way or tell the user`,
        decision: {
          ...base(ready, kit),
          decision: "deny",
          by: verdict.by,
          because: verdict.because,
        },
      };
    case "ask":
      return askPerson(ready, kit, verdict);
  }
}

function allowed(
  ready: Ready,
  kit: TurnKit,
  verdict: Extract<Verdict, { kind: "allow" }>,
): Decision {
  return { ...base(ready, kit), decision: "allow", by: verdict.by, because: verdict.because };
}

function base(ready: Ready, kit: TurnKit): Pick<Decision, "tool" | "toolCallId" | "mode"> {
  return { tool: ready.tool.name, toolCallId: ready.call.id, mode: kit.mode };
}

async function askPerson(
  ready: Ready,
  kit: TurnKit,
  { question }: Extract<Verdict, { kind: "ask" }>,
): Promise<Judgement> {
  const preview = (await ready.prepared.preview?.()) ?? null;
  const { call, prepared } = ready;
  const answer = await kit.confirm({ call, title: prepared.title, question, preview }, kit.signal);
  const said = { ...base(ready, kit), by: "person" as const, because: question.because };
  switch (answer.kind) {
    case "once":
      return { kind: "run", decision: { ...said, decision: "allow", ...fileGrant(ready, kit) } };
    case "session":
      kit.grant(answer.rule);
      return { kind: "run", decision: { ...said, decision: "allow", grant: answer.rule } };
    case "no":
      return {
        kind: "refuse",
        because: refusalText(answer.reason),
        decision: { ...said, decision: "deny" },
      };
    case "stop":
      return {
        kind: "stop",
        because: "the user refused the call and ended the turn",
        decision: { ...said, decision: "deny" },
      };
  }
}

/** In standard mode the first yes to a write covers the file for the session. */
function fileGrant(ready: Ready, kit: TurnKit): { grant?: string } {
  const verdict = kit.judge(ready.tool.name, ready.prepared.touches);
  if (kit.mode !== "standard" || verdict.kind !== "ask" || verdict.question.floor) return {};
  if (verdict.question.touch.kind !== "write") return {};
  kit.grant(verdict.question.offer);
  return { grant: verdict.question.offer };
}

function refusalText(reason: string | null): string {
  return reason === null
    ? "the user refused this call. It was not run; ask what they want instead"
    : `the user refused this call: ${reason}`;
}
