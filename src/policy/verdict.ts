// The verdict on a call: the one pure place where it is decided what a call may do.
import type { Touch } from "./touch.ts";

export type Mode = "standard" | "restrictive" | "readonly" | "planwrite" | "guarded" | "yolo";

/** What the person is asked: the part that made it a question, why, and the narrowest rule that would answer it. */
export type Question = { touch: Touch; because: string; offer: string };

export type Verdict =
  | { kind: "allow"; by: "rule" | "mode" | "grant"; because: string }
  | { kind: "ask"; question: Question }
  | { kind: "deny"; by: "rule" | "mode" | "floor"; because: string };
