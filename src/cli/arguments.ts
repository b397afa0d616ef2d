// Reads a command's arguments strictly: unknown flags, missing values and contradictions are errors, never guesses.
import type { ArgDef, ArgsDef } from "citty";
import { invalid, ok, type Result } from "../base/failure.ts";
import { nearest } from "../base/nearest.ts";

/** What citty's own definitions cannot say of a flag. */
export type Extras = {
  /** Flags that may be given several times; their values are collected in `lists`. */
  repeatable?: readonly string[];
  /** Flags whose value may be left out: `-r` alone. They then hold an empty text. */
  optional?: readonly string[];
  /** Flags with a value whose `--no-` form says that there is none: it reads as an empty text. */
  negatable?: readonly string[];
  /** Highest number of plain words; more are an error. */
  words?: number;
};

export type Read = {
  /** Every flag by its long name: `--name=value`, `--name`, `--no-name`. */
  flags: string[];
  lists: Readonly<Record<string, string[]>>;
  words: string[];
};

type Reading = {
  flags: string[];
  lists: Record<string, string[]>;
  words: string[];
  rest: string[];
};
type Flag = { name: string; def: ArgDef; isNegated: boolean };

export function readArguments(raw: readonly string[], defs: ArgsDef, extras: Extras): Result<Read> {
  const reading: Reading = { flags: [], lists: {}, words: [], rest: [...raw] };
  while (reading.rest.length > 0) {
    const next = reading.rest.shift() ?? "";
    if (next === "--") {
      reading.words.push(...reading.rest.splice(0));
    } else if (!next.startsWith("-") || next === "-") {
      reading.words.push(next);
    } else {
      const problem = readFlag(next, reading, { defs, extras });
      if (problem !== null) return invalid(problem);
    }
  }
  const most = extras.words ?? 0;
  if (reading.words.length > most) {
    return invalid(`unexpected argument ${JSON.stringify(reading.words[most])}: see --help`);
  }
  const { flags, lists, words } = reading;
  return ok({ flags, lists, words });
}

type Known = { defs: ArgsDef; extras: Extras };

/** Null when the flag was taken, else what is wrong with it. */
function readFlag(token: string, reading: Reading, known: Known): string | null {
  const at = token.indexOf("=");
  const written = at < 0 ? token : token.slice(0, at);
  const given = at < 0 ? null : token.slice(at + 1);
  if (known.extras.negatable?.some((name) => token === `--no-${name}`)) {
    reading.flags.push(`--${token.slice("--no-".length)}=`);
    return null;
  }
  const flag = findFlag(written, known.defs);
  if (flag === null) {
    return splitShort(token, reading, known) ? null : unknownFlag(written, known.defs);
  }
  if (flag.def.type !== "boolean")
    return readValue({ flag, written, given }, reading, known.extras);
  return given === null ? readSwitch(flag, reading) : `${written} takes no value`;
}

function readSwitch({ name, isNegated }: Flag, reading: Reading): string | null {
  const [said, opposite] = isNegated ? ["--no-", "--"] : ["--", "--no-"];
  if (reading.flags.includes(`${opposite}${name}`)) {
    return `--${name} and --no-${name} contradict each other: give one of them`;
  }
  reading.flags.push(`${said}${name}`);
  return null;
}

type Written = { flag: Flag; written: string; given: string | null };

function readValue(
  { flag, written, given }: Written,
  reading: Reading,
  extras: Extras,
): string | null {
  const { name, def } = flag;
  const value = valueFrom(given, reading, { name, extras });
  if (value === null) return `${written} needs a value${hint(def)}`;
  const options = def.type === "enum" ? (def.options ?? []) : null;
  if (options !== null && !options.includes(value)) {
    return `${written} must be one of ${options.join(", ")}, not ${JSON.stringify(value)}`;
  }
  if (extras.repeatable?.includes(name)) (reading.lists[name] ??= []).push(value);
  else reading.flags.push(`--${name}=${value}`);
  return null;
}

/** What stands after `=`, else the next word. */
function valueFrom(
  given: string | null,
  { rest }: Reading,
  { name, extras }: { name: string; extras: Extras },
): string | null {
  const value = given ?? (isValue(rest[0]) ? rest.shift() : undefined);
  // Empty is what `--no-…` reads as: an unset variable must not be taken for that.
  if (value === "" && extras.negatable?.includes(name)) return null;
  return value ?? (extras.optional?.includes(name) ? "" : null);
}

/** A flag is no value; a lone `-` and negative numbers are. */
function isValue(word: string | undefined): boolean {
  return word !== undefined && (!word.startsWith("-") || /^-(\d|$)/.test(word));
}

function findFlag(written: string, defs: ArgsDef): Flag | null {
  if (!written.startsWith("--")) return aliased(written.slice(1), defs);
  const name = written.slice(2);
  const def = definition(name, defs);
  if (def !== null) return { name, def, isNegated: false };
  const positive = name.startsWith("no-") ? name.slice("no-".length) : "";
  const negated = definition(positive, defs);
  if (negated === null || !isNegatable(negated)) return null;
  return { name: positive, def: negated, isNegated: true };
}

function definition(name: string, defs: ArgsDef): ArgDef | null {
  const def = Object.hasOwn(defs, name) ? defs[name] : undefined;
  return def === undefined || def.type === "positional" ? null : def;
}

function aliased(letter: string, defs: ArgsDef): Flag | null {
  for (const [name, def] of Object.entries(defs)) {
    if (def.type !== "positional" && aliasesOf(def).includes(letter))
      return { name, def, isNegated: false };
  }
  return null;
}

function aliasesOf(def: ArgDef): readonly string[] {
  if (!("alias" in def)) return [];
  return typeof def.alias === "string" ? [def.alias] : def.alias;
}

function isNegatable(def: ArgDef): boolean {
  return def.type === "boolean" && def.negativeDescription !== undefined;
}

/** `-pc` is `-p -c`: taken apart where every letter is a flag without a value. */
function splitShort(token: string, reading: Reading, { defs }: Known): boolean {
  if (!/^-[a-zA-Z]{2,}$/.test(token)) return false;
  const flags = token
    .slice(1)
    .split("")
    .map((letter) => findFlag(`-${letter}`, defs));
  if (!flags.every((flag) => flag?.def.type === "boolean")) return false;
  reading.flags.push(...flags.map((flag) => `--${flag?.name ?? ""}`));
  return true;
}

function unknownFlag(written: string, defs: ArgsDef): string {
  const own = Object.entries(defs).flatMap(([name, def]) => {
    if (def.type === "positional") return [];
    return isNegatable(def) ? [`--${name}`, `--no-${name}`] : [`--${name}`];
  });
  const close = nearest(written, [...own, "--help"]);
  return `unknown flag ${written}${close === null ? "" : `; did you mean ${close}?`} (--help lists the flags)`;
}

function hint(def: ArgDef): string {
  return def.valueHint === undefined ? "" : `: ${def.valueHint}`;
}
