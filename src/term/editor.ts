// A multiline text editor as a value: text, caret, kill ring and undo; `feed` gives the editor after one key.
import { strip } from "../base/plain.ts";
import type { Key } from "./key.ts";
import { lineEnd, lineStart, next, previous, vertical, wordEnd, wordStart } from "./motion.ts";
import { foldPaste, markAround, unfold } from "./paste.ts";

type Snapshot = { text: string; caret: number };
/** What the last key did: typing runs are one undo step, kills in a row are one ring entry, yank-pop needs a yank. */
type Last = "move" | "type" | "delete" | "kill" | "yank";

export type Editor = {
  readonly text: string;
  /** A UTF-16 offset at a grapheme border. */
  readonly caret: number;
  /** Folded pastes by index; each stands in the text as one private character (see `paste.ts`). */
  readonly pastes: readonly string[];
  readonly kills: readonly string[];
  readonly undo: readonly Snapshot[];
  readonly redo: readonly Snapshot[];
  readonly last: Last;
  /** Where the last yank put its text, for yank-pop. */
  readonly yanked: { from: number; ring: number } | null;
  /** The paste that was unfolded last and not changed since: where it stands, and the mark it stood for. */
  readonly unfolded: { from: number; to: number; mark: string } | null;
  /** The column that Up and Down keep while they pass shorter rows. */
  readonly goal: number | null;
};

export const EDITOR: Editor = {
  text: "",
  caret: 0,
  pastes: [],
  kills: [],
  undo: [],
  redo: [],
  last: "move",
  yanked: null,
  unfolded: null,
  goal: null,
};

const MAX_UNDO = 500;
const MAX_KILLS = 30;

type Act = (editor: Editor, columns: number) => Editor;

/** Every chord the editor knows; all others leave it as it is. */
const ACTIONS: Readonly<Record<string, Act>> = {
  left: (editor) => move(editor, previous(editor.text, editor.caret)),
  "ctrl+b": (editor) => move(editor, previous(editor.text, editor.caret)),
  right: (editor) => move(editor, next(editor.text, editor.caret)),
  "ctrl+f": (editor) => move(editor, next(editor.text, editor.caret)),
  up: (editor, columns) => moveRow(editor, -1, columns),
  "ctrl+p": (editor, columns) => moveRow(editor, -1, columns),
  down: (editor, columns) => moveRow(editor, 1, columns),
  "ctrl+n": (editor, columns) => moveRow(editor, 1, columns),
  home: (editor) => move(editor, lineStart(editor.text, editor.caret)),
  "ctrl+a": (editor) => move(editor, lineStart(editor.text, editor.caret)),
  end: (editor) => move(editor, lineEnd(editor.text, editor.caret)),
  "ctrl+e": (editor) => move(editor, lineEnd(editor.text, editor.caret)),
  "ctrl+home": (editor) => move(editor, 0),
  "alt+<": (editor) => move(editor, 0),
  "ctrl+end": (editor) => move(editor, editor.text.length),
  "alt+>": (editor) => move(editor, editor.text.length),
  "alt+b": (editor) => move(editor, wordStart(editor.text, editor.caret)),
  "alt+left": (editor) => move(editor, wordStart(editor.text, editor.caret)),
  "ctrl+left": (editor) => move(editor, wordStart(editor.text, editor.caret)),
  "alt+f": (editor) => move(editor, wordEnd(editor.text, editor.caret)),
  "alt+right": (editor) => move(editor, wordEnd(editor.text, editor.caret)),
  "ctrl+right": (editor) => move(editor, wordEnd(editor.text, editor.caret)),
  backspace: (editor) => remove(editor, previous(editor.text, editor.caret), editor.caret),
  "shift+backspace": (editor) => remove(editor, previous(editor.text, editor.caret), editor.caret),
  delete: (editor) => remove(editor, editor.caret, next(editor.text, editor.caret)),
  "ctrl+d": (editor) => remove(editor, editor.caret, next(editor.text, editor.caret)),
  "ctrl+k": (editor) => kill(editor, editor.caret, killEnd(editor)),
  "ctrl+u": (editor) => kill(editor, killStart(editor), editor.caret),
  "ctrl+w": (editor) => kill(editor, spaceStart(editor), editor.caret),
  "alt+backspace": (editor) => kill(editor, wordStart(editor.text, editor.caret), editor.caret),
  "ctrl+backspace": (editor) => kill(editor, wordStart(editor.text, editor.caret), editor.caret),
  "alt+d": (editor) => kill(editor, editor.caret, wordEnd(editor.text, editor.caret)),
  "ctrl+delete": (editor) => kill(editor, editor.caret, wordEnd(editor.text, editor.caret)),
  "ctrl+y": (editor) => yank(editor, 0, editor.caret),
  "alt+y": yankPop,
  "ctrl+t": transpose,
  "ctrl+_": goBack,
  "ctrl+/": goBack,
  "alt+_": goForth,
  "ctrl+o": (editor) => foldAgain(editor) ?? unfoldOne(editor),
};

/** The editor after `key`; the same object where the key changed nothing. `columns` is the width of its rows. */
export function feed(editor: Editor, key: Key, columns: number): Editor {
  switch (key.kind) {
    case "text":
      return type(editor, strip(key.text));
    case "paste":
      return paste(editor, key.text);
    case "chord":
      return ACTIONS[key.chord]?.(editor, columns) ?? editor;
  }
}

/** Types `text` at the caret, newlines included. */
export function type(editor: Editor, text: string): Editor {
  if (text === "") return editor;
  const continues = editor.last === "type" && !/\s/.test(text);
  const typed = replace(editor, editor.caret, editor.caret, text);
  return { ...(continues ? { ...typed, undo: editor.undo } : typed), last: "type" };
}

