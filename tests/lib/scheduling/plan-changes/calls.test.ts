import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dayNumber } from "#lib/core/clock.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { callAs } from "../../../support/call.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject } from "../../../support/factories.ts";
import { makeDus, setSwitch } from "../../../support/plan-factories.ts";
import { done, makeScheduledFlow, readPlan, type ScheduledFlow } from "../make-scheduled.ts";

const database = useDatabase();
let project: { id: number; number: string };
let pm: CtxUser;
let pd: CtxUser;
let delegate: CtxUser;
let flow: ScheduledFlow;

beforeAll(async () => {
  project = await makeProject(database.owner);
  pm = await makeMember(database.owner, project.id, "PM");
  pd = await makeMember(database.owner, project.id, "PD");
  delegate = await makeMember(database.owner, project.id, "COMMON_VIEW");
  await database.owner`
    insert into role_delegation (project_id, role, delegator_id, delegate_id, valid_from, valid_to)
    values (${project.id}, 'PD', ${pd.id}, ${delegate.id}, '2026-10-01', '2026-10-31')`;
  flow = await makeScheduledFlow(database.owner, project.id, pm.id, "S survey 2\nM* delivery:mos 1 | S FS 0\nB build 3 | M FS 0");
});
beforeEach(() => database.owner`delete from project_switch`);

const slot = (letter: string) => flow.of(letter).slot;
const id = (letter: string) => flow.of(letter).id;
const dus = (count: number) =>
  makeDus(
    database.owner,
    project.id,
    Array.from({ length: count }, () => ({
      plan: {
        [slot("S")]: { plan_start: "2026-10-15", plan_end: "2026-10-16" },
        [slot("M")]: { plan_start: "2026-10-21", plan_end: "2026-10-21" },
        [slot("B")]: { plan_start: "2026-10-22", plan_end: "2026-10-26" },
      },
    })),
    flow,
  );
const call = (user: CtxUser, address: string, input: object) => callAs(user, address, input, { project: project.number });
const change = (duId: number, letter: string, value: string | null, base: string | null, field = "planEnd") => ({
  duId,
  activityId: id(letter),
  field,
  value,
  base,
});
const save = (user: CtxUser, changes: object[], reason = "Customer moved it") => call(user, "savePlanChange", { changes, reason });
const freeze = (duIds: number[], letter: string) => done(call(pm, "plan/freeze", { duIds, activityIds: [id(letter)], reason: "promised" }));
const bits = async (duId: number, letter: string) => {
  const [row] = await database.owner`select state[${slot(letter)}] as state from du_plan where du_id = ${duId}`;
  const state = (row as { state: number }).state;
  return { fixed: (state >> 3) & 1, frozen: (state >> 4) & 1 };
};
const kept = (number: number) =>
  database.owner`
    select c.reason, c.status, c.batch_id is not null as written, c.created_by as by, i.du_id as du, i.slot, i.field, i.old, i.new, i.code
    from plan_change c left join plan_change_item i on i.change_id = c.id where c.project_id = ${project.id} and c.number = ${number}
    order by i.du_id, i.slot, i.field`;
