import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emptyBlock, type PlanBlock, withState } from "#lib/rollout-plan/plan-rows/logic.ts";
import { type CalendarDay, workingDays } from "#lib/scheduling/calendar/logic.ts";
import { findingCodes } from "#lib/scheduling/limits.ts";
import { rowRefusal, runSchedule, type ScheduleResult } from "#lib/scheduling/logic.ts";
import { compileFlow, type FlowRelation } from "#lib/scheduling/network/logic.ts";
import { type ScheduleMode, scheduleModes } from "#lib/scheduling/passes/limits.ts";
import type { RequestAnchor } from "#lib/scheduling/passes/logic.ts";
import { type SlowActivity, type SlowAnswer, slowSchedule } from "#tests/support/slow-schedule.ts";

// Each case is a handful of DUs that share a calendar and a run; SCHEDULE_RUNS cases are tried.
const runs = Number(process.env.SCHEDULE_RUNS ?? 700);
const parameters = { numRuns: runs, seed: Number(process.env.SCHEDULE_SEED ?? 20261014) };
const timeout = 60_000 + 100 * runs;
/** Around this day everything happens: Wednesday 2026-10-14, in some cases one of the first days there are. */
const middle = 9783;

type Given = {
  activities: (Omit<SlowActivity, "name"> & { slot: number })[];
  relations: FlowRelation[];
  released: boolean;
  requested: { place: number; start: number; end: number }[];
};
type Frame = {
  weekdays: number;
  exceptions: CalendarDay[];
  mode: ScheduleMode;
  asOf: number;
  latest: number;
  changeControl: boolean;
};
type Case = Frame & { dus: Given[] };

const around = (center: number) => fc.integer({ min: Math.max(1, center - 25), max: center + 25 });
const rarely = fc.integer({ min: 0, max: 11 }).map((number) => number === 11);
const sometimes = fc.integer({ min: 0, max: 2 }).map((number) => number === 2);

/** Both dates, one of them or none; start never after end. */
const dates = (center: number) =>
  fc
    .tuple(fc.constantFrom("both", "both", "both", "both", "start", "end", "none"), around(center), fc.integer({ min: 0, max: 9 }))
    .map(([kind, start, more]) => ({
      start: kind === "both" || kind === "start" ? start : null,
      end: kind === "both" ? start + more : kind === "end" ? start : null,
    }));

const givenAround = (center: number): fc.Arbitrary<Given> =>
  fc.integer({ min: 1, max: 9 }).chain((size) => {
    const activity = fc
      .record({
        leadTime: fc.integer({ min: 0, max: 6 }),
        anchor: sometimes,
        notApplicable: rarely,
        fixed: rarely,
        suspended: rarely,
        frozen: rarely,
        mosFrozen: rarely,
        plan: dates(center),
        actual: fc.oneof({ arbitrary: fc.constant({ start: null, end: null }), weight: 4 }, { arbitrary: dates(center), weight: 1 }),
      })
      .map(({ plan, actual, ...rest }) => ({
        ...rest,
        planStart: plan.start,
        planEnd: plan.end,
        actualStart: actual.start,
        actualEnd: actual.end,
      }));
    const relation = fc
      .record({
        from: fc.nat({ max: size - 1 }),
        to: fc.nat({ max: size - 1 }),
        type: fc.constantFrom("FS" as const, "SS" as const, "FF" as const, "SF" as const),
        offset: fc.oneof(fc.constant(0), fc.integer({ min: -5, max: 7 })),
      })
      .filter(({ from, to }) => from < to);
    return fc.record({
      activities: fc
        .tuple(
          fc.array(activity, { minLength: size, maxLength: size }),
          fc.shuffledSubarray(slotsOf(size), { minLength: size, maxLength: size }),
        )
        .map(([list, slots]) => list.map((one, place) => ({ ...one, slot: slots[place]! }))),
      relations: fc
        .array(relation, { maxLength: size < 2 ? 0 : 2 * size })
        .map((list) => list.map(({ from, to, ...rest }) => ({ ...rest, pre: from, node: to }))),
      released: fc.boolean(),
      requested: fc
        .array(fc.record({ place: fc.nat({ max: size - 1 }), dates: dates(center) }), { maxLength: 2 })
        .map((list) =>
          [...new Map(list.map((one) => [one.place, one])).values()]
            .filter((one) => one.dates.start !== null || one.dates.end !== null)
            .map(({ place, dates }) => ({ place, start: dates.start ?? 0, end: dates.end ?? 0 })),
        ),
    });
  });

