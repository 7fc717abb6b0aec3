import type { CellState, CellValue, GridColumn } from "#components/grid/grid-model.ts";
import { isEmptyValue } from "#components/grid/grid-model.ts";
import { type Lock, locks, type Status } from "#components/ui/glyph-paths.ts";
import { dayNumber, isoDay } from "#lib/core/clock.ts";
import { noteFields } from "#lib/rollout-plan/columns/limits.ts";
import {
  type ActivityStatus,
  activityStatus,
  type DuStatus,
  hiddenDay,
  stateValue,
  tileDates,
  tileOwners,
} from "#lib/rollout-plan/plan-rows/logic.ts";
import type { DateLock } from "./locked-dates.ts";
import type { PlanHead } from "./plan-columns.ts";
import { columnRef, isAttribute } from "./plan-keys.ts";
import { noteValue, type PlanRow, tileValue } from "./plan-tile.ts";

/** Days of DU columns travel as numbers. */
const dayFields = new Set(["planEndDate", "nextPlanEnd", "icActualEnd", "decomActualEnd"]);

/** What a column reads from a row, worked out once. */
type Reader = { field: string; activityId: number | null; date: number; owner: number; note: number; slot: number; tileKey: string };

/** A cell of an activity as it would be after the save: dates as day numbers. */
export type ActivityCell = { place: number; state: number; days: number[]; owners: (readonly number[])[] };

/** Unsaved values of a row by column key. */
export type WantedValues = (columnKey: string) => CellValue | undefined;

const tones: Record<ActivityStatus | DuStatus, Status> = {
  na: "na",
  inv: "na",
  closed: "closed",
  approving: "approving",
  completed: "completed",
  notPlanned: "notplanned",
  delayed: "delayed",
  within7: "within7",
  after7: "after7",
  noFlow: "na",
  notApplicable: "na",
};

// The same for every cell of which no more is to be said.
const plain: CellState = {};
const outside: CellState = { outside: true };
const locked = Object.fromEntries(locks.map((lock) => [lock, { lock }])) as Record<Lock, CellState>;

/** Colour and glyph of a status. */
export function statusTone(status: string): Status {
  return tones[status as ActivityStatus] ?? "notplanned";
}

/** Reads cells of decoded rows. Made anew for every head. */
export class PlanCells {
  readonly slots: ReadonlyMap<number, number>;
  readonly today: number;
  readonly changeControl: boolean;
  private readonly places = new Map<number, { version: number; places: ReadonlyMap<number, number> }>();
  private readonly mos: ReadonlySet<number>;
  private readonly readers = new Map<string, Reader>();

  /**
   * @param today the project's day, ISO
   * @param changeControl Plan Change Control of the project is on
   */
  constructor(head: PlanHead, today: string, changeControl: boolean) {
    this.today = dayNumber(today);
    this.changeControl = changeControl;
    this.slots = new Map(head.activities.map(({ activityId, slot }) => [activityId, slot]));
    this.mos = new Set(head.activities.filter(({ kind }) => kind === "mos").map(({ activityId }) => activityId));
    for (const { flowId, version, activityIds } of head.flows)
      this.places.set(flowId, { version, places: new Map(activityIds.map((id, place) => [id, place])) });
  }

  reader(key: string): Reader {
    let found = this.readers.get(key);
    if (!found) {
      const { field, activityId } = columnRef(key);
      const slot = activityId === null ? 0 : (this.slots.get(activityId) ?? 0);
      found = {
        field,
        activityId,
        slot,
        note: activityId === null ? -1 : (noteFields as readonly string[]).indexOf(field),
        date: activityId === null ? -1 : (tileDates as readonly string[]).indexOf(field),
        owner: activityId === null ? -1 : (tileOwners as readonly string[]).indexOf(field),
        tileKey: activityId !== null && isAttribute(field) ? `${field}@${slot}` : field,
      };
      this.readers.set(key, found);
    }
    return found;
  }

  /** Whether an activity is one of kind mos. */
  isMos(activityId: number): boolean {
    return this.mos.has(activityId);
  }

  /** Whether a row was written in an order of activities this head does not know: then the head has to be read again. */
  isForeign(row: PlanRow): boolean {
    const [id, version] = row.flow;
    const flow = this.places.get(id);
    return id !== 0 && (flow === undefined || flow.version !== version);
  }

  /** Place of an activity among those of the row's flow, or -1. */
  placeOf(row: PlanRow, activityId: number): number {
    return this.places.get(row.plan.flowId)?.places.get(activityId) ?? -1;
  }

  /** State bits of an activity; 0 when it is not in the flow. */
  stateOf(row: PlanRow, activityId: number): number {
    const place = this.placeOf(row, activityId);
    return place < 0 ? 0 : (row.plan.states[place] ?? 0);
  }

  /** Whether an activity takes its actual dates from steps. */
  hasSteps(row: PlanRow, activityId: number): boolean {
    return stateValue(this.stateOf(row, activityId), "subFlow") === 1;
  }

  private day(row: PlanRow, activityId: number, date: number): number {
    const place = this.placeOf(row, activityId);
    const day = place < 0 ? 0 : (row.plan.dates[place * tileDates.length + date] ?? 0);
    return day === hiddenDay ? 0 : day;
  }

