// What a turn is given: values and functions, so that it needs to know no terminal, settings file or provider.
import type { ModelRequest } from "../model/request.ts";
import type { Model } from "../model/provider.ts";
import type { ProviderError, Usage } from "../model/event.ts";
import type { Chance, RetryLimits } from "../model/retry.ts";
import type { Touch } from "../policy/touch.ts";
import type { Verdict } from "../policy/verdict.ts";
import type { SessionLog } from "../session/log.ts";
import type { Kit, Tool } from "../tools/tool.ts";
import type { Confirm, Inbox } from "./confirm.ts";

export type TurnKit = {
  model: Model;
  log: SessionLog;
  /** The next request, built from everything stored so far. */
  request: () => ModelRequest;
  /** The tool of this name or alias; null when there is none. */
  tool: (name: string) => Tool | null;
  toolNames: readonly string[];
  /** Loaded with the first call of a session: most answers in a pipeline call no tool. */
  hands: () => Promise<Hands>;
  confirm: Confirm;
  inbox: Inbox;
  /** What happened beside the conversation and the model was not told yet: a background command ended. */
  news: () => readonly string[];
  signal: AbortSignal;
  limits: Limits;
  mode: string;
  /** Loaded with the first failure. */
  recovery: () => Promise<Recovery>;
  /** USD, or null where no price is known. */
  price: (usage: Usage) => Promise<number | null>;
  /** Milliseconds of a clock that never goes back. */
  now: () => number;
};

/** What helps a turn over a request that failed. */
export type Recovery = Chance & {
  limits: RetryLimits;
  /** Waits so long, or until the signal or the person ends it. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** The provider refuses this tool: it is left out of the session's requests from now on. */
  quarantine: (tool: string) => void;
  /** Told of the first failure of a request: whoever takes over has made its model the kit's. */
  turnError: (error: ProviderError) => Promise<TakenOver | null>;
  /** Makes the next model of the settings' list the kit's; null where there is none left. */
  fallback: () => Promise<TakenOver | null>;
};

/** The model that answers from now on. */
export type TakenOver = { provider: string; model: string };

/** What calls are judged and run with. */
export type Hands = {
  /** What a running call gets; `live` takes its output for the screen. */
  toolKit: (signal: AbortSignal, live: (chunk: string) => void) => Kit;
  judge: (tool: string, touches: readonly Touch[]) => Verdict;
  /** The touches are allowed from now on in this session. */
  grant: (rule: string) => void;
};

/** What running the calls of a reply needs. */
export type CallKit = TurnKit & Hands;

export type Limits = {
  maxRounds: number;
  /** Of the whole session; null: none. */
  maxCostUsd: number | null;
  /** In the time of `now`; null: none. */
  deadline: number | null;
};