const cases: fc.Arbitrary<Case> = fc.constantFrom(middle, middle, middle, middle, middle, 20).chain((center) =>
  fc.record({
    weekdays: fc.oneof(fc.constant(62), fc.integer({ min: 1, max: 127 })),
    exceptions: fc.array(fc.record({ day: around(center), working: fc.boolean() }), { maxLength: 12 }),
    mode: fc.constantFrom(...scheduleModes),
    asOf: around(center),
    latest: fc.oneof({ arbitrary: fc.constant(center + 400), weight: 3 }, { arbitrary: around(center + 30), weight: 1 }),
    changeControl: rarely,
    dus: fc.array(givenAround(center), { minLength: 1, maxLength: 8 }),
  }),
);

const slotsOf = (size: number) => Array.from({ length: size + 2 }, (_, place) => place + 1);
const width = 12;

/** Rows of one block for several DUs, each with its own flow and calendar. */
function blockOf(dus: readonly Given[]): PlanBlock {
  const block = emptyBlock(
    dus.map((_, row) => row + 1),
    width,
  );
  dus.forEach((du, row) => {
    block.releaseStates[row] = du.released ? 2 : 0;
    for (const activity of du.activities) {
      const at = row * width + activity.slot;
      let state = withState(0, "inFlow", 1);
      if (activity.notApplicable) state = withState(state, "na", 1 + (activity.slot % 2));
      if (activity.fixed) state = withState(state, "fixed", 1);
      if (activity.frozen) state = withState(state, "frozen", 1);
      if (activity.mosFrozen) state = withState(state, "mosFrozen", 1);
      if (activity.suspended) state = withState(state, "workOrder", 5);
      block.state[at] = state;
      block.planStart[at] = activity.planStart ?? 0;
      block.planEnd[at] = activity.planEnd ?? 0;
      block.actualStart[at] = activity.actualStart ?? 0;
      block.actualEnd[at] = activity.actualEnd ?? 0;
    }
  });
  return block;
}

/** Runs the vector method over all DUs of a case. */
function run({ dus, weekdays, exceptions, mode, asOf, latest, changeControl }: Case, block = blockOf(dus)): ScheduleResult {
  const anchors = dus.flatMap((du, row): RequestAnchor[] =>
    du.requested.map(({ place, start, end }) => ({ row, slot: du.activities[place]!.slot, start, end })),
  );
  return runSchedule({
    plan: block,
    flows: dus.map((du) =>
      compileFlow(
        du.activities.map(({ slot, leadTime, anchor }, place) => ({ nodeId: place, slot, leadTime, anchor })),
        du.relations,
      ),
    ),
    flowOfRow: Int32Array.from(dus.keys()),
    calendars: [workingDays(weekdays, exceptions)],
    calendarOfRow: new Int32Array(dus.length),
    mode,
    asOf,
    latestDay: latest,
    changeControl,
    anchors,
  });
}

/** The result of one row in the words of the slow method. */
function answerOf(dus: readonly Given[], block: PlanBlock, result: ScheduleResult, row: number): SlowAnswer {
  const { activities } = dus[row]!;
  const nameOf = (slot: number) => `n${activities.findIndex((activity) => activity.slot === slot)}`;
  const found: { code: string; name: string; days: number }[] = [];
  for (let at = 0; at < result.findings.count; at++) {
    if (result.findings.rows[at] !== row) continue;
    const slot = result.findings.slots[at]!;
    found.push({ code: findingCodes[result.findings.codes[at]!]!, name: slot ? nameOf(slot) : "", days: result.findings.days[at]! });
  }
  const refused = rowRefusal(result, row);
  if (refused)
    return {
      refused,
      names: found
        .map(({ name }) => name)
        .filter((name) => name !== "")
        .sort(),
    };
  const plan: Record<string, { start: number | null; end: number | null }> = {};
  activities.forEach(({ slot }, place) => {
    plan[`n${place}`] = { start: block.planStart[row * width + slot] || null, end: block.planEnd[row * width + slot] || null };
  });
  for (let at = result.movesAt[row]!; at < result.movesAt[row + 1]!; at++)
    plan[nameOf(result.moves.slots[at]!)] = { start: result.moves.starts[at]!, end: result.moves.ends[at]! };
  return { refused, plan, warnings: found.map(({ code, name, days }) => (days ? `${code} ${name} ${days}` : `${code} ${name}`)).sort() };
}

