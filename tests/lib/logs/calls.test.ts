import { beforeAll, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { changedBits } from "#lib/logs/logic.ts";
import { patchPlanState } from "#lib/rollout-plan/plan-rows/commands.ts";
import { withState } from "#lib/rollout-plan/plan-rows/logic.ts";
import { callAs } from "../../support/call.ts";
import { clock, useDatabase } from "../../support/database.ts";
import { makeMember, makeProject, makeSubcontractor } from "../../support/factories.ts";
import { inProject } from "../../support/plan-ctx.ts";
import { type MadeActivity, makeActivities, makeAttribute, makeDus, makeFlow } from "../../support/plan-factories.ts";

const db = useDatabase();
let project: { id: number; number: string };
let pm: CtxUser;
let tl: CtxUser;
let activities: MadeActivity[];
let flow: { id: number; activities: MadeActivity[] };
let duId: number;
let attribute: { id: number; key: string };
let batches: number[];

const call = (user: CtxUser, address: string, input: unknown = {}, now = clock) =>
  callAs(user, address, input, { project: project.number, now });
const at = (minutes: number) => new Date(clock.getTime() + minutes * 60_000);

beforeAll(async () => {
  project = await makeProject(db.owner);
  pm = await makeMember(db.owner, project.id, "PM");
  tl = await makeMember(db.owner, project.id, "TL");
  activities = await makeActivities(db.owner, project.id, ["Survey", "Design", "Install"]);
  flow = { id: await makeFlow(db.owner, project.id, pm.id, activities), activities };
  attribute = await makeAttribute(db.owner, project.id);
  [duId] = (await makeDus(db.owner, project.id, [{ code: "LOG-1", subcontractorId: null }], flow)) as [number];
  const save = async (edits: unknown[], reason: string, minutes: number) =>
    (await call(pm, "rolloutPlan/save", { edits, reason }, at(minutes))).data.batchId as number;
  const survey = { duId, activityId: activities[0]!.id };
  batches = [
    await save([{ ...survey, field: "planEnd", value: "2026-10-14", base: null }], "first", 0),
    await save(
      [
        { ...survey, field: "planEnd", value: "2026-10-19", base: "2026-10-14" },
        { ...survey, field: "planOwner", value: [pm.id, tl.id], base: null },
        { duId, field: attribute.key, value: "tower", base: null },
        { duId, field: "rfcNumber", value: "R1", base: null },
        { ...survey, field: "delayReason", value: "rain", base: null },
      ],
      "rain",
      60 * 24,
    ),
  ];
});

const list = (filters: unknown[], user = pm, page = 1, size = 20) =>
  call(user, `planLog/list/${page}/${size}/default/${encodeURIComponent(JSON.stringify(filters))}`);

describe("planLog/list", () => {
  it("gives every changed cell, newest first, with who, when, from what to what and why", async () => {
    const { data } = await list([{ field: "du", type: "eq", values: ["LOG-1"] }]);
    expect(data).toMatchObject({ total: 7, more: false, page: 1, size: 20 });
    const rows = data.records.map((row: { field: string; old: unknown; new: unknown; batchId: number }) => [
      batches.indexOf(row.batchId),
      row.field,
      row.old,
      row.new,
    ]);
    expect(rows).toEqual([
      [1, "planEnd", "2026-10-14", "2026-10-19"],
      [1, "state", { note: 0 }, { note: 1 }],
      [1, "planOwner", null, [pm.name, tl.name]],
      [1, attribute.key, null, "tower"],
      [1, "du.rfc_number", null, "R1"],
      [1, "note.delayReason", null, "rain"],
      [0, "planEnd", null, "2026-10-14"],
    ]);
    expect(data.records[0]).toMatchObject({
      duId,
      duCode: "LOG-1",
      activity: "Survey",
      flowId: flow.id,
      actor: pm.name,
      source: "grid",
      reason: "rain",
      at: at(60 * 24),
    });
  });

  it.each<[string, () => unknown[], number]>([
    ["activity", () => [{ field: "activity", type: "in", values: [activities[0]!.id] }], 5],
    ["another activity", () => [{ field: "activity", type: "eq", values: [activities[1]!.id] }], 0],
    ["field", () => [{ field: "field", type: "in", values: ["planEnd"] }], 2],
    ["attribute", () => [{ field: "field", type: "eq", values: [attribute.key] }], 1],
    ["DU field", () => [{ field: "field", type: "eq", values: ["rfcNumber"] }], 1],
    [
      "note of an activity",
      () => [
        { field: "field", type: "eq", values: ["delayReason"] },
        { field: "activity", type: "eq", values: [activities[0]!.id] },
      ],
      1,
    ],
    ["flow", () => [{ field: "flow", type: "eq", values: [flow.id] }], 7],
    ["actor", () => [{ field: "actor", type: "eq", values: [tl.id] }], 0],
    ["source", () => [{ field: "source", type: "in", values: ["grid", "import"] }], 7],
    ["batch", () => [{ field: "batch", type: "eq", values: [batches[0]] }], 1],
    ["a day", () => [{ field: "at", type: "range", values: ["2026-10-15", "2026-10-15"] }], 6],
    ["a preset", () => [{ field: "at", type: "preset", values: ["lastWeek"] }], 0],
  ])("filters by %s", async (_title, filters, total) => expect((await list(filters())).data.total).toBe(total));

  it("refuses a span over a year without a DU, and pages behind row 10,000", async () => {
    const range = { field: "at", type: "range", values: ["2024-01-01", "2026-10-15"] };
    expect(await list([range])).toMatchObject({ status: 422, code: "DATE_RANGE" });
    expect((await list([range, { field: "du", type: "eq", values: ["LOG-1"] }])).data.total).toBe(7);
    expect(await list([], pm, 501, 20)).toMatchObject({ status: 422, code: "NARROW_FILTER" });
    expect((await list([], pm, 500, 20)).data).toMatchObject({ records: [], total: 7 });
  });

  it("shows people only the DUs they reach, and nothing to other projects", async () => {
    const owner = await makeMember(db.owner, project.id, "COMMON_VIEW");
    expect((await list([], owner)).data.total).toBe(7);
    const subcon = await makeMember(db.owner, project.id, "SUBCON");
    await makeSubcontractor(db.owner, project.id, [subcon.id]);
    expect(await list([], subcon)).toMatchObject({ status: 403 });
    const other = await makeProject(db.owner);
    expect(await list([], await makeMember(db.owner, other.id, "PM"))).toMatchObject({ status: 403 });
  });
});

it("[LOG-04] planLog/findTaskFlowIdList gives the flows that occur in the log", async () => {
  await makeFlow(db.owner, project.id, pm.id, activities, "Unused");
  const { data } = await call(pm, "planLog/findTaskFlowIdList");
  expect(data.map((row: { id: number }) => row.id)).toEqual([flow.id]);
});

it("[LOG-05] planLog/findActivityList gives the activities of the flows", async () => {
  const answer = await call(pm, "planLog/findActivityList", { flowIds: [flow.id], page: 1, size: 2000 });
  expect(answer.data).toEqual(activities.map(({ id, name }) => ({ id, name })));
  expect(await call(pm, "planLog/findActivityList", { flowIds: [flow.id], page: 1, size: 2001 })).toMatchObject({ status: 400 });
  expect((await call(pm, "planLog/findActivityList", { flowIds: [987_654] })).data).toEqual([]);
});

describe("planLog/cell", () => {
  const cell = (field: string, activityId?: number, user = pm) => call(user, "planLog/cell", { duId, field, activityId });
  it("gives the history of a plan cell, of an attribute, of a DU field and of a note, newest first", async () => {
    const survey = activities[0]!.id;
    expect((await cell("planEnd", survey)).data).toMatchObject([
      { old: "2026-10-14", new: "2026-10-19", reason: "rain", actor: pm.name, batchId: batches[1] },
      { old: null, new: "2026-10-14", reason: "first" },
    ]);
    expect((await cell("planOwner", survey)).data).toMatchObject([{ old: null, new: [pm.name, tl.name] }]);
    expect((await cell(attribute.key)).data).toMatchObject([{ old: null, new: "tower" }]);
    expect((await cell("rfcNumber")).data).toMatchObject([{ old: null, new: "R1" }]);
    expect((await cell("delayReason", survey)).data).toMatchObject([{ old: null, new: "rain" }]);
    expect((await cell("planEnd", activities[1]!.id)).data).toEqual([]);
  });
  it("says which state group changed", async () => {
    await inProject(pm, project.number, (ctx) =>
      patchPlanState(ctx, [{ duId, slot: 2, set: { frozen: 1 } }], { owner: "scheduling", source: "grid", reason: "promised" }),
    );
    expect((await cell("state", activities[1]!.id)).data).toMatchObject([{ old: { frozen: 0 }, new: { frozen: 1 }, reason: "promised" }]);
    expect(changedBits(withState(1, "approval", 2), withState(1, "approval", 5))).toEqual({ approval: 2 });
  });
  it("is not found by people who do not reach the DU", async () => {
    const subcon = await makeMember(db.owner, project.id, "SUBCON");
    await makeSubcontractor(db.owner, project.id, [subcon.id]);
    expect(await cell("planEnd", activities[0]!.id, subcon)).toMatchObject({ status: 404 });
    expect(await cell("planEnd", 987_654)).toMatchObject({ status: 404 });
  });
});

it("planLog/batch gives a batch with its rows, and only one of the project", async () => {
  const { data } = await call(pm, `planLog/batch/${batches[1]}`);
  expect(data).toMatchObject({
    batch: { id: batches[1], source: "grid", reason: "rain", duCount: 1, cellCount: 6, actor: pm.name },
    more: false,
  });
  expect(data.rows).toHaveLength(6);
  const other = await makeProject(db.owner);
  const planner = await makeMember(db.owner, other.id, "PM");
  expect(await callAs(planner, `planLog/batch/${batches[1]}`, {}, { project: other.number })).toMatchObject({ status: 404 });
});
