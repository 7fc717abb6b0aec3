import { beforeAll, describe, expect, it } from "vitest";
import { addDays, dayNumber, isoDay } from "#lib/core/clock.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { boardCardsMax, boardDaysMax, unscheduledMax } from "#lib/rollout-plan/board/limits.ts";
import type { Board } from "#lib/rollout-plan/board/queries.ts";
import { withState } from "#lib/rollout-plan/plan-rows/logic.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeCluster, makeMember, makeRegion, makeSubcontractor, makeUser } from "../../../support/factories.ts";
import { type MadeDu, makeDus, makeOwnerSet } from "../../../support/plan-factories.ts";
import { later, planCalls, usePlanProject } from "../../../support/plan-project.ts";

const db = useDatabase();
const project = usePlanProject(db);
const { call, save, survey } = planCalls(db, project);
const from = "2026-10-11";
const to = "2026-10-24";

let mate: CtxUser;
let both: number;
let north: number;
let turn = 0;

beforeAll(async () => {
  mate = await makeUser(db.owner, { name: "Anna" });
  both = await makeOwnerSet(db.owner, project.id, [project.pm.id, mate.id]);
  north = await makeRegion(db.owner, project.id, "North");
});

/** Makes DUs of a project share, finds them by a query of their own and asks for their board. */
async function given(dus: MadeDu[]) {
  const prefix = `BOARD${++turn}-`;
  const ids = await makeDus(
    db.owner,
    project.id,
    dus.map((du, at) => ({ code: `${prefix}${at + 1}`, ...du })),
    project.flow,
  );
  const query = async (user = project.pm) =>
    (await call(user, "wbs/filter", { search: { field: "code", text: prefix } })).data.queryId as string;
  const ask = async (input: Record<string, unknown> = {}, user = project.pm): Promise<Board> => {
    const answer = await call(user, "rolloutPlan/board", { from, to, groupBy: "owner", queryId: await query(user), ...input });
    expect(answer).toMatchObject({ status: 200 });
    return answer.data;
  };
  return { ids, ask, query };
}

const cells = (board: Board) =>
  (board.cards ?? []).map(([du, activityId, start, end, , lanes]) => [
    board.dus[du]!.code.replace(/^.*-/, ""),
    project.activities.find(({ id }) => id === activityId)?.slot,
    isoDay(start),
    isoDay(end),
    lanes,
  ]);
const lane = (board: Board, id: number) => board.lanes?.find((one) => one.id === id);
const onDays = (counts: number[] | null | undefined) =>
  Object.fromEntries((counts ?? []).flatMap((count, at) => (count > 0 ? [[addDays(from, at).slice(5), count]] : [])));

