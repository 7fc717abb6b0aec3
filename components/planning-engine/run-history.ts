import { withNotes } from "#lib/planning-engine/runs/logic.ts";
import type { RunNote, RunProgress } from "#lib/planning-engine/runs/schema.ts";
import type { Point } from "./sparkline.tsx";

/** What a run has told from its start up to a second of it. */
export type RunHistory = { runId: number; at: number; notes: readonly RunNote[] };

/** The history of a run after another look at it: the call brings all its notes, the live line what is new. */
export function withProgress(before: RunHistory | null, progress: RunProgress): RunHistory {
  const { runId, elapsedS: at, phase, incumbent } = progress;
  const known = progress.notes ?? (before?.runId === runId ? before.notes : []);
  return { runId, at, notes: withNotes(known, { at, phase, incumbent }) };
}

/** How long the best plan was: a place for each better one, and where the line has come to. */
export function pointsOf({ at, notes }: RunHistory): Point[] {
  const points = notes.flatMap((note) => ("incumbent" in note ? { at: note.at, value: note.incumbent.makespan } : []));
  const last = points.at(-1);
  return last && last.at < at ? [...points, { at, value: last.value }] : points;
}
