// What the first command makes and all others use: the way to open pipes, the brands, the folder for temporary files.
import { ok, type Result } from "../base/failure.ts";
import { processBrands } from "../host/brand.ts";
import { tempFolder } from "../host/places.ts";
import { pipeOpener } from "../host/pipe.ts";
import type { Ground } from "../host/process.ts";
import type { TempFolder } from "../host/temp-folder.ts";

export type Opened = Pick<Ground, "openPipe" | "brands"> & {
  /** Variables of every command. */
  own: () => Record<string, string>;
};

export type Grounds = {
  open(): Promise<Result<Opened>>;
  /** Removes the folder. */
  close(): void;
};

/** What others left behind delays nobody's first command. */
const SWEEP_AFTER_MS = 200;

export function groundsIn(environment: Readonly<Record<string, string | undefined>>): Grounds {
  const state: { opened: Promise<Result<Opened>> | null; temp: TempFolder | null } = {
    opened: null,
    temp: null,
  };
  const make = async (): Promise<Result<Opened>> => {
    const openPipe = await pipeOpener();
    if (!openPipe.ok) return openPipe;
    const brands = await processBrands();
    const { makeTempFolder, sweepTempFolders } = await import("../host/temp-folder.ts");
    const parent = tempFolder(environment);
    setTimeout(() => sweepTempFolders(parent), SWEEP_AFTER_MS).unref();
    state.temp = makeTempFolder(parent);
    const { temp } = state;
    const own = (): Record<string, string> => (temp === null ? {} : { TMPDIR: temp.path() });
    return ok({ openPipe: openPipe.value, brands, own });
  };
  return {
    open() {
      state.opened ??= make();
      return state.opened;
    },
    close() {
      state.temp?.remove();
      state.temp = null;
    },
  };
}
