import type { PlanBlock } from "#lib/rollout-plan/plan-rows/logic.ts";
import { noWorkingDay, tableFirst, type WorkingDays } from "../calendar/logic.ts";
import { type CompiledFlow, relationWidth } from "../network/logic.ts";
import type { ScheduleMode } from "./limits.ts";

/** What a run reads of the plan rows: nothing in it is changed. */
export type SchedulePlan = Pick<
  PlanBlock,
  "duIds" | "width" | "releaseStates" | "state" | "planStart" | "planEnd" | "actualStart" | "actualEnd"
>;

/** An anchor asked for by the caller: row of the block, slot, days (0 = derived from the lead time; never both). */
export type RequestAnchor = { row: number; slot: number; start: number; end: number };

export type ScheduleRun = {
  plan: SchedulePlan;
  flows: readonly CompiledFlow[];
  /** Place of each row's flow in `flows`, -1 = no flow. */
  flowOfRow: Int32Array;
  calendars: readonly WorkingDays[];
  calendarOfRow: Int32Array;
  mode: ScheduleMode;
  /** Day number up to which started activities have lasted, and before which a start lies in the past. */
  asOf: number;
  /** Latest day a plan may hold: three years after today. */
  latestDay: number;
  /** Plan Change Control is on and this is no release: released DUs are refused. */
  changeControl: boolean;
  /** In ascending order of their rows. */
  anchors: readonly RequestAnchor[];
};

// Roles in the order of the test; STARTED stands for completed too, FIXED for suspended.
export const NA = 0;
export const ANCHOR = 1;
export const STARTED = 2;
export const FIXED = 3;
export const FROZEN = 4;
export const FREE = 5;

// Where a step may be dated: nowhere (it keeps its stored dates), in the backward pass first, or in the forward pass.
export const OUTSIDE = 0;
const BACKWARD = 1;
const FORWARD = 2;

// How a step got its dates.
export const ENTERED = 1;
export const COMPUTED = 2;

const FS = 0;
const SS = 1;
const FF = 2;

/** Further than any number of a working day. */
export const noBound = 0x4000_0000;

/** Arrays of one DU, by step of its flow; made once per run. */
export type Work = {
  roles: Uint8Array;
  /** 1 + place in `anchors` of an anchor asked for that counts, else 0. */
  asked: Int32Array;
  /** Working days behind the first one. */
  lengths: Int32Array;
  /** Days a start keeps from the end of an FS predecessor: 0 into a milestone, else 1. */
  gaps: Uint8Array;
  descendant: Uint8Array;
  ancestor: Uint8Array;
  zones: Uint8Array;
  dated: Uint8Array;
  starts: Int32Array;
  ends: Int32Array;
};

/** Arrays for flows of up to `size` steps. */
export function newWork(size: number): Work {
  return {
    roles: new Uint8Array(size),
    asked: new Int32Array(size),
    lengths: new Int32Array(size),
    gaps: new Uint8Array(size),
    descendant: new Uint8Array(size),
    ancestor: new Uint8Array(size),
    zones: new Uint8Array(size),
    dated: new Uint8Array(size),
    starts: new Int32Array(size),
    ends: new Int32Array(size),
  };
}

/** Which steps follow or precede an anchor, and so which pass may date them. */
export function findZones(work: Work, flow: CompiledFlow, mode: ScheduleMode): void {
  const { size, predecessorsAt, predecessors, successorsAt, successors } = flow;
  const { roles, descendant, ancestor, zones } = work;
  for (let step = 0; step < size; step++) {
    let found = 0;
    for (let at = predecessorsAt[step]!; at < predecessorsAt[step + 1]!; at++) {
      const other = predecessors[at * relationWidth]!;
      if (roles[other] === ANCHOR || descendant[other] !== 0) {
        found = 1;
        break;
      }
    }
    descendant[step] = found;
  }
  for (let step = size - 1; step >= 0; step--) {
    let found = 0;
    for (let at = successorsAt[step]!; at < successorsAt[step + 1]!; at++) {
      const other = successors[at * relationWidth]!;
      if (roles[other] === ANCHOR || ancestor[other] !== 0) {
        found = 1;
        break;
      }
    }
    ancestor[step] = found;
    if (mode === "BOTH") zones[step] = found !== 0 && descendant[step] === 0 ? BACKWARD : FORWARD;
    else if (mode === "BACKWARD") zones[step] = found !== 0 ? BACKWARD : OUTSIDE;
    else zones[step] = descendant[step] !== 0 ? FORWARD : OUTSIDE;
  }
}

/**
 * Enters the dates of everything that does not move, as numbers of working days. Plan dates on a free day count up for a start and down for an end,
 * both up for an anchor; of actual dates the end counts down and is never before the start.
 * @returns false when the calendar has no working day near a day that is needed
 */
