import { describe, expect, it } from "vitest";
import { syncBoundDus } from "#lib/activity-flows/binding/commands.ts";
import { useDatabase } from "../../support/database.ts";
import { unsaidDus } from "../../support/mail-words.ts";
import { inProject } from "../../support/plan-ctx.ts";
import { makeAttribute } from "../../support/plan-factories.ts";
import { bits, orderCalls, useOrderProject } from "./make-orders.ts";

const db = useDatabase();
const project = useOrderProject(db);
const { call, data, dus, dispatch, order, place, bit, mails, notices, save, survey, install } = orderCalls(db, project);

const events = async (id: number) => (await order(id)).events.map(({ event, from, to }) => `${event} ${from} ${to}`).reverse();
/** An order on its way: dispatched, and then by the worker's own steps. */
const orderAt = async (status: "assigned" | "accepted" | "started" | "completed", duIds?: number[]) => {
  const ids = await dispatch(duIds ?? (await dus(1)));
  if (status !== "assigned") await data(project.worker, "workOrder/accept", { ids });
  if (status === "started" || status === "completed") await data(project.worker, "workOrder/start", { ids });
  if (status === "completed") await data(project.worker, "workOrder/complete", { ids });
  return ids;
};

describe("dispatch", () => {
  it("gives scheduled activities to their first plan owner, numbers them and tells him [WOR-06]", async () => {
    const duIds = await dus(2);
    const before = (await mails(project.worker.id)).length;
    const noticed = (await notices(project.worker.id)).length;
    const answer = await data(project.pm, "workOrder/dispatch", { duIds, activityIds: [survey().id, install().id] });
    expect(answer).toMatchObject({ dispatched: 4, rejected: [], needConfirm: [] });
    const found = await place(duIds[0]!);
    expect(found).toMatchObject({ status: "assigned", assigneeId: project.worker.id, redone: false, may: expect.any(Array) });
    expect(found.events).toMatchObject([{ event: "dispatch", from: "scheduled", to: "assigned" }]);
    expect(await bit(duIds[0]!, "workOrder")).toBe(2);
    const numbers = await db.owner<{ number: number }[]>`select number from work_order where du_id = any(${duIds}) order by number`;
    expect(new Set(numbers.map(({ number }) => number)).size).toBe(4);
    // One mail for the batch, not one for each order.
    expect((await mails(project.worker.id)).slice(before)).toEqual([`[${project.number}] 4 个工单派发给您`]);
    expect((await notices(project.worker.id)).slice(noticed)).toEqual([`work-orders.mail.dispatched /${project.number}`]);
    expect(await data(project.pm, "workOrder/dispatch", { duIds: [duIds[0]], activityIds: [survey().id] })).toMatchObject({
      dispatched: 0,
      rejected: [{ duId: duIds[0], activityId: survey().id, code: "NOT_SCHEDULED" }],
    });
  });

  it("gives them to the member named, and to nobody outside the project", async () => {
    const duIds = await dus(1);
    const input = { duIds, activityIds: [survey().id] };
    expect(await call(project.pm, "workOrder/dispatch", { ...input, assigneeId: 999_999 })).toMatchObject({
      status: 422,
      code: "NOT_MEMBER",
    });
    await data(project.pm, "workOrder/dispatch", { ...input, assigneeId: project.other.id });
    expect(await place(duIds[0]!)).toMatchObject({ assigneeId: project.other.id });
  });

  it.each([
    ["NOT_SCHEDULED", "not scheduled", { state: 1 }],
    ["NO_OWNER", "without owner", { plan_owner: 0 }],
    ["PLAN_EMPTY", "without plan start", { plan_start: 0 }],
    ["PLAN_EMPTY", "without plan end", { plan_end: 0 }],
    ["DATE_BEFORE_TODAY", "that starts before today", { plan_start: "2026-10-13" }],
    ["DATE_BEFORE_TODAY", "that ends before today", { plan_start: "2026-10-15", plan_end: "2026-10-13" }],
    ["IN_APPROVAL", "in approval", { state: bits({ approval: 2 }) }],
    ["NA_OR_INV", "that is NA", { state: bits({ na: 1 }) }],
    ["NA_OR_INV", "that is INV", { state: bits({ na: 2 }) }],
    ["ACTIVITY_COMPLETED", "with an actual end", { actual_end: "2026-10-13" }],
  ])("%s: refuses an activity %s with its own reason [WOR-11] [WOR-12]", async (code, _title, given) => {
    const [good] = await dus(1);
    const [bad] = await dus(1, given);
    const answer = await data(project.pm, "workOrder/dispatch", { duIds: [good, bad], activityIds: [survey().id] });
    expect(answer).toMatchObject({ dispatched: 1, rejected: [{ duId: bad, activityId: survey().id, code }] });
    expect(answer.rejected[0].msg).not.toBe("");
    expect(await bit(good!, "workOrder")).toBe(2);
  });

  it("takes an activity that starts and ends today [WOR-11]", async () => {
    const duIds = await dus(1, { plan_start: "2026-10-14", plan_end: "2026-10-14" });
    expect(await data(project.pm, "workOrder/dispatch", { duIds, activityIds: [survey().id] })).toMatchObject({ dispatched: 1 });
  });

  it("warns before it dispatches where the WBS is not released, and does so once that is confirmed [WOR-13]", async () => {
    const [released] = await dus(1);
    const [open] = await dus(1, {}, false);
    const input = { duIds: [released, open], activityIds: [survey().id] };
    const asked = await data(project.pm, "workOrder/dispatch", input);
    expect(asked).toMatchObject({ dispatched: 0, needConfirm: [{ duId: open, code: "WBS_NOT_RELEASED" }] });
    expect(asked.needConfirm[0].msg).toContain("has not been released");
    expect(await bit(released!, "workOrder")).toBe(1);
    expect(await data(project.pm, "workOrder/dispatch", { ...input, confirmUnreleased: true })).toMatchObject({
      dispatched: 2,
      needConfirm: [],
    });
  });

  it("refuses a Material Dismantle activity that is not automatic in a batch, and takes it alone [WOR-14]", async () => {
    const duIds = await dus(2);
    const dismantle = project.activities[2]!;
    const answer = await data(project.pm, "workOrder/dispatch", { duIds, activityIds: [dismantle.id] });
    expect(answer).toMatchObject({
      dispatched: 0,
      rejected: [{ code: "MATERIAL_DISMANTLE_BATCH" }, { code: "MATERIAL_DISMANTLE_BATCH" }],
    });
    expect(answer.rejected[0].msg).toContain("Batch dispatch is not supported");
    expect(await data(project.pm, "workOrder/dispatch", { duIds: [duIds[0]], activityIds: [dismantle.id] })).toMatchObject({
      dispatched: 1,
    });
    await db.owner`update activity_library set automatic = true where id = ${dismantle.id}`;
    expect(await data(project.pm, "workOrder/dispatch", { duIds: await dus(2), activityIds: [dismantle.id] })).toMatchObject({
      dispatched: 2,
    });
    await db.owner`update activity_library set automatic = false where id = ${dismantle.id}`;
  });

  it("takes 200 DUs or orders and refuses 201", async () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => 1_000_000 + at);
    const byDu = (count: number) => call(project.pm, "workOrder/dispatch", { duIds: many(count), activityIds: [survey().id] });
    expect((await byDu(200)).status).toBe(200);
    const tooMany = await byDu(201);
    expect(tooMany.problems).toMatchObject([{ path: "duIds", code: "TOO_MANY_DU" }]);
    expect((await call(project.pm, "workOrder/dispatch", { ids: many(200) })).data).toMatchObject({ dispatched: 0 });
    expect((await call(project.pm, "workOrder/dispatch", { ids: many(201) })).problems).toMatchObject([{ path: "ids", code: "TOO_MANY" }]);
  });
});

