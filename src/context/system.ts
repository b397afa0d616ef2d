// The pinned prefix: base prompt, instruction files, environment block; rendered once a session, reused byte for byte.
import base from "../data/prompts/base.md" with { type: "text" };
import { instructions } from "./instructions.ts";

export type Surroundings = {
  cwd: string;
  /** Git root, or the folder itself. */
  root: string;
  /** Folder of the user's own configuration. */
  home: string;
  branch: string | null;
  platform: string;
  /** `2026-11-30`: a clock would break the prompt cache with every request. */
  date: string;
  /** Replaces the base prompt; null keeps it. */
  systemPrompt: string | null;
  /** Added after the base prompt. */
  appended: string | null;
};

export type Pinned = { system: string[]; files: string[]; notices: string[] };

export function pinned(around: Surroundings): Pinned {
  const found = instructions(around);
  const system = [around.systemPrompt ?? base.trim(), around.appended, ...found.blocks].filter(
    (block) => block !== null && block !== "",
  );
  return {
    system: [...system.flatMap((block) => block ?? []), environmentBlock(around)],
    files: found.paths,
    notices: found.notices,
  };
}

function environmentBlock(around: Surroundings): string {
  const lines = [
    `Working folder: ${around.cwd}`,
    ...(around.root === around.cwd ? [] : [`Git root: ${around.root}`]),
    ...(around.branch === null ? [] : [`Git branch at the start: ${around.branch}`]),
    `Platform: ${around.platform}`,
    `Date: ${around.date}`,
  ];
  return `# Environment\n\n${lines.join("\n")}`;
}
