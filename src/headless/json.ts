// `--output json`: one object when the run is over, nothing before it.
import { closingOf, noticeOf } from "./text.ts";
import { NOTHING, type Sink } from "./sink.ts";

export function jsonSink(isQuiet: boolean): Sink {
  return {
    begin: () => NOTHING,
    event: (event) => (isQuiet ? NOTHING : { out: "", err: noticeOf(event) }),
    end: (report) =>
      Promise.resolve({ out: `${JSON.stringify(report)}\n`, err: closingOf(report, isQuiet).err }),
  };
}
