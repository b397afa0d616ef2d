// The input: editor, history, and the care that a paste without markers is not sent at its first newline.
import {
  cleared,
  content,
  EDITOR,
  feed as feedEditor,
  setText,
  type,
  type Editor,
} from "../term/editor.ts";
import { HISTORY, newer, older, remember, type History } from "../term/history.ts";
import { chord, type Key } from "../term/key.ts";

/** Keys that come faster than a person types are a burst: a paste, or a line sent by a program. */
type Burst = {
  readonly at: number;
  /** An Enter within a burst waits until this time: more text makes it a newline, silence makes it Enter. */
  readonly heldUntil: number | null;
  /** A burst that had a newline is a paste, and so is its last Enter. */
  readonly hasNewline: boolean;
};

export type Composer = {
  readonly editor: Editor;
  readonly history: History;
  readonly burst: Burst;
};

export const COMPOSER: Composer = {
  editor: EDITOR,
  history: HISTORY,
  burst: { at: -Infinity, heldUntil: null, hasNewline: false },
};

/** `steer` is sent into the running turn, `prompt` is a turn of its own. */
export type Sent = { how: "prompt" | "steer"; text: string };
export type Composed = { composer: Composer; sent: Sent | null };
export type Context = {
  at: number;
  columns: number;
  /** While a turn runs, Alt+Enter steers it; else it is a newline. */
  isBusy: boolean;
};

const BURST_MS = 8;
const HOLD_MS = 30;

const NEWLINES: ReadonlySet<string> = new Set(["shift+enter", "ctrl+j", "ctrl+enter"]);

export function compose(composer: Composer, key: Key, context: Context): Composed {
  const isQuick = context.at - composer.burst.at <= BURST_MS;
  const { heldUntil } = composer.burst;
  if (heldUntil !== null) return afterHeld(composer, key, context);
  if (key.kind === "chord" && key.chord === "enter" && isQuick) return held(composer, context.at);
  const isTyped = key.kind === "text" || (key.kind === "chord" && NEWLINES.has(key.chord));
  const burst: Burst = {
    at: isTyped ? context.at : -Infinity,
    heldUntil: null,
    hasNewline: isQuick && composer.burst.hasNewline,
  };
  return plain({ ...composer, burst }, key, context);
}

/** The time has come to decide on a held Enter. */
export function settle(composer: Composer, context: Context): Composed {
  const { heldUntil, hasNewline } = composer.burst;
  if (heldUntil === null || context.at < heldUntil) return { composer, sent: null };
  const released = { ...composer, burst: COMPOSER.burst };
  return hasNewline ? edited(released, type(composer.editor, "\n")) : enter(released);
}

/** The whole text, folded pastes included. */
export function textOf(composer: Composer): string {
  return content(composer.editor);
}

/** Puts `texts` (queued ones, after a cancel) before what is being written. */
export function putBack(composer: Composer, texts: readonly string[]): Composer {
  if (texts.length === 0) return composer;
  const text = [...texts, composer.editor.text].filter((each) => each !== "").join("\n");
  return { ...composer, editor: setText(composer.editor, text) };
}

export function emptied(composer: Composer): Composer {
  const history = { ...composer.history, at: null, draft: "" };
  return { ...composer, editor: cleared(composer.editor), history };
}

/** With the prompts of a session's past. */
export function withHistory(composer: Composer, entries: readonly string[]): Composer {
  return { ...composer, history: { entries, at: null, draft: "" } };
}

function held(composer: Composer, at: number): Composed {
  const burst = { ...composer.burst, at, heldUntil: at + HOLD_MS };
  return { composer: { ...composer, burst }, sent: null };
}

/** Something follows a held Enter: if it is text or another Enter, the burst is a paste. */
function afterHeld(composer: Composer, key: Key, context: Context): Composed {
  const { at } = context;
  if (key.kind === "chord" && !NEWLINES.has(key.chord) && key.chord !== "enter") {
    const sent = settle(composer, { ...context, at: Infinity });
    const next = plain(sent.composer, key, context);
    return { composer: next.composer, sent: sent.sent ?? next.sent };
  }
  const broken: Composer = {
    ...composer,
    editor: type(composer.editor, "\n"),
    burst: { at, heldUntil: null, hasNewline: true },
  };
  if (key.kind !== "chord") return plain(broken, key, context);
  // CR LF is one newline.
  return key.chord === "ctrl+j" ? { composer: broken, sent: null } : held(broken, at);
}

function plain(composer: Composer, key: Key, context: Context): Composed {
  if (key.kind !== "chord")
    return edited(composer, feedEditor(composer.editor, key, context.columns));
  if (NEWLINES.has(key.chord)) return edited(composer, type(composer.editor, "\n"));
  switch (key.chord) {
    case "enter":
      return enter(composer);
    case "alt+enter":
      return context.isBusy
        ? send(composer, "steer")
        : edited(composer, type(composer.editor, "\n"));
    case "up":
    case "ctrl+p":
      return upOrOlder(composer, key.chord, context);
    case "down":
    case "ctrl+n":
      return downOrNewer(composer, key.chord, context);
    default:
      return edited(composer, feedEditor(composer.editor, key, context.columns));
  }
}

/** Enter sends, but after a backslash it is a newline. */
function enter(composer: Composer): Composed {
  const { text, caret } = composer.editor;
  if (text[caret - 1] !== "\\") return send(composer, "prompt");
  const without = feedEditor(composer.editor, chord("backspace"), Infinity);
  return edited(composer, type(without, "\n"));
}

function send(composer: Composer, how: Sent["how"]): Composed {
  const text = content(composer.editor).trim();
  if (text === "") return { composer, sent: null };
  const history = remember(composer.history, text);
  return { composer: emptied({ ...composer, history }), sent: { how, text } };
}

function edited(composer: Composer, editor: Editor): Composed {
  if (editor === composer.editor) return { composer, sent: null };
  // An entry that was changed has become the draft.
  const isChanged = editor.text !== composer.editor.text;
  const history = isChanged ? { ...composer.history, at: null } : composer.history;
  return { composer: { ...composer, editor, history }, sent: null };
}

function upOrOlder(composer: Composer, name: string, context: Context): Composed {
  const editor = feedEditor(composer.editor, chord(name), context.columns);
  if (editor !== composer.editor) return edited(composer, editor);
  const back = older(composer.history, composer.editor.text);
  return back === null ? { composer, sent: null } : recalled(composer, back);
}

function downOrNewer(composer: Composer, name: string, context: Context): Composed {
  const editor = feedEditor(composer.editor, chord(name), context.columns);
  if (editor !== composer.editor) return edited(composer, editor);
  const forth = newer(composer.history);
  return forth === null ? { composer, sent: null } : recalled(composer, forth);
}

function recalled(composer: Composer, to: { history: History; text: string }): Composed {
  const editor = setText(composer.editor, to.text);
  return { composer: { ...composer, editor, history: to.history }, sent: null };
}
