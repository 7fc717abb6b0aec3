import { beforeAll, describe, expect, it } from "vitest";
import { addDays, dayNumber, isoDay } from "#lib/core/clock.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { periodPresets, statusFilters } from "#lib/rollout-plan/conditions/limits.ts";
import { likeText, periodRange } from "#lib/rollout-plan/conditions/logic.ts";
import { activityStatus, duStatus, duStatuses, isApplicable, withState } from "#lib/rollout-plan/plan-rows/logic.ts";
import { callAs } from "../../../support/call.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject, makeRegion } from "../../../support/factories.ts";
import {
  type MadeActivity,
  type MadeDu,
  makeActivities,
  makeAttribute,
  makeDus,
  makeFlow,
  makeOwnerSet,
  type PlanColumn,
} from "../../../support/plan-factories.ts";

const today = "2026-10-14";

describe("periods", () => {
  it.each([
    ["thisWeek", "2026-10-11", "2026-10-17"],
    ["nextWeek", "2026-10-18", "2026-10-24"],
    ["thisAndNextTwoWeeks", "2026-10-11", "2026-10-31"],
    ["thisAndNextMonth", "2026-10-01", "2026-11-30"],
    ["lastWeek", "2026-10-04", "2026-10-10"],
    ["lastMonth", "2026-09-01", "2026-09-30"],
    ["thisQuarter", "2026-10-01", "2026-12-31"],
    ["thisMonth", "2026-10-01", "2026-10-31"],
    ["last3Months", "2026-07-15", "2026-10-14"],
    ["thisYear", "2026-01-01", "2026-12-31"],
    ["lastYear", "2025-01-01", "2025-12-31"],
  ] as const)("[RPL-30] [OPS-47] %s of Wednesday 2026-10-14 is %s to %s", (preset, from, to) => {
    const range = periodRange(preset, today);
    expect([isoDay(range.from), isoDay(range.to)]).toEqual([from, to]);
  });
  it("begin on Sunday, whatever the day, and never end before they begin", () => {
    for (let day = 0; day < 800; day++) {
      const iso = addDays("2027-01-01", day);
      expect(new Date(`${isoDay(periodRange("thisWeek", iso).from)}T00:00:00Z`).getUTCDay()).toBe(0);
      for (const preset of periodPresets) {
        const { from, to } = periodRange(preset, iso);
        expect(from).toBeLessThanOrEqual(to);
      }
      const quarter = periodRange("thisQuarter", iso);
      expect(
        dayNumber(iso) >= quarter.from &&
          dayNumber(iso) <= quarter.to &&
          quarter.to - quarter.from >= 89 &&
          quarter.to - quarter.from <= 91,
      ).toBe(true);
    }
  });
  it("[RPL-30] names all seven of the plan period filter", () =>
    expect(periodPresets.slice(0, 7)).toEqual([
      "thisWeek",
      "nextWeek",
      "thisAndNextTwoWeeks",
      "thisAndNextMonth",
      "lastWeek",
      "lastMonth",
      "thisQuarter",
    ]));
});

it("a text in a pattern stands for itself", () => expect(likeText("50%_a\\b")).toBe("50\\%\\_a\\\\b"));

