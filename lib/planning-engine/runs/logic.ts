import { type RunPhase, runNotesMax } from "./limits.ts";
import type { Incumbent, RunNote } from "./schema.ts";

const figures = ({ finishDate, makespan, lateDus, lateDays, gapDus }: Incumbent) =>
  [finishDate, makespan, lateDus, lateDays, gapDus].join(" ");

/** The notes of a run with what it tells now: a new phase, a better plan, of the plans of a second the last. Too many are thinned out. */
export function withNotes(
  notes: readonly RunNote[],
  { at, phase, incumbent }: { at: number; phase: RunPhase; incumbent: Incumbent | null },
): readonly RunNote[] {
  const told = notes.findLast((note) => "phase" in note)?.phase;
  const best = notes.findLast((note) => "incumbent" in note)?.incumbent;
  const isBetter = incumbent !== null && (!best || figures(best) !== figures(incumbent));
  if (told === phase && !isBetter) return notes;
  const next = [...notes];
  if (told !== phase) next.push({ at, phase });
  const last = next.at(-1);
  if (isBetter && last && "incumbent" in last && last.at === at) next.pop();
  if (isBetter) next.push({ at, incumbent });
  return next.length <= runNotesMax ? next : next.filter((note, place) => "phase" in note || place % 2 === 0 || place === next.length - 1);
}