export function enterDates(run: ScheduleRun, work: Work, flow: CompiledFlow, calendar: WorkingDays, row: number): boolean {
  const { plan, anchors, asOf } = run;
  const { width, planStart, planEnd, actualStart, actualEnd } = plan;
  const { numbers } = calendar;
  const { size, slots } = flow;
  const { roles, asked, lengths, zones, dated, starts, ends } = work;
  const base = row * width;
  let valid = true;
  for (let step = 0; step < size; step++) {
    dated[step] = 0;
    const role = roles[step]!;
    if (role === NA || (role >= FROZEN && zones[step] !== OUTSIDE)) continue;
    const at = base + slots[step]!;
    const length = lengths[step]!;
    let start = actualStart[at]!;
    let end = actualEnd[at]!;
    let first = 0;
    let last = 0;
    if (start !== 0 || end !== 0) {
      if (end !== 0) {
        last = numbers[2 * (end - tableFirst) + 1]!;
        first = start === 0 ? last - length : numbers[2 * (start - tableFirst)]!;
        if (last === noWorkingDay || first === noWorkingDay) valid = false;
        if (first > last) first = last;
      } else {
        first = numbers[2 * (start - tableFirst)]!;
        const now = numbers[2 * (asOf - tableFirst)]!;
        if (first === noWorkingDay || now === noWorkingDay) valid = false;
        last = first + length > now ? first + length : now;
      }
    } else {
      if (asked[step] !== 0) {
        const anchor = anchors[asked[step]! - 1]!;
        start = anchor.start;
        end = anchor.end;
      } else {
        start = planStart[at]!;
        end = planEnd[at]!;
      }
      if (start === 0 && end === 0) continue;
      const down = role === ANCHOR ? 0 : 1;
      if (start !== 0) {
        first = numbers[2 * (start - tableFirst)]!;
        if (first === noWorkingDay) valid = false;
      }
      if (end !== 0) {
        last = numbers[2 * (end - tableFirst) + down]!;
        if (last === noWorkingDay) valid = false;
      }
      if (start === 0) first = last - length;
      if (end === 0) last = first + length;
    }
    dated[step] = ENTERED;
    starts[step] = first;
    ends[step] = last;
  }
  return valid;
}

/** Latest end the dated successors of a step allow; `noBound` when none of them gives a bound. */
function latestEnd(work: Work, flow: CompiledFlow, step: number, withStarted: boolean): number {
  const { successorsAt, successors } = flow;
  const { roles, gaps, dated, starts, ends } = work;
  const length = work.lengths[step]!;
  let least = noBound;
  for (let at = successorsAt[step]! * relationWidth, to = successorsAt[step + 1]! * relationWidth; at < to; at += relationWidth) {
    const other = successors[at]!;
    if (dated[other] === 0 || (!withStarted && roles[other] === STARTED)) continue;
    const type = successors[at + 1]!;
    const offset = successors[at + 2]!;
    const bound =
      type === FS
        ? starts[other]! - offset - gaps[other]!
        : type === SS
          ? starts[other]! - offset + length
          : type === FF
            ? ends[other]! - offset
            : ends[other]! - offset + length;
    if (bound < least) least = bound;
  }
  return least;
}

/** Earliest start the dated predecessors of a step allow; `-noBound` when none is dated. */
function earliestStart(work: Work, flow: CompiledFlow, step: number): number {
  const { predecessorsAt, predecessors } = flow;
  const { dated, starts, ends } = work;
  const length = work.lengths[step]!;
  const gap = work.gaps[step]!;
  let most = -noBound;
  for (let at = predecessorsAt[step]! * relationWidth, to = predecessorsAt[step + 1]! * relationWidth; at < to; at += relationWidth) {
    const other = predecessors[at]!;
    if (dated[other] === 0) continue;
    const type = predecessors[at + 1]!;
    const offset = predecessors[at + 2]!;
    const bound =
      type === FS
        ? ends[other]! + offset + gap
        : type === SS
          ? starts[other]! + offset
          : type === FF
            ? ends[other]! + offset - length
            : starts[other]! + offset - length;
    if (bound > most) most = bound;
  }
  return most;
}

export function passBackward(work: Work, flow: CompiledFlow): void {
  const { zones, dated, starts, ends, lengths } = work;
  for (let step = flow.size - 1; step >= 0; step--) {
    if (dated[step] !== 0 || zones[step] !== BACKWARD) continue;
    const end = latestEnd(work, flow, step, false);
    if (end === noBound) continue;
    dated[step] = COMPUTED;
    ends[step] = end;
    starts[step] = end - lengths[step]!;
  }
}

export function passForward(work: Work, flow: CompiledFlow): void {
  const { zones, dated, starts, ends, lengths } = work;
  let changed = true;
  while (changed) {
    changed = false;
    let open = false;
    for (let step = 0; step < flow.size; step++) {
      if (dated[step] !== 0 || zones[step] === OUTSIDE) continue;
      const start = earliestStart(work, flow, step);
      if (start === -noBound) {
        open = true;
        continue;
      }
      changed = true;
      dated[step] = COMPUTED;
      starts[step] = start;
      ends[step] = start + lengths[step]!;
    }
    if (!open) return;
    for (let step = flow.size - 1; step >= 0; step--) {
      if (dated[step] !== 0 || zones[step] === OUTSIDE) continue;
      const end = latestEnd(work, flow, step, true);
      if (end === noBound) continue;
      changed = true;
      dated[step] = COMPUTED;
      ends[step] = end;
      starts[step] = end - lengths[step]!;
    }
  }
}

/** Working days by which a step begins or ends earlier than its dated predecessors allow, 0 when it does not. */
export function conflictDays(work: Work, flow: CompiledFlow, step: number): number {
  const { predecessorsAt, predecessors } = flow;
  const { gaps, dated, starts, ends } = work;
  let most = 0;
  for (let at = predecessorsAt[step]! * relationWidth, to = predecessorsAt[step + 1]! * relationWidth; at < to; at += relationWidth) {
    const other = predecessors[at]!;
    if (dated[other] === 0) continue;
    const type = predecessors[at + 1]!;
    const from = type === FS || type === FF ? ends[other]! : starts[other]!;
    const to = type === FS || type === SS ? starts[step]! - (type === FS ? gaps[step]! : 0) : ends[step]!;
    const late = from + predecessors[at + 2]! - to;
    if (late > most) most = late;
  }
  return most;
}
