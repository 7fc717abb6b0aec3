import { stateBits } from "#lib/rollout-plan/plan-rows/limits.ts";
import { bitMask } from "#lib/rollout-plan/plan-rows/logic.ts";
import { crossesBreak, tableFirst, type WorkingDays } from "./calendar/logic.ts";
import { type FindingCode, findingCodes, type ScheduleRefusal, scheduleRefusals } from "./limits.ts";
import type { CompiledFlow } from "./network/logic.ts";
import {
  ANCHOR,
  COMPUTED,
  conflictDays,
  enterDates,
  FIXED,
  FREE,
  FROZEN,
  findZones,
  NA,
  newWork,
  noBound,
  OUTSIDE,
  passBackward,
  passForward,
  type ScheduleRun,
  STARTED,
  type Work,
} from "./passes/logic.ts";

/**
 * What a run decided. Row r moves the entries `movesAt[r] .. movesAt[r + 1]` of `moves`; `outcomes` is 0 for an accepted row, else 1 + the place of its
 * refusal in `scheduleRefusals`. Findings (codes by their place in `findingCodes`) are the warnings of accepted rows and, for each refused row, its refusal once per activity that causes it
 * (slot 0: the whole DU); `days` belongs to CONFLICT.
 */
export type ScheduleResult = {
  outcomes: Uint8Array;
  movesAt: Int32Array;
  moves: { slots: Uint16Array; starts: Uint16Array; ends: Uint16Array };
  findings: Findings;
};
export type Findings = { count: number; rows: Int32Array; slots: Int32Array; codes: Uint8Array; days: Int32Array };

/** The refusal of a row, null when it is accepted. */
export function rowRefusal(result: ScheduleResult, row: number): ScheduleRefusal | null {
  const outcome = result.outcomes[row] as number;
  return outcome === 0 ? null : (scheduleRefusals[outcome - 1] as ScheduleRefusal);
}

const applicableMask = bitMask("inFlow") | bitMask("na");
const inFlow = bitMask("inFlow");
const fixedMask = bitMask("fixed");
const frozenMask = bitMask("frozen");
const mosFrozenMask = bitMask("mosFrozen");
const orderMask = bitMask("workOrder");
const suspended = 5 << stateBits.workOrder.at;

const code = Object.fromEntries(findingCodes.map((name, place) => [name, place])) as Record<FindingCode, number>;

/** Schedules every row on its own: the result does not depend on the order of rows. Nothing is allocated per row but room for findings. */
export function runSchedule(run: ScheduleRun): ScheduleResult {
  const { plan, flows, flowOfRow, calendars, calendarOfRow } = run;
  const rows = plan.duIds.length;
  const size = flows.reduce((most, flow) => Math.max(most, flow.size), 0);
  let room = 0;
  for (let row = 0; row < rows; row++) room += flows[flowOfRow[row]!]?.size ?? 0;
  const work = newWork(size);
  const moves = { slots: new Uint16Array(room), starts: new Uint16Array(room), ends: new Uint16Array(room) };
  const movesAt = new Int32Array(rows + 1);
  const outcomes = new Uint8Array(rows);
  const findings: Findings = newFindings(1024);
  let anchor = 0;
  let moved = 0;

  for (let row = 0; row < rows; row++) {
    const from = anchor;
    while (anchor < run.anchors.length && run.anchors[anchor]!.row === row) anchor++;
    const mark = findings.count;
    const flow = flows[flowOfRow[row]!];
    const calendar = calendars[calendarOfRow[row]!];
    let refusal = -1;
    let count = moved;
    if (!flow) refusal = code.DU_EMPTY;
    else if (flow.fault?.code === "LIBRARY_ID_MISSING") refusal = code.LIBRARY_ID_MISSING;
    else if (!calendar || calendar.days.length === 0) refusal = code.INVALID_CALENDAR;
    else if (flow.fault) refusal = code.CYCLE;
    else {
      refusal = takeRoles(run, work, flow, row, from, anchor, findings);
      if (refusal < 0) {
        findZones(work, flow, run.mode);
        if (enterDates(run, work, flow, calendar, row)) {
          passBackward(work, flow);
          passForward(work, flow);
          refusal = checkDates(run, work, flow, calendar, row, findings);
        } else refusal = code.INVALID_CALENDAR;
      }
      if (refusal < 0 && run.changeControl && plan.releaseStates[row] !== 0) refusal = code.CHANGE_CONTROL;
      if (refusal < 0) {
        count = collectMoves(run, work, flow, calendar, row, moves, moved, findings);
        if (count < 0) {
          refusal = -1 - count;
          count = moved;
        } else findWarnings(run, work, flow, calendar, row, moves, moved, count, findings);
      }
    }
    if (refusal >= 0) {
      outcomes[row] = 1 + refusal;
      keepRefusal(findings, mark, row, refusal);
    } else moved = count;
    movesAt[row + 1] = moved;
  }
  return {
    outcomes,
    movesAt,
    moves: { slots: moves.slots.subarray(0, moved), starts: moves.starts.subarray(0, moved), ends: moves.ends.subarray(0, moved) },
    findings,
  };
}

