// The values of a command's flags, typed by their definitions, from the line that `readArguments` settled.
import type { ArgDef, ArgsDef } from "citty";

export type Values<T extends ArgsDef> = { [K in keyof T]: Value<T[K]> };

type Value<D extends ArgDef> = D extends { type: "boolean" }
  ? D extends { default: boolean }
    ? boolean
    : boolean | undefined
  : D extends { type: "enum"; options: readonly (infer Option)[] }
    ? Option | undefined
    : string | undefined;

/** `args` holds `--name=value`, `--name` and `--no-name`, of known flags only. */
export function valuesOf<T extends ArgsDef>(args: readonly string[], defs: T): Values<T> {
  const values: Record<string, unknown> = {};
  for (const [name, def] of Object.entries(defs)) values[name] = def.default;
  for (const arg of args) {
    const at = arg.indexOf("=");
    if (at > 0) values[arg.slice(2, at)] = arg.slice(at + 1);
    else if (Object.hasOwn(defs, arg.slice(2))) values[arg.slice(2)] = true;
    else values[arg.slice("--no-".length)] = false;
  }
  if (!fits(values, defs)) throw new Error("the settled line does not fit its definitions");
  return values;
}

function fits<T extends ArgsDef>(
  values: Record<string, unknown>,
  defs: T,
): values is Record<string, unknown> & Values<T> {
  return Object.entries(defs).every(([name, def]) => {
    const value = values[name];
    if (def.type === "boolean") return value === undefined || typeof value === "boolean";
    return value === undefined || typeof value === "string";
  });
}