export function paste(editor: Editor, text: string): Editor {
  const clean = strip(text.replaceAll(/\r\n?/g, "\n"));
  const folded = foldPaste(editor.pastes, clean);
  if (folded.text === "") return editor;
  return { ...replace(editor, editor.caret, editor.caret, folded.text), pastes: folded.pastes };
}

/** The whole text with its folded pastes put back. */
export function content(editor: Editor): string {
  return unfold(editor.text, editor.pastes);
}

/** The editor with another text and the caret at its end; undo leads back. */
export function setText(editor: Editor, text: string): Editor {
  return replace(editor, 0, editor.text.length, text);
}

/** An empty editor that keeps the kill ring. */
export function cleared(editor: Editor): Editor {
  return { ...EDITOR, kills: editor.kills };
}

function move(editor: Editor, caret: number): Editor {
  if (caret === editor.caret && editor.last === "move") return editor;
  return { ...editor, caret, last: "move", yanked: null, goal: null };
}

function moveRow(editor: Editor, by: -1 | 1, columns: number): Editor {
  const to = vertical(editor, by, columns);
  if (to === null) return editor;
  return { ...editor, caret: to.caret, goal: to.goal, last: "move", yanked: null };
}

function replace(editor: Editor, from: number, to: number, text: string): Editor {
  const snapshot = { text: editor.text, caret: editor.caret };
  return {
    ...editor,
    text: editor.text.slice(0, from) + text + editor.text.slice(to),
    caret: from + text.length,
    undo: [...editor.undo, snapshot].slice(-MAX_UNDO),
    redo: [],
    last: "move",
    yanked: null,
    unfolded: null,
    goal: null,
  };
}

function remove(editor: Editor, from: number, to: number): Editor {
  if (from === to) return editor;
  const removed = replace(editor, from, to, "");
  const undo = editor.last === "delete" ? editor.undo : removed.undo;
  return { ...removed, undo, last: "delete" };
}

function kill(editor: Editor, from: number, to: number): Editor {
  if (from === to) return editor;
  const text = editor.text.slice(from, to);
  const isBackward = to === editor.caret;
  const [first = "", ...older] = editor.kills;
  const joined = isBackward ? text + first : first + text;
  const kills = editor.last === "kill" ? [joined, ...older] : [text, ...editor.kills];
  return { ...replace(editor, from, to, ""), kills: kills.slice(0, MAX_KILLS), last: "kill" };
}

/** The end of the line, or the newline itself where the caret stands before it. */
function killEnd(editor: Editor): number {
  const end = lineEnd(editor.text, editor.caret);
  return end === editor.caret ? next(editor.text, editor.caret) : end;
}

function killStart(editor: Editor): number {
  const start = lineStart(editor.text, editor.caret);
  return start === editor.caret ? previous(editor.text, editor.caret) : start;
}

/** The start of the word before the caret, words being separated by white space only. */
function spaceStart(editor: Editor): number {
  const before = editor.text.slice(0, editor.caret).trimEnd();
  return before.search(/\S*$/);
}

function yank(editor: Editor, ring: number, from: number): Editor {
  const text = editor.kills[ring];
  if (text === undefined) return editor;
  return { ...replace(editor, from, editor.caret, text), last: "yank", yanked: { from, ring } };
}

function yankPop(editor: Editor): Editor {
  if (editor.last !== "yank" || editor.yanked === null) return editor;
  const ring = (editor.yanked.ring + 1) % editor.kills.length;
  return yank(editor, ring, editor.yanked.from);
}

/** Swaps the graphemes around the caret; at the end of a line the two before it. */
function transpose(editor: Editor): Editor {
  const { text, caret } = editor;
  const middle = caret === lineEnd(text, caret) ? previous(text, caret) : caret;
  const from = previous(text, middle);
  const to = next(text, middle);
  const pair = text.slice(from, to);
  if (from === middle || to === middle || pair.includes("\n")) return editor;
  return replace(editor, from, to, text.slice(middle, to) + text.slice(from, middle));
}

function goBack(editor: Editor): Editor {
  const back = editor.undo.at(-1);
  if (back === undefined) return editor;
  const here = { text: editor.text, caret: editor.caret };
  return {
    ...editor,
    ...back,
    undo: editor.undo.slice(0, -1),
    redo: [...editor.redo, here],
    last: "move",
    yanked: null,
    unfolded: null,
    goal: null,
  };
}

function goForth(editor: Editor): Editor {
  const forth = editor.redo.at(-1);
  if (forth === undefined) return editor;
  const here = { text: editor.text, caret: editor.caret };
  return {
    ...editor,
    ...forth,
    undo: [...editor.undo, here],
    redo: editor.redo.slice(0, -1),
    last: "move",
    yanked: null,
    unfolded: null,
    goal: null,
  };
}

/** Opens the last folded paste before the caret, else the next one after it. */
function unfoldOne(editor: Editor): Editor {
  const at = markAround(editor.text, editor.caret);
  if (at === null) return editor;
  const { from, mark } = at;
  const text = unfold(mark, editor.pastes);
  const opened = replace(editor, from, from + mark.length, text);
  const caret = editor.caret > from ? editor.caret - mark.length + text.length : editor.caret;
  return { ...opened, caret, unfolded: { from, to: from + text.length, mark } };
}

/** What was unfolded last, folded again; null where there is none, or it was changed. */
function foldAgain(editor: Editor): Editor | null {
  const { unfolded, caret } = editor;
  if (unfolded === null) return null;
  const { from, to, mark } = unfolded;
  const folded = replace(editor, from, to, mark);
  if (caret <= from) return { ...folded, caret };
  return { ...folded, caret: Math.max(from, caret - (to - from)) + mark.length };
}
