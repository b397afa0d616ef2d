// One level of a folder as lines: folders with a slash, files with their size, links with where they lead.
import { lstatSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { broken, ok, type Result } from "../base/failure.ts";
import { byteSize } from "../base/text.ts";
import { fault } from "../host/fault.ts";
import { oneLine } from "./names.ts";

export const MAX_ENTRIES = 500;

export type Listing = { lines: string[]; total: number };

export function listFolder(path: string, limit: number): Result<Listing> {
  try {
    const names = readdirSync(path).toSorted(ignoringCase);
    const lines = names.slice(0, limit).map((name) => entryLine(path, name));
    return ok({ lines, total: names.length });
  } catch (error) {
    return broken(`${path} cannot be listed: ${fault(error)}`);
  }
}

/** The lines and, where some were left out, how to see them. */
export function listingText({ lines, total }: Listing): string {
  if (total === 0) return "(empty folder)";
  const left = total - lines.length;
  return [...lines, ...(left > 0 ? [`[${left} more; find lists them by pattern]`] : [])].join("\n");
}

function ignoringCase(one: string, other: string): number {
  const [first, second] = [one.toLowerCase(), other.toLowerCase()];
  if (first === second) return one < other ? -1 : 1;
  return first < second ? -1 : 1;
}

function entryLine(folder: string, name: string): string {
  const shown = oneLine(name);
  try {
    const path = join(folder, name);
    const stat = lstatSync(path);
    if (stat.isDirectory()) return `${shown}/`;
    if (stat.isSymbolicLink()) return `${shown} -> ${oneLine(readlinkSync(path))}`;
    return stat.isFile() ? `${shown}  ${byteSize(stat.size)}` : `${shown}  (not a regular file)`;
  } catch {
    // Removed between the listing and the look.
    return shown;
  }
}