describe("the assignee", () => {
  it("accepts, starts and completes his own orders, which writes the actual dates", async () => {
    const duIds = await dus(1);
    const ids = await dispatch(duIds);
    const before = (await mails(project.pm.id)).length;
    expect(await data(project.worker, "workOrder/accept", { ids })).toMatchObject({ done: 1, rejected: [] });
    expect((await mails(project.pm.id)).length).toBe(before + 1);
    expect(await data(project.worker, "workOrder/start", { ids })).toMatchObject({ done: 1 });
    expect(await order(ids[0]!)).toMatchObject({ status: "started", actualStart: "2026-10-14", actualEnd: null });
    const early = await call(project.worker, "workOrder/complete", { ids, actualEnd: "2000-01-01" });
    expect(early.problems).toMatchObject([{ path: "actualEnd", code: "DATE_OUT_OF_RANGE" }]);
    expect(await data(project.worker, "workOrder/complete", { ids, actualEnd: "2026-10-14" })).toMatchObject({ done: 1 });
    expect(await order(ids[0]!)).toMatchObject({ status: "completed", actualStart: "2026-10-14", actualEnd: "2026-10-14" });
    expect(await bit(duIds[0]!, "workOrder")).toBe(6);
    expect(await events(ids[0]!)).toEqual([
      "dispatch scheduled assigned",
      "accept assigned accepted",
      "start accepted started",
      "complete started completed",
    ]);
  });

  it("does so as assignee, without being an owner of the activity", async () => {
    const ids = await dispatch(await dus(1), survey(), { assigneeId: project.other.id });
    await data(project.other, "workOrder/accept", { ids });
    expect(await data(project.other, "workOrder/submit", { ids, event: "start" })).toMatchObject({ done: 1, rejected: [] });
    expect(await data(project.other, "workOrder/submit", { ids, event: "complete" })).toMatchObject({ done: 1, rejected: [] });
  });

  it("moves nobody else's order", async () => {
    const ids = await orderAt("assigned");
    const answer = await data(project.other, "workOrder/accept", { ids });
    expect(answer).toMatchObject({ done: 0, rejected: [{ id: ids[0], duId: null, code: "NOT_FOUND" }] });
    expect(await call(project.viewer, "workOrder/accept", { ids })).toMatchObject({ status: 403, code: "NO_PERMISSION" });
  });

  it("is refused dates the plan refuses, with the code of the cell", async () => {
    const ids = await orderAt("accepted");
    expect(await data(project.worker, "workOrder/start", { ids, actualStart: "2026-10-15" })).toMatchObject({
      done: 0,
      rejected: [{ id: ids[0], code: "ACTUAL_AFTER_TODAY" }],
    });
    expect(await order(ids[0]!)).toMatchObject({ status: "accepted", actualStart: null });
    await db.owner`update du_plan set state[1] = state[1] | (1 << 18) where du_id = (select du_id from work_order where id = ${ids[0]!})`;
    expect(await data(project.worker, "workOrder/complete", { ids })).toMatchObject({
      done: 0,
      rejected: [{ code: "DELIVERABLE_MISSING" }],
    });
  });

  it("starts nothing that is tool-locked or has no owner", async () => {
    const [locked, ownerless] = await orderAt("accepted", await dus(2));
    await db.owner`update du_plan set state[1] = state[1] | (1 << 5) where du_id = (select du_id from work_order where id = ${locked!})`;
    await db.owner`update du_plan set plan_owner[1] = 0 where du_id = (select du_id from work_order where id = ${ownerless!})`;
    const answer = await data(project.worker, "workOrder/start", { ids: [locked, ownerless] });
    expect(answer.rejected).toMatchObject([
      { id: locked, code: "TOOL_LOCKED" },
      { id: ownerless, code: "OWNER_REQUIRED" },
    ]);
  });

  it("is asked about warnings and prerequisites in one reply, and refused what waits", async () => {
    const rule = {
      prerequisites: [{ activityId: survey().id, event: "COMPLETE" }],
      targets: [{ activityId: install().id, event: "START" }],
    };
    const saved = await data(project.pm, "rollPlanDependency/save", rule);
    const duIds = await dus(2);
    const waiting = await dispatch(duIds, install());
    await data(project.worker, "workOrder/accept", { ids: waiting });
    expect(await data(project.worker, "workOrder/start", { ids: waiting })).toMatchObject({
      done: 0,
      rejected: [
        { id: waiting[0], code: "DEP_PREREQ_UNMET", msg: "“Install” cannot be started: “Survey” has not been completed" },
        { id: waiting[1], code: "DEP_PREREQ_UNMET" },
      ],
    });
    await data(project.pm, "rollPlanDependency/expire", { ids: saved.ids, confirm: true });
    const warning = await data(project.pm, "warningConfig/save", {
      anchorActivityId: survey().id,
      fieldA: "planStart",
      alertActivityId: survey().id,
      fieldB: "actualStart",
      operator: "LT",
      days: 0,
      level: "ADVISORY",
      message: "{du} begins early",
    });
    const orders = await dispatch(duIds);
    await data(project.worker, "workOrder/accept", { ids: orders });
    const start = (confirmed?: string) => call(project.worker, "workOrder/submit", { ids: orders, event: "start", confirmed });
    // Nothing is new where today alone makes it so: the day is entered, and earlier than today it is.
    const early = (ids: number[], confirmed?: string) =>
      call(project.worker, "workOrder/start", { ids, actualStart: "2026-10-12", confirmed });
    expect(await start()).toMatchObject({ status: 200, data: { done: 2 } });
    await db.owner`delete from warning_config where id = ${warning.id}`;
    const next = await orderAt("accepted", await dus(2));
    await data(project.pm, "warningConfig/save", {
      anchorActivityId: survey().id,
      fieldA: "planStart",
      alertActivityId: survey().id,
      fieldB: "actualStart",
      operator: "LT",
      days: -1,
      level: "ADVISORY",
      message: "{du} begins early",
    });
    const asked = await early(next);
    expect(asked).toMatchObject({
      status: 422,
      code: "WARNING_CONFIRM",
      data: { questions: [{ activityId: survey().id }, { field: "actualStart" }] },
    });
    expect(await order(next[0]!)).toMatchObject({ status: "accepted", actualStart: null });
    const { confirm } = asked.data as { confirm: string };
    // Of fewer orders other questions are asked than those that were shown.
    expect(await early(next.slice(1), confirm)).toMatchObject({ code: "WARNING_CONFIRM", data: { questions: [{}] } });
    expect(await early(next, confirm)).toMatchObject({ status: 200, data: { done: 2, rejected: [] } });
    expect(await order(next[0]!)).toMatchObject({ status: "started", actualStart: "2026-10-12" });
    await db.owner`delete from warning_config where project_id = ${project.id}`;
  });

  it.each([
    "workOrder/start",
    "workOrder/complete",
    "workOrder/submit",
  ])("submits 50 orders by %s and no 51st [WOR-15] [OPS-20]", async (address) => {
    const more = address.endsWith("submit") ? { event: "start" } : {};
    const many = (count: number) => Array.from({ length: count }, (_, at) => 1_000_000 + at);
    expect((await call(project.worker, address, { ids: many(50), ...more })).status).toBe(200);
    const answer = await call(project.worker, address, { ids: many(51), ...more });
    expect(answer.problems).toMatchObject([{ path: "ids", code: "TOO_MANY" }]);
    expect(answer.problems?.[0]?.msg).toContain("50");
  });
});

