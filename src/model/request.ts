// What a model is asked: one neutral request that every adapter turns into its own body.
import type { ToolCall } from "./event.ts";

export type TextPart = { type: "text"; text: string };
/** `data` is base64; `mediaType` as in HTTP. */
export type MediaPart = {
  type: "image" | "audio" | "file";
  mediaType: string;
  data: string;
  name: string;
};
export type UserPart = TextPart | MediaPart;
/** What a provider gave with a part and wants back verbatim: a signature, encrypted thinking. Opaque to all but its wire. */
export type Kept = { wire: string; model: string; item: unknown };
/** A text or reasoning part may be empty where it carries something kept. */
export type AssistantPart = (
  | TextPart
  | { type: "reasoning"; text: string }
  | { type: "tool_call"; call: ToolCall }
) & { kept?: Kept };

export type ModelMessage =
  | { role: "user"; parts: UserPart[] }
  | { role: "assistant"; parts: AssistantPart[] }
  | { role: "tool"; callId: string; name: string; parts: UserPart[]; isError: boolean };

export type JsonSchema = { [key: string]: unknown };
export type ToolSpec = { name: string; description: string; parameters: JsonSchema };

export type Effort = "off" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";

export type ModelRequest = {
  model: string;
  /** Ordered from most to least stable; joined by a blank line where a wire knows one system text. */
  system: string[];
  messages: ModelMessage[];
  tools: ToolSpec[];
  effort: Effort | null;
  maxOutputTokens: number | null;
  temperature: number | null;
  /** Cache affinity: the session id; null when nothing is recorded. */
  cacheKey: string | null;
};
