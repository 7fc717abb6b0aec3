import { describe, expect, it } from "vitest";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeRegion } from "../../../support/factories.ts";
import { makeDus } from "../../../support/plan-factories.ts";
import { done } from "../../activity-flows/make-flow.ts";
import { useMilestones } from "../make-milestones.ts";

const db = useDatabase();
const { project, call } = useMilestones(db);
const step = (workOrderName: string, days = 1) => ({ workOrderName, ownerRole: "TL", days });
const write = (name: string, steps: object[], more: object = {}) => call("tempProcess/save", { name, steps, ...more });
const process = async (name: string, steps: object[], more: object = {}): Promise<number> => {
  const { id } = await done(write(name, steps, more));
  expect(await done(call("tempProcess/release", { ids: [id] }))).toEqual({ ids: [id], rejected: [] });
  return id;
};
const list = async () => (await done(call("tempProcess/list", { page: 1, size: 20 }))).records;
const create = (id: number, duIds: number[], start = "2026-10-14", user = project.pm) =>
  call("tempProcess/createOrders", { id, duIds, start }, user);
const orders = (duId: number) =>
  db.owner`select number, name, status, temp, slot, temp_start as start, temp_end as "end" from work_order where du_id = ${duId} order by number`;

describe("tempProcess/save", () => {
  it("keeps name, flow and steps, and lists them with their orders", async () => {
    const { id } = await done(write("Rescue", [step("Tow", 2), step("Repair", 3)], { flowId: project.flow.id }));
    expect(await list()).toMatchObject([
      {
        id,
        name: "Rescue",
        flow: "New build",
        steps: [step("Tow", 2), step("Repair", 3)],
        status: "draft",
        rowVersion: 1,
        orders: 0,
        openOrders: 0,
      },
    ]);
    expect(await write("Rescue", [], { id, rowVersion: 9 })).toMatchObject({ status: 409, code: "STALE" });
    expect(await write("Rescue", [], { flowId: 999_999 })).toMatchObject({ status: 404, problems: [{ path: "flowId" }] });
  });

  it("refuses a work-order name used twice or by another process, whatever its case; a change keeps its own [MDV-17]", async () => {
    const { id } = await done(write("Rescue", [step("Tow"), step("Repair")]));
    const twice = await write("Other", [step("Clean"), step("clean "), step("TOW")]);
    expect(twice).toMatchObject({
      status: 422,
      code: "WORK_ORDER_NAME_EXISTS",
      msg: "The temporary work-order name already exists: clean",
    });
    expect(twice.problems.map(({ path }: { path: string }) => path)).toEqual(["steps.1.workOrderName", "steps.2.workOrderName"]);
    await done(write("Rescue", [step("Repair"), step("tow")], { id, rowVersion: 1 }));
    await done(write("Other", [step("Clean")]));
    expect(await list()).toHaveLength(2);
  });

  it("of two processes that take the same work-order name at once one gets it [MDV-17]", async () => {
    const answers = await Promise.all([write("A", [step("Same")]), write("B", [step("same")])]);
    expect(answers.map(({ code }) => code ?? "ok").sort()).toEqual(["WORK_ORDER_NAME_EXISTS", "ok"]);
  });

  it("takes 50 steps of 1 to 1095 days with names of 100 characters and a known role", async () => {
    const steps = Array.from({ length: 51 }, (_, n) => step(`Step ${n}`));
    expect(await write("Long", steps)).toMatchObject({ status: 400, problems: [{ path: "steps" }] });
    await done(write("Long", steps.slice(1)));
    const bad = await write("Bad", [step("n".repeat(101)), step("a", 0), step("b", 1096), { ...step("c"), ownerRole: "KING" }]);
    expect(bad.problems.map(({ path }: { path: string }) => path)).toEqual([
      "steps.0.workOrderName",
      "steps.1.days",
      "steps.2.days",
      "steps.3.ownerRole",
    ]);
    await done(write("Good", [step("n".repeat(100)), step("a", 1), step("b", 1095)]));
  });
});

describe("the states of a process", () => {
  it("is released with a step, not changed then, disabled without open orders, and released again", async () => {
    const empty = (await done(write("Empty", []))).id;
    const id = await process("Rescue", [step("Tow")]);
    expect(await done(call("tempProcess/release", { ids: [empty, id, 999_999] }))).toMatchObject({
      ids: [],
      rejected: [
        { id: empty, code: "VALUE_MISSING" },
        { id, code: "WRONG_STATUS" },
        { id: 999_999, code: "NOT_FOUND" },
      ],
    });
    expect(await write("Rescue", [], { id, rowVersion: 2 })).toMatchObject({ code: "WRONG_STATUS" });
    const [du] = await makeDus(db.owner, project.id, [{}]);
    const { ids } = await done(create(id, [du!]));
    expect(await done(call("tempProcess/disable", { ids: [id, empty] }))).toMatchObject({
      ids: [],
      rejected: [
        { id, code: "ORDERS_OPEN" },
        { id: empty, code: "WRONG_STATUS" },
      ],
    });
    await db.owner`update work_order set status = 'completed' where id = any(${ids}::bigint[])`;
    expect(await done(call("tempProcess/disable", { ids: [id] }))).toEqual({ ids: [id], rejected: [] });
    expect(await done(call("tempProcess/delete", { ids: [id, empty] }))).toMatchObject({
      ids: [empty],
      rejected: [{ id, code: "ORDERS_EXIST" }],
    });
    expect(await done(call("tempProcess/release", { ids: [id] }))).toEqual({ ids: [id], rejected: [] });
    expect(await done(call("tempProcess/delete", { ids: [id] }))).toMatchObject({ rejected: [{ code: "WRONG_STATUS" }] });
  });
});