describe("the plan", () => {
  it("completes the order of an activity whose actual end is entered, and reopens it when that is cleared", async () => {
    const duIds = await dus(1);
    const ids = await orderAt("started", duIds);
    const before = (await mails(project.worker.id)).length;
    await save(project.pm, duIds[0]!, "actualEnd", "2026-10-14");
    expect(await order(ids[0]!)).toMatchObject({ status: "completed" });
    expect((await mails(project.worker.id)).length).toBe(before + 1);
    await save(project.pm, duIds[0]!, "actualEnd", null, "2026-10-14", "wrong site");
    expect(await order(ids[0]!)).toMatchObject({ status: "started", actualStart: "2026-10-14", actualEnd: null });
    expect(await bit(duIds[0]!, "workOrder")).toBe(4);
    expect((await events(ids[0]!)).slice(-2)).toEqual(["enterEnd started completed", "reopen completed started"]);
    // With the start cleared too it waits to be started again.
    await save(project.pm, duIds[0]!, "actualEnd", "2026-10-14");
    await call(project.pm, "rolloutPlan/save", {
      reason: "wrong site",
      edits: ["actualStart", "actualEnd"].map((field) => ({
        duId: duIds[0],
        activityId: survey().id,
        field,
        value: null,
        base: "2026-10-14",
      })),
    });
    expect(await order(ids[0]!)).toMatchObject({ status: "accepted" });
  });

  it("completes what was only dispatched, and leads it back there", async () => {
    const duIds = await dus(1);
    const ids = await orderAt("assigned", duIds);
    await save(project.pm, duIds[0]!, "actualEnd", "2026-10-14");
    expect(await order(ids[0]!)).toMatchObject({ status: "completed" });
    await save(project.pm, duIds[0]!, "actualEnd", null, "2026-10-14", "wrong site");
    expect(await order(ids[0]!)).toMatchObject({ status: "assigned" });
  });

  it("makes no order where there is none", async () => {
    const duIds = await dus(1);
    await save(project.pm, duIds[0]!, "actualEnd", "2026-10-14");
    expect(await bit(duIds[0]!, "workOrder")).toBe(6);
    expect(await place(duIds[0]!)).toMatchObject({ id: null, status: "completed", events: [] });
  });

  it("starts an accepted order by its actual start, and takes that back", async () => {
    const duIds = await dus(1);
    const ids = await orderAt("accepted", duIds);
    await save(project.pm, duIds[0]!, "actualStart", "2026-10-14");
    expect(await order(ids[0]!)).toMatchObject({ status: "started" });
    await save(project.pm, duIds[0]!, "actualStart", null, "2026-10-14");
    expect(await order(ids[0]!)).toMatchObject({ status: "accepted" });
  });

  it("takes the offer of an activity back when a plan date is cleared", async () => {
    const duIds = await dus(1);
    await save(project.pm, duIds[0]!, "planEnd", null, "2026-10-16");
    expect(await bit(duIds[0]!, "workOrder")).toBe(0);
    expect(await data(project.pm, "workOrder/dispatch", { duIds, activityIds: [survey().id] })).toMatchObject({
      rejected: [{ code: "NOT_SCHEDULED" }],
    });
  });

  it("puts the order back when the save that moved it is undone", async () => {
    const duIds = await dus(1);
    const ids = await orderAt("accepted", duIds);
    const { data: saved } = await save(project.pm, duIds[0]!, "actualStart", "2026-10-14");
    await data(project.pm, "rolloutPlan/undo", { batchId: (saved as { batchId: number }).batchId });
    expect(await order(ids[0]!)).toMatchObject({ status: "accepted", actualStart: null });
    expect((await events(ids[0]!)).at(-1)).toBe("undo started accepted");
  });

  it("keeps what is in approval open: its actual end is refused", async () => {
    const duIds = await dus(1);
    const ids = await orderAt("started", duIds);
    await db.owner`update du_plan set state[1] = state[1] | (2 << 7) where du_id = ${duIds[0]!}`;
    expect((await save(project.pm, duIds[0]!, "actualEnd", "2026-10-14")).data).toMatchObject({ rejected: [{ code: "IN_APPROVAL" }] });
    expect(await order(ids[0]!)).toMatchObject({ status: "started" });
  });

  it("removes the orders of an activity that leaves the flow, and keeps their history", async () => {
    const duIds = await dus(1);
    const ids = await orderAt("assigned", duIds);
    await db.owner`delete from flow_activity where flow_id = ${project.flow.id} and activity_id = ${survey().id}`;
    await inProject(project.pm, project.number, (ctx) => syncBoundDus(ctx, project.flow.id, duIds, false));
    expect(await db.owner`select 1 from work_order where id = ${ids[0]!}`).toHaveLength(0);
    const kept = await db.owner`select event from work_order_event where work_order_id = ${ids[0]!} order by id`;
    expect(kept.map(({ event }) => event)).toEqual(["dispatch", "remove"]);
    await expect(db.app`update work_order_event set reason = 'another'`).rejects.toThrow(/permission denied/);
    const [first] = await db.owner`select max(number) as number from work_order_event where project_id = ${project.id}`;
    await db.owner`insert into flow_activity (flow_id, activity_id, name, seq) values (${project.flow.id}, ${survey().id}, 'Survey', 1)`;
    // A number is never given twice.
    const next = await orderAt("assigned");
    expect((await order(next[0]!)).number).toBe(first!.number + 1);
  });
});

