// marked-terminal has no types of its own; this is the part that the oracle test uses.
declare module "marked-terminal" {
  import type { MarkedExtension } from "marked";
  export function markedTerminal(options: { width: number; reflowText: boolean }): MarkedExtension;
}
