// Globs over byte strings as git reads them: `*` and `?` stop at a slash, `**` between slashes does not; linear in the text.
import type { Bytes } from "./bytes.ts";

/** One byte, a set of bytes (256 flags), or a wildcard. `folders` is what `**` and its slash stand for: nothing, or anything up to a slash. */
type Token = number | Uint8Array | "star" | "any" | "folders";

/** Null: the glob is malformed and matches nothing. */
export type Glob = readonly Token[] | null;

const SLASH = 47;
const SPECIAL = /[*?[\\]/;

/** How many leading bytes stand for themselves. */
export function literalLength(pattern: Bytes): number {
  const at = pattern.search(SPECIAL);
  return at < 0 ? pattern.length : at;
}

export function compileGlob(pattern: Bytes, fold: boolean): Glob {
  const tokens: Token[] = [];
  let at = 0;
  while (at < pattern.length) {
    const step = tokenAt(pattern, at, fold);
    if (step === null) return null;
    tokens.push(step.token);
    at = step.next;
  }
  return tokens;
}

type Step = { token: Token; next: number };

function tokenAt(pattern: Bytes, at: number, fold: boolean): Step | null {
  const char = pattern[at] ?? "";
  if (char === "*") return starAt(pattern, at);
  if (char === "?") return { token: setOf((code) => code !== SLASH), next: at + 1 };
  if (char === "[") return classAt(pattern, at, fold);
  if (char !== "\\") return literal(pattern, at, fold);
  // A backslash at the end has nothing to stand for.
  return at + 1 < pattern.length ? literal(pattern, at + 1, fold) : null;
}

function literal(pattern: Bytes, at: number, fold: boolean): Step {
  const code = pattern.charCodeAt(at);
  const token = fold && isLetter(code) ? setOf((each) => lower(each) === lower(code)) : code;
  return { token, next: at + 1 };
}

function starAt(pattern: Bytes, at: number): Step {
  let end = at + 1;
  while (pattern[end] === "*") end++;
  const isWhole = at === 0 || pattern[at - 1] === "/";
  if (end === at + 1 || !isWhole) return { token: "star", next: end };
  if (end === pattern.length || pattern.startsWith("\\/", end)) return { token: "any", next: end };
  return pattern[end] === "/" ? { token: "folders", next: end + 1 } : { token: "star", next: end };
}

function classAt(pattern: Bytes, at: number, fold: boolean): Step | null {
  const isNegated = pattern[at + 1] === "!" || pattern[at + 1] === "^";
  const first = at + (isNegated ? 2 : 1);
  const flags = new Uint8Array(256);
  let last = 0;
  let next = first;
  while (next < pattern.length && (next === first || pattern[next] !== "]")) {
    const member = memberAt(pattern, next, last);
    if (member === null) return null;
    for (let code = member.from; code <= member.to; code++) flags[code] = 1;
    for (const code of member.also) flags[code] = 1;
    last = member.last;
    next = member.next;
  }
  if (next >= pattern.length) return null;
  const has = (code: number): boolean => flags[code] === 1 || (fold && flags[swapCase(code)] === 1);
  return { token: setOf((code) => code !== SLASH && has(code) !== isNegated), next: next + 1 };
}

/** What one step inside brackets adds; `last` is the byte a following `-` would start from, 0 for none. */
type Member = { from: number; to: number; also: readonly number[]; last: number; next: number };

function memberAt(pattern: Bytes, at: number, last: number): Member | null {
  const isRange = pattern[at] === "-" && last > 0 && (pattern[at + 1] ?? "]") !== "]";
  if (isRange) {
    const end = pattern[at + 1] === "\\" ? at + 2 : at + 1;
    if (end >= pattern.length) return null;
    return { from: last, to: pattern.charCodeAt(end), also: [], last: 0, next: end + 1 };
  }
  if (pattern.startsWith("[:", at)) return namedAt(pattern, at);
  const spot = pattern[at] === "\\" ? at + 1 : at;
  return spot < pattern.length ? single(pattern.charCodeAt(spot), spot + 1) : null;
}

function single(code: number, next: number): Member {
  return { from: code, to: code, also: [], last: code, next };
}

function namedAt(pattern: Bytes, at: number): Member | null {
  const end = pattern.indexOf("]", at + 2);
  if (end < 0) return null;
  // Without the closing colon the bracket stands for itself.
  if (end < at + 3 || pattern[end - 1] !== ":") return single(pattern.charCodeAt(at), at + 1);
  const test = NAMED.get(pattern.slice(at + 2, end - 1));
  if (test === undefined) return null;
  const also = ALL_ASCII.filter((code) => test.test(String.fromCharCode(code)));
  return { from: 1, to: 0, also, last: 0, next: end + 1 };
}

const ALL_ASCII: readonly number[] = Array.from({ length: 128 }, (_, code) => code);

const NAMED: ReadonlyMap<string, RegExp> = new Map([
  ["alnum", /[A-Za-z0-9]/],
  ["alpha", /[A-Za-z]/],
  ["blank", /[ \t]/],
  ["cntrl", /\p{Cc}/u],
  ["digit", /[0-9]/],
  ["graph", /[!-~]/],
  ["lower", /[a-z]/],
  ["print", /[ -~]/],
  ["punct", /[!-/:-@[-`{-~]/],
  ["space", /[ \t\n\v\f\r]/],
  ["upper", /[A-Z]/],
  ["xdigit", /[A-Fa-f0-9]/],
]);

function setOf(has: (code: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, code) => (has(code) ? 1 : 0));
}

function isLetter(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

function lower(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}

function swapCase(code: number): number {
  return isLetter(code) ? code ^ 32 : code;
}

/** Whether the whole text from `start` on matches. */
export function globMatches(glob: Glob, text: Bytes, start = 0): boolean {
  if (glob === null) return false;
  const run: Run = { glob, text, at: start, token: 0, star: null, wide: null };
  for (;;) {
    if (advance(run)) continue;
    if (run.token === glob.length && run.at === text.length) return true;
    if (!retry(run)) return false;
  }
}

/**
 * A later wildcard makes the choices of those before it final, so only the last `star` and the last wide one are ever
 * tried again, each from one place further.
 */
type Run = {
  glob: readonly Token[];
  text: Bytes;
  at: number;
  token: number;
  star: { token: number; at: number } | null;
  wide: { token: number; at: number; isFolders: boolean } | null;
};

/** One token further, if it fits. */
function advance(run: Run): boolean {
  const want = run.glob[run.token];
  if (want === undefined) return false;
  if (typeof want === "string") {
    run.token++;
    if (want === "star") run.star = { token: run.token, at: run.at };
    else {
      run.wide = { token: run.token, at: run.at, isFolders: want === "folders" };
      run.star = null;
    }
    return true;
  }
  if (run.at >= run.text.length) return false;
  const code = run.text.charCodeAt(run.at);
  if (typeof want === "number" ? want !== code : want[code] !== 1) return false;
  run.at++;
  run.token++;
  return true;
}

/** Gives the last wildcard more of the text. */
function retry(run: Run): boolean {
  const { star, wide, text } = run;
  if (star !== null && star.at < text.length && text.charCodeAt(star.at) !== SLASH) {
    run.at = ++star.at;
    run.token = star.token;
    return true;
  }
  if (wide === null) return false;
  const next = wide.isFolders ? text.indexOf("/", wide.at) + 1 : wide.at + 1;
  if (next === 0 || next > text.length) return false;
  wide.at = next;
  run.at = next;
  run.token = wide.token;
  run.star = null;
  return true;
}
