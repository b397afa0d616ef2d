// The debug log of a chat: a file of its own, because the screen is the chat's.
import { join } from "node:path";
import { openAppend } from "../host/append.ts";

/** Best effort: what cannot be noted must not end a chat. */
export function addToDebugFile(folder: string, lines: string): void {
  const file = openAppend(join(folder, "debug.log"));
  if (!file.ok) return;
  file.value.append(`${new Date().toISOString()} ${lines.trimEnd()}`);
  file.value.close();
}
