import { describe, expect, it } from "vitest";
import { sendDigests } from "#lib/work-orders/digests/commands.ts";
import { clock, useDatabase } from "../../../support/database.ts";
import { orderCalls, useOrderProject } from "../make-orders.ts";

const db = useDatabase();
const project = useOrderProject(db);
const { call, data, dus, dispatch, order, mails } = orderCalls(db, project);

/** Temporary orders of a DU, made from a process of its own. */
let made = 0;
const temporary = async (duId: number, ...names: string[]): Promise<number[]> => {
  const steps = names.map((name) => ({ workOrderName: `${name} ${++made}`, ownerRole: "TL", days: 2 }));
  const { id } = await data(project.pm, "tempProcess/save", { name: `Process ${made}`, steps });
  await data(project.pm, "tempProcess/release", { ids: [id] });
  return (await data(project.pm, "tempProcess/createOrders", { id, duIds: [duId], start: "2026-10-15" })).ids;
};
const listed = async (filters: object[]) => {
  const asked = encodeURIComponent(JSON.stringify(filters));
  return (await data(project.pm, `workOrder/list/1/200/default/${asked}`)).records as {
    id: number | null;
    activityName: string;
    status: string;
  }[];
};
const give = (ids: number[]) => data(project.pm, "workOrder/dispatch", { ids, assigneeId: project.worker.id });

