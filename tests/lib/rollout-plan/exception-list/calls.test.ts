import { beforeAll, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { withState } from "#lib/rollout-plan/plan-rows/logic.ts";
import { callAs } from "../../../support/call.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject, makeRegion, makeSubcontractor } from "../../../support/factories.ts";
import { type MadeActivity, type MadeDu, makeActivities, makeDus, makeFlow, makeOwnerSet } from "../../../support/plan-factories.ts";

const db = useDatabase();
let project: { id: number; number: string };
let pm: CtxUser;
let activities: MadeActivity[];
let flow: { id: number; activities: MadeActivity[] };
let region: number;
let owner: number;

beforeAll(async () => {
  project = await makeProject(db.owner);
  pm = await makeMember(db.owner, project.id, "PM");
  activities = await makeActivities(db.owner, project.id, ["Survey", "Design", "PAC"]);
  flow = { id: await makeFlow(db.owner, project.id, pm.id, activities), activities };
  // Survey before Design (FS 1), Design before the milestone PAC (FF 0).
  await db.owner`
    update flow_activity set lead_time_days = 0 where flow_id = ${flow.id} and activity_id = ${activities[2]!.id}`;
  await db.owner`
    insert into flow_relation (flow_id, pre_node_id, node_id, type, offset_days)
    select ${flow.id}, x.id, y.id, r.type, r.off from (values (${activities[0]!.id}::bigint, ${activities[1]!.id}::bigint, 'FS', 1), (${activities[1]!.id}, ${activities[2]!.id}, 'FF', 0)) r(pre, node, type, off)
    join flow_activity x on x.flow_id = ${flow.id} and x.activity_id = r.pre join flow_activity y on y.flow_id = ${flow.id} and y.activity_id = r.node`;
  region = await makeRegion(db.owner, project.id);
  owner = await makeOwnerSet(db.owner, project.id, [pm.id]);
});

/** A DU without any exception: Survey to Friday 10-16, Design from Tuesday 10-20 (one free working day between), PAC with its end. */
const sound = (): MadeDu => ({
  regionId: region,
  plan: {
    1: { plan_start: "2026-10-15", plan_end: "2026-10-16", plan_owner: owner },
    2: { plan_start: "2026-10-20", plan_end: "2026-10-22", plan_owner: owner },
    3: { plan_start: "2026-10-22", plan_end: "2026-10-22", plan_owner: owner },
  },
});
type Slot = NonNullable<MadeDu["plan"]>[number];
const changed = (slot: 1 | 2 | 3, given: Slot): MadeDu => {
  const du = sound();
  return { ...du, plan: { ...du.plan, [slot]: { ...du.plan?.[slot], ...given } } };
};
const ask = async (dus: MadeDu[], bound = true) => {
  const ids = await makeDus(db.owner, project.id, dus, bound ? flow : undefined);
  const answer = await callAs(pm, "wbs/getDUException", { duIds: ids }, { project: project.number });
  return { ids, ...answer.data } as {
    ids: number[];
    records: { duId: number; kind: string; slots: number[]; detail: unknown[] }[];
    counts: Record<string, number>;
    total: number;
  };
};

describe("[RPL-33] wbs/getDUException", () => {
  it("finds nothing wrong with a sound DU", async () => {
    expect((await ask([sound()])).records).toEqual([]);
  });
  const cases: [title: string, du: () => MadeDu, kind: string, slots: number[]][] = [
    ["a DU without region", () => ({ ...sound(), regionId: null }), "no_region", []],
    ["an incomplete activity without plan owner", () => changed(2, { plan_owner: 0 }), "no_owner", [2]],
    ["a plan end before today", () => changed(1, { plan_start: "2026-10-12", plan_end: "2026-10-13" }), "delayed", [1]],
    ["a plan end missing among others", () => changed(3, { plan_start: 0, plan_end: 0 }), "missing_plan", [3]],
    ["a start the day after, where one working day has to lie between", () => changed(2, { plan_start: "2026-10-19" }), "order", [2]],
    [
      "the same of a frozen activity",
      () => changed(2, { plan_start: "2026-10-19", state: withState(1, "frozen", 1) }),
      "frozen_conflict",
      [2],
    ],
    [
      "the same of a fixed activity",
      () => changed(2, { plan_start: "2026-10-19", state: withState(1, "fixed", 1) }),
      "frozen_conflict",
      [2],
    ],
    [
      "an end before that of the activity it waits for",
      () => changed(3, { plan_start: "2026-10-21", plan_end: "2026-10-21" }),
      "order",
      [3],
    ],
  ];
  it.each(cases)("finds %s", async (_title, du, kind, slots) => {
    const found = await ask([du()]);
    expect(found.records.map((record) => [record.kind, record.slots])).toEqual([[kind, slots]]);
    expect(found.counts[kind]).toBe(1);
  });
  it("names the activities and the working days they come too early", async () => {
    const { records } = await ask([changed(2, { plan_start: "2026-10-16" })]);
    expect(records[0]!.detail).toEqual([{ activityId: activities[1]!.id, name: "Design", days: 2 }]);
  });
  it("leaves alone what has started, and takes actual dates of the activity before", async () => {
    expect((await ask([changed(2, { plan_start: "2026-10-19", actual_start: "2026-10-14" })])).records).toEqual([]);
    expect((await ask([changed(1, { actual_end: "2026-10-12", plan_end: "2026-10-30", plan_start: "2026-10-29" })])).records).toEqual([]);
  });
  it("finds DUs without flow and without coordinates", async () => {
    const free = await ask([{ regionId: region }], false);
    expect(free.records.map((record) => record.kind)).toEqual(["no_flow"]);
    const ids = await makeDus(db.owner, project.id, [sound()], flow);
    await db.owner`update customer_site set latitude = null where id = (select site_id from du where id = ${ids[0]!})`;
    const answer = await callAs(pm, "wbs/getDUException", { duIds: ids }, { project: project.number });
    expect(answer.data.records).toMatchObject([{ kind: "no_coordinates" }]);
  });
  it("counts over the whole query, pages, and keeps to the kinds asked for", async () => {
    const region = await makeRegion(db.owner, project.id);
    await makeDus(
      db.owner,
      project.id,
      [
        { ...sound(), code: "EX-1", regionId: region, plan: {} },
        { code: "EX-2", regionId: region },
        { ...sound(), code: "EX-3", regionId: null },
      ],
      flow,
    );
    const query = await callAs(pm, "wbs/filter", { search: { field: "code", text: "EX-" } }, { project: project.number });
    const page = (input: Record<string, unknown>) =>
      callAs(pm, "wbs/getDUException", { queryId: query.data.queryId, ...input }, { project: project.number });
    expect((await page({})).data).toMatchObject({ counts: { no_owner: 2, no_region: 1, order: 0 }, total: 3 });
    const second = await page({ kinds: ["no_owner"], page: 2, size: 1 });
    expect(second.data).toMatchObject({ total: 2, records: [{ code: "EX-2", kind: "no_owner", slots: [1, 2, 3] }] });
  });
  it("filters the plan by a kind: the DUs that have it, in the order of the question", async () => {
    await makeDus(
      db.owner,
      project.id,
      [
        { ...changed(2, { plan_start: "2026-10-16" }), code: "KIND-1" },
        { ...changed(2, { plan_start: "2026-10-19" }), code: "KIND-2" },
        { ...sound(), code: "KIND-3" },
        { ...sound(), code: "KIND-4", regionId: null },
      ],
      flow,
    );
    const filter = (exception?: string) =>
      callAs(
        pm,
        "wbs/filter",
        {
          search: { field: "code", text: "KIND-" },
          sort: [{ field: "code", dir: "desc" }],
          ids: true,
          ...(exception ? { exception } : {}),
        },
        { project: project.number },
      );
    const codes = async (exception: string) => {
      const { data } = await filter(exception);
      const rows = await db.owner<{ id: number; code: string }[]>`select id, code from du where id = any(${data.duIds}::bigint[])`;
      expect(data.total).toBe(data.duIds.length);
      return data.duIds.map((id: number) => rows.find((row) => row.id === id)?.code);
    };
    expect(await codes("order")).toEqual(["KIND-2", "KIND-1"]);
    expect(await codes("no_region")).toEqual(["KIND-4"]);
    expect(await codes("no_flow")).toEqual([]);
    // Each question is kept for itself.
    expect((await filter()).data.total).toBe(4);
    expect((await filter("order")).data.queryId).toBe((await filter("order")).data.queryId);
    expect(await filter("other")).toMatchObject({ status: 400, code: "INVALID_INPUT" });
  });
  it("hides counts from those who do not see them, and DUs they do not reach", async () => {
    const subcon = await makeMember(db.owner, project.id, "SUBCON");
    const company = await makeSubcontractor(db.owner, project.id, [subcon.id]);
    const ids = await makeDus(db.owner, project.id, [{ subcontractorId: company }, {}], flow);
    const answer = await callAs(subcon, "wbs/getDUException", { duIds: ids, kinds: ["no_region"] }, { project: project.number });
    expect(answer.data).toMatchObject({ counts: null, total: null, records: [{ duId: ids[0] }] });
    expect(answer.data.records).toHaveLength(1);
  });
  it.each([
    ["neither a query nor DUs", {}],
    ["both", { queryId: "3f2504e0-4f89-41d3-9a0c-0305e82c3301", duIds: [1] }],
    ["an unknown kind", { duIds: [1], kinds: ["other"] }],
  ])("refuses %s", async (_title, input) => {
    expect(await callAs(pm, "wbs/getDUException", input, { project: project.number })).toMatchObject({
      status: 400,
      code: "INVALID_INPUT",
    });
  });
  it("says that a query has expired", async () => {
    const answer = await callAs(pm, "wbs/getDUException", { queryId: "3f2504e0-4f89-41d3-9a0c-0305e82c3301" }, { project: project.number });
    expect(answer).toMatchObject({ status: 410, code: "QUERY_EXPIRED" });
  });
});
