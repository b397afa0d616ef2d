// What a headless run prints as it goes: each output form is a sink that turns turn events into text for the two streams.
import type { TurnEvent } from "../agent/event.ts";
import type { Report } from "./report.ts";

/** Text for standard output and for standard error; empty means nothing. */
export type Said = { out: string; err: string };

export type Sink = {
  begin(session: { id: string | null; name: string; model: string }): Said;
  event(event: TurnEvent): Said;
  end(report: Report): Promise<Said>;
};

export const NOTHING: Said = { out: "", err: "" };
