// The help of a command, made from its definition: usage, flags with defaults, examples.
import type { ArgDef, ArgsDef } from "citty";

export type HelpOptions = {
  /** `burin sessions`. */
  name: string;
  summary: string;
  usage: readonly string[];
  args: ArgsDef;
  /** Flags with a value that also have a `--no-` form: see Extras of arguments.ts. */
  negatable?: readonly string[];
  /** Blocks between usage and flags: commands, for the main help. */
  sections?: readonly { title: string; rows: readonly (readonly [string, string])[] }[];
  examples: readonly string[];
};

/** Descriptions start here, or on the next line where the flag is longer. */
const COLUMN = 30;
const WIDTH = 100;

export function helpText(options: HelpOptions): string {
  const { name, summary, usage, args, sections = [], examples } = options;
  const flags = Object.entries(args).flatMap(([flag, def]) => flagRows(flag, def, options));
  const blocks = [
    wrapped(`${name}: ${summary}`, WIDTH).join("\n"),
    block(
      "Usage",
      usage.map((line) => [line, ""] as const),
    ),
    ...sections.map(({ title, rows }) => block(title, rows)),
    block("Flags", [...flags, ["-h, --help", "This help"] as const]),
    block(
      "Examples",
      examples.map((line) => [line, ""] as const),
    ),
  ];
  return `${blocks.join("\n\n")}\n`;
}

function block(title: string, rows: readonly (readonly [string, string])[]): string {
  return [`${title}:`, ...rows.map(([left, right]) => row(left, right))].join("\n");
}

function row(left: string, right: string): string {
  if (right === "") return `  ${left}`;
  const lines = wrapped(right, WIDTH - COLUMN);
  const indent = " ".repeat(COLUMN);
  const fits = left.length + 4 <= COLUMN;
  const first = fits ? `  ${left.padEnd(COLUMN - 2)}${lines[0] ?? ""}` : `  ${left}`;
  const rest = fits ? lines.slice(1) : lines;
  return [first, ...rest.map((line) => indent + line)].join("\n");
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length + 1 > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

function flagRows(
  name: string,
  def: ArgDef,
  { negatable }: HelpOptions,
): (readonly [string, string])[] {
  if (def.type === "positional") return [];
  const aliases = "alias" in def ? [def.alias].flat() : [];
  const alias = aliases.map((each) => `-${each}, `).join("");
  const rows: (readonly [string, string])[] = [];
  const isOn = def.type === "boolean" && def.default === true;
  if (!isOn) rows.push([`${alias}--${name}${valueOf(def)}`, def.description ?? ""]);
  if (def.type === "boolean" && def.negativeDescription !== undefined) {
    rows.push([`--no-${name}`, def.negativeDescription]);
  }
  if (negatable?.includes(name)) rows.push([`--no-${name}`, `No ${name} at all`]);
  return rows;
}

function valueOf(def: ArgDef): string {
  if (def.type === "enum") return ` ${(def.options ?? []).join("|")}`;
  return def.type === "string" ? ` ${def.valueHint ?? "TEXT"}` : "";
}