function slowly(du: Given, frame: Frame): SlowAnswer {
  const exceptions = new Map(frame.exceptions.map(({ day, working }) => [day, working]));
  const answer = slowSchedule({
    activities: du.activities.map((activity, place) => ({ ...activity, name: `n${place}` })),
    relations: du.relations.map(({ pre, node, type, offset }) => ({ before: `n${pre}`, after: `n${node}`, type, offset })),
    // Day 0 is a Saturday.
    isWorkingDay: (day) => exceptions.get(day) ?? ((frame.weekdays >> ((((day + 6) % 7) + 7) % 7)) & 1) === 1,
    mode: frame.mode,
    asOf: frame.asOf,
    latest: frame.latest,
    refuseAsReleased: frame.changeControl && du.released,
    requested: Object.fromEntries(du.requested.map(({ place, start, end }) => [`n${place}`, { start: start || null, end: end || null }])),
  });
  return answer.refused !== null ? { ...answer, names: answer.names.sort() } : { ...answer, warnings: answer.warnings.sort() };
}

/** The block with a result written into it. */
function applied(block: PlanBlock, result: ScheduleResult): PlanBlock {
  const next = { ...block, planStart: block.planStart.slice(), planEnd: block.planEnd.slice() };
  for (let row = 0; row < block.duIds.length; row++)
    for (let at = result.movesAt[row]!; at < result.movesAt[row + 1]!; at++) {
      next.planStart[row * width + result.moves.slots[at]!] = result.moves.starts[at]!;
      next.planEnd[row * width + result.moves.slots[at]!] = result.moves.ends[at]!;
    }
  return next;
}

/** Every DU of a case in the words of the slow method. */
const answersOf = (given: Case): SlowAnswer[] => {
  const block = blockOf(given.dus);
  const result = run(given, block);
  return given.dus.map((_, row) => answerOf(given.dus, block, result, row));
};

describe("random flows, calendars, states and modes", () => {
  it("[SCH-18] agree with the slow method", { timeout }, () => {
    fc.assert(
      fc.property(cases, (given) => {
        expect(answersOf(given)).toEqual(given.dus.map((du) => slowly(du, given)));
      }),
      parameters,
    );
  });

  it("give the same for a DU whatever stands before and after it", { timeout }, () => {
    fc.assert(
      fc.property(cases, (given) => {
        expect(answersOf({ ...given, dus: [...given.dus].reverse() })).toEqual(answersOf(given).reverse());
      }),
      { ...parameters, numRuns: Math.ceil(runs / 3) },
    );
  });

  // An activity that counts as free only for want of dates keeps those it gets: fixed, suspended or an anchor of the flow, it drives the next run.
  const settled = (du: Given) =>
    du.activities.every(
      (one) => one.planStart !== null || one.planEnd !== null || !(one.fixed || one.suspended || (one.anchor && du.requested.length > 0)),
    );

  it("change nothing in a second run", { timeout }, () => {
    fc.assert(
      fc.property(cases, (given) => {
        const all = { ...given, dus: given.dus.filter(settled) };
        const block = blockOf(all.dus);
        const first = run(all, block);
        const second = run(all, applied(block, first));
        expect(second.outcomes).toEqual(first.outcomes);
        expect(second.moves.slots).toHaveLength(0);
      }),
      parameters,
    );
  });

  it("never touch actual, fixed, suspended, frozen or not applicable activities", { timeout }, () => {
    fc.assert(
      fc.property(cases, (given) => {
        const result = run(given);
        given.dus.forEach((du, row) => {
          const asked = new Set(du.requested.map(({ place }) => du.activities[place]!.slot));
          const kept = du.activities.filter(
            (one) =>
              one.notApplicable ||
              one.actualStart !== null ||
              one.actualEnd !== null ||
              (one.frozen && !one.fixed && !one.suspended) ||
              (!asked.has(one.slot) && (one.fixed || one.suspended) && (one.planStart !== null || one.planEnd !== null)),
          );
          const moved = new Set(result.moves.slots.subarray(result.movesAt[row], result.movesAt[row + 1]));
          expect(kept.filter(({ slot }) => moved.has(slot))).toEqual([]);
        });
      }),
      parameters,
    );
  });
});