/** Role of each step and which anchors count. @returns the place of a refusal, -1 for none */
function takeRoles(run: ScheduleRun, work: Work, flow: CompiledFlow, row: number, from: number, to: number, findings: Findings): number {
  const { plan } = run;
  const { width, state, planStart, planEnd, actualStart, actualEnd } = plan;
  const { slots, leadTimes, anchors, size } = flow;
  const { roles, asked, lengths, gaps } = work;
  const base = row * width;
  asked.fill(0, 0, size);
  let askedFor = 0;
  let unknown = false;
  let frozen = false;
  for (let place = from; place < to; place++) {
    const { slot } = run.anchors[place]!;
    const step = slot < width ? (flow.stepOfSlot[slot] ?? -1) : -1;
    const bits = step < 0 ? 0 : state[base + slot]!;
    if ((bits & inFlow) === 0) {
      unknown = true;
      addFinding(findings, row, slot, code.NO_ACTIVITY, 0);
    } else if ((bits & applicableMask) !== inFlow || actualStart[base + slot] !== 0 || actualEnd[base + slot] !== 0)
      addFinding(findings, row, slot, code.ANCHOR_IGNORED, 0);
    else {
      askedFor++;
      asked[step] = 1 + place;
      if (bits & frozenMask) {
        frozen = true;
        addFinding(findings, row, slot, code.FROZEN, 0);
      }
    }
  }
  let found = askedFor;
  let dateless = false;
  for (let step = 0; step < size; step++) {
    const slot = slots[step]!;
    const at = base + slot;
    const bits = slot < width ? state[at]! : 0;
    if ((bits & applicableMask) !== inFlow) {
      roles[step] = NA;
      lengths[step] = 0;
      gaps[step] = 0;
      continue;
    }
    const leadTime = leadTimes[step]!;
    lengths[step] = leadTime > 1 ? leadTime - 1 : 0;
    gaps[step] = leadTime === 0 ? 0 : 1;
    const started = actualStart[at] !== 0 || actualEnd[at] !== 0;
    const planned = planStart[at] !== 0 || planEnd[at] !== 0;
    if (asked[step] !== 0) {
      roles[step] = ANCHOR;
      continue;
    }
    if (anchors[step] !== 0) {
      if (started || planned) {
        roles[step] = ANCHOR;
        found++;
        continue;
      }
      if (askedFor === 0) {
        found++;
        dateless = true;
        addFinding(findings, row, slot, code.ANCHOR_DATES_EMPTY, 0);
      }
    }
    if (started) roles[step] = STARTED;
    else if (planned && ((bits & fixedMask) !== 0 || (bits & orderMask) === suspended)) roles[step] = FIXED;
    else if (bits & frozenMask) roles[step] = FROZEN;
    else roles[step] = FREE;
  }
  if (found === 0) return code.NO_ANCHOR;
  if (dateless) return code.ANCHOR_DATES_EMPTY;
  if (unknown) return code.NO_ACTIVITY;
  return frozen ? code.FROZEN : -1;
}

/** Dates that the run found or would write: on the calendar, not too far ahead, not before the first day. @returns the place of a refusal, -1 for none */
function checkDates(run: ScheduleRun, work: Work, flow: CompiledFlow, calendar: WorkingDays, row: number, findings: Findings): number {
  const { days } = calendar;
  const { roles, asked, dated, starts, ends } = work;
  let invalid = false;
  let tooFar = false;
  let tooEarly = false;
  let least = noBound;
  let most = -noBound;
  for (let step = 0; step < flow.size; step++) {
    if (dated[step] === 0 || roles[step] === NA) continue;
    const start = starts[step]!;
    const end = ends[step]!;
    if (start < least) least = start;
    if (end > most) most = end;
    if (dated[step] !== COMPUTED && asked[step] === 0) continue;
    if (start < 0 || end >= days.length) {
      if (!calendar.endless) invalid = true;
    }
    if (end >= days.length || days[end]! > run.latestDay) {
      tooFar = true;
      addFinding(findings, row, flow.slots[step]!, code.PLAN_TOO_FAR, 0);
    } else if (start < 0 || days[start]! < 1) {
      tooEarly = true;
      addFinding(findings, row, flow.slots[step]!, code.DATE_OUT_OF_RANGE, 0);
    }
  }
  if (invalid || (calendar.breaks.length > 0 && crossesBreak(calendar, least, most))) return code.INVALID_CALENDAR;
  if (tooFar) return code.PLAN_TOO_FAR;
  return tooEarly ? code.DATE_OUT_OF_RANGE : -1;
}

type Moves = ScheduleResult["moves"];

/**
 * Adds the free activities and asked anchors whose dates change behind place `count`.
 * @returns the number of moves then, or -1 - place of a refusal
 */
