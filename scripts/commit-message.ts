// Checks commit messages: `room: what changes`, imperative, 72 columns. Without an argument every commit of this branch, else the message in a file.
import { FLOORS } from "./floors.ts";

const ROOMS = new Set([...FLOORS.flat(), "repo", "docs", "test", "bench", "scripts", "spec"]);
const MAX_COLUMNS = 72;

// The endings that give away "added", "adds" and "adding"; the second pattern holds verbs that merely look so.
const NOT_IMPERATIVE = /^[a-z]+(ed|ing|[^s'u]s)$/;
const IMPERATIVE =
  /^(embed|feed|heed|need|seed|speed|shed|shred|weed|bring|ring|spring|alias|bias)$/;

/** What is wrong with a message, one sentence each. */
export function faultsOf(message: string): string[] {
  const [subject = "", second, ...rest] = message.trimEnd().split("\n");
  const faults = subjectFaults(subject);
  if (second !== undefined && second !== "") faults.push("the second line must be empty");
  for (const line of rest) {
    // A line without a space is an address or a path that cannot be wrapped.
    if (Bun.stringWidth(line) > MAX_COLUMNS && line.trim().includes(" "))
      faults.push(`a line of the body is wider than ${MAX_COLUMNS} columns: ${line}`);
  }
  return faults;
}

function subjectFaults(subject: string): string[] {
  const hit = /^([a-z]+): (\S.*)$/.exec(subject);
  if (hit === null) return ["the subject must read `room: what changes`"];
  const [, room = "", what = ""] = hit;
  // A first word with a comma after it begins a list, and its ending tells nothing.
  const verb = /^[A-Za-z]+(?= |$)/.exec(what)?.[0] ?? "";
  const checks: [boolean, string][] = [
    [!ROOMS.has(room), `there is no room "${room}"; rooms: ${[...ROOMS].join(", ")}`],
    [Bun.stringWidth(subject) > MAX_COLUMNS, `the subject is wider than ${MAX_COLUMNS} columns`],
    [what.endsWith("."), "the subject must not end with a full stop"],
    [
      NOT_IMPERATIVE.test(verb) && !IMPERATIVE.test(verb),
      `the subject must be imperative: "${verb}" is not`,
    ],
  ];
  return checks.filter(([bad]) => bad).map(([, fault]) => fault);
}

/** Every commit of the branch but merges, as `hash` and `message`; none where there is no git history. */
function commits(): { hash: string; message: string }[] {
  const log = Bun.spawnSync(["git", "log", "--no-merges", "--format=%h%x00%B%x01"], {
    cwd: import.meta.dir,
  });
  const records = log.stdout.toString().split("\x01\n");
  return records.flatMap((record) => {
    const [hash = "", message] = record.split("\0");
    return message === undefined ? [] : [{ hash, message }];
  });
}

if (import.meta.main) {
  const file = process.argv[2];
  const messages =
    file === undefined ? commits() : [{ hash: file, message: await Bun.file(file).text() }];
  const faults = messages.flatMap(({ hash, message }) =>
    faultsOf(message).map((fault) => `${hash}: ${fault}`),
  );
  for (const fault of faults) console.error(fault);
  console.log(`${messages.length} messages, ${faults.length} faults`);
  process.exit(faults.length === 0 ? 0 : 1);
}
