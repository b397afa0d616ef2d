// Colours by role: what a text is, not how it looks; a theme is a table from roles to SGR codes.

export type Role =
  | "accent"
  | "added"
  | "code"
  | "dim"
  | "error"
  | "heading"
  | "italic"
  | "link"
  | "ok"
  | "removed"
  | "strike"
  | "strong"
  | "underline"
  | "warning";

export type Style = {
  paint(role: Role, text: string): string;
  /** A clickable text where links are on; else the text, followed by the address where it differs. */
  link(text: string, url: string): string;
};

/** Opening and closing SGR codes; foregrounds only from the 16 colours, so that every palette fits. */
const CODES: Readonly<Record<Role, readonly [string, string]>> = {
  accent: ["36", "39"],
  added: ["32", "39"],
  code: ["33", "39"],
  dim: ["2", "22"],
  error: ["31", "39"],
  heading: ["1", "22"],
  italic: ["3", "23"],
  link: ["4", "24"],
  ok: ["32", "39"],
  removed: ["31", "39"],
  strike: ["9", "29"],
  strong: ["1", "22"],
  underline: ["4", "24"],
  warning: ["33", "39"],
};

export const PLAIN: Style = {
  paint: (_role, text) => text,
  link: (text, url) => (text === url || `mailto:${text}` === url ? text : `${text} (${url})`),
};

export const COLORED: Style = {
  paint: (role, text) => {
    const [open, close] = CODES[role];
    return text === "" ? "" : `\u001b[${open}m${text}\u001b[${close}m`;
  },
  link: (text, url) => `\u001b]8;;${safe(url)}\u001b\\${text}\u001b]8;;\u001b\\`,
};

/** Whether colours are wanted: NO_COLOR (any value but empty) and TERM=dumb say no. */
export function wantsColor(env: Readonly<Record<string, string | undefined>>): boolean {
  return !env["NO_COLOR"] && env["TERM"] !== "dumb";
}

/** Only printable ASCII may stand inside an OSC 8 sequence. */
function safe(url: string): string {
  return url.replace(/[^!-~]/gu, (char) => (char.isWellFormed() ? encodeURIComponent(char) : ""));
}