  private people(row: PlanRow, activityId: number, owner: number): readonly number[] {
    const place = this.placeOf(row, activityId);
    const set = place < 0 ? 0 : (row.plan.owners[place * tileOwners.length + owner] ?? 0);
    return row.tile.owners.get(set) ?? [];
  }

  /** Status of an activity with unsaved dates taken into account. */
  statusOf(row: PlanRow, activityId: number, wanted?: WantedValues): ActivityStatus {
    const day = (field: "planEnd" | "actualEnd") => {
      const own = wanted?.(`${activityId}:${field}`);
      return own === undefined ? this.day(row, activityId, tileDates.indexOf(field)) : typeof own === "string" ? dayNumber(own) : 0;
    };
    return activityStatus(this.stateOf(row, activityId), day("planEnd"), day("actualEnd"), this.today);
  }

  /** Value of a cell as saved; of a bar the actual end, else the plan end. */
  value(row: PlanRow, column: GridColumn, wanted?: WantedValues): CellValue {
    const { field, activityId, date, owner, note, slot, tileKey } = this.reader(column.key);
    if (activityId !== null) {
      if (note >= 0) return noteValue(row, slot, note);
      if (date >= 0) return isoDay(this.day(row, activityId, date));
      if (owner >= 0) {
        const people = this.people(row, activityId, owner);
        return people.length > 0 ? people : null;
      }
      if (field === "status") return this.statusOf(row, activityId, wanted);
      if (field === "bar") return this.barValue(row, activityId, wanted);
    }
    const value = tileValue(row, tileKey);
    if (value === undefined || value === null) return null;
    if (dayFields.has(field)) return typeof value === "number" ? isoDay(value) : null;
    return Array.isArray(value) ? String(value[0]) : value;
  }

  private barValue(row: PlanRow, activityId: number, wanted?: WantedValues): CellValue {
    const own = (field: "actualEnd" | "planEnd") => {
      const value = wanted?.(`${activityId}:${field}`);
      return value === undefined ? isoDay(this.day(row, activityId, tileDates.indexOf(field))) : value;
    };
    return own("actualEnd") ?? own("planEnd");
  }

  /** Title of a reference as the tile knows it, for choices that are not offered any more. */
  referenceTitle(row: PlanRow | undefined, column: GridColumn, value: CellValue): string | undefined {
    const given = row && tileValue(row, this.reader(column.key).tileKey);
    return Array.isArray(given) && String(given[0]) === value ? given[1] : undefined;
  }

  /** Whether the tile has the column at all: a column shown later arrives with the next reading. */
  isLoaded(row: PlanRow, column: GridColumn): boolean {
    const { activityId, date, owner, note, slot, field, tileKey } = this.reader(column.key);
    if (note >= 0) return row.tile.noteSlots.has(slot);
    if (activityId !== null && (date >= 0 || owner >= 0 || field === "status" || field === "bar")) return true;
    return row.tile.columns.has(tileKey);
  }

  /** Status, lock and hatch of a cell. */
  state(row: PlanRow, column: GridColumn, words: (status: string) => string, wanted?: WantedValues): CellState {
    const { field, activityId } = this.reader(column.key);
    if (activityId === null) {
      if (field !== "status") return plain;
      const status = this.value(row, column);
      return typeof status === "string" ? { status: statusTone(status) } : plain;
    }
    const state = this.stateOf(row, activityId);
    if ((state & 1) === 0) return outside;
    if (field === "status" || field === "bar") {
      const status = this.statusOf(row, activityId, wanted);
      return { status: statusTone(status), spoken: words(status) };
    }
    const lock = this.lock(row, field, activityId, state);
    return lock ? locked[lock] : plain;
  }

  /** The lock of a plan date that a change with a reason may pass: null where the date is open or locked for good. */
  dateLock(row: PlanRow, activityId: number): DateLock | null {
    const state = this.stateOf(row, activityId);
    if (!stateValue(state, "inFlow") || stateValue(state, "na") || stateValue(state, "closed")) return null;
    if (stateValue(state, "frozen")) return "FROZEN";
    return this.changeControl && row.plan.releaseState > 0 ? "CHANGE_CONTROL" : null;
  }

  private lock(row: PlanRow, field: string, activityId: number, state: number): CellState["lock"] {
    const plan = field === "planStart" || field === "planEnd";
    const actual = field === "actualStart" || field === "actualEnd";
    if (!plan && !actual) return undefined;
    if (stateValue(state, "closed")) return "closed";
    if (plan) {
      if (stateValue(state, "frozen")) return "frozen";
      if (this.isMos(activityId) && stateValue(state, "mosFrozen")) return "frozen";
      if (this.changeControl && row.plan.releaseState > 0) return "control";
      return stateValue(state, "fixed") ? "fixed" : undefined;
    }
    if (stateValue(state, "toolLocked")) return "tool";
    if (stateValue(state, "approval") === 2) return "approving";
    if (field === "actualEnd" && stateValue(state, "revenue")) return "revenue";
    const missing = field === "actualEnd" && stateValue(state, "deliverableMissing");
    return missing && isEmptyValue(this.value(row, { key: `${activityId}:actualEnd` } as GridColumn)) ? "deliverable" : undefined;
  }
}
