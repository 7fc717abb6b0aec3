import type { NodeFlag } from "#lib/activity-flows/editor/logic.ts";

/** Marks of an activity, in the order of their columns. */
export const nodeFlags = [
  "isAnchor",
  "isMilestone",
  "needDeliverable",
  "needApproval",
  "naNeedsApproval",
  "docPdMayCancelNa",
] as const satisfies readonly NodeFlag[];

/** An activity of the library as a proposal for names. */
export type LibraryChoice = { id: number; code: string; name: string };
