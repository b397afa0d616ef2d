// What a run is given: its flags, repeated ones as lists, and the prompt.
import type { Given } from "./command.ts";
import type { RUN_FLAGS } from "./flags.ts";

export type RunArgs = Given<typeof RUN_FLAGS>;
