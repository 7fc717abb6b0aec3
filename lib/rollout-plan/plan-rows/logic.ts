import { ArrayRoom } from "#lib/core/array-room.ts";
import { firstDay, isoDay, lastDay } from "#lib/core/clock.ts";
import { NumberReader, NumberWriter } from "#lib/core/number-text.ts";
import { type OrderStatus, orderStatuses } from "#lib/work-orders/orders/logic.ts";
import { type DateField, type OwnerField, type PlanField, planFields, type StateBit, soonDays, stateBits } from "./limits.ts";

/** One typed array per kind, row-major: the value of a slot of row r is at `r * width + slot`. Days are days since 2000-01-01, owners ids of owner_set; 0 = empty. */
export type PlanColumns = {
  planStart: Uint16Array;
  planEnd: Uint16Array;
  actualStart: Uint16Array;
  actualEnd: Uint16Array;
  baselineStart: Uint16Array;
  baselineEnd: Uint16Array;
  releasedStart: Uint16Array;
  releasedEnd: Uint16Array;
  state: Int32Array;
  planOwner: Int32Array;
  actualOwner: Int32Array;
  attrOwner: Int32Array;
};

/**
 * Plan rows of many DUs. Work on the arrays in place and hand the block to `writePlanRows`, which compares it with `before`.
 * Slots count from 1; index 0 of every row is unused.
 */
export type PlanBlock = PlanColumns & {
  duIds: number[];
  /** `du_plan.row_version` as read; 0 = the row does not exist yet and is inserted. */
  versions: Int32Array;
  /** Open flow of the DU and its released version at the moment of reading; 0 = not bound. */
  flowIds: Float64Array;
  flowVersions: Int32Array;
  /** 0 unreleased, 1 released, 2 changed. */
  releaseStates: Uint8Array;
  /** Highest slot of the project's library + 1. */
  width: number;
  /** Slots by the kinds that rules and derived columns look at. */
  kinds: KindSlots & { mos: ReadonlySet<number> };
  /** Kinds that were read; the arrays of the others are empty. */
  fields: readonly PlanField[];
  /** The rows were locked when they were read. */
  locked: boolean;
  /**
   * Only the slots from `first` to `last` were read, of which plan dates may change, and the derived columns of every row; null = whole rows.
   * `slots` are those of the activities it was read for.
   */
  part: { first: number; last: number; slots: ReadonlyMap<number, number>; derived: Derived[] } | null;
  /** The values as read; null in a block made without intent to write. */
  before: PlanBefore | null;
};

/** What a block is compared with. */
export type PlanBefore = PlanColumns & { releaseStates: Uint8Array };

const fieldNumbers = Object.fromEntries(planFields.map((field, index) => [field, index + 1])) as Record<PlanField, number>;

/** Number of a field inside a cell number: plan start 1 ... attribute owner 12. */
export function fieldNumber(field: PlanField): number {
  return fieldNumbers[field];
}

/** Packed cell number: slot x 16 + field. */
export function cellNumber(slot: number, field: PlanField): number {
  return slot * 16 + fieldNumbers[field];
}

/** Slot of a packed cell number. */
export function cellSlot(cell: number): number {
  return cell >> 4;
}

/** Field of a packed cell number. */
export function cellField(cell: number): PlanField {
  return planFields[(cell & 15) - 1] as PlanField;
}

/** Mask of a state group, in place. */
export function bitMask(bit: StateBit): number {
  const { at, width } = stateBits[bit];
  return ((1 << width) - 1) << at;
}

/** Value of a state group (0 or 1 for a single bit). */
export function stateValue(state: number, bit: StateBit): number {
  const { at, width } = stateBits[bit];
  return (state >> at) & ((1 << width) - 1);
}

/** The state with one group set to a value. */
export function withState(state: number, bit: StateBit, value: number): number {
  return (state & ~bitMask(bit)) | (value << stateBits[bit].at);
}

/** In the DU's flow, and neither NA nor INV: the first three bits are exactly 001. */
export function isApplicable(state: number): boolean {
  return (state & 7) === 1;
}

/** Status of the work order by its bits. */
export function workOrderStatus(state: number): OrderStatus {
  return orderStatuses[stateValue(state, "workOrder")] as OrderStatus;
}

