// `--output json`: one object when the run is over, nothing before it.
import { closingOf } from "./text.ts";
import { NOTHING, type Sink } from "./sink.ts";

export function jsonSink(isQuiet: boolean): Sink {
  return {
    begin: () => NOTHING,
    event: () => NOTHING,
    end: (report) =>
      Promise.resolve({ out: `${JSON.stringify(report)}\n`, err: closingOf(report, isQuiet).err }),
  };
}