/** A small generator with a fixed seed (mulberry32), so that a failure can be looked at again. */
function random(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

describe("[RPL-34] wbs/filter on random data against a plain second method", () => {
  const db = useDatabase();
  let project: { id: number; number: string };
  let pm: CtxUser;
  let colleague: CtxUser;
  let activities: MadeActivity[];
  let dus: (MadeDu & { id: number; flowId: number | null })[];
  let flowId: number;
  let regions: number[];
  let sets: { id: number; userIds: number[] }[];
  let number: { id: number; key: string };
  let text: { id: number; key: string };
  let date: { id: number; key: string };

  beforeAll(async () => {
    project = await makeProject(db.owner);
    pm = await makeMember(db.owner, project.id, "PM");
    colleague = await makeMember(db.owner, project.id, "TL");
    activities = await makeActivities(db.owner, project.id, ["A", "B", "C", "D"]);
    flowId = await makeFlow(db.owner, project.id, pm.id, activities);
    regions = [await makeRegion(db.owner, project.id, "North"), await makeRegion(db.owner, project.id, "south")];
    sets = await Promise.all(
      [[pm.id], [colleague.id], [pm.id, colleague.id]].map(async (userIds) => ({
        id: await makeOwnerSet(db.owner, project.id, userIds),
        userIds,
      })),
    );
    number = await makeAttribute(db.owner, project.id, { type: "NUMBER" });
    text = await makeAttribute(db.owner, project.id, { level: "ACTIVITY" });
    date = await makeAttribute(db.owner, project.id, { type: "DATE" });
    const below = random(7);
    const maybeDay = () => (below(3) === 0 ? 0 : dayNumber("2026-09-20") + below(60));
    const made: MadeDu[] = Array.from({ length: 120 }, (_, i) => {
      const plan: Record<number, Partial<Record<PlanColumn, number>>> = {};
      for (let slot = 1; slot <= 4; slot++) {
        let state = below(8) === 0 ? 0 : 1;
        if (state && below(5) === 0) state = withState(state, "na", 1 + below(2));
        if (state && below(6) === 0) state = withState(state, "closed", 1);
        if (state && below(4) === 0) state = withState(state, "approval", below(8));
        if (state && below(4) === 0) state = withState(state, "frozen", 1);
        plan[slot] =
          state === 0
            ? { state }
            : {
                state,
                plan_start: maybeDay(),
                plan_end: maybeDay(),
                actual_end: below(3) === 0 ? maybeDay() : 0,
                plan_owner: below(3) === 0 ? 0 : sets[below(3)]!.id,
              };
      }
      const ext: Record<string, unknown> = {};
      if (below(3)) ext[number.key] = below(40) / 4;
      if (below(3)) ext[`${text.key}@2`] = ["x", "y 10", "y 9"][below(3)];
      if (below(3)) ext[date.key] = isoDay(dayNumber("2026-09-20") + below(60));
      return {
        code: `R${i % 7 === 0 ? "0" : ""}${i}`,
        regionId: [null, ...regions][below(3)] ?? null,
        rfcNumber: below(2) ? `rfc_${below(3)}%` : null,
        plan,
        ext,
      };
    });
    const flow = { id: flowId, activities };
    const bound = await makeDus(db.owner, project.id, made.slice(0, 110), flow);
    const unbound = await makeDus(
      db.owner,
      project.id,
      made.slice(110).map((du) => ({ ...du, plan: {} })),
    );
    dus = [
      ...made.slice(0, 110).map((du, i) => ({ ...du, id: bound[i]!, flowId })),
      ...made.slice(110).map((du, i) => ({ ...du, plan: {}, id: unbound[i]!, flowId: null })),
    ];
  });

  type Du = (typeof dus)[number];
  const cell = (du: Du, slot: number, column: PlanColumn) => Number(du.plan?.[slot]?.[column] ?? 0);
  const ask = async (input: Record<string, unknown>) => {
    const answer = await callAs(pm, "wbs/filter", { ...input, ids: true }, { project: project.number });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer));
    return answer.data.duIds as number[];
  };
  const expected = (keep: (du: Du) => boolean) => dus.filter(keep).map((du) => du.id);
  const check = async (filters: unknown[], keep: (du: Du) => boolean) => {
    const wanted = expected(keep);
    expect((await ask({ filters })).sort((a, b) => a - b)).toEqual(wanted.sort((a, b) => a - b));
    return wanted.length;
  };
  const activity = (slot: number) => activities[slot - 1]!.id;
  const now = dayNumber(today);

  it("[RPL-13] status of an activity, all fourteen", async () => {
    const week = periodRange("thisWeek", today);
    const month = periodRange("thisMonth", today);
    expect(statusFilters).toEqual([
      "na",
      "inv",
      "closed",
      "approving",
      "completed",
      "notPlanned",
      "delayed",
      "within7",
      "after7",
      "incomplete",
      "thisWeek",
      "thisMonth",
      "frozen",
      "unfrozen",
    ]);
    for (const status of statusFilters)
      for (const slot of [1, 3]) {
        const found = await check([{ field: "status", activityId: activity(slot), type: "in", values: [status] }], (du) => {
          const state = cell(du, slot, "state");
          if ((state & 1) === 0) return false;
          const planEnd = cell(du, slot, "plan_end");
          const shown = activityStatus(state, planEnd, cell(du, slot, "actual_end"), now);
          const incomplete = !["na", "inv", "closed", "completed"].includes(shown);
          switch (status) {
            case "incomplete":
              return incomplete;
            case "thisWeek":
              return incomplete && planEnd >= week.from && planEnd <= week.to;
            case "thisMonth":
              return incomplete && planEnd >= month.from && planEnd <= month.to;
            case "frozen":
              return (state & 16) !== 0;
            case "unfrozen":
              return (state & 16) === 0;
            default:
              return shown === status;
          }
        });
        expect(found, `${status} occurs in the data`).toBeGreaterThan(0);
      }
  });

  it("status of a DU", async () => {
    const statusOf = (du: Du) => {
      const slots = [1, 2, 3, 4].filter((slot) => isApplicable(cell(du, slot, "state")));
      const open = slots
        .filter((slot) => cell(du, slot, "actual_end") === 0)
        .map((slot) => cell(du, slot, "plan_end"))
        .filter(Boolean);
      const done = slots.filter((slot) => cell(du, slot, "actual_end") !== 0).length;
      return duStatus(
        { flowId: du.flowId, applicableCount: slots.length, doneCount: done, nextPlanEnd: open.length > 0 ? Math.min(...open) : 0 },
        now,
      );
    };
    for (const status of duStatuses) await check([{ field: "status", type: "eq", values: [status] }], (du) => statusOf(du) === status);
  });

  it("plan dates: range, open range, preset, empty, not empty, two at once", async () => {
    const date = (slot: number, column: PlanColumn) => (du: Du) => cell(du, slot, column);
    const end = date(2, "plan_end");
    const [from, to] = [dayNumber("2026-10-01"), dayNumber("2026-10-20")];
    const on = { field: "planEnd", activityId: activity(2) };
    await check([{ ...on, type: "range", values: ["2026-10-01", "2026-10-20"] }], (du) => end(du) >= from && end(du) <= to);
    await check([{ ...on, type: "range", values: ["2026-10-01", null] }], (du) => end(du) >= from);
    await check([{ ...on, type: "range", values: [null, "2026-10-01"] }], (du) => end(du) > 0 && end(du) <= from);
    await check(
      [{ ...on, type: "preset", values: ["thisWeek"] }],
      (du) => end(du) >= dayNumber("2026-10-11") && end(du) <= dayNumber("2026-10-17"),
    );
    await check([{ ...on, type: "empty" }], (du) => end(du) === 0);
    await check([{ ...on, type: "notEmpty" }], (du) => end(du) !== 0);
    await check([{ ...on, type: "in", values: ["2026-10-02", null] }], (du) => end(du) === 0 || end(du) === dayNumber("2026-10-02"));
    // No plan has a date on the day from which days are counted, and it is not the same as none.
    await check([{ ...on, type: "eq", values: ["2000-01-01"] }], () => false);
    await check([{ ...on, type: "range", values: ["1999-12-01", "2000-01-01"] }], () => false);
    const start = date(1, "plan_start");
    await check(
      [
        { ...on, type: "range", values: ["2026-10-01", null] },
        { field: "planStart", activityId: activity(1), type: "empty" },
      ],
      (du) => end(du) >= from && start(du) === 0,
    );
  });

  it("owners, regions, texts and attributes", async () => {
    const owners = (du: Du) => sets.find((set) => set.id === cell(du, 1, "plan_owner"))?.userIds ?? [];
    const owner = { field: "planOwner", activityId: activity(1) };
    await check([{ ...owner, type: "in", values: [colleague.id] }], (du) => owners(du).includes(colleague.id));
    await check([{ ...owner, type: "empty" }], (du) => owners(du).length === 0);
    await check([{ field: "region", type: "in", values: [regions[0]] }], (du) => du.regionId === regions[0]);
    await check([{ field: "region", type: "empty" }], (du) => du.regionId === null);
    await check([{ field: "rfcNumber", type: "like", values: ["_1%"] }], (du) => du.rfcNumber?.includes("_1%") ?? false);
    await check([{ field: "rfcNumber", type: "like", values: ["RFC"] }], (du) => du.rfcNumber !== null);
    await check([{ field: "rfcNumber", type: "empty" }], (du) => du.rfcNumber === null);
    const value = (du: Du) => du.ext?.[number.key] as number | undefined;
    await check([{ field: number.key, type: "range", values: [2.5, 5] }], (du) => (value(du) ?? -1) >= 2.5 && (value(du) ?? 99) <= 5);
    await check([{ field: number.key, type: "empty" }], (du) => value(du) === undefined);
    await check([{ field: text.key, activityId: activity(2), type: "eq", values: ["y 9"] }], (du) => du.ext?.[`${text.key}@2`] === "y 9");
    await check([{ field: text.key, activityId: activity(1), type: "notEmpty" }], () => false);
    const due = (du: Du) => (du.ext?.[date.key] as string | undefined) ?? "";
    await check(
      [{ field: date.key, type: "range", values: ["2026-10-01", "2026-10-10"] }],
      (du) => due(du) >= "2026-10-01" && due(du) <= "2026-10-10",
    );
    await check([{ field: date.key, type: "preset", values: ["lastMonth"] }], (du) => due(du).startsWith("2026-09"));
  });

  it("the period looks at incomplete activities, all or the shown ones", async () => {
    const { from, to } = periodRange("thisWeek", today);
    const inside = (du: Du, slots: number[]) =>
      slots.some((slot) => {
        const state = cell(du, slot, "state");
        if (!isApplicable(state) || (state & 64) !== 0 || cell(du, slot, "actual_end") !== 0) return false;
        return ["plan_start", "plan_end"].some(
          (column) => cell(du, slot, column as PlanColumn) >= from && cell(du, slot, column as PlanColumn) <= to,
        );
      });
    const sorted = (ids: number[]) => ids.sort((a, b) => a - b);
    expect(sorted(await ask({ period: { preset: "thisWeek" } }))).toEqual(sorted(expected((du) => inside(du, [1, 2, 3, 4]))));
    expect(sorted(await ask({ period: { from: "2026-10-11", to: "2026-10-17" }, activityIds: [activity(3)] }))).toEqual(
      sorted(expected((du) => inside(du, [3]))),
    );
    expect(await ask({ period: { from: "1999-12-01", to: "2000-01-31" } })).toEqual([]);
  });

  it("sorts by a date with empty ones last both ways, then by code as people count", async () => {
    const natural = new Intl.Collator("en", { numeric: true });
    const byCode = (a: Du, b: Du) => natural.compare(a.code!, b.code!) || a.id - b.id;
    for (const dir of ["asc", "desc"] as const) {
      const wanted = [...dus].sort((a, b) => {
        const [x, y] = [cell(a, 4, "plan_end"), cell(b, 4, "plan_end")];
        if (x !== y && (x === 0 || y === 0)) return x === 0 ? 1 : -1;
        return (dir === "asc" ? x - y : y - x) || byCode(a, b);
      });
      expect(await ask({ sort: [{ field: "planEnd", activityId: activity(4), dir }] })).toEqual(wanted.map((du) => du.id));
    }
    expect(await ask({})).toEqual([...dus].sort(byCode).map((du) => du.id));
    const regionName = (du: Du) => (du.regionId === null ? "~" : du.regionId === regions[0] ? "North" : "south");
    const wanted = [...dus].sort(
      (a, b) => natural.compare(regionName(a).replace("~", "zzz"), regionName(b).replace("~", "zzz")) || byCode(a, b),
    );
    expect(await ask({ sort: [{ field: "region", dir: "asc" }] })).toEqual(wanted.map((du) => du.id));
  });

  it("keeps to the flows asked for", async () => {
    expect((await ask({ flowIds: [flowId] })).length).toBe(110);
    expect(await ask({ flowIds: [987_654] })).toEqual([]);
  });
});