describe("tempProcess/createOrders", () => {
  it("makes one scheduled order per DU and step, each step on the working day after the one before ends", async () => {
    const id = await process("Rescue", [step("Tow", 2), step("Repair", 2)]);
    const region = await makeRegion(db.owner, project.id);
    const [plain, own] = (await makeDus(db.owner, project.id, [{}, { regionId: region }])) as [number, number];
    // Wednesday; in the region Saturdays are worked.
    await done(call("commomUtil/saveCalendarSetData", { regionId: region, weekdays: [1, 2, 3, 4, 5, 6], days: [] }));
    const answer = await done(create(id, [plain, own], "2026-10-15"));
    expect(answer).toMatchObject({ ids: { length: 4 }, rejected: [] });
    const facts = { status: "scheduled", temp: true, slot: null };
    expect([...(await orders(plain))]).toEqual([
      { number: 1, name: "Tow", start: "2026-10-15", end: "2026-10-16", ...facts },
      { number: 2, name: "Repair", start: "2026-10-19", end: "2026-10-20", ...facts },
    ]);
    expect([...(await orders(own))].map(({ start, end }) => [start, end])).toEqual([
      ["2026-10-15", "2026-10-16"],
      ["2026-10-17", "2026-10-19"],
    ]);
    const events = await db.owner`select event, from_status, to_status from work_order_event where work_order_id = ${answer.ids[0]}`;
    expect([...events]).toEqual([{ event: "offer", from_status: "none", to_status: "scheduled" }]);
  });

  it("begins on the first working day on or after the start", async () => {
    const id = await process("Rescue", [step("Tow")]);
    const [du] = await makeDus(db.owner, project.id, [{}]);
    await done(create(id, [du!], "2026-10-17"));
    expect((await orders(du!))[0]).toMatchObject({ start: "2026-10-19", end: "2026-10-19" });
  });

  it("refuses DUs with an open order of the name, of another flow, and out of reach, and goes on with the others [MDV-17]", async () => {
    const id = await process("Rescue", [step("Tow"), step("Repair")], { flowId: project.flow.id });
    const [a, b] = (await makeDus(db.owner, project.id, [{}, {}], project.flow)) as [number, number];
    const [swap] = await makeDus(db.owner, project.id, [{}], project.other);
    await done(create(id, [a]));
    const answer = await done(create(id, [a, b, swap!, 999_999]));
    expect(answer).toMatchObject({
      ids: { length: 2 },
      rejected: [
        { duId: a, code: "WORK_ORDER_NAME_EXISTS", msg: "The temporary work-order name already exists: Tow" },
        { duId: swap, code: "OTHER_FLOW" },
        { duId: 999_999, code: "DU_NOT_FOUND" },
      ],
    });
    // Once the first ones are closed the DU gets them again.
    await db.owner`update work_order set status = 'cancelled' where du_id = ${a}`;
    expect(await done(create(id, [a]))).toMatchObject({ ids: { length: 2 }, rejected: [] });
  });

  it("of two that make the orders of a DU at once one does", async () => {
    const id = await process("Rescue", [step("Tow")]);
    const [du] = await makeDus(db.owner, project.id, [{}]);
    const answers = await Promise.all([done(create(id, [du!])), done(create(id, [du!]))]);
    expect(answers.map(({ ids }) => ids.length).sort()).toEqual([0, 1]);
    expect(await orders(du!)).toHaveLength(1);
  });

  it("needs a released process and the right to dispatch, and takes 200 DUs", async () => {
    const { id } = await done(write("Draft", [step("Tow")]));
    expect(await create(id, [1])).toMatchObject({ code: "WRONG_STATUS" });
    const many = Array.from({ length: 201 }, (_, n) => n + 1);
    await done(call("tempProcess/release", { ids: [id] }));
    expect(await create(id, many)).toMatchObject({ problems: [{ code: "TOO_MANY_DU" }] });
    expect((await create(id, many.slice(1))).status).toBe(200);
    const viewer = await makeMember(db.owner, project.id, "COMMON_VIEW");
    expect((await create(id, [1], "2026-10-14", viewer)).status).toBe(403);
  });
});
