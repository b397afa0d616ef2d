// A command in the background, as the books, the tools and the news know it.
import type { Ended } from "../host/process.ts";
import type { Captured } from "./output.ts";

export type BackgroundRun = {
  /** What the model calls it: `bg1`. */
  id: string;
  command: string;
  pid: number;
  isKept: boolean;
  /** The file with its output. */
  file: string;
  /** Null while it runs. */
  end: () => Ended | null;
  seconds: () => number;
  /** Resolves when it has ended. */
  ended: Promise<void>;
  /** What it printed since the last look. */
  look: () => Captured;
  stop: () => Promise<void>;
  /** Once, after its end, where no look has told of that; else null. */
  takeNews: () => string | null;
};
