// One printed thing of the transcript, as plain data; `view` gives it lines.
import type { PlanItem } from "../base/plan.ts";
import type { Block } from "../term/blocks.ts";

/** `gap` asks for an empty line before it. */
export type Entry = { gap: boolean } & (
  | { kind: "prompt"; text: string }
  | { kind: "prose"; block: Block }
  | {
      kind: "tool";
      id: string;
      title: string;
      summary: string;
      durationMs: number;
      isError: boolean;
      /** What a failed call said. */
      output: string;
      diff: string | null;
    }
  | { kind: "note"; tone: "quiet" | "warning" | "error"; text: string }
  | { kind: "question"; tool: string; what: string; because: string; preview: string | null }
  | {
      kind: "inquiry";
      question: string;
      options: readonly { label: string; description: string }[];
    }
  | { kind: "plan"; items: readonly PlanItem[] }
  /** Lines of the chat itself: the start card, help, figures. The first is its title. */
  | { kind: "card"; lines: readonly string[] }
);