describe("rolloutPlan/board [RPL-03]", () => {
  it("counts an incomplete activity on every plan day in the lane of each owner, done, closed, NA and foreign ones nowhere", async () => {
    const { ask } = await given([
      {
        plan: {
          1: { plan_start: "2026-10-14", plan_end: "2026-10-16", plan_owner: both },
          2: { plan_start: "2026-10-16", plan_end: "2026-10-19", plan_owner: project.ownSet },
          3: { plan_start: "2026-10-14", plan_end: "2026-10-14", actual_end: "2026-10-14", plan_owner: both },
          4: { plan_start: "2026-10-14", plan_end: "2026-10-14", plan_owner: both, state: withState(1, "na", 1) },
          5: { plan_start: "2026-10-14", plan_end: "2026-10-14", plan_owner: both, state: withState(1, "closed", 1) },
        },
      },
      { plan: { 1: { plan_end: "2026-10-21" }, 2: { plan_start: "2026-10-24" } } },
    ]);
    const board = await ask();
    expect(board.lanes?.map(({ title }) => title)).toEqual(["Anna", project.pm.name, null]);
    expect(onDays(lane(board, mate.id)?.count)).toEqual({ "10-14": 1, "10-15": 1, "10-16": 1 });
    expect(onDays(lane(board, project.pm.id)?.count)).toEqual({ "10-14": 1, "10-15": 1, "10-16": 2, "10-17": 1, "10-18": 1, "10-19": 1 });
    // What only has one date stands on that day.
    expect(onDays(lane(board, 0)?.count)).toEqual({ "10-21": 1, "10-24": 1 });
    expect(board.cards).toBeNull();
  });

  it("counts no load on free days, by the calendar of the DU's region, and different activities in each week", async () => {
    const [calendar] = await db.owner<{ id: number }[]>`
      insert into work_calendar (project_id, region_id, name, weekdays) values (${project.id}, ${north}, 'North', 126) returning id`;
    await db.owner`insert into work_calendar_day (calendar_id, day, working) values (${calendar!.id}, '2026-10-16', false)`;
    const plan = { 1: { plan_start: "2026-10-16", plan_end: "2026-10-19" } };
    const { ask } = await given([{ plan, regionId: north }, { plan }]);
    const board = await ask();
    const none = lane(board, 0);
    expect(onDays(none?.count)).toEqual({ "10-16": 2, "10-17": 2, "10-18": 2, "10-19": 2 });
    // Friday is free in the north, Saturday in the project.
    expect(onDays(none?.load)).toEqual({ "10-16": 1, "10-17": 1, "10-19": 2 });
    expect(none?.weeks).toEqual([2, 2]);
    expect(board.calendars).toContainEqual({ regionId: north, weekdays: 126, days: [[dayNumber("2026-10-16"), false]] });
  });

  it("gives cards for the lanes and days asked for, and nothing beside", async () => {
    const { ask } = await given([
      {
        plan: {
          1: { plan_start: "2026-10-14", plan_end: "2026-10-16", plan_owner: both },
          2: { plan_start: "2026-10-20", plan_end: "2026-10-21", plan_owner: project.ownSet },
        },
      },
      { plan: { 1: { plan_start: "2026-10-15", plan_end: "2026-10-15" } } },
    ]);
    const own = await ask({ lanes: [project.pm.id], counts: false });
    expect(own.lanes).toBeNull();
    expect(own.unscheduled).toBeNull();
    expect(cells(own).toSorted()).toEqual([
      ["1", 1, "2026-10-14", "2026-10-16", [project.pm.id]],
      ["1", 2, "2026-10-20", "2026-10-21", [project.pm.id]],
    ]);
    const all = await ask({ lanes: [project.pm.id, mate.id, 0], from: "2026-10-16", to: "2026-10-20", counts: false });
    expect(cells(all).map(([du, slot, , , lanes]) => [du, slot, lanes])).toEqual([
      ["1", 1, [project.pm.id, mate.id]],
      ["1", 2, [project.pm.id]],
    ]);
    expect(cells(await ask({ lanes: [0], activityIds: [survey()] }))).toHaveLength(1);
    expect(cells(await ask({ lanes: [0], activityIds: [project.activities[1]!.id] }))).toHaveLength(0);
  });

  it("groups by subcontractor, region and cluster", async () => {
    const company = await makeSubcontractor(db.owner, project.id);
    const plan = { 1: { plan_start: "2026-10-14", plan_end: "2026-10-14" } };
    const { ask, ids } = await given([{ plan, subcontractorId: company }, { plan, regionId: north }, { plan }]);
    const cluster = await makeCluster(db.owner, project.id, "C-07", [ids[2]!]);
    const figures = async (groupBy: string) =>
      (await ask({ groupBy })).lanes?.map(({ id, title, count }) => [id, title, onDays(count)["10-14"]]);
    expect(await figures("subcontractor")).toEqual([
      [company, expect.stringMatching(/^Company/), 1],
      [0, null, 2],
    ]);
    expect(await figures("region")).toEqual([
      [north, "North", 1],
      [0, null, 2],
    ]);
    expect(await figures("cluster")).toEqual([
      [cluster, "C-07", 1],
      [0, null, 2],
    ]);
    expect(cells(await ask({ groupBy: "region", lanes: [north] })).map(([du]) => du)).toEqual(["2"]);
  });

  it("lists what has no plan dates in the order of the query, up to its limit", async () => {
    const many = Math.ceil((unscheduledMax + 1) / 5);
    const { ask } = await given(Array.from({ length: many }, () => ({})));
    const { unscheduled, dus, lanes } = await ask();
    // Their lane is there, empty as it is, so that one of them can be put into it.
    expect(lanes?.map(({ id, count }) => [id, onDays(count)])).toEqual([[0, {}]]);
    expect(unscheduled).toMatchObject({ more: true });
    expect(unscheduled?.cards).toHaveLength(unscheduledMax);
    expect(unscheduled?.cards.slice(0, 6).map(([du, activityId]) => [dus[du]!.code.replace(/^.*-/, ""), activityId])).toEqual([
      ...project.activities.map(({ id }) => ["1", id]),
      ["2", survey()],
    ]);
    const fit = await given(Array.from({ length: unscheduledMax / 5 }, () => ({})));
    expect((await fit.ask()).unscheduled).toMatchObject({ more: false });
  });

  it("gives so many cards and, where there are more, counts alone", async () => {
    const plan = Object.fromEntries([1, 2, 3, 4, 5].map((slot) => [slot, { plan_start: "2026-10-14", plan_end: "2026-10-14" }]));
    const { ask } = await given(Array.from({ length: boardCardsMax / 5 }, () => ({ plan })));
    const full = await ask({ lanes: [0] });
    expect(full.cards).toHaveLength(boardCardsMax);
    const more = await given(Array.from({ length: boardCardsMax / 5 + 1 }, () => ({ plan })));
    const counted = await more.ask({ lanes: [0] });
    expect(counted.cards).toBeNull();
    expect(onDays(lane(counted, 0)?.count)).toEqual({ "10-14": boardCardsMax + 5 });
  });

  it("takes 92 days and refuses the 93rd, an end before the start, and a query that has expired", async () => {
    const { query } = await given([{}]);
    const queryId = await query();
    const ask = (input: Record<string, unknown>, now?: Date) =>
      call(project.pm, "rolloutPlan/board", { from, to, groupBy: "region", queryId, ...input }, now);
    expect(await ask({ to: addDays(from, boardDaysMax - 1) })).toMatchObject({ status: 200 });
    expect(await ask({ to: addDays(from, boardDaysMax) })).toMatchObject({
      status: 400,
      problems: [{ path: "to", code: "TOO_MANY_DAYS", msg: "At most 92 days" }],
    });
    expect(await ask({ to: "2026-10-10" })).toMatchObject({ problems: [{ path: "to", code: "DATE_ORDER" }] });
    expect(await ask({ from: "2026-02-30" })).toMatchObject({ problems: [{ path: "from", code: "DATE_FORMAT" }] });
    expect(await ask({}, later(11))).toMatchObject({ status: 410, code: "QUERY_EXPIRED" });
  });

  it("hides counts from those who do not see them, and DUs they do not reach", async () => {
    const subcon = await makeMember(db.owner, project.id, "SUBCON");
    const company = await makeSubcontractor(db.owner, project.id, [subcon.id]);
    const plan = { 1: { plan_start: "2026-10-14", plan_end: "2026-10-14" } };
    const { ask } = await given([{ plan, subcontractorId: company }, { plan }]);
    const board = await ask({}, subcon);
    expect(board.lanes).toEqual([{ id: 0, title: null, count: null, load: null, weeks: null }]);
    expect(cells(await ask({ lanes: [0] }, subcon)).map(([du]) => du)).toEqual(["1"]);
  });

  it("shows where a save has moved an activity", async () => {
    const { ask, ids } = await given([{ plan: { 1: { plan_start: "2026-10-14", plan_end: "2026-10-15", plan_owner: both } } }]);
    const edit = (field: string, base: string, value: string) => ({ duId: ids[0]!, activityId: survey(), field, base, value });
    await save(project.pm, [edit("planStart", "2026-10-14", "2026-10-20"), edit("planEnd", "2026-10-15", "2026-10-21")]);
    expect(onDays(lane(await ask(), mate.id)?.count)).toEqual({ "10-20": 1, "10-21": 1 });
  });
});
