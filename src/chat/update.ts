// What every event means: state and event in, new state and wishes out. No effects, no clock.
import type { Answer, Ask } from "../agent/confirm.ts";
import type { TurnEvent } from "../agent/event.ts";
import type { Key } from "../term/key.ts";
import { ACTIVITY, follow as followActivity } from "./activity.ts";
import { keysOf, pendingOf, questionEntry, reply, type Pending } from "./approval.ts";
import { aligned, parseSlash, say, tellEntries, warn } from "./commands.ts";
import {
  compose,
  emptied,
  putBack,
  settle,
  withHistory,
  type Composed,
  type Context,
  type Sent,
} from "./composer.ts";
import type { Entry } from "./entry.ts";
import { hear, inquiringOf, inquiryEntry, reopenedInquiry, type Inquiring } from "./inquiry.ts";
import {
  follow,
  initial,
  NO_TRAILING,
  step,
  still,
  type State,
  type Step,
  type UiEvent,
} from "./state.ts";
import { tell } from "./transcript.ts";

/** Two Ctrl+C within this time quit. */
const QUIT_MS = 2000;
const LANE_SIZE = 5;
/** Who types an answer as a word types its next letter within this time. */
const TRAILING_MS = 600;
/** Cells of the prompt mark before the input. */
const PROMPT_CELLS = 2;

export function update(state: State, event: UiEvent): Step {
  switch (event.type) {
    case "key":
      return onKey(state, event.key, event.at);
    case "resize":
      return still({ ...state, columns: event.columns });
    case "tick":
      return onTick(state, event.at);
    case "turn":
      return onTurn(state, event.event, event.at);
    case "asked":
      return onAsked(state, event.ask, event.at);
    case "unasked":
      return withoutAsk(state, event.ask, event.at);
    case "inquired":
    case "uninquired":
      return onInquiry(state, event);
    case "steered":
      return still({ ...state, steering: [] });
    case "facts":
      return still({ ...state, facts: event.facts });
    case "opened":
      return onOpened(state, event);
    case "stayed": {
      const idle: State = { ...state, phase: { kind: "idle" } };
      return event.because === null ? still(idle) : warn(idle, event.because);
    }
    case "submit":
      return onSent(state, { how: "prompt", text: event.text }, event.at);
  }
}

function onTick(state: State, at: number): Step {
  const quitUntil = at < state.quitUntil ? state.quitUntil : 0;
  return onComposed({ ...state, quitUntil }, settle(state.composer, contextOf(state, at)), at);
}

function contextOf(state: State, at: number): Context {
  return { at, columns: inputColumns(state.columns), isBusy: state.phase.kind === "busy" };
}

/** Cells of an input row: the prompt mark and the last column are not for text. */
export function inputColumns(columns: number): number {
  return Math.max(4, columns - PROMPT_CELLS - 1);
}

function onKey(state: State, key: Key, at: number): Step {
  if (state.phase.kind === "away") return still(state);
  const [pending] = state.asks;
  if (pending) return onQuestionKey(state, pending, { key, at });
  const [inquiring] = state.inquiries;
  if (inquiring) return onInquiryKey(state, inquiring, { key, at });
  return onTrailingKey(state, key, at) ?? onInputKey({ ...state, trailing: NO_TRAILING }, key, at);
}

function onInputKey(state: State, key: Key, at: number): Step {
  if (key.kind === "chord") {
    const handled = onChord(state, key.chord, at);
    if (handled !== null) return handled;
  }
  const composed = compose(state.composer, key, contextOf(state, at));
  return onComposed({ ...state, quitUntil: 0 }, composed, at);
}

/** The chords that are not the input's; null for all others. */
function onChord(state: State, chord: string, at: number): Step | null {
  const isEmpty = state.composer.editor.text === "";
  switch (chord) {
    case "ctrl+c":
      return onInterrupt(state, at);
    case "ctrl+d":
      return isEmpty ? step(state, { kind: "quit" }) : null;
    case "enter":
      return isEmpty && state.activity.retry !== null ? step(state, { kind: "hurry" }) : null;
    case "escape":
      return state.phase.kind === "busy" ? stopTurn(state) : still(state);
    case "ctrl+l":
      return step(state, { kind: "redraw" });
    case "ctrl+z":
      return step(state, { kind: "suspend" });
    default:
      return null;
  }
}

