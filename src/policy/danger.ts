// The safety floor: command lines that destroy, escalate or run what they download are asked for in every mode.

const FLOOR: readonly { pattern: RegExp; because: string }[] = [
  { pattern: /\bgit\b.*\breset\b.*--hard/, because: "git reset --hard discards uncommitted work" },
  { pattern: /\bgit\b.*\bclean\b.*\s-\w*[fdx]/, because: "git clean deletes untracked files" },
  {
    pattern: /\bgit\b.*\b(checkout|restore)\b(?!.*--staged).*(\s--(\s|$)|\s\.(\s|\/|$))/,
    because: "it discards uncommitted changes",
  },
  {
    pattern: /\bgit\b.*\bpush\b.*(\s--force\b|\s--force-with-lease|\s-\w*f\b|\s\+\S)/,
    because: "a forced push rewrites the remote's history",
  },
  {
    pattern: /\bgit\b.*\bbranch\b.*\s(-\w*D|--delete\s+--force)\b/,
    because: "it deletes a branch that may be unmerged",
  },
  { pattern: /\bgit\b.*\bstash\b\s+(drop|clear)\b/, because: "it deletes stashed work" },
  {
    pattern: /\bgit\b.*\b(filter-branch|filter-repo|update-ref\s+-d|reflog\s+(expire|delete))\b/,
    because: "it rewrites history",
  },
  {
    pattern:
      /\brm\b(?=.*\s-\w*[rR])(?!(\s+-\w+)*(\s+(\.\/)?(node_modules|dist|build|out|target|coverage|\.cache|tmp)\/?)+\s*$)/,
    because: "it deletes folders with all they hold",
  },
  { pattern: /\bfind\b.*\s-delete\b/, because: "find -delete deletes what it finds" },
  { pattern: /\bfind\b.*-exec(dir)?\s+rm\b/, because: "it deletes what find finds" },
  {
    pattern: /\b(sudo|doas|pkexec)\b|(^|[;&|]\s*)su(\s|$)/,
    because: "it asks for another user's rights",
  },
  { pattern: /\bmkfs(\.\w+)?\b|\b(fdisk|parted|wipefs|sgdisk)\b/, because: "it changes a disk" },
  { pattern: /\bdd\b.*\bof=\/dev\//, because: "it writes to a device" },
  { pattern: />\s*\/dev\/(sd|nvme|hd|vd|mmcblk|disk)/, because: "it writes to a device" },
  { pattern: /\b(shutdown|reboot|halt|poweroff|init\s+[06])\b/, because: "it stops the machine" },
  { pattern: /:\s*\(\s*\)\s*\{.*\|.*&.*\}/, because: "it is a fork bomb" },
  {
    pattern: /\b(curl|wget|fetch)\b.*\|\s*(\w+=\S*\s+|env\s+|sudo\s+)*(ba|da|z|k)?sh\b/,
    because: "it runs what it downloads",
  },
  {
    pattern: /\b(curl|wget)\b.*\|\s*(sudo\s+)?(python|perl|node|ruby|lua|bun|deno)\w*/,
    because: "it runs what it downloads",
  },
  {
    pattern: /\b(ba|da|z)?sh\b.*(<\(|\$\(|`)\s*(curl|wget)\b/,
    because: "it runs what it downloads",
  },
  {
    pattern: /\b(chmod|chown|chgrp)\b.*\s\/(etc|usr|bin|sbin|lib\w*|boot|var|root|dev)?(\s|\/|$)/,
    because: "it changes rights of system paths",
  },
  { pattern: /\/etc\/(g?shadow|sudoers)/, because: "it reads or writes the system's secrets" },
  {
    pattern:
      /\b(python|perl|node|ruby|lua|bun|deno)[\d.]*\b.*\s-\w*[ce]\b.*(rmtree|unlink|rmSync|rm_rf|os\.system|shutil|child_process|subprocess)/,
    because: "a one-line program deletes or runs something",
  },
];

/** Why the line may not run unasked, or null. Quotes and backslashes are taken out first: they hide nothing. */
export function floorOf(command: string): string | null {
  const plain = command.replaceAll("\\\n", " ").replaceAll(/["'\\]/g, "");
  const flat = plain.replaceAll(/\n/g, " ; ");
  return FLOOR.find(({ pattern }) => pattern.test(flat))?.because ?? null;
}
