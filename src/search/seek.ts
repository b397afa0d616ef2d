// Finds the places in a buffer where a needle stands, from one to the next: native search for its forms, then a look around.
import type { Bytes } from "./bytes.ts";
import type { Needle, Prefilter } from "./prefilter.ts";

/** The first place at or after `from`; -1 when there is none. Asked with growing positions only. */
export type Seek = (from: number) => number;

/** All of `view` is looked through. */
export function seekIn({ needles }: Extract<Prefilter, { kind: "needles" }>, view: Buffer): Seek {
  const [first, ...others] = needles;
  const seeks = [first, ...others].flatMap((needle) =>
    needle.forms.map((form) => seekForm(view, form, needle)),
  );
  const [one] = seeks;
  return seeks.length === 1 && one !== undefined ? one : nearestOf(seeks);
}

function seekForm(view: Buffer, form: Buffer, needle: Needle): Seek {
  if (needle.before === "" && needle.after === "") return (from) => view.indexOf(form, from);
  return (from) => {
    let at = view.indexOf(form, from);
    while (at >= 0 && !fits(view, at, at + form.length, needle)) at = view.indexOf(form, at + 1);
    return at;
  };
}

/** Each looks ahead once; what it found stays its answer until that is passed. */
function nearestOf(seeks: readonly Seek[]): Seek {
  const places: number[] = [];
  return (from) => {
    let nearest = -1;
    for (let index = 0; index < seeks.length; index++) {
      let place = places[index] ?? -2;
      if (place !== -1 && place < from) {
        place = seeks[index]?.(from) ?? -1;
        places[index] = place;
      }
      if (place >= 0 && (nearest < 0 || place < nearest)) nearest = place;
    }
    return nearest;
  };
}

/** Whether the rest of a folded needle stands around a part of it. */
function fits(view: Buffer, start: number, end: number, { before, after }: Needle): boolean {
  let at = start;
  for (let index = before.length - 1; index >= 0; index--) {
    const size = sizeBefore(view, at, before.charCodeAt(index));
    if (size === 0) return false;
    at -= size;
  }
  at = end;
  for (let index = 0; index < after.length; index++) {
    const size = sizeAt(view, at, after.charCodeAt(index));
    if (size === 0) return false;
    at += size;
  }
  return true;
}

const SMALL_K = 0x6b;
const SMALL_S = 0x73;

/** How many bytes a letter takes from a place on, in any of its forms; 0 when another stands there. */
function sizeAt(view: Buffer, at: number, wanted: number): number {
  if (lower(view[at]) === wanted) return 1;
  if (wanted === SMALL_S) return isThere(view, at, "\xc5\xbf") ? 2 : 0;
  if (wanted === SMALL_K) return isThere(view, at, "\xe2\x84\xaa") ? 3 : 0;
  return 0;
}

function sizeBefore(view: Buffer, end: number, wanted: number): number {
  if (lower(view[end - 1]) === wanted) return 1;
  if (wanted === SMALL_S) return isThere(view, end - 2, "\xc5\xbf") ? 2 : 0;
  if (wanted === SMALL_K) return isThere(view, end - 3, "\xe2\x84\xaa") ? 3 : 0;
  return 0;
}

function isThere(view: Buffer, at: number, bytes: Bytes): boolean {
  if (at < 0) return false;
  for (let index = 0; index < bytes.length; index++) {
    if (view[at + index] !== bytes.charCodeAt(index)) return false;
  }
  return true;
}

function lower(byte: number | undefined): number {
  if (byte === undefined) return -1;
  return byte >= 0x41 && byte <= 0x5a ? byte + 32 : byte;
}