/** Ctrl+C takes away the nearest thing: the text, then the turn, and at last the chat. */
function onInterrupt(state: State, at: number): Step {
  const { phase } = state;
  const isRunning = phase.kind === "busy" && !phase.isStopping;
  const armed = { ...state, quitUntil: at + QUIT_MS };
  if (state.composer.editor.text !== "") {
    return still({ ...(isRunning ? state : armed), composer: emptied(state.composer) });
  }
  if (isRunning) return stopTurn(armed);
  return at < state.quitUntil ? step(state, { kind: "quit" }) : still(armed);
}

function stopTurn(state: State): Step {
  if (state.phase.kind !== "busy" || state.phase.isStopping) return still(state);
  return step({ ...state, phase: { ...state.phase, isStopping: true } }, { kind: "stop" });
}

function onComposed(state: State, composed: Composed, at: number): Step {
  const next = { ...state, composer: composed.composer };
  return composed.sent === null ? still(next) : onSent(next, composed.sent, at);
}

function onSent(state: State, sent: Sent, at: number): Step {
  const slash = parseSlash(sent.text);
  switch (slash.kind) {
    case "text":
      return state.phase.kind === "busy" ? enqueue(state, sent) : begin(state, sent.text, at);
    case "unknown": {
      const hint = slash.near === null ? "/help lists all" : `did you mean /${slash.near}?`;
      return warn(state, `there is no command /${slash.name}; ${hint}${RECALL}`);
    }
    case "command":
      if (state.phase.kind === "busy" && !slash.command.duringTurn) {
        const text = `/${slash.command.name} has to wait until the turn ends; Esc stops it`;
        return warn(state, `${text}${RECALL}`);
      }
      return slash.command.run(state, slash.argument);
  }
}

/** A command is not put back: what is typed next would become part of it. */
const RECALL = " (Up brings the line back)";

/** The text back in the input, where it came from. */
function withText(state: State, text: string): State {
  return { ...state, composer: putBack(state.composer, [text]) };
}

function begin(state: State, prompt: string, at: number): Step {
  const phase = { kind: "busy", since: at, isStopping: false } as const;
  return step({ ...state, phase, activity: ACTIVITY }, { kind: "ask", prompt });
}

function enqueue(state: State, sent: Sent): Step {
  const lane = sent.how === "steer" ? "steering" : "queue";
  if (state[lane].length >= LANE_SIZE) {
    return warn(withText(state, sent.text), `${LANE_SIZE} texts are waiting already`);
  }
  return still({ ...state, [lane]: [...state[lane], sent.text] });
}

function onTurn(state: State, event: TurnEvent, at: number): Step {
  const told = tell(state.feed, event);
  const next: State = {
    ...state,
    feed: told.feed,
    activity: followActivity(state.activity, event, at),
    contextTokens: usedTokens(event) ?? state.contextTokens,
  };
  const entries = told.entries.map((entry) => withoutShown(entry, state.previewed));
  const printed: Step = entries.length === 0 ? still(next) : step(next, { kind: "print", entries });
  if (event.kind === "live" && event.event.type === "notice") {
    return warn(next, event.event.text);
  }
  if (event.kind !== "end") return printed;
  return follow(printed, (ended) => onEnd(ended, event.end.status === "complete", at));
}

function usedTokens(event: TurnEvent): number | null {
  if (event.kind !== "stored" || event.event.type !== "model.usage") return null;
  const { usage } = event.event.data;
  return usage.input + usage.output;
}

/** A change that was shown in its question is not shown again. */
function withoutShown(entry: Entry, previewed: readonly string[]): Entry {
  const isShown = entry.kind === "tool" && previewed.includes(entry.id);
  return isShown ? { ...entry, diff: null } : entry;
}

/** After a good end the waiting texts follow, the unread steering first; else they go back to the input. */
function onEnd(state: State, isComplete: boolean, at: number): Step {
  const idle: State = {
    ...state,
    phase: { kind: "idle" },
    asks: [],
    inquiries: [],
    previewed: [],
    steering: [],
    queue: [],
  };
  const unread = state.steering.join("\n");
  const waiting = unread === "" ? state.queue : [unread, ...state.queue];
  if (!isComplete) return still({ ...idle, composer: putBack(idle.composer, waiting) });
  const [first, ...rest] = waiting;
  return first === undefined ? still(idle) : begin({ ...idle, queue: rest }, first, at);
}

