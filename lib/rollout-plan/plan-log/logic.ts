/** Old and new value of something that is no plan cell; null = blank. */
export type Change = [old: unknown, now: unknown];

/** The note of one activity of one DU. */
export type ActivityNote = {
  delayReason: string | null;
  score: number | null;
  scoreRemark: string | null;
  closedAt: Date | string | null;
  closedBy: number | null;
};

/** One row of the packed log: a DU in a batch. */
export type LogEntry = {
  duId: number;
  flowId: number;
  cells: number[];
  old: number[];
  new: number[];
  attrs: Record<string, unknown> | null;
};

/** Log keys of what is no plan cell: `a12`, `a12@7` as in du.ext, `du.<column>`, `note.<field>@<slot>`. */
export function noteKey(field: string, slot: number): string {
  return `note.${field}@${slot}`;
}

// Fields of a cell number (its last four bits). Baseline and released dates are copies of the plan: the log holds the version that made them, not their cells.
const copiedFrom = 5;
const copiedTo = 8;
const stateField = 9;

/**
 * The log row of one DU.
 * @param entry.copies baseline and released dates were copied by a release and are left out
 */
export function logEntry(entry: {
  duId: number;
  flowId: number;
  diff?: { cells: number[]; old: number[]; new: number[] } | undefined;
  patch?:
    | {
        ext?: Record<string, Change>;
        fields?: Record<string, Change>;
        notes?: readonly { slot: number; changes: Record<string, Change> }[];
        begins?: Record<string, Change>;
      }
    | undefined;
  copies?: boolean;
  attrs?: Record<string, unknown> | undefined;
}): LogEntry {
  const { diff, patch } = entry;
  const attrs: Record<string, unknown> = { ...patch?.ext, ...patch?.begins, ...entry.attrs };
  for (const [name, change] of Object.entries(patch?.fields ?? {})) attrs[`du.${name}`] = change;
  for (const { slot, changes } of patch?.notes ?? [])
    for (const [field, change] of Object.entries(changes)) attrs[noteKey(field, slot)] = change;
  const logged = { cells: diff?.cells ?? [], old: diff?.old ?? [], new: diff?.new ?? [] };
  if (entry.copies && diff) {
    const kept = diff.cells.map((cell) => (cell & 15) < copiedFrom || (cell & 15) > copiedTo);
    logged.cells = diff.cells.filter((_, i) => kept[i]);
    logged.old = diff.old.filter((_, i) => kept[i]);
    logged.new = diff.new.filter((_, i) => kept[i]);
  }
  return { duId: entry.duId, flowId: entry.flowId, ...logged, attrs: Object.keys(attrs).length > 0 ? attrs : null };
}

/** Cells of a log row that an undo puts back: state bits are not, they have their own reverse. */
export function undoneCells(entry: Pick<LogEntry, "cells" | "old" | "new">): { cell: number; old: number; now: number }[] {
  return entry.cells
    .map((cell, i) => ({ cell, old: entry.old[i] as number, now: entry.new[i] as number }))
    .filter(({ cell }) => (cell & 15) !== stateField);
}
