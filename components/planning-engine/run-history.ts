import type { RunProgress } from "#lib/planning-engine/runs/schema.ts";
import type { Point } from "./sparkline.tsx";

/** Something a run told while it was watched: a new phase, a better plan. */
export type RunNote = { at: number; phase: RunProgress["phase"] } | { at: number; incumbent: NonNullable<RunProgress["incumbent"]> };

/** What is known of a run: the way of its best plan from the start, and what was told since the page was opened. */
export type RunHistory = { runId: number; points: readonly Point[]; notes: readonly RunNote[] };

/** Notes that are kept; the oldest falls out. */
const notesMax = 200;

/** The history of a run after another look at it; of another run a new one. */
export function withProgress(before: RunHistory | null, progress: RunProgress): RunHistory {
  const { runId, elapsedS: at, phase, incumbent } = progress;
  const history = withTrail(before?.runId === runId ? before : { runId, points: [], notes: [] }, progress.trail ?? []);
  const notes: RunNote[] = [];
  const shown = history.notes.findLast((note) => "phase" in note);
  if (shown?.phase !== phase) notes.push({ at, phase });
  const best = history.notes.findLast((note) => "incumbent" in note)?.incumbent;
  if (incumbent && JSON.stringify(best) !== JSON.stringify(incumbent)) {
    const since = best ? undefined : progress.trail?.findLast(([, makespan]) => makespan === incumbent.makespan)?.[0];
    notes.push({ at: since ?? at, incumbent });
  }
  const last = history.points.at(-1);
  const point = incumbent && (last?.value !== incumbent.makespan || at > (last?.at ?? 0)) ? [{ at, value: incumbent.makespan }] : [];
  if (notes.length === 0 && point.length === 0) return history;
  // Between two changes the end of the line alone moves.
  const stays = history.points.slice(-2).filter(({ value }) => value === point[0]?.value).length === 2;
  const points = [...(stays ? history.points.slice(0, -1) : history.points), ...point];
  return { runId, points, notes: [...history.notes, ...notes.sort((left, right) => left.at - right.at)].slice(-notesMax) };
}

/** The history with what the run says of the time before. */
function withTrail(history: RunHistory, trail: NonNullable<RunProgress["trail"]>): RunHistory {
  const from = history.points[0]?.at ?? Number.POSITIVE_INFINITY;
  const earlier = trail.filter(([second]) => second < from).map(([second, value]): Point => ({ at: second, value }));
  return earlier.length === 0 ? history : { ...history, points: [...earlier, ...history.points] };
}