/** First and last day a date may have, as the texts of a refusal name them. */
export const dateRange = { min: isoDay(firstDay) as string, max: isoDay(lastDay) as string };

/** Whether NA or INV is given for another date than the plan end. */
export function naMisplaced(field: string, value: string | null): boolean {
  return (value === "NA" || value === "INV") && field !== "planEnd";
}

const closedMask = 1 << stateBits.closed.at;
/** Bits of the state by which an activity is still to be done: of them the first alone is set, and there is no actual end. */
export const openMask = 7 | closedMask;

/** Applicable, not closed and without actual end: what still has to be done. */
export function isIncomplete(state: number, actualEnd: number): boolean {
  return (state & openMask) === 1 && actualEnd === 0;
}

/** A block of empty rows, e.g. for new DUs or tests; values set before `keepBefore` count as read. */
export function emptyBlock(duIds: number[], width: number, fields: readonly PlanField[] = planFields): PlanBlock {
  const rows = duIds.length;
  const size = (field: PlanField) => (fields.includes(field) ? rows * width : 0);
  const days = (field: PlanField) => new Uint16Array(size(field));
  const numbers = (field: PlanField) => new Int32Array(size(field));
  return {
    planStart: days("planStart"),
    planEnd: days("planEnd"),
    actualStart: days("actualStart"),
    actualEnd: days("actualEnd"),
    baselineStart: days("baselineStart"),
    baselineEnd: days("baselineEnd"),
    releasedStart: days("releasedStart"),
    releasedEnd: days("releasedEnd"),
    state: numbers("state"),
    planOwner: numbers("planOwner"),
    actualOwner: numbers("actualOwner"),
    attrOwner: numbers("attrOwner"),
    duIds,
    versions: new Int32Array(rows),
    flowIds: new Float64Array(rows),
    flowVersions: new Int32Array(rows),
    releaseStates: new Uint8Array(rows),
    width,
    kinds: { ic: [], decom: [], mos: new Set() },
    fields,
    locked: false,
    part: null,
    before: null,
  };
}

/** Keeps the present values as the ones to compare with. */
export function keepBefore(block: PlanBlock): void {
  const before = {} as Record<PlanField, Uint16Array | Int32Array>;
  for (const field of planFields) before[field] = block[field].slice();
  block.before = { ...(before as PlanColumns), releaseStates: block.releaseStates.slice() };
}

/** A copy that shares nothing with the block. */
export function cloneBlock(block: PlanBlock): PlanBlock {
  const copy = emptyBlock([...block.duIds], block.width, block.fields);
  copy.versions.set(block.versions);
  copy.flowIds.set(block.flowIds);
  copy.flowVersions.set(block.flowVersions);
  copy.releaseStates.set(block.releaseStates);
  for (const field of block.fields) copy[field].set(block[field]);
  copy.kinds = block.kinds;
  copy.locked = block.locked;
  copy.part = block.part;
  copy.before = block.before;
  return copy;
}

/** Chosen rows of blocks as one block with the values they were read with, in the order given; all blocks have the same kinds. */
export function pickRows(parts: readonly { block: PlanBlock; rows: readonly number[] }[]): PlanBlock {
  const first = parts[0]?.block;
  const width = Math.max(1, ...parts.map(({ block }) => block.width));
  const picked = emptyBlock(
    parts.flatMap(({ block, rows }) => rows.map((row) => block.duIds[row] as number)),
    width,
    first?.fields ?? [],
  );
  keepBefore(picked);
  const before = picked.before as PlanBefore;
  let at = 0;
  for (const { block, rows } of parts) {
    if (!block.before || block.part) throw new Error("the block was read without intent to write whole rows");
    for (const row of rows) {
      picked.versions[at] = block.versions[row] as number;
      picked.flowIds[at] = block.flowIds[row] as number;
      picked.flowVersions[at] = block.flowVersions[row] as number;
      picked.releaseStates[at] = block.releaseStates[row] as number;
      before.releaseStates[at] = block.before.releaseStates[row] as number;
      for (const field of picked.fields) {
        picked[field].set(block[field].subarray(row * block.width, (row + 1) * block.width), at * width);
        before[field].set(block.before[field].subarray(row * block.width, (row + 1) * block.width), at * width);
      }
      at++;
    }
    picked.kinds = block.kinds;
  }
  return picked;
}

