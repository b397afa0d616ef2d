// The names of the permission modes; what each does is policy's table.

export const MODES = [
  "standard",
  "restrictive",
  "readonly",
  "planwrite",
  "guarded",
  "yolo",
] as const;
export type Mode = (typeof MODES)[number];
