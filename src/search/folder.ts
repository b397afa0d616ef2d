// The names in a folder, sorted by their bytes, and what each is; links are not followed.
import { lstatSync, readdirSync, type Dirent, type Stats } from "node:fs";
import { errorCode } from "../host/fault.ts";
import { onDisk, type Bytes } from "./bytes.ts";

export type Name = { name: Bytes; kind: "file" | "link" | "folder" };

/** `gone`: deleted since its parent was read. Pipes, sockets and devices hold no text and are left out. */
export function namesIn(folder: Bytes): Name[] | "unreadable" | "gone" {
  let entries: Dirent[];
  try {
    entries = readdirSync(onDisk(folder), { withFileTypes: true, encoding: "latin1" });
  } catch (error) {
    return errorCode(error) === "ENOENT" ? "gone" : "unreadable";
  }
  const names: Name[] = [];
  for (const entry of entries) {
    const kind = kindOf(entry) ?? (isOther(entry) ? null : kindOnDisk(folder, entry.name));
    if (kind !== null) names.push({ name: entry.name, kind });
  }
  return names.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

export function inside(folder: Bytes, name: Bytes): Bytes {
  return folder.endsWith("/") ? folder + name : `${folder}/${name}`;
}

function kindOf(entry: Dirent | Stats): Name["kind"] | null {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "folder";
  return entry.isSymbolicLink() ? "link" : null;
}

function isOther(entry: Dirent): boolean {
  return entry.isFIFO() || entry.isSocket() || entry.isCharacterDevice() || entry.isBlockDevice();
}

/** Some file systems do not say in the listing. */
function kindOnDisk(folder: Bytes, name: Bytes): Name["kind"] | null {
  try {
    return kindOf(lstatSync(onDisk(inside(folder, name))));
  } catch {
    return null;
  }
}
