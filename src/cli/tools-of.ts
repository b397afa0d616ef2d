// Which tools a run offers: those that a flag names, else what its way of use begins with, as the settings change it.
import type { Result } from "../base/failure.ts";
import type { Settings } from "../settings/schema.ts";
import { offeredTools, pickTools } from "../tools/registry.ts";
import type { Tool } from "../tools/tool.ts";
import type { RunArgs } from "./run-args.ts";

export function toolsOf({ args }: RunArgs, { tools }: Settings): Result<readonly Tool[]> {
  if (args.tools !== undefined) return pickTools(args.tools.split(","));
  return offeredTools(args.print === true ? "headless" : "chat", tools ?? {});
}
