import { describe, expect, it } from "vitest";
import { schedules } from "#jobs/schedule.ts";
import { newestSlot } from "#lib/core/schedule.ts";
import { sendDigests } from "#lib/work-orders/digests/commands.ts";
import { clock, useDatabase } from "../../../support/database.ts";
import { unsaidDus } from "../../../support/mail-words.ts";
import { orderCalls, useOrderProject } from "../make-orders.ts";

const db = useDatabase();
const project = useOrderProject(db);
const { data, dus, dispatch } = orderCalls(db, project);
const dayMs = 86_400_000;

const digests = async () => {
  const rows = await db.owner<{ userId: number; subject: string; text: string }[]>`
    select m.to_user_id as "userId", b.subject, b."text" from mail_outbox m join mail_body b on b.id = m.body_id
    where m.project_id = ${project.id} and m.kind = 'workOrder.digest' order by m.id`;
  return [...rows];
};
const later = (days: number) => new Date(clock.getTime() + days * dayMs);
const accept = (ids: number[]) => data(project.worker, "workOrder/accept", { ids });

describe("the digest of due orders", () => {
  it("goes to each assignee once a day: what is overdue, what ends within 3 days, what nobody accepted for more than 2", async () => {
    const far = { plan_start: "2026-10-20", plan_end: "2026-11-30" };
    const accepted = await dispatch(await dus(1, { plan_start: "2026-10-14", plan_end: "2026-10-20" }));
    await accept(accepted);
    await dispatch(await dus(1, far));
    const [, suspended] = await dispatch(await dus(2, { plan_start: "2026-10-14", plan_end: "2026-11-30" }));
    await accept([suspended!]);
    // Four days before the end, nothing waits for more than two days: nobody gets a mail.
    expect(await sendDigests(db.owner, project.id, later(2))).toBe(0);
    expect(await sendDigests(db.owner, project.id, new Date(later(2).getTime() + 1))).toBe(1);
    expect((await digests()).at(-1)).toMatchObject({ userId: project.worker.id, subject: `[${project.number}] 2 个工单需要您处理` });
    // The third day before the end is the first on which it is named.
    await sendDigests(db.owner, project.id, later(3));
    expect((await digests()).at(-1)!.text).toContain("即将到期");
    await sendDigests(db.owner, project.id, later(7));
    expect((await digests()).at(-1)!.text).toContain("已逾期");
    // The same day once more makes no second mail.
    expect(await unsaidDus(db.owner, project.id)).toEqual({ told: expect.toSatisfy((count) => count > 0), unsaid: [] });
    const before = (await digests()).length;
    expect(await sendDigests(db.owner, project.id, new Date(later(7).getTime() + 3_600_000))).toBe(0);
    expect(await digests()).toHaveLength(before);
  });

  it("leaves out suspended orders", async () => {
    await db.owner`update work_order set status = 'cancelled' where project_id = ${project.id}`;
    const ids = await dispatch(await dus(1, { plan_start: "2026-10-14", plan_end: "2026-10-15" }), undefined, {
      assigneeId: project.other.id,
    });
    await data(project.other, "workOrder/accept", { ids });
    await data(project.pm, "workOrder/suspend", { ids, reason: "rain" });
    expect(await sendDigests(db.owner, project.id, later(20))).toBe(0);
    await data(project.pm, "workOrder/unsuspend", { ids });
    expect(await sendDigests(db.owner, project.id, later(20))).toBe(1);
    expect((await digests()).at(-1)).toMatchObject({ userId: project.other.id });
  });

  it("is due at 08:00 of the project, and its slot writes once however often it runs", async () => {
    const schedule = schedules.find(({ name }) => name === "workOrders.digest")!;
    expect(newestSlot(schedule.due, new Date("2026-10-14T02:00:00Z"), -5).toISOString()).toBe("2026-10-13T08:00:00.000Z");
    expect(newestSlot(schedule.due, new Date("2026-10-14T05:00:00Z"), -5).toISOString()).toBe("2026-10-14T08:00:00.000Z");
    let runs = 0;
    await schedule.run({
      pool: db.owner,
      projectId: project.id,
      now: later(30),
      once: async (fn) => {
        runs++;
        return fn(db.owner);
      },
    });
    expect(runs).toBe(1);
  });
});