describe("roll back, reassign, suspend, cancel, reactivate", () => {
  it("takes a dispatched order back, accepted or not, as long as the work has not begun [WOR-07]", async () => {
    const duIds = await dus(3);
    const [first, second] = await orderAt("accepted", duIds.slice(0, 2));
    const [assigned] = await orderAt("assigned", duIds.slice(2));
    await db.owner`update du_plan set actual_start = '{9783}' where du_id = ${duIds[1]!}`;
    const answer = await data(project.pm, "workOrder/rollback", { ids: [first, second, assigned] });
    expect(answer).toMatchObject({ done: 2, rejected: [{ id: second, code: "ALREADY_STARTED" }] });
    for (const id of [first!, assigned!]) expect(await order(id)).toMatchObject({ status: "scheduled", assigneeId: null });
    expect([await bit(duIds[0]!, "workOrder"), await bit(duIds[1]!, "workOrder"), await bit(duIds[2]!, "workOrder")]).toEqual([1, 3, 1]);
    expect((await mails(project.worker.id)).at(-1)).toContain("收回");
    // It is offered for dispatch again, under its number.
    const number = (await order(first!)).number;
    await dispatch([duIds[0]!]);
    expect(await place(duIds[0]!)).toMatchObject({ id: first, number, status: "assigned" });
  });

  it("gives an order to another member: accepted ones are to be accepted again, others keep their status", async () => {
    const [accepted] = await orderAt("accepted");
    const [started] = await orderAt("started");
    const [suspended] = await orderAt("started");
    await data(project.pm, "workOrder/suspend", { ids: [suspended], reason: "rain" });
    const ids = [accepted, started, suspended];
    expect(await call(project.pm, "workOrder/reassign", { ids, assigneeId: 999_999 })).toMatchObject({ code: "NOT_MEMBER" });
    expect(await data(project.pm, "workOrder/reassign", { ids, assigneeId: project.other.id })).toMatchObject({ done: 3, rejected: [] });
    const now = await Promise.all(ids.map((id) => order(id!)));
    expect(now.map(({ status, assigneeId }) => [status, assigneeId])).toEqual([
      ["assigned", project.other.id],
      ["started", project.other.id],
      ["suspended", project.other.id],
    ]);
    expect((await mails(project.other.id)).at(-1)).toContain("转派给您");
    expect((await mails(project.worker.id)).at(-1)).toContain("转派他人");
    expect(await unsaidDus(db.owner, project.id)).toEqual({ told: expect.toSatisfy((count) => count > 0), unsaid: [] });
  });

  it("suspends accepted and started orders with a reason and lets them go on where they were [WOR-04] [WOR-05]", async () => {
    for (const from of ["accepted", "started"] as const) {
      const ids = await orderAt(from);
      expect(await call(project.pm, "workOrder/suspend", { ids, reason: " " })).toMatchObject({
        problems: [{ path: "reason", code: "REASON_REQUIRED" }],
      });
      await data(project.pm, "workOrder/suspend", { ids, reason: "landlord dispute" });
      const suspended = await order(ids[0]!);
      expect(suspended.status).toBe("suspended");
      expect(suspended.events[0]).toMatchObject({ event: "suspend", reason: "landlord dispute" });
      await data(project.pm, "workOrder/unsuspend", { ids });
      expect(await order(ids[0]!)).toMatchObject({ status: from });
    }
  });

  it("suspends in no other status [WOR-05]", async () => {
    const [assigned] = await orderAt("assigned");
    const [completed] = await orderAt("completed");
    const [suspended] = await orderAt("accepted");
    await data(project.pm, "workOrder/suspend", { ids: [suspended], reason: "rain" });
    const [cancelled] = await orderAt("assigned");
    await data(project.pm, "workOrder/cancel", { ids: [cancelled], reason: "not needed" });
    const [scheduled] = await orderAt("assigned");
    await data(project.pm, "workOrder/rollback", { ids: [scheduled] });
    const ids = [assigned, completed, suspended, cancelled, scheduled];
    const answer = await data(project.pm, "workOrder/suspend", { ids, reason: "rain" });
    expect(answer.done).toBe(0);
    expect(answer.rejected.map(({ id, code }: { id: number; code: string }) => [id, code])).toEqual(ids.map((id) => [id, "WRONG_STATUS"]));
    expect(answer.rejected[0].msg).toContain("Assigned");
  });

  it("cancels with a reason, also what was only scheduled, and reactivates [WOR-09]", async () => {
    const duIds = await dus(1);
    const chosen = { duIds, activityIds: [survey().id] };
    expect(await call(project.pm, "workOrder/cancel", { ...chosen, reason: "" })).toMatchObject({
      problems: [{ path: "reason", code: "REASON_REQUIRED" }],
    });
    expect(await data(project.pm, "workOrder/cancel", { ...chosen, reason: "site lost" })).toMatchObject({ done: 1 });
    const cancelled = await place(duIds[0]!);
    expect(cancelled).toMatchObject({ status: "cancelled", events: [{ event: "cancel", reason: "site lost" }] });
    const [started] = await orderAt("started");
    expect(await data(project.pm, "workOrder/cancel", { ids: [started], reason: "no" })).toMatchObject({
      rejected: [{ code: "WRONG_STATUS" }],
    });
    // Dates entered for a cancelled order leave it cancelled.
    await save(project.pm, duIds[0]!, "actualStart", "2026-10-14");
    expect(await place(duIds[0]!)).toMatchObject({ status: "cancelled" });
    expect(await data(project.pm, "workOrder/reactivate", { ids: [cancelled.id, started] })).toMatchObject({
      done: 1,
      rejected: [{ id: started, code: "WRONG_STATUS" }],
    });
    expect(await place(duIds[0]!)).toMatchObject({ status: "scheduled", id: cancelled.id });
  });

  it("does not reactivate what is NA", async () => {
    const duIds = await dus(1);
    const ids = await orderAt("assigned", duIds);
    await data(project.pm, "workOrder/cancel", { ids, reason: "no" });
    await db.owner`update du_plan set state[1] = state[1] | 2 where du_id = ${duIds[0]!}`;
    expect(await data(project.pm, "workOrder/reactivate", { ids })).toMatchObject({ rejected: [{ code: "NA_OR_INV" }] });
  });

  it("takes a reason of 2,000 characters and no longer one", async () => {
    const ids = await orderAt("accepted");
    expect((await call(project.pm, "workOrder/suspend", { ids, reason: "x".repeat(2001) })).problems).toMatchObject([{ path: "reason" }]);
    expect(await data(project.pm, "workOrder/suspend", { ids, reason: "x".repeat(2000) })).toMatchObject({ done: 1 });
    expect((await data(project.pm, "workOrder/reasons"))[0]).toBe("x".repeat(2000));
  });
});

