// The safety floor: command lines that destroy, escalate or run what they download are asked for in every mode.
import { commandParts, plainText } from "./parts.ts";
import { plainCommands } from "./plain.ts";

type Danger = { pattern: string; because: string };

const BUILD_FOLDERS = "node_modules|dist|build|out|target|coverage|\\.cache|tmp";
const SYSTEM_FOLDERS = "etc|usr|bin|sbin|lib\\w*|boot|var|root|dev|sys|proc|opt";
const SHELL = "(?:\\S*/)?(?:ba|da|z|k|fi)?sh";
const INTERPRETER = "(?:\\S*/)?(?:python|perl|node|ruby|lua|bun|deno|php)[\\d.]*";
const LOADER = "(?:curl|wget|fetch|aria2c)";

/** Of one command, from its program on. */
const COMMANDS: readonly Danger[] = [
  { pattern: "git .*\\breset\\b.*--ha", because: "git reset --hard discards uncommitted work" },
  {
    pattern: "git .*\\bclean\\b(?!.* (-\\w*n|--dry-run)).* -{1,2}\\w*[fdxX]",
    because: "git clean deletes untracked files",
  },
  {
    pattern: "git .*\\bcheckout\\b.* (--( |$)|\\.(/| |$)|-\\w*f|--force|--ours|--theirs)",
    because: "it discards uncommitted changes",
  },
  {
    pattern: "git .*\\brestore\\b(?!.* (--staged|-S)\\b(?!.* (--worktree|-W)\\b))",
    because: "it discards uncommitted changes",
  },
  {
    pattern: "git .*\\bswitch\\b.* (-\\w*f|--force|--discard-changes)",
    because: "it discards uncommitted changes",
  },
  {
    pattern: "git .*\\bpush\\b.* (--force|-\\w*f\\b|\\+\\S|--mirror|--delete|-d\\b|--prune|:\\S)",
    because: "a forced push rewrites the remote's history",
  },
  {
    pattern:
      "git .*\\bbranch\\b.* (-\\w*D|(-\\w*d|--delete)\\b.* (-\\w*f|--force)|(-f|--force)\\b.* (-d|--delete))",
    because: "it deletes a branch that may be unmerged",
  },
  { pattern: "git .*\\bstash (drop|clear)\\b", because: "it deletes stashed work" },
  {
    pattern: "git .*\\b(filter-branch|filter-repo|update-ref .*-d|reflog (expire|delete))\\b",
    because: "it rewrites history",
  },
  {
    pattern: `rm\\b(?=.* -(\\w*[rR]|-r))(?!( -\\w+)*( (\\./)?(${BUILD_FOLDERS})/?)+$)`,
    because: "it deletes folders with all they hold",
  },
  {
    pattern: "\\$\\S+( -\\w+)* -\\w*([rR]\\w*f|f\\w*[rR])",
    because: "it may delete folders with all they hold",
  },
  { pattern: "(find|fd) .*-delete\\b", because: "find -delete deletes what it finds" },
  {
    pattern: "(find|fd) .*(-exec(dir)?|-ok(dir)?|-x|-X) +(\\S*/)?(rm|unlink|shred)\\b",
    because: "it deletes what find finds",
  },
  { pattern: "(sudo|doas|pkexec|su)( |$)", because: "it asks for another user's rights" },
  {
    pattern: "(mkfs(\\.\\w+)?|fdisk|parted|wipefs|sgdisk|mkswap)\\b",
    because: "it changes a disk",
  },
  { pattern: "dd .*\\bof=/dev/(?!null\\b)", because: "it writes to a device" },
  {
    pattern:
      "(shutdown|reboot|halt|poweroff)\\b|init [06]|(systemctl|loginctl) .*(poweroff|reboot|halt)",
    because: "it stops the machine",
  },
  {
    pattern: `(chmod|chown|chgrp|setfacl) .*(?<= )/(${SYSTEM_FOLDERS})?(/| |$)`,
    because: "it changes rights of system paths",
  },
  {
    pattern: `${INTERPRETER}\\b.* -{1,2}\\w*[ceErp]\\w*\\b.*(rmtree|unlink|rmSync|rm_rf|rmdir|system|shutil|child_process|subprocess|popen|spawn|exec|remove)`,
    because: "a one-line program deletes or runs something",
  },
];

/** Of the whole line: what only the connection of commands makes dangerous. */
const LINES: readonly Danger[] = [
  {
    pattern: `(?<!\\S)(${SHELL}|${INTERPRETER}|source|\\.|eval|exec)\\s.*(<\\(|\\$\\(|\`)\\s*${LOADER}\\b`,
    because: "it runs what it downloads",
  },
  {
    pattern: "/dev/(sd[a-z]|nvme|hd[a-z]|vd[a-z]|mmcblk|disk|mem\\b|kmem)",
    because: "it works on a device",
  },
  {
    pattern:
      "(?<![\\w:.])([\\w:.]{1,64})\\s*\\(\\s*\\)\\s*\\{[^}]{0,400}?(?<![\\w:.])\\1\\s*\\|\\s*\\1",
    because: "it is a fork bomb",
  },
  { pattern: "/etc/(g?shadow|sudoers)", because: "it reads or writes the system's secrets" },
];

const anchored = COMMANDS.map(({ pattern, because }) => ({
  pattern: new RegExp(`^(?:${pattern})`, "s"),
  because,
}));
/** In a line that is not plain the program may stand anywhere. */
const floating = COMMANDS.map(({ pattern, because }) => ({
  pattern: new RegExp(`(?:^|[\\s/])(?:${pattern})`, "s"),
  because,
}));
const lines = LINES.map(({ pattern, because }) => ({ pattern: new RegExp(pattern, "s"), because }));

const PIPED = { because: "it runs what it downloads" };
const SOURCE = new RegExp(`\\b(?:${LOADER}|base64)\\b`);
const RUNNER = new RegExp(`[|\\s/](?:${SHELL}|${INTERPRETER})(?=[\\s;&|)]|$)`);

/** Step by step, since one pattern for all of it takes minutes for a long line. */
function pipesIntoProgram(line: string): boolean {
  const from = line.search(SOURCE);
  const pipe = from < 0 ? -1 : line.indexOf("|", from);
  return pipe >= 0 && RUNNER.test(line.slice(pipe));
}

/** Why the line may not run unasked, each reason once. Quotes, backslashes and wrappers hide nothing. */
export function dangersOf(command: string): string[] {
  const commands = plainCommands(command) === null ? floating : anchored;
  const parts = commandParts(command);
  const whole = plainText(command);
  const found = [
    ...commands.filter(({ pattern }) => parts.some((part) => pattern.test(part))),
    ...lines.filter(({ pattern }) => pattern.test(whole)),
    ...(pipesIntoProgram(whole) ? [PIPED] : []),
  ];
  return [...new Set(found.map(({ because }) => because))];
}