/** Value of one cell. */
export function getCell(block: PlanBlock, row: number, slot: number, field: PlanField): number {
  return block[field][row * block.width + slot] ?? 0;
}

/** Sets one cell; a slot outside the block or a kind that was not read is a fault of the caller. */
export function setCell(block: PlanBlock, row: number, slot: number, field: PlanField, value: number): void {
  if (block[field].length === 0) throw new RangeError(`${field} was not read`);
  const { part, width } = block;
  if (slot < (part?.first ?? 1) || slot > (part?.last ?? width - 1)) throw new RangeError(`slot ${slot} outside a block of width ${width}`);
  block[field][row * block.width + slot] = value;
}

/** Row of each DU id. */
export function rowIndex(block: PlanBlock): Map<number, number> {
  return new Map(block.duIds.map((id, row) => [id, row]));
}

/** Changed cells of one row, ascending by cell number. */
export type RowDiff = { row: number; cells: number[]; old: number[]; new: number[] };

/**
 * Every row whose values differ from `before`, with its changed cells packed as the log holds them.
 * @param fields kinds to compare (default: all that were read)
 */
export function diffBlock(block: PlanBlock, fields: readonly PlanField[] = block.fields): RowDiff[] {
  const { before, width } = block;
  if (!before) throw new Error("the block was read without intent to write");
  const changed = fields.filter((field) => differs(block[field], before[field])).sort((a, b) => fieldNumbers[a] - fieldNumbers[b]);
  const numbers = changed.map((field) => fieldNumbers[field]);
  const present = changed.map((field) => block[field]);
  const former = changed.map((field) => before[field]);
  const diffs: RowDiff[] = [];
  // Cells of a row are put together here, and copied once it is known how many there are.
  const cells: number[] = [];
  const olds: number[] = [];
  const news: number[] = [];
  for (let row = 0, base = 0; changed.length > 0 && row < block.duIds.length; row++, base += width) {
    let count = 0;
    const end = base + width;
    // Most slots hold what they held: they are passed over kind by kind, up to the first that differs in any.
    for (let at = firstDifference(present, former, base, end); at < end; at++) {
      for (let kind = 0; kind < numbers.length; kind++) {
        const value = (present[kind] as Uint16Array)[at] as number;
        const old = (former[kind] as Uint16Array)[at] as number;
        if (value === old) continue;
        cells[count] = (at - base) * 16 + (numbers[kind] as number);
        olds[count] = old;
        news[count] = value;
        count++;
      }
    }
    if (count > 0) diffs.push({ row, cells: cells.slice(0, count), old: olds.slice(0, count), new: news.slice(0, count) });
  }
  return diffs;
}

/** The kinds of which diffs hold cells. */
export function changedFields(diffs: readonly RowDiff[]): Set<PlanField> {
  let bits = 0;
  for (const { cells } of diffs) for (let i = 0; i < cells.length; i++) bits |= 1 << ((cells[i] as number) & 15);
  return new Set(planFields.filter((field) => (bits & (1 << fieldNumbers[field])) !== 0));
}

type Values = Uint16Array | Int32Array;

const differs = (now: Values, was: Values): boolean => differsAt(now, was, 0, now.length) < now.length;

function firstDifference(now: readonly Values[], was: readonly Values[], from: number, end: number): number {
  let first = end;
  for (let kind = 0; kind < now.length; kind++) first = differsAt(now[kind] as Values, was[kind] as Values, from, first);
  return first;
}

function differsAt(now: Values, was: Values, from: number, end: number): number {
  let at = from;
  while (at < end && now[at] === was[at]) at++;
  return at;
}

/** Slots of the activities whose actual ends are columns of their own. */
export type KindSlots = { ic: readonly number[]; decom: readonly number[] };

/** Columns of du_plan that follow from the arrays. */
export type Derived = {
  lastPlanEnd: number;
  nextPlanEnd: number;
  icActualEnd: number;
  decomActualEnd: number;
  doneCount: number;
  applicableCount: number;
};

