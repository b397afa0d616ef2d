// The plan of a session: what is to be done, and how far each thing is.

export const STATUSES = ["pending", "in_progress", "completed"] as const;

export type PlanItem = { text: string; status: (typeof STATUSES)[number] };
