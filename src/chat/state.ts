// The chat as one value: everything the screen shows and everything a key could mean.
import type { Answer, Ask } from "../agent/confirm.ts";
import type { TurnEvent } from "../agent/event.ts";
import type { Choice } from "../app/place.ts";
import type { Totals } from "../session/usage.ts";
import type { Key } from "../term/key.ts";
import { ACTIVITY, type Activity } from "./activity.ts";
import type { Pending } from "./approval.ts";
import type { Inquired, Inquiry } from "../tools/inquiry.ts";
import type { Inquiring } from "./inquiry.ts";
import { COMPOSER, type Composer } from "./composer.ts";
import type { Entry } from "./entry.ts";
import { FEED, type Feed } from "./transcript.ts";

/** What the chat knows of the open place, as plain data. */
export type Facts = {
  version: string;
  cwd: string;
  home: string | null;
  branch: string | null;
  model: { provider: string; id: string; auth: string };
  mode: string;
  session: { id: string; name: string; path: string | null };
  contextFiles: readonly string[];
  totals: Totals;
};

export type Phase =
  | { kind: "idle" }
  /** `isStopping` from the moment the person cancelled until the turn has ended. */
  | { kind: "busy"; since: number; isStopping: boolean }
  /** Another session is being opened or chosen. */
  | { kind: "away" };

export type State = {
  readonly facts: Facts;
  readonly phase: Phase;
  readonly composer: Composer;
  /** Texts that wait for the end of the turn, and texts that wait for its next request. */
  readonly queue: readonly string[];
  readonly steering: readonly string[];
  /** Open permission questions; the first is on show. */
  readonly asks: readonly Pending[];
  /** Open questions of the model; the first is on show where no permission is asked for. */
  readonly inquiries: readonly Inquiring[];
  readonly feed: Feed;
  readonly activity: Activity;
  /** Changes already shown in a question, which the result need not show again. */
  readonly previewed: readonly string[];
  /** Tokens of the last request, for the context meter. */
  readonly contextTokens: number;
  /** What a person may still type of the word that answered the last question: it is no text for the input. */
  readonly trailing: { readonly rest: string; readonly until: number };
  /** A second Ctrl+C before this time quits. */
  readonly quitUntil: number;
  readonly columns: number;
};

export type UiEvent =
  | { type: "key"; key: Key; at: number }
  | { type: "resize"; columns: number }
  | { type: "tick"; at: number }
  | { type: "turn"; event: TurnEvent; at: number }
  | { type: "asked"; ask: Ask; at: number }
  /** A question is void: its turn was stopped. */
  | { type: "unasked"; ask: Ask; at: number }
  | { type: "inquired"; questions: readonly Inquiry[]; at: number }
  /** Its turn was stopped. */
  | { type: "uninquired"; questions: readonly Inquiry[]; at: number }
  | { type: "steered" }
  | { type: "facts"; facts: Facts }
  | {
      type: "opened";
      facts: Facts;
      prompts: readonly string[];
      entries: readonly Entry[];
      feed: Feed;
    }
  /** Nothing was opened; the session stays, and the person is told why where there is a reason. */
  | { type: "stayed"; because: string | null }
  | { type: "submit"; text: string; at: number };

export type Want =
  | { kind: "print"; entries: readonly Entry[] }
  | { kind: "ask"; prompt: string }
  | { kind: "stop" }
  /** Send the failed request again now. */
  | { kind: "hurry" }
  | { kind: "answer"; ask: Ask; answer: Answer }
  | { kind: "inform"; questions: readonly Inquiry[]; inquired: Inquired }
  | { kind: "open"; choice: Choice }
  /** Ask for a name, then open a new session. */
  | { kind: "name" }
  /** Let a person choose from the sessions of this folder. */
  | { kind: "pick" }
  | { kind: "redraw" }
  | { kind: "suspend" }
  | { kind: "quit" };

export type Step = { readonly state: State; readonly wants: readonly Want[] };

export const NO_TRAILING: State["trailing"] = { rest: "", until: -Infinity };

export function initial(facts: Facts, columns: number): State {
  return {
    facts,
    phase: { kind: "idle" },
    composer: COMPOSER,
    queue: [],
    steering: [],
    asks: [],
    inquiries: [],
    feed: FEED,
    activity: ACTIVITY,
    previewed: [],
    contextTokens: 0,
    trailing: NO_TRAILING,
    quitUntil: 0,
    columns,
  };
}

export function still(state: State): Step {
  return { state, wants: [] };
}

export function step(state: State, ...wants: readonly Want[]): Step {
  return { state, wants };
}

/** `second` after `first`, keeping what both want. */
export function follow(first: Step, second: (state: State) => Step): Step {
  const next = second(first.state);
  return { state: next.state, wants: [...first.wants, ...next.wants] };
}