/** Derived columns of one row: latest and next plan end, actual end of integration and of decommissioning, progress. */
export function deriveRow(block: PlanBlock, row: number, kinds: KindSlots): Derived {
  const { state, planEnd, actualEnd, width } = block;
  const derived: Derived = { lastPlanEnd: 0, nextPlanEnd: 0, icActualEnd: 0, decomActualEnd: 0, doneCount: 0, applicableCount: 0 };
  for (let at = row * width + 1, end = (row + 1) * width; at < end; at++) {
    const bits = state[at] as number;
    if ((bits & 7) !== 1) continue;
    const planned = planEnd[at] as number;
    const done = actualEnd[at] as number;
    derived.applicableCount++;
    if (done) derived.doneCount++;
    if (planned > derived.lastPlanEnd) derived.lastPlanEnd = planned;
    if (planned && isIncomplete(bits, done) && (derived.nextPlanEnd === 0 || planned < derived.nextPlanEnd)) derived.nextPlanEnd = planned;
  }
  const latest = (slots: readonly number[]) =>
    slots.reduce(
      (day, slot) => (isApplicable(state[row * width + slot] ?? 0) ? Math.max(day, actualEnd[row * width + slot] ?? 0) : day),
      0,
    );
  derived.icActualEnd = latest(kinds.ic);
  derived.decomActualEnd = latest(kinds.decom);
  return derived;
}

/** Derived columns of a row read in part; not `isTold`: last and next plan end are those of the part alone. */
export type DerivedPart = Derived & { isTold: boolean };

/**
 * Derived columns of a row that was read in part, of which plan dates were changed: as they follow from those before. They do not tell the last or the next plan end
 * where that was one of those changed, and what takes its place may stand in a slot that was not read.
 */
export function derivePart(block: PlanBlock, row: number): DerivedPart {
  const { part, before, width, state, planEnd, actualEnd } = block;
  const derived = part?.derived[row];
  if (!part || !derived || !before) throw new Error("the block was read whole");
  const none = Number.MAX_SAFE_INTEGER;
  // The last end of all activities and the next of those to be done: in the part, and of those changed as they were and as they are.
  let [last, next, lastWas, lastNow, nextWas, nextNow] = [0, none, 0, 0, none, none];
  for (let at = row * width + part.first, end = row * width + part.last; at <= end; at++) {
    if (!isApplicable(state[at] as number)) continue;
    const was = before.planEnd[at] as number;
    const now = planEnd[at] as number;
    const isOpen = isIncomplete(state[at] as number, actualEnd[at] as number);
    last = Math.max(last, now);
    if (isOpen) next = Math.min(next, now || none);
    if (was === now) continue;
    lastWas = Math.max(lastWas, was);
    lastNow = Math.max(lastNow, now);
    if (!isOpen) continue;
    nextWas = Math.min(nextWas, was || none);
    nextNow = Math.min(nextNow, now || none);
  }
  const former = { last: derived.lastPlanEnd, next: derived.nextPlanEnd || none };
  const isTold = (lastNow >= former.last || lastWas < former.last) && (nextNow <= former.next || nextWas > former.next);
  if (isTold) [last, next] = [Math.max(former.last, lastNow), Math.min(former.next, nextNow)];
  return { ...derived, lastPlanEnd: last, nextPlanEnd: next === none ? 0 : next, isTold };
}

/** Status of one activity, in the order of the test: the first that fits. */
export const activityStatuses = ["na", "inv", "closed", "approving", "completed", "notPlanned", "delayed", "within7", "after7"] as const;
export type ActivityStatus = (typeof activityStatuses)[number];

/**
 * Status of an activity that is in the DU's flow.
 * @param state bits of the slot
 * @param today day number of the project's day
 */
export function activityStatus(state: number, planEnd: number, actualEnd: number, today: number): ActivityStatus {
  const na = (state >> 1) & 3;
  if (na !== 0) return na === 1 ? "na" : "inv";
  if (state & closedMask) return "closed";
  if (stateValue(state, "approval") === 2) return "approving";
  if (actualEnd) return "completed";
  if (!planEnd) return "notPlanned";
  if (planEnd < today) return "delayed";
  return planEnd <= today + soonDays ? "within7" : "after7";
}

/** Status of a whole DU, in the order of the test: the first that fits. */
export const duStatuses = ["noFlow", "notApplicable", "completed", "notPlanned", "delayed", "within7", "after7"] as const;
export type DuStatus = (typeof duStatuses)[number];

