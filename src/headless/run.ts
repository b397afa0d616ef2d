// One headless run: asks once, prints as the chosen sink says, and ends with an exit code whatever happens meanwhile.
import type { Confirm } from "../agent/confirm.ts";
import { live, type TurnEnd } from "../agent/event.ts";
import type { Place } from "../app/place.ts";
import { EXIT_FAILED, EXIT_PIPE } from "../base/exit-codes.ts";
import { isReaderGone } from "../host/reader.ts";
import { err, OUTPUT_LOST, out } from "../host/out.ts";
import { onSignals } from "../host/signals.ts";
import { modelLabel } from "../model/model-name.ts";
import type { KnownEvent } from "../session/event.ts";
import { NOBODY } from "../tools/inquiry.ts";
import { idOf, reportOf } from "./report.ts";
import type { Said, Sink } from "./sink.ts";

/** How often a silent run looks whether anybody still reads its output. */
const READER_CHECK_MS = 250;

export type HeadlessOptions = {
  place: Place;
  prompt: string;
  sink: Sink;
  /** What questions resolve to where nobody can be asked: `[headless] ask`. */
  ask: "allow" | "deny";
  isQuiet: boolean;
};

export async function runHeadless(options: HeadlessOptions): Promise<number> {
  const { place, sink } = options;
  const began = performance.now();
  const stop = new AbortController();
  const state: { exit: number | null } = { exit: null };
  const halt = (exit: number): void => {
    state.exit ??= exit;
    stop.abort();
  };
  const say = (said: Said): void => {
    const written = said.out === "" ? "ok" : out(said.out);
    if (written === "closed") halt(EXIT_PIPE);
    if (written === "failed") {
      if (state.exit === null) err(OUTPUT_LOST);
      halt(EXIT_FAILED);
    }
    if (said.err !== "") err(said.err);
  };
  const forgetSignals = onSignals({ stop: halt, leave: () => void place.close() });

  const watch = setInterval(() => {
    if (isReaderGone(1)) halt(EXIT_PIPE);
  }, READER_CHECK_MS);

  const model = modelLabel(place.model);
  const session = place.session();
  say(sink.begin({ ...session, id: idOf(session), model }));
  for (const text of place.notices) say(sink.event(live({ type: "notice", text })));
  const events: KnownEvent[] = [];
  let end: TurnEnd = { status: "error", message: "the turn ended without an end (a bug in burin)" };
  const asking = {
    signal: stop.signal,
    confirm: nobody(options),
    inquire: NOBODY,
    inbox: { take: () => [] },
  };
  for await (const event of place.ask(options.prompt, asking)) {
    if (event.kind === "stored") events.push(event.event);
    if (event.kind === "end") end = event.end;
    say(sink.event(event));
  }
  clearInterval(watch);
  forgetSignals();
  const report = reportOf({
    session: place.session(),
    model,
    events,
    end,
    exit: state.exit,
    durationMs: performance.now() - began,
  });
  if (state.exit !== EXIT_PIPE) say(await sink.end(report));
  return state.exit ?? report.exit;
}

const NO_SANDBOX =
  "burin: this version has no sandbox: what the model runs has your rights (--read-only or --deny RULE hold it back)\n";

/** Nobody is there: the irreversible and the secret are refused, the rest goes as the settings say. */
function nobody({ ask, isQuiet }: HeadlessOptions): Confirm {
  let isWarned = isQuiet;
  return ({ question }) => {
    if (ask === "allow" && !question.floor) {
      if (!isWarned) err(NO_SANDBOX);
      isWarned = true;
      const because = `nobody is there to be asked (${question.because}), and the settings allow it`;
      return Promise.resolve({ kind: "unasked", isAllowed: true, because });
    }
    const because = `nobody is there to be asked (${question.because}); a rule such as --allow '${question.offer}' would permit it`;
    return Promise.resolve({ kind: "unasked", isAllowed: false, because });
  };
}