function collectMoves(
  run: ScheduleRun,
  work: Work,
  flow: CompiledFlow,
  calendar: WorkingDays,
  row: number,
  moves: Moves,
  count: number,
  findings: Findings,
): number {
  const { width, state, planStart, planEnd } = run.plan;
  const { numbers, days } = calendar;
  const { slots, size } = flow;
  const { roles, asked, dated, starts, ends } = work;
  const base = row * width;
  let next = count;
  let mosFrozen = false;
  let blocked = false;
  for (let step = 0; step < size; step++) {
    const role = roles[step]!;
    if (dated[step] === 0 || role === NA || (dated[step] !== COMPUTED && asked[step] === 0)) continue;
    const slot = slots[step]!;
    const at = base + slot;
    const start = starts[step]!;
    const end = ends[step]!;
    const oldStart = planStart[at]!;
    const oldEnd = planEnd[at]!;
    // Stored dates on a free day count as the working day they stand for; an anchor asked for is written as it counts.
    const same =
      asked[step] !== 0
        ? oldStart === days[start] && oldEnd === days[end]
        : oldStart !== 0 &&
          oldEnd !== 0 &&
          numbers[2 * (oldStart - tableFirst)] === start &&
          numbers[2 * (oldEnd - tableFirst) + 1] === end;
    if (same) continue;
    if (state[at]! & mosFrozenMask) {
      mosFrozen = true;
      addFinding(findings, row, slot, code.MOS_FROZEN, 0);
    }
    if (role === FROZEN) {
      blocked = true;
      addFinding(findings, row, slot, code.FROZEN_BLOCKS, 0);
      continue;
    }
    moves.slots[next] = slot;
    moves.starts[next] = days[start]!;
    moves.ends[next] = days[end]!;
    next++;
  }
  if (mosFrozen) return -1 - code.MOS_FROZEN;
  return blocked ? -1 - code.FROZEN_BLOCKS : next;
}

/** Points out what has no link to an anchor, what starts before its predecessors allow, and what lies in the past. */
function findWarnings(
  run: ScheduleRun,
  work: Work,
  flow: CompiledFlow,
  calendar: WorkingDays,
  row: number,
  moves: Moves,
  from: number,
  to: number,
  findings: Findings,
): void {
  const { plan, asOf } = run;
  const { width, planStart, actualStart, actualEnd } = plan;
  const { days } = calendar;
  const { roles, zones, dated, starts } = work;
  const base = row * width;
  let move = from;
  for (let step = 0; step < flow.size; step++) {
    const role = roles[step]!;
    if (role === NA) continue;
    const slot = flow.slots[step]!;
    const at = base + slot;
    if (dated[step] === 0 && zones[step] !== OUTSIDE) addFinding(findings, row, slot, code.UNLINKED, 0);
    if (dated[step] !== 0 && (role === ANCHOR || role === FIXED)) {
      const late = conflictDays(work, flow, step);
      if (late > 0) addFinding(findings, row, slot, code.CONFLICT, late);
    }
    if (actualStart[at] !== 0 || actualEnd[at] !== 0) continue;
    // Moves of the row stand in the order of its steps; a derived start is not written but tells when the work would have to begin.
    const start = move < to && moves.slots[move] === slot ? moves.starts[move++]! : planStart[at]!;
    const past = start !== 0 ? start < asOf : dated[step] !== 0 && (starts[step]! < 0 || days[starts[step]!]! < asOf);
    if (past) addFinding(findings, row, slot, code.PAST_DATE, 0);
  }
}

function newFindings(room: number): Findings {
  return { count: 0, rows: new Int32Array(room), slots: new Int32Array(room), codes: new Uint8Array(room), days: new Int32Array(room) };
}

function addFinding(findings: Findings, row: number, slot: number, codeNumber: number, days: number): void {
  if (findings.count === findings.rows.length) {
    const larger = newFindings(2 * findings.count);
    larger.rows.set(findings.rows);
    larger.slots.set(findings.slots);
    larger.codes.set(findings.codes);
    larger.days.set(findings.days);
    Object.assign(findings, larger, { count: findings.count });
  }
  const at = findings.count++;
  findings.rows[at] = row;
  findings.slots[at] = slot;
  findings.codes[at] = codeNumber;
  findings.days[at] = days;
}

/** Leaves, of what was found since `mark`, only the refusal itself. */
function keepRefusal(findings: Findings, mark: number, row: number, refusal: number): void {
  let next = mark;
  for (let at = mark; at < findings.count; at++) if (findings.codes[at] === refusal) findings.slots[next++] = findings.slots[at]!;
  findings.count = mark;
  if (next === mark) addFinding(findings, row, 0, refusal, 0);
  for (; findings.count < next; findings.count++) {
    findings.rows[findings.count] = row;
    findings.codes[findings.count] = refusal;
    findings.days[findings.count] = 0;
  }
}