/** Status of a DU from its flow and derived columns alone, without its arrays. */
export function duStatus(
  du: { flowId: number | null; applicableCount: number; doneCount: number; nextPlanEnd: number },
  today: number,
): DuStatus {
  if (!du.flowId) return "noFlow";
  if (du.applicableCount === 0) return "notApplicable";
  if (du.doneCount === du.applicableCount) return "completed";
  if (du.nextPlanEnd === 0) return "notPlanned";
  if (du.nextPlanEnd < today) return "delayed";
  return du.nextPlanEnd <= today + soonDays ? "within7" : "after7";
}

/** Dates of a tile row, activity by activity. */
export const tileDates = [
  "planStart",
  "planEnd",
  "actualStart",
  "actualEnd",
  "baselineStart",
  "baselineEnd",
] as const satisfies readonly DateField[];
/** Owners of a tile row, activity by activity. */
export const tileOwners = ["planOwner", "actualOwner", "attrOwner"] as const satisfies readonly OwnerField[];
/** Dates of the part `released`. */
export const tileReleased = ["releasedStart", "releasedEnd"] as const satisfies readonly DateField[];

/** What a hidden value decodes to in the dates of a tile row; in states and owners it is -1. */
export const hiddenDay = 0xffff;

/** A tile row as typed arrays in the order of the flow's activities; a date is at `activity * 6 + tileDates index`. */
export type DecodedTileRow = {
  duId: number;
  flowId: number;
  flowVersion: number;
  rowVersion: number;
  releaseState: number;
  states: Int32Array;
  dates: Uint16Array;
  owners: Int32Array;
  released: Uint16Array | null;
};

/** Days as differences: 0 empty, else with d = day minus the last non-empty day: 2d + 1 for d >= 0, -2d for d < 0. */
export function encodeDays(days: ArrayLike<number>): number[] {
  const coded = new Array<number>(days.length);
  let last = 0;
  for (let i = 0; i < days.length; i++) {
    const day = days[i] as number;
    if (day === 0) coded[i] = 0;
    else if (day === hiddenDay) coded[i] = -1;
    else {
      coded[i] = day >= last ? 2 * (day - last) + 1 : 2 * (last - day);
      last = day;
    }
  }
  return coded;
}

/** The inverse of `encodeDays`. */
export function decodeDays(coded: ArrayLike<number>): Uint16Array {
  let at = 0;
  return fillDays(new Uint16Array(coded.length), () => coded[at++] as number);
}

/** Fills empty days with those that so many coded numbers mean. */
function fillDays(days: Uint16Array, next: () => number): Uint16Array {
  let last = 0;
  for (let i = 0; i < days.length; i++) {
    const code = next();
    if (code === 0) continue;
    if (code === -1) days[i] = hiddenDay;
    else {
      last += code & 1 ? code >> 1 : -(code >> 1);
      days[i] = last;
    }
  }
  return days;
}

function pick(block: PlanBlock, row: number, slots: readonly number[], fields: readonly PlanField[]): number[] {
  const values = new Array<number>(slots.length * fields.length);
  const base = row * block.width;
  for (let f = 0; f < fields.length; f++) {
    const column = block[fields[f] as PlanField];
    for (let i = 0; i < slots.length; i++) values[i * fields.length + f] = column[base + (slots[i] as number)] ?? 0;
  }
  return values;
}

const writer = new NumberWriter();

/** Numbers from -1, one number for as many equal ones in a row as there are. */
function writeRuns(values: ArrayLike<number>, from: number, step: number): void {
  for (let at = from; at < values.length; ) {
    const value = values[at] as number;
    let count = 0;
    for (; at < values.length && values[at] === value; at += step) count++;
    writer.push(value + 1);
    writer.push(count);
  }
}

function writeDays(days: ArrayLike<number>): void {
  for (const coded of encodeDays(days)) writer.push(coded + 1);
}

/**
 * One row of a tile in the order of a flow version, as a text of numbers: DU id, flow id, flow version, row version, release state, how many activities n,
 * 1 with released dates else 0; then the states as runs (value, count), 6n days as `encodeDays` gives them, the owners of each kind as runs, 2n released days.
 * States, days and owners are one higher than their value, so that hidden ones (-1) have a place.
 * @param slots slots of the flow's activities in their order
 * @param options released: adds the released dates; hidePlan: owners and dates are replaced by the hidden value
 */