describe("redo", () => {
  const redo = (duIds: number[], more: object = {}) =>
    call(project.pm, "workOrder/redo", { duIds, activityIds: [survey().id], reason: "failed inspection", ...more });

  it("needs a reason [WOR-16]", async () => {
    expect(await redo(await dus(1), { reason: "  " })).toMatchObject({ problems: [{ path: "reason", code: "REASON_REQUIRED" }] });
  });

  it("clears the values of the activity but baseline, plan and owner, and marks the order as redone [WOR-03] [WOR-08] [WOR-17]", async () => {
    const owners = { actual_owner: project.owners, attr_owner: project.owners };
    const duIds = await dus(1, { baseline_start: "2026-10-15", baseline_end: "2026-10-16", ...owners });
    const ids = await orderAt("completed", duIds);
    const { key } = await makeAttribute(db.owner, project.id, { level: "ACTIVITY" });
    const kept = { [key]: "of the DU", [`${key}@2`]: "of another activity" };
    await db.owner`update du set ext = ${db.owner.json({ ...kept, [`${key}@1`]: "of the activity" })} where id = ${duIds[0]!}`;
    await db.owner`insert into du_activity_note (du_id, slot, delay_reason, score, closed_at) values (${duIds[0]!}, 1, 'late', 4, now())`;
    await db.owner`update du_plan set state[1] = state[1] | (1 << 6) | (3 << 7) | (1 << 19) where du_id = ${duIds[0]!}`;
    const readKept = async () =>
      (
        await db.owner`
          select plan_start[1] as s, plan_end[1] as e, baseline_start[1] as bs, baseline_end[1] as be,
            plan_owner[1] as o, actual_owner[1] as a, attr_owner[1] as t
          from du_plan where du_id = ${duIds[0]!}`
      )[0]!;
    const before = await readKept();
    expect(Object.values(before).every((value) => value > 0)).toBe(true);
    expect((await redo(duIds)).data).toMatchObject({ done: 1, rejected: [] });
    expect(await order(ids[0]!)).toMatchObject({
      status: "scheduled",
      redone: true,
      redoCount: 1,
      assigneeId: null,
      actualStart: null,
      actualEnd: null,
    });
    expect(await readKept()).toEqual(before);
    expect([await bit(duIds[0]!, "closed"), await bit(duIds[0]!, "approval"), await bit(duIds[0]!, "note")]).toEqual([0, 0, 0]);
    expect(await bit(duIds[0]!, "redone")).toBe(1);
    expect(await db.owner`select 1 from du_activity_note where du_id = ${duIds[0]!}`).toHaveLength(0);
    expect((await db.owner`select ext from du where id = ${duIds[0]!}`)[0]!.ext).toEqual(kept);
    // The mark goes with the next dispatch.
    await dispatch(duIds);
    expect(await order(ids[0]!)).toMatchObject({ redone: false, redoCount: 1 });
    expect(await bit(duIds[0]!, "redone")).toBe(0);
  });

  it("gives the order back to whom it belonged, without the mark, when it is undone; a mark of before stays", async () => {
    const duIds = await dus(1);
    const ids = await orderAt("started", duIds);
    const undo = async (answer: { data?: unknown }) =>
      data(project.pm, "rolloutPlan/undo", { batchId: (answer.data as { batchId: number }).batchId });
    await undo(await redo(duIds));
    expect(await order(ids[0]!)).toMatchObject({
      status: "started",
      assigneeId: project.worker.id,
      redone: false,
      redoCount: 0,
      actualStart: "2026-10-14",
    });
    expect(await bit(duIds[0]!, "redone")).toBe(0);
    await db.owner`update work_order set redone = true, redo_count = 1 where id = ${ids[0]!}`;
    await db.owner`update du_plan set state[1] = state[1] | (1 << 13) where du_id = ${duIds[0]!}`;
    await undo(await redo(duIds));
    expect(await order(ids[0]!)).toMatchObject({ status: "started", assigneeId: project.worker.id, redone: true });
    expect(await bit(duIds[0]!, "redone")).toBe(1);
  });

  it("redoes the chosen activities of the selected DUs and nothing else [WOR-01]", async () => {
    const duIds = await dus(3);
    const [first, second, unselected] = duIds as [number, number, number];
    const unchosen = project.activities[2]!;
    const all = [survey(), install(), unchosen];
    for (const activity of all) {
      const ids: number[] = [];
      for (const duId of duIds) ids.push(...(await dispatch([duId], activity)));
      for (const step of ["accept", "complete"]) await data(project.worker, `workOrder/${step}`, { ids });
    }
    const answer = (await redo([first, second], { activityIds: [survey().id, install().id] })).data;
    expect(answer).toMatchObject({ done: 4, rejected: [] });
    for (const duId of duIds)
      for (const activity of all) {
        const redone = duId !== unselected && activity !== unchosen;
        expect(await place(duId, activity), `${duId} ${activity.name}`).toMatchObject(
          redone ? { status: "scheduled", redone: true, actualEnd: null } : { status: "completed", redone: false, actualEnd: "2026-10-14" },
        );
      }
  });

  it("redoes suspended activities too, and gives those without order one", async () => {
    const duIds = await dus(3);
    const [suspended] = await orderAt("started", [duIds[0]!]);
    await data(project.pm, "workOrder/suspend", { ids: [suspended], reason: "rain" });
    await orderAt("completed", [duIds[1]!]);
    await save(project.pm, duIds[2]!, "actualEnd", "2026-10-14");
    expect((await redo(duIds)).data).toMatchObject({ done: 3, rejected: [] });
    for (const duId of duIds) {
      const found = await place(duId);
      expect(found).toMatchObject({ status: "scheduled", redone: true, actualStart: null, actualEnd: null });
      expect(found.id).not.toBeNull();
    }
  });

  it("refuses what is scheduled or in its initial status [WOR-18]", async () => {
    const [scheduled] = await dus(1);
    const [initial] = await dus(1, { state: 1 });
    expect((await redo([scheduled!, initial!])).data).toMatchObject({
      done: 0,
      rejected: [
        { duId: scheduled, code: "INITIAL_STATUS" },
        { duId: initial, code: "INITIAL_STATUS" },
      ],
    });
  });

  it("refuses once revenue is triggered, unless the person holds the right for it [WOR-19]", async () => {
    const duIds = await dus(1);
    await orderAt("completed", duIds);
    await db.owner`update du_plan set state[1] = state[1] | (1 << 15) where du_id = ${duIds[0]!}`;
    expect((await redo(duIds)).data).toMatchObject({ done: 0, rejected: [{ code: "REVENUE_TRIGGERED" }] });
    await db.owner`insert into role_permission (project_id, role, code, scope) values (${project.id}, 'PM', 'workOrder.redoAfterRevenue', 'Y')`;
    expect((await redo(duIds)).data).toMatchObject({ done: 1, rejected: [] });
    await db.owner`delete from role_permission where project_id = ${project.id}`;
  });

  it("refuses what has sign or verify dates of another system [WOR-20]", async () => {
    const duIds = await dus(1);
    await orderAt("completed", duIds);
    await db.owner`update du_plan set state[1] = state[1] | (1 << 16) where du_id = ${duIds[0]!}`;
    expect((await redo(duIds)).data).toMatchObject({ done: 0, rejected: [{ code: "SIGN_VERIFY_INTEGRATED" }] });
  });

  it("takes 200 DUs and refuses 201", async () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => 1_000_000 + at);
    expect((await redo(many(200))).status).toBe(200);
    expect((await redo(many(201))).problems).toMatchObject([{ path: "duIds", code: "TOO_MANY_DU" }]);
  });
});