describe("savePlanChange", () => {
  it("stores a plan change with its number, reason and dates, and writes the plan [SCH-07]", async () => {
    const [first, second] = await dus(2);
    const answer = await done(
      save(pm, [change(first!, "B", "2026-10-28", "2026-10-26"), change(second!, "S", "2026-10-14", "2026-10-15", "planStart")]),
    );
    expect(answer).toMatchObject({ applied: 2, rejected: [] });
    expect(await readPlan(database.owner, first!)).toMatchObject({ build: "2026-10-22 2026-10-28" });
    expect(await readPlan(database.owner, second!)).toMatchObject({ survey: "2026-10-14 2026-10-16" });
    const item = { reason: "Customer moved it", status: "applied", written: true, by: pm.id, code: null };
    expect(await kept(answer.number)).toEqual([
      { ...item, du: first, slot: slot("B"), field: "plan_end", old: dayNumber("2026-10-26"), new: dayNumber("2026-10-28") },
      { ...item, du: second, slot: slot("S"), field: "plan_start", old: dayNumber("2026-10-15"), new: dayNumber("2026-10-14") },
    ]);
    const [batch] = await database.owner`select source, reason from plan_batch where id = ${answer.batchId}`;
    expect(batch).toEqual({ source: "plan_change", reason: "Customer moved it" });
    const next = await done(save(pm, [change(first!, "B", "2026-10-29", "2026-10-28")]));
    expect(next.number).toBe(answer.number + 1);
    await expect(database.app`update plan_change set reason = 'another'`).rejects.toThrow(/permission denied/);
    await expect(database.owner`delete from plan_change_item`).rejects.toThrow(/append only/);
  });

  it("refuses DUs of several RFC numbers whole [RPL-26]", async () => {
    const [first, second] = await dus(2);
    await database.owner`update du set rfc_number = 'R1' where id = ${first!}`;
    const changes = [first!, second!].map((du) => change(du, "B", "2026-10-28", "2026-10-26"));
    expect(await save(pm, changes)).toMatchObject({ status: 422, code: "RFC_DIFFERS" });
    expect(await readPlan(database.owner, first!)).toMatchObject({ build: "2026-10-22 2026-10-26" });
    await database.owner`update du set rfc_number = 'R1' where id = ${second!}`;
    expect(await done(save(pm, changes))).toMatchObject({ applied: 2, rejected: [] });
  });

  it("changes what is frozen for PD and for a delegate of PD only, who stays frozen and is fixed then [SCH-11]", async () => {
    const [du] = await dus(1);
    await freeze([du!], "B");
    const to = (value: string, base: string) => [change(du!, "B", value, base)];
    const typed = await call(pm, "rolloutPlan/save", { edits: to("2026-10-27", "2026-10-26") });
    expect(typed.data.rejected).toMatchObject([{ code: "FROZEN" }]);
    const refused = await done(save(pm, to("2026-10-27", "2026-10-26")));
    expect(refused).toMatchObject({
      applied: 0,
      batchId: null,
      rejected: [{ duId: du, activityId: id("B"), field: "planEnd", code: "FROZEN" }],
    });
    expect(await kept(refused.number)).toMatchObject([{ status: "refused", written: false, code: "FROZEN" }]);
    expect(await bits(du!, "B")).toEqual({ fixed: 0, frozen: 1 });

    expect(await done(save(pd, to("2026-10-27", "2026-10-26")))).toMatchObject({ applied: 1, rejected: [] });
    expect(await bits(du!, "B")).toEqual({ fixed: 1, frozen: 1 });
    expect(await done(save(delegate, to("2026-10-28", "2026-10-27")))).toMatchObject({ applied: 1, rejected: [] });
    expect(await readPlan(database.owner, du!)).toMatchObject({ build: "2026-10-22 2026-10-28" });
    // The right covers what is frozen and nothing else.
    expect(await done(save(pd, [change(du!, "S", "2026-10-17", "2026-10-16")]))).toMatchObject({
      applied: 0,
      rejected: [{ code: "NO_PERMISSION" }],
    });
    const viewer = await makeMember(database.owner, project.id, "COMMON_VIEW");
    expect(await save(viewer, to("2026-10-29", "2026-10-28"))).toMatchObject({ status: 403, code: "NO_PERMISSION" });
  });

  it("is the way to change a released plan under change control, and asks the other rules of a cell", async () => {
    const [du, second] = await dus(2);
    await database.owner`update du_plan set release_state = 1 where du_id = any(${[du!, second!]}::bigint[])`;
    await setSwitch(database.owner, project.id, "planChangeControl", "Y");
    const edits = [change(du!, "B", "2026-10-27", "2026-10-26")];
    expect((await call(pm, "rolloutPlan/save", { edits })).data.rejected).toMatchObject([{ code: "CHANGE_CONTROL" }]);
    const answer = await done(
      save(pm, [...edits, change(second!, "B", "2026-10-20", "2026-10-26"), change(second!, "S", "2026-10-19", "2026-10-16")]),
    );
    expect(answer).toMatchObject({
      applied: 1,
      rejected: [
        { duId: second, code: "PLAN_ORDER" },
        { duId: second, code: "PLAN_ORDER" },
      ],
    });
    expect(await readPlan(database.owner, second!)).toMatchObject({ survey: "2026-10-15 2026-10-16", build: "2026-10-22 2026-10-26" });
    const [state] = await database.owner`select release_state from du_plan where du_id = ${du!}`;
    expect(state).toEqual({ release_state: 2 });
  });

  it("refuses a date that was changed meanwhile, and one that is no day of a plan", async () => {
    const [first, second] = await dus(2);
    const answer = await done(
      save(pm, [change(first!, "B", "2026-10-27", "2026-10-25"), change(second!, "B", "2100-01-01", "2026-10-26")]),
    );
    expect(answer).toMatchObject({
      applied: 0,
      rejected: [
        { duId: first, code: "STALE" },
        { duId: second, code: "DATE_OUT_OF_RANGE" },
      ],
    });
    expect(answer.rejected[1].msg).toContain("2089-09-17");
    expect(await save(pm, [change(first!, "B", "2026-10-26", "2026-10-26")])).toMatchObject({ status: 422, code: "NOTHING_MODIFIED" });
    expect(await done(save(pm, [change(999_999, "B", "2026-10-27", "2026-10-26")]))).toMatchObject({
      rejected: [{ code: "DU_NOT_FOUND" }],
    });
  });

  it("takes 50 DUs and refuses 51; asks for a reason of at most 500 characters [SCH-12] [OPS-20]", async () => {
    const many = await dus(51);
    const changes = (count: number) => many.slice(0, count).map((du) => change(du, "B", "2026-10-27", "2026-10-26"));
    expect(await save(pm, changes(51))).toMatchObject({
      status: 400,
      problems: [{ path: "changes", code: "TOO_MANY_DU", msg: "At most 50 DUs" }],
    });
    expect(await readPlan(database.owner, many[0]!)).toMatchObject({ build: "2026-10-22 2026-10-26" });
    expect(await done(save(pm, changes(50)))).toMatchObject({ applied: 50, rejected: [] });
    const one = [change(many[50]!, "B", "2026-10-27", "2026-10-26")];
    expect(await save(pm, one, "  ")).toMatchObject({ status: 400, problems: [{ path: "reason", code: "REASON_REQUIRED" }] });
    expect(await save(pm, one, "x".repeat(501))).toMatchObject({ status: 400, problems: [{ path: "reason", code: "VALUE_TOO_LONG" }] });
    expect(await done(save(pm, one, "x".repeat(500)))).toMatchObject({ applied: 1 });
  });
});