function onAsked(state: State, ask: Ask, at: number): Step {
  const asked: State = {
    ...state,
    asks: [...state.asks, pendingOf(ask, at)],
    previewed: ask.preview === null ? state.previewed : [...state.previewed, ask.call.id],
  };
  return state.asks.length === 0 ? tellEntries(asked, [questionEntry(ask)]) : still(asked);
}

function onQuestionKey(state: State, pending: Pending, pressed: { key: Key; at: number }): Step {
  const { key, at } = pressed;
  const others = state.asks.slice(1);
  const answer = reply(pending, key, at, inputColumns(state.columns));
  switch (answer.kind) {
    case "waiting":
      return still({ ...state, asks: [answer.pending, ...others] });
    case "help":
      return say(state, ["keys at this question", ...aligned(keysOf(pending))]);
    case "answered": {
      const trailing = { rest: answer.rest, until: at + TRAILING_MS };
      return answered({ ...state, trailing }, { ask: pending.ask, answer: answer.answer, at });
    }
  }
}

/** The rest of a word that answered, and its Enter; null for every other key. */
function onTrailingKey(state: State, key: Key, at: number): Step | null {
  const { rest, until } = state.trailing;
  if (at >= until || key.kind === "paste") return null;
  if (key.kind === "chord") {
    return key.chord === "enter" ? still({ ...state, trailing: NO_TRAILING }) : null;
  }
  const typed = key.text.toLowerCase();
  if (!rest.startsWith(typed)) return null;
  return still({
    ...state,
    trailing: { rest: rest.slice(typed.length), until: at + TRAILING_MS },
  });
}

function answered(state: State, given: { ask: Ask; answer: Answer; at: number }): Step {
  const { ask, answer, at } = given;
  const told = step(state, { kind: "answer", ask, answer });
  if (answer.kind === "stop") return follow(told, stopTurn);
  return follow(told, (rest) => withoutAsk(rest, ask, at));
}

/** One question less; the next in line is shown now, and its time begins now. */
function withoutAsk(state: State, ask: Ask, at: number): Step {
  const [shown] = state.asks;
  const [next, ...others] = state.asks.filter((each) => each.ask !== ask);
  if (!next) return still({ ...state, asks: [] });
  if (next === shown) return still({ ...state, asks: [next, ...others] });
  const asks = [pendingOf(next.ask, at), ...others];
  return tellEntries({ ...state, asks }, [questionEntry(next.ask)]);
}

function onInquiry(state: State, event: UiEvent & { type: "inquired" | "uninquired" }): Step {
  if (event.type === "uninquired") return withoutInquiry(state, event.questions, event.at);
  const inquiring = inquiringOf(event.questions, event.at);
  const asked = { ...state, inquiries: [...state.inquiries, inquiring] };
  return state.inquiries.length === 0
    ? tellEntries(asked, [inquiryEntry(inquiring)])
    : still(asked);
}

function onInquiryKey(state: State, inquiring: Inquiring, pressed: { key: Key; at: number }): Step {
  const { key, at } = pressed;
  const others = state.inquiries.slice(1);
  const heard = hear(inquiring, key, at, inputColumns(state.columns));
  switch (heard.kind) {
    case "waiting": {
      const isNext = heard.inquiring.answers.length > inquiring.answers.length;
      if (!isNext) return still({ ...state, inquiries: [heard.inquiring, ...others] });
      const next = reopenedInquiry(heard.inquiring, at);
      return tellEntries({ ...state, inquiries: [next, ...others] }, [inquiryEntry(next)]);
    }
    case "stop":
      return stopTurn(state);
    case "answered": {
      const { questions } = inquiring;
      const told = step(state, { kind: "inform", questions, inquired: heard.inquired });
      return follow(told, (rest) => withoutInquiry(rest, questions, at));
    }
  }
}

/** The next in line is shown now, and its time begins now. */
function withoutInquiry(state: State, questions: Inquiring["questions"], at: number): Step {
  const [first] = state.inquiries;
  const inquiries = state.inquiries.filter((each) => each.questions !== questions);
  const [next, ...others] = inquiries;
  if (!next || next === first) return still({ ...state, inquiries });
  const fresh = reopenedInquiry(next, at);
  return tellEntries({ ...state, inquiries: [fresh, ...others] }, [inquiryEntry(fresh)]);
}

function onOpened(state: State, event: UiEvent & { type: "opened" }): Step {
  const fresh = initial(event.facts, state.columns);
  const composer = withHistory(fresh.composer, event.prompts);
  return step({ ...fresh, composer, feed: event.feed }, { kind: "print", entries: event.entries });
}
