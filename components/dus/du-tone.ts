import type { Status } from "#components/ui/glyph-paths.ts";

const tones: Record<string, Status> = {
  na: "na",
  inv: "na",
  closed: "closed",
  approving: "approving",
  noFlow: "na",
  notApplicable: "na",
  completed: "completed",
  notPlanned: "notplanned",
  delayed: "delayed",
  within7: "within7",
  after7: "after7",
};

/** Colour and glyph of the status of a DU or an activity. */
export function duTone(status: string): Status {
  return tones[status] ?? "notplanned";
}