export function encodeTileRow(
  block: PlanBlock,
  row: number,
  slots: readonly number[],
  options: { released?: boolean; hidePlan?: boolean } = {},
): string {
  const dates = pick(block, row, slots, tileDates);
  const owners = pick(block, row, slots, tileOwners);
  const released = options.released ? pick(block, row, slots, tileReleased) : null;
  if (options.hidePlan) {
    dates.fill(hiddenDay);
    owners.fill(-1);
    released?.fill(hiddenDay);
  }
  writer.push(block.duIds[row] as number);
  writer.push(block.flowIds[row] as number);
  writer.push(block.flowVersions[row] as number);
  writer.push(block.versions[row] as number);
  writer.push(block.releaseStates[row] as number);
  writer.push(slots.length);
  writer.push(released ? 1 : 0);
  writeRuns(pick(block, row, slots, ["state"]), 0, 1);
  writeDays(dates);
  for (let kind = 0; kind < tileOwners.length; kind++) writeRuns(owners, kind, tileOwners.length);
  if (released) writeDays(released);
  return writer.take();
}

/** The owner sets a row names. */
export function ownerSetsOf(block: PlanBlock, row: number, slots: readonly number[]): number[] {
  const sets = new Set(pick(block, row, slots, tileOwners));
  sets.delete(0);
  return [...sets];
}

/** The flow of a row of a tile and its version, without reading the rest. */
export function readTileFlow(text: string): readonly [id: number, version: number] {
  const reader = new NumberReader(text);
  reader.next();
  return [reader.next(), reader.next()];
}

function readRuns(reader: NumberReader, values: Int32Array, from: number, step: number): void {
  for (let at = from; at < values.length; ) {
    const value = reader.next() - 1;
    const count = reader.next();
    // A text that ends too early would not come to an end.
    if (count === 0) return;
    for (const end = at + count * step; at < end && at < values.length; at += step) values[at] = value;
  }
}

// Thousands of rows are decoded while one scrolls.
const room = new ArrayRoom();

const readDays = (reader: NumberReader, count: number): Uint16Array => fillDays(room.shorts(count), () => reader.next() - 1);

/** Turns a row of a tile into typed arrays. */
export function decodeTileRow(text: string): DecodedTileRow {
  const reader = new NumberReader(text);
  const [duId, flowId, flowVersion, rowVersion, releaseState, width, released] = Array.from({ length: 7 }, () => reader.next()) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const states = room.words(width);
  readRuns(reader, states, 0, 1);
  const dates = readDays(reader, tileDates.length * width);
  const owners = room.words(tileOwners.length * width);
  for (let kind = 0; kind < tileOwners.length; kind++) readRuns(reader, owners, kind, tileOwners.length);
  return {
    duId,
    flowId,
    flowVersion,
    rowVersion,
    releaseState,
    states,
    dates,
    owners,
    released: released ? readDays(reader, tileReleased.length * width) : null,
  };
}

/** A row of a DU that is no longer there. */
export function emptyTileRow(duId: number): string {
  for (const value of [duId, 0, 0, 0, 0, 0, 0]) writer.push(value);
  return writer.take();
}

/**
 * The numbers of one kind of many rows: as many of each as its highest used slot, none where no slot is used.
 * @param part the slots from `first` to `last` of every row instead, used or not
 */
export function columnRows(
  column: Uint16Array | Int32Array,
  rows: readonly number[],
  width: number,
  part: { first: number; last: number } | null = null,
): (Uint16Array | Int32Array)[] {
  return rows.map((row) => {
    const base = row * width;
    if (part) return column.subarray(base + part.first, base + part.last + 1);
    let last = width - 1;
    while (last > 0 && column[base + last] === 0) last--;
    return column.subarray(base + 1, base + 1 + last);
  });
}

/**
 * Reads the text of a PostgreSQL array of whole numbers into a row of a column; null leaves the row empty.
 * @param first slot of the first number
 * @throws RangeError when the array is longer than the row
 */
export function readArrayText(text: string | null, column: Uint16Array | Int32Array, row: number, width: number, first = 1): void {
  if (text === null || text.length < 3) return;
  const end = (row + 1) * width;
  let at = row * width + first;
  let value = 0;
  for (let i = 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 48 && code < 58) {
      value = value * 10 + code - 48;
      continue;
    }
    if (at === end) throw new RangeError(`an array is longer than ${width - 1} slots`);
    column[at++] = value;
    value = 0;
  }
}
