// What a freshly opened place shows: its facts, the start card, its notices, and the end of an earlier transcript.
import type { Place } from "../app/place.ts";
import { usd } from "../base/money.ts";
import type { PlanItem } from "../base/plan.ts";
import { strip } from "../base/plain.ts";
import type { SessionEvent } from "../session/event.ts";
import { planIn } from "../session/plan.ts";
import { modelLabel } from "../model/model-name.ts";
import { tokenText, wholeCost } from "../session/usage.ts";
import type { Entry } from "./entry.ts";
import { shortPath, tokens } from "./format.ts";
import type { Facts, UiEvent } from "./state.ts";
import { entriesOf, FEED, interject, type Feed } from "./transcript.ts";

/** A resumed session shows its last events; all of them are in its file. */
const MAX_SHOWN_EVENTS = 300;
const MAX_SHOWN_ENTRIES = 40;
const TIP = "/help shows commands and keys; Ctrl+J is a new line";

export type Fixed = { version: string; home: string | null };

export function factsOf(place: Place, fixed: Fixed): Facts {
  return {
    ...fixed,
    cwd: place.cwd,
    branch: place.branch,
    model: place.model,
    mode: place.mode,
    session: place.session(),
    contextFiles: place.contextFiles,
    totals: place.totals(),
  };
}

/** The event of a place being open; `isFirst` when nothing is on the screen above it. */
export function opening(place: Place, fixed: Fixed, isFirst: boolean): UiEvent {
  const facts = factsOf(place, fixed);
  const events = place.events();
  const notices = place.notices.map((text): Entry => ({
    kind: "note",
    gap: true,
    tone: "warning",
    text,
  }));
  const card: Entry = { kind: "card", gap: true, lines: cardLines(facts) };
  const before: Feed = { ...FEED, last: isFirst ? null : "note" };
  const plan = planIn(events);
  const earlier = [...earlierEntries(events), ...openPlan(plan, events)];
  const { feed, entries } = interject({ ...before, plan }, [card, ...notices, ...earlier]);
  return { type: "opened", facts, prompts: promptsOf(events), entries, feed };
}

/** The last words: how to come back, and what it took. */
export function farewell(facts: Facts): string[] {
  const { session, totals } = facts;
  const used = (amount: number): string => tokenText(amount, totals, tokens);
  const figures = `${used(totals.input)} tokens in · ${used(totals.output)} out · cost ${usd(wholeCost(totals))}`;
  if (session.path === null) return [`session ${session.name} (not recorded) · ${figures}`];
  return [`session ${session.name} · ${session.id}`, figures, `burin resume ${session.id}`];
}

function cardLines(facts: Facts): string[] {
  const { model, branch, contextFiles } = facts;
  const folder = shortPath(facts.cwd, facts.home);
  const context = contextFiles.map((path) => shortPath(path, facts.home)).join(", ");
  return [
    `burin ${facts.version} · ${modelLabel(model)} · ${model.auth}`,
    `mode ${facts.mode} · ${folder}${branch === null ? "" : ` (${branch})`}`,
    ...(context === "" ? [] : [`context ${context}`]),
    `session ${facts.session.name} · ${facts.session.path === null ? "not recorded" : facts.session.id}`,
    TIP,
  ];
}

function earlierEntries(events: readonly SessionEvent[]): Entry[] {
  const all = entriesOf(events.slice(-MAX_SHOWN_EVENTS));
  const shown = all.slice(-MAX_SHOWN_ENTRIES);
  const isCut = shown.length < all.length || events.length > MAX_SHOWN_EVENTS;
  if (!isCut || shown.length === 0) return shown;
  return [
    { kind: "note", gap: true, tone: "quiet", text: "… the earlier part is in the session file" },
    ...shown,
  ];
}

/** A resumed plan that has not come to its end, once more at the end of what is shown. */
function openPlan(plan: readonly PlanItem[], events: readonly SessionEvent[]): Entry[] {
  const isOpen = plan.some(({ status }) => status !== "completed");
  return isOpen && events.length > 0 ? [{ kind: "plan", gap: true, items: plan }] : [];
}

/** What the person wrote in this session, oldest first. */
function promptsOf(events: readonly SessionEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type !== "message.user") return [];
    const isTyped = ["prompt", "queue", "steer"].includes(event.data.origin);
    const text = event.data.content.map((part) => (part.type === "text" ? part.text : "")).join("");
    return isTyped && text !== "" ? [strip(text)] : [];
  });
}