describe("temporary orders", () => {
  it("stand in the lists with their name and days, waiting or not, and can be found by their id", async () => {
    const [duId] = await dus(1);
    const [tow, repair] = (await temporary(duId!, "Tow", "Repair")) as [number, number];
    const waiting = (await listed([
      { field: "status", type: "in", values: ["scheduled"] },
      { field: "duId", type: "in", values: [duId] },
    ])) as object[];
    // Three activities of the DU wait too.
    expect(waiting).toHaveLength(5);
    expect(waiting).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          id: tow,
          activityId: null,
          temp: true,
          status: "scheduled",
          planStart: "2026-10-15",
          planEnd: "2026-10-16",
        }),
        expect.objectContaining({ id: repair, planStart: "2026-10-19", planEnd: "2026-10-20" }),
      ]),
    );
    expect((await listed([{ field: "duId", type: "in", values: [duId] }])).map(({ id }) => id).sort()).toEqual([tow, repair].sort());
    expect(await order(tow)).toMatchObject({ id: tow, duId, temp: true, may: ["dispatch", "cancel"], actualStart: null });
  });

  it("go their way from dispatch to completion; who has them is told, and nothing of the plan moves", async () => {
    const [duId] = await dus(1);
    const [id] = (await temporary(duId!, "Tow")) as [number];
    const [before] = await db.owner`select * from du_plan where du_id = ${duId!}`;
    expect(await data(project.pm, "workOrder/dispatch", { ids: [id] })).toMatchObject({
      dispatched: 0,
      rejected: [{ id, code: "NO_OWNER" }],
    });
    const told = (await mails(project.worker.id)).length;
    expect(await give([id])).toMatchObject({ dispatched: 1, rejected: [], needConfirm: [] });
    expect(await mails(project.worker.id)).toHaveLength(told + 1);
    expect(await give([id])).toMatchObject({ dispatched: 0, rejected: [{ id, code: "NOT_SCHEDULED" }] });
    // Another's order is not his to accept.
    expect(await data(project.other, "workOrder/accept", { ids: [id] })).toMatchObject({ done: 0, rejected: [{ id, code: "NOT_FOUND" }] });
    for (const step of ["accept", "start", "complete"])
      expect(await data(project.worker, `workOrder/${step}`, { ids: [id] })).toMatchObject({ done: 1 });
    expect(await order(id)).toMatchObject({
      status: "completed",
      assigneeId: project.worker.id,
      actualStart: "2026-10-14",
      actualEnd: "2026-10-14",
    });
    expect((await order(id)).events.map(({ event }) => event).reverse()).toEqual(["offer", "dispatch", "accept", "start", "complete"]);
    const [after] = await db.owner`select * from du_plan where du_id = ${duId!}`;
    expect(after).toEqual(before);
  });

  it("are dispatched when neither their start nor their end lies before today [WOR-11] [WOR-12]", async () => {
    const [duId] = await dus(1);
    const days = async (name: string, start: string, end: string) => {
      const [id] = (await temporary(duId!, name)) as [number];
      await db.owner`update work_order set temp_start = ${start}, temp_end = ${end} where id = ${id}`;
      return id;
    };
    const begun = await days("Begun", "2026-10-13", "2026-10-20");
    const over = await days("Over", "2026-10-14", "2026-10-13");
    const today = await days("Today", "2026-10-14", "2026-10-14");
    expect(await give([begun, over, today])).toMatchObject({
      dispatched: 1,
      rejected: [
        { id: begun, code: "DATE_BEFORE_TODAY", msg: "The plan start or end lies before today" },
        { id: over, code: "DATE_BEFORE_TODAY" },
      ],
    });
    expect([await order(begun), await order(over), await order(today)].map(({ status }) => status)).toEqual([
      "scheduled",
      "scheduled",
      "assigned",
    ]);
  });

  it("make a batch with the others they are dispatched with: Material Dismantle that is not automatic is refused then [WOR-14]", async () => {
    const [duId] = await dus(1);
    const [id] = (await temporary(duId!, "Tow")) as [number];
    const dismantle = project.activities[2]!;
    const [planned] = await dispatch([duId!], dismantle);
    await data(project.pm, "workOrder/rollback", { ids: [planned] });
    expect(await give([planned!, id])).toMatchObject({
      dispatched: 1,
      rejected: [{ id: planned, activityId: dismantle.id, code: "MATERIAL_DISMANTLE_BATCH" }],
    });
    expect(await order(id)).toMatchObject({ status: "assigned" });
    expect(await give([planned!])).toMatchObject({ dispatched: 1, rejected: [] });
  });

  it("are suspended, rolled back, passed on, cancelled and reactivated as the others, in one call with them", async () => {
    const [a, b] = (await dus(2)) as [number, number];
    const [id] = (await temporary(a, "Tow")) as [number];
    const planned = await dispatch([b]);
    await give([id]);
    const ids = [id, ...planned];
    expect(await data(project.worker, "workOrder/accept", { ids })).toMatchObject({ done: 2, rejected: [] });
    expect(await data(project.pm, "workOrder/suspend", { ids, reason: "Rain" })).toMatchObject({ done: 2 });
    expect(await order(id)).toMatchObject({ status: "suspended", events: [{ event: "suspend", reason: "Rain" }, {}, {}, {}] });
    expect(await data(project.pm, "workOrder/unsuspend", { ids })).toMatchObject({ done: 2 });
    expect(await order(id)).toMatchObject({ status: "accepted" });
    expect(await data(project.pm, "workOrder/reassign", { ids, assigneeId: project.other.id })).toMatchObject({ done: 2 });
    expect(await order(id)).toMatchObject({ status: "assigned", assigneeId: project.other.id });
    expect(await data(project.pm, "workOrder/rollback", { ids })).toMatchObject({ done: 2 });
    expect(await order(id)).toMatchObject({ status: "scheduled", assigneeId: null });
    expect(await data(project.pm, "workOrder/cancel", { ids, reason: "Not needed" })).toMatchObject({ done: 2 });
    expect(await data(project.pm, "workOrder/reactivate", { ids })).toMatchObject({ done: 2 });
    expect(await order(id)).toMatchObject({ status: "scheduled" });
  });

  it("keep an open name to themselves: only once one is closed the DU may get the next [MDV-17]", async () => {
    const [duId] = await dus(1);
    const steps = [{ workOrderName: "Once", ownerRole: "TL", days: 1 }];
    const { id } = await data(project.pm, "tempProcess/save", { name: "Once", steps });
    await data(project.pm, "tempProcess/release", { ids: [id] });
    const create = () => data(project.pm, "tempProcess/createOrders", { id, duIds: [duId], start: "2026-10-15" });
    const { ids } = await create();
    expect(await create()).toMatchObject({ ids: [], rejected: [{ duId, code: "WORK_ORDER_NAME_EXISTS" }] });
    await data(project.pm, "workOrder/cancel", { ids, reason: "Done by others" });
    expect((await create()).ids).toHaveLength(1);
    // The cancelled one cannot come back beside it.
    expect(await data(project.pm, "workOrder/reactivate", { ids })).toMatchObject({
      done: 0,
      rejected: [{ id: ids[0], code: "WORK_ORDER_NAME_EXISTS" }],
    });
  });

  it("are in the daily mail of their assignee", async () => {
    const [duId] = await dus(1);
    const [id] = (await temporary(duId!, "Tow")) as [number];
    await data(project.pm, "workOrder/dispatch", { ids: [id], assigneeId: project.other.id });
    const { number } = await order(id);
    await sendDigests(db.app, project.id, clock);
    const [mail] = await db.owner<{ text: string }[]>`
      select b."text" from mail_outbox m join mail_body b on b.id = m.body_id where m.to_user_id = ${project.other.id} and m.kind = 'workOrder.digest' order by m.id desc limit 1`;
    expect(mail!.text).toContain(`#${number}`);
    expect(mail!.text).toContain("2026-10-15");
  });

  it("answer nobody who has no right to them", async () => {
    const [duId] = await dus(1);
    const [id] = (await temporary(duId!, "Tow")) as [number];
    expect((await call(project.viewer, "workOrder/dispatch", { ids: [id], assigneeId: project.worker.id })).status).toBe(403);
  });
});
