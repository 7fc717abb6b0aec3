import { isApplicable, isIncomplete, type PlanBlock, workOrderStatus } from "#lib/rollout-plan/plan-rows/logic.ts";
import { untilKind } from "./limits.ts";

/** What a reminder looks for. Regions: null for all. Changes: those after `since`, up to `until` where one is given. */
export type Look =
  | { what: "LATE"; slots: readonly number[]; days: number; regionIds: readonly number[] | null }
  | {
      what: "CHANGES";
      cells: readonly number[];
      keys: readonly string[];
      regionIds: readonly number[] | null;
      since: number;
      until?: number;
    }
  | { what: "RFI"; stateId: string; min: number; max: number | null; until: readonly number[] }
  | { what: "DOCUMENTS" };

/** An activity that is late, or a site that waits: `day` is the plan date, or the day the wait began. */
export type LateRow = { what: "LATE"; duId: number; slot: number; day: number; days: number };
/** One change of one cell or attribute. */
export type Step = { old: unknown; now: unknown; byId: number | null; at: Date };
/** All changes of one cell or attribute since they were last told, oldest first. */
export type ChangeRow = { what: "CHANGES"; duId: number; slot: number | null; cell: number | null; key: string | null; steps: Step[] };
export type FoundRow = LateRow | ChangeRow;

/** Where a DU of a block stands. */
export type Place = { regionId: number | null; stateId: string | null };

/**
 * Activities that are late by a number of days: in the flow, neither NA nor INV nor closed nor paused by a suspended work order, planned and without actual end.
 * @param rows rows of the block to look at
 * @param today day number
 */
export function findLate(block: PlanBlock, rows: Iterable<number>, slots: readonly number[], days: number, today: number): LateRow[] {
  const { state, planEnd, actualEnd, width, duIds } = block;
  const latest = today - days;
  const found: LateRow[] = [];
  const known = slots.filter((slot) => slot < width);
  for (const row of rows) {
    for (const slot of known) {
      const at = row * width + slot;
      const day = planEnd[at] as number;
      if (day === 0 || day > latest || !isIncomplete(state[at] as number, actualEnd[at] as number)) continue;
      if (workOrderStatus(state[at] as number) === "suspended") continue;
      found.push({ what: "LATE", duId: duIds[row] as number, slot, day, days: today - day });
    }
  }
  return found;
}

/**
 * Sites that have waited between two numbers of days since RFI and have not begun what ends the wait.
 * @param max null: there is no end
 * @param until slots of what ends the wait
 */
export function findWaiting(
  block: PlanBlock,
  rows: Iterable<number>,
  rfi: readonly number[],
  { min, max, until }: { min: number; max: number | null; until: readonly number[] },
  today: number,
): LateRow[] {
  const { state, actualStart, actualEnd, width, duIds } = block;
  const found: LateRow[] = [];
  for (const row of rows) {
    let day = 0;
    let slot = 0;
    for (const given of rfi) {
      const at = row * width + given;
      const ended = actualEnd[at] ?? 0;
      if (ended > day && isApplicable(state[at] ?? 0)) [day, slot] = [ended, given];
    }
    const days = today - day;
    if (day === 0 || days < min || (max !== null && days > max)) continue;
    if (until.some((given) => (actualStart[row * width + given] ?? 0) > 0)) continue;
    found.push({ what: "LATE", duId: duIds[row] as number, slot, day, days });
  }
  return found;
}

/** One packed row of the log, as change reminders read it. */
export type LoggedChange = {
  duId: number;
  seq: number;
  at: Date;
  byId: number | null;
  cells: readonly number[];
  old: readonly number[];
  new: readonly number[];
  attrs: Record<string, unknown> | null;
};

/**
 * Changes of the asked cells and attributes, gathered by DU and cell in the order in which they first appear.
 * @param log ascending by seq
 * @param keys keys of attributes; those of activities are found under each slot
 */
export function gatherChanges(
  log: readonly LoggedChange[],
  {
    cells,
    keys,
    since,
    until = Number.POSITIVE_INFINITY,
  }: { cells: readonly number[]; keys: readonly string[]; since: number; until?: number },
  inRange: (duId: number) => boolean,
): ChangeRow[] {
  const wanted = new Set(cells);
  const named = new Set(keys);
  const rows = new Map<string, ChangeRow>();
  const add = (entry: LoggedChange, row: Pick<ChangeRow, "slot" | "cell" | "key">, old: unknown, now: unknown) => {
    const place = `${entry.duId} ${row.cell ?? row.key}`;
    let found = rows.get(place);
    if (!found) {
      found = { what: "CHANGES", duId: entry.duId, ...row, steps: [] };
      rows.set(place, found);
    }
    found.steps.push({ old, now, byId: entry.byId, at: entry.at });
  };
  for (const entry of log) {
    if (entry.seq <= since || entry.seq > until || !inRange(entry.duId)) continue;
    if (wanted.size > 0)
      for (const [i, cell] of entry.cells.entries())
        if (wanted.has(cell)) add(entry, { slot: cell >> 4, cell, key: null }, entry.old[i], entry.new[i]);
    if (named.size > 0 && entry.attrs)
      for (const [full, change] of Object.entries(entry.attrs)) {
        const [key = "", slot] = full.split("@");
        if (!named.has(key) || !Array.isArray(change)) continue;
        add(entry, { slot: slot === undefined ? null : Number(slot), cell: null, key: full }, change[0] ?? null, change[1] ?? null);
      }
  }
  return [...rows.values()];
}

/** What is left of several changes of one place: its first old and last new value, who changed it last, and how often. */
export type NetChange = { old: unknown; now: unknown; byId: number | null; at: Date; count: number };

/**
 * Sums up the changes of one place; null when it holds again what it held.
 * @param except a person whose own changes do not count
 */
export function netChange(row: ChangeRow, except: number | null): NetChange | null {
  const steps = except === null ? row.steps : row.steps.filter(({ byId }) => byId !== except);
  const first = steps[0];
  const last = steps.at(-1);
  if (!first || !last || JSON.stringify(first.old) === JSON.stringify(last.now)) return null;
  return { old: first.old, now: last.now, byId: last.byId, at: last.at, count: steps.length };
}

type KnownActivity = { id: number; slot: number; kind: string };

/** Slots of activities, ascending; those the library does not know are left out. */
export function slotsOfActivities(library: readonly KnownActivity[], ids: readonly number[]): number[] {
  return library.filter(({ id }) => ids.includes(id)).map(({ slot }) => slot);
}

/** Slots of the activities of a kind, ascending. */
export function slotsOfKind(library: readonly KnownActivity[], kind: string): number[] {
  return library.filter((activity) => activity.kind === kind).map(({ slot }) => slot);
}

/** Slots of what ends the wait after RFI: the chosen activity, else all that stand for integration. */
export function untilSlots(library: readonly KnownActivity[], activityId: number | null): number[] {
  return activityId === null ? slotsOfKind(library, untilKind) : slotsOfActivities(library, [activityId]);
}
