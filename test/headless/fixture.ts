// Runs of the agent seen through a sink, without a process: what would stand on the two streams.
import { turn } from "../../src/agent/turn.ts";
import type { TurnKit } from "../../src/agent/kit.ts";
import type { TurnEnd, TurnEvent } from "../../src/agent/event.ts";
import { reportOf, type Report } from "../../src/headless/report.ts";
import type { Said, Sink } from "../../src/headless/sink.ts";
import type { KnownEvent } from "../../src/session/event.ts";

export const SESSION = {
  id: "01JDXK5V000000000000000001",
  name: "job",
  path: "/s/job.jsonl",
  model: "script",
};

export type Seen = Said & { events: TurnEvent[]; report: Report };

/** As `runHeadless` does, but for signals and the closing of streams. */
export async function through(sink: Sink, kit: TurnKit, prompt = "Hi"): Promise<Seen> {
  const seen = { ...sink.begin(SESSION) };
  const add = ({ out, err }: Said): void => {
    seen.out += out;
    seen.err += err;
  };
  const events: TurnEvent[] = [];
  for await (const event of turn([{ type: "text", text: prompt }], kit)) {
    events.push(event);
    add(sink.event(event));
  }
  const report = reportOf({
    session: SESSION,
    model: SESSION.model,
    events: storedIn(events),
    end: endIn(events),
    exit: null,
    durationMs: 12.6,
  });
  add(await sink.end(report));
  return { ...seen, events, report };
}

function storedIn(events: readonly TurnEvent[]): KnownEvent[] {
  return events.flatMap((event) => (event.kind === "stored" ? [event.event] : []));
}

function endIn(events: readonly TurnEvent[]): TurnEnd {
  const last = events.at(-1);
  if (last?.kind !== "end") throw new Error("a turn ends with its end");
  return last.end;
}
