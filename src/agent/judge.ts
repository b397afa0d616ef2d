// May this call run? The policy's verdict, and where it says ask, a person's answer.
import { sentence } from "../base/failure.ts";
import { INTERRUPTED } from "../session/fold.ts";
import type { Draft } from "../session/event.ts";
import type { Question, Verdict } from "../policy/verdict.ts";
import type { Unasked } from "./confirm.ts";
import type { CallKit } from "./kit.ts";
import { bugText, type Ready } from "./perform.ts";

type Decision = Extract<Draft, { type: "permission.decision" }>["data"];

/** `decision` goes to the log; null where none was made: for what the mode allows by itself, which is most calls. */
export type Judgement =
  | { kind: "run"; decision: Decision | null }
  /** It would fail whatever is answered: nobody was asked. */
  | { kind: "futile"; because: string }
  | { kind: "refuse" | "stop"; because: string; decision: Decision | null };

export async function judgeCall(ready: Ready, kit: CallKit): Promise<Judgement> {
  try {
    return await judged(ready, kit);
  } catch (error) {
    return { kind: "refuse", because: bugText(ready.tool, error), decision: null };
  }
}

async function judged(ready: Ready, kit: CallKit): Promise<Judgement> {
  const verdict = kit.judge(ready.tool.name, ready.prepared.touches);
  switch (verdict.kind) {
    case "allow":
      return { kind: "run", decision: verdict.by === "mode" ? null : allowed(ready, kit, verdict) };
    case "deny":
      return {
        kind: "refuse",
        because: deniedText(verdict.because),
        decision: {
          ...base(ready, kit),
          decision: "deny",
          by: verdict.by,
          because: verdict.because,
        },
      };
    case "ask":
      return askPerson(ready, kit, verdict.question);
  }
}

function allowed(
  ready: Ready,
  kit: CallKit,
  verdict: Extract<Verdict, { kind: "allow" }>,
): Decision {
  return { ...base(ready, kit), decision: "allow", by: verdict.by, because: verdict.because };
}

function base(ready: Ready, kit: CallKit): Pick<Decision, "tool" | "toolCallId" | "mode"> {
  return { tool: ready.tool.name, toolCallId: ready.call.id, mode: kit.mode };
}

async function askPerson(ready: Ready, kit: CallKit, question: Question): Promise<Judgement> {
  const { call, prepared } = ready;
  const shown = await prepared.preview?.(kit.toolKit(kit.signal, () => undefined));
  if (shown?.ok === false && mayRead(ready, kit)) {
    return { kind: "futile", because: sentence(shown.failure) };
  }
  // An empty one says that nothing would change.
  const preview = shown?.ok && shown.value !== "" ? shown.value : null;
  const answer = await kit.confirm({ call, title: prepared.title, question, preview }, kit.signal);
  // A question that a cancel took away was not answered.
  if (kit.signal.aborted) return { kind: "refuse", because: INTERRUPTED, decision: null };
  const said = { ...base(ready, kit), by: "person" as const, because: question.because };
  switch (answer.kind) {
    case "once":
      return { kind: "run", decision: { ...said, decision: "allow", ...fileGrant(question, kit) } };
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
    case "unasked":
      return unasked(base(ready, kit), answer, question);
  }
}

/** Why a change cannot be made tells what is there: only where that may be looked at. */
function mayRead({ tool, prepared }: Ready, kit: CallKit): boolean {
  const looks = prepared.touches.map((touch) =>
    touch.kind === "write" ? { ...touch, kind: "read" as const } : touch,
  );
  return kit.judge(tool.name, looks).kind === "allow";
}

/** In standard mode the first yes to a write covers the file for the session. */
function fileGrant({ touch, floor, offer }: Question, kit: CallKit): { grant?: string } {
  if (kit.mode !== "standard" || floor || touch?.kind !== "write") return {};
  kit.grant(offer);
  return { grant: offer };
}

/** No person said it: it is told as no person's word and grants nothing for later. */
function unasked(
  about: ReturnType<typeof base>,
  { isAllowed, because }: Unasked,
  { floor }: Question,
): Judgement {
  const said = { ...about, by: floor ? ("floor" as const) : ("mode" as const), because };
  if (isAllowed) return { kind: "run", decision: { ...said, decision: "allow" } };
  return {
    kind: "refuse",
    because: deniedText(because),
    decision: { ...said, decision: "deny" },
  };
}

function deniedText(because: string): string {
  return `denied: ${because}. It was not run; do it another way or tell the user`;
}

function refusalText(reason: string | null): string {
  return reason === null
    ? "the user refused this call. It was not run; ask what they want instead"
    : `the user refused this call: ${reason}`;
}