describe("remote update", () => {
  it("starts or completes any order on its way by the dates given, and by nobody without the right", async () => {
    const [first] = await orderAt("assigned");
    const [second] = await orderAt("accepted");
    expect(await data(project.pm, "workOrder/remoteUpdate", { id: first, actualStart: "2026-10-13", remark: "by phone" })).toMatchObject({
      status: "started",
      actualStart: "2026-10-13",
    });
    expect(
      await data(project.pm, "workOrder/remoteUpdate", { id: second, actualStart: "2026-10-12", actualEnd: "2026-10-13" }),
    ).toMatchObject({ status: "completed", actualStart: "2026-10-12", actualEnd: "2026-10-13" });
    expect(await call(project.pm, "workOrder/remoteUpdate", { id: second, actualEnd: "2026-10-14" })).toMatchObject({
      status: 422,
      code: "WRONG_STATUS",
    });
    expect(await call(project.pm, "workOrder/remoteUpdate", { id: first, actualEnd: "2026-10-15" })).toMatchObject({
      code: "ACTUAL_AFTER_TODAY",
    });
    expect(await call(project.viewer, "workOrder/remoteUpdate", { id: first, actualEnd: "2026-10-14" })).toMatchObject({ status: 403 });
  });
});

describe("the lists", () => {
  it("lists orders by their rows, and what waits for dispatch by the bits", async () => {
    const duIds = await dus(2);
    const [id] = await orderAt("assigned", [duIds[0]!]);
    const list = async (filters: object[], user = project.pm) =>
      (await data(user, `workOrder/list/1/50/default/${encodeURIComponent(JSON.stringify(filters))}`)).records as {
        id: number | null;
        duId: number;
        activityId: number;
      }[];
    const here = { field: "duId", type: "in", values: duIds };
    expect((await list([here])).map((row) => row.id)).toEqual([id]);
    expect(await list([here, { field: "status", type: "eq", values: ["scheduled"] }])).toMatchObject([
      { id: null, duId: duIds[0], activityId: install().id, status: "scheduled" },
      { id: null, duId: duIds[0], activityId: project.activities[2]!.id },
      { id: null, duId: duIds[1], activityId: survey().id },
      { id: null, duId: duIds[1], activityId: install().id },
      { id: null, duId: duIds[1], activityId: project.activities[2]!.id },
    ]);
    const mine = { field: "mine", type: "eq", values: [true] };
    expect((await list([here, mine], project.worker)).map((row) => row.id)).toEqual([id]);
    expect(await list([here, mine])).toEqual([]);
  });

  it("tells what the caller may do with an order", async () => {
    const [id] = await orderAt("assigned");
    expect((await order(id!, project.worker)).may).toEqual(["accept", "reassign", "rollback", "cancel", "redo"]);
    expect((await order(id!)).may).toEqual(["reassign", "rollback", "cancel", "redo"]);
    expect((await order(id!, project.viewer)).may).toEqual([]);
    expect(await call(project.pm, "workOrder/find/999999")).toMatchObject({ status: 404 });
  });

  it("counts the statuses of the chosen DUs' activities", async () => {
    const duIds = await dus(2);
    await orderAt("accepted", [duIds[0]!]);
    expect((await data(project.pm, "workOrder/targets", { duIds }))[0]).toEqual({
      activityId: survey().id,
      name: "Survey",
      dus: 2,
      counts: { accepted: 1, scheduled: 1 },
      na: 0,
      open: 0,
    });
  });
});
