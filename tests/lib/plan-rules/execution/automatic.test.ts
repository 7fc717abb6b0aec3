import { beforeEach, describe, expect, test } from "vitest";
import { schedules, ticks } from "#jobs/schedule.ts";
import { claimSlots, newestSlot, runSlot } from "#lib/core/schedule.ts";
import { endLost, runAutomatic, tidyRules } from "#lib/plan-rules/execution/commands.ts";
import { clock, useDatabase } from "../../../support/database.ts";
import { makeProject } from "../../../support/factories.ts";
import { meanwhile } from "../../../support/meanwhile.ts";
import { makeActivities, makeFlow } from "../../../support/plan-factories.ts";
import { done } from "../../activity-flows/make-flow.ts";
import { useFiles } from "../../imports/support.ts";
import { usePlanRules } from "../make-plan-rules.ts";

const db = useDatabase();
useFiles();
const { act, at, call, clear, day, enable, imports, makeDu, slot } = usePlanRules(db);
beforeEach(async () => {
  await clear();
  await db.owner`delete from schedule_slot`;
  await db.owner`update project set tz_offset_beijing = 0 where id = ${at.id}`;
});

const plain = "RFI.PLAN_END = Survey.ACTUAL_END + 14";
const moment = (utc: string) => new Date(`${utc}:00Z`);
const runs = () => db.owner<{ mode: string; status: string; changed: number }[]>`
  select mode, status, changed_count as changed from rule_run where project_id = ${at.id} order by id`;
const half = schedules.find(({ name }) => name === "planRules.run")!;

describe("a rule that runs by itself [RUL-07]", () => {
  test("runs at 03:00 project time, behind dates and flows; every frequency is counted from there", async () => {
    const chain = schedules.find(({ name }) => name === "flowRules.run")!;
    expect([chain.due, half.due]).toEqual([{ daily: "03:00" }, { everyMinutes: 30 }]);
    expect(newestSlot(chain.due, moment("2026-10-14T19:00"), 0).toISOString()).toBe("2026-10-15T03:00:00.000Z");
    await enable("Daily", [plain], { autoExecute: true });
    const du = await makeDu({ Survey: { actual_end: "2026-03-03" } });
    await runAutomatic(db.app, at.id, moment("2026-10-14T18:59"));
    expect(await runs()).toEqual([]);
    const three = moment("2026-10-14T19:00");
    await claimSlots(db.app, [chain, half], three);
    const job = { projectId: at.id, slot: "2026-10-15T03:00:00.000Z" };
    // While the chain of the day has not run, the run of every half hour leaves the rules to it.
    await runSlot(db.app, half, { name: half.name, ...job }, three);
    expect(await runs()).toEqual([]);
    await runSlot(db.app, chain, { name: chain.name, ...job }, three);
    expect(await runs()).toEqual([{ mode: "AUTO", status: "DONE", changed: 1 }]);
    expect(await day(du, "RFI.PLAN_END")).toBe("2026-03-17");
    const [rule] = (await done(call("planAutoRule/list/1/20/default/%5B%5D", {}, at.pm, three))).records;
    expect(rule).toMatchObject({ nextRunAt: moment("2026-10-15T19:00"), lastRun: { status: "DONE", changed: 1 } });
  });

  test("runs each slot once with any number of workers and a clock that jumps, and missed slots once", async () => {
    await enable("Often", [plain], { autoExecute: true, frequency: 0.5 });
    const ticks = ["02:29", "02:30", "02:31", "02:59", "03:00", "02:30", "03:01", "06:45", "06:46", "03:30", "07:00"];
    const ran: number[] = [];
    for (const tick of ticks) {
      const now = moment(`2026-10-14T${tick}`);
      await Promise.all([runAutomatic(db.app, at.id, now), runAutomatic(db.app, at.id, now), runAutomatic(db.app, at.id, now)]);
      ran.push((await runs()).length);
    }
    expect(ran).toEqual([0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4]);
    expect(new Set((await runs()).map(({ status }) => status))).toEqual(new Set(["DONE"]));
  });

  test("runs nothing twice when the project moves an hour back, and once for an hour it jumps over", async () => {
    await enable("Hourly", [plain], { autoExecute: true, frequency: 1 });
    const tick = async (utc: string) => {
      await runAutomatic(db.app, at.id, moment(`2026-10-14T${utc}`));
      return (await runs()).length;
    };
    expect(await tick("03:00")).toBe(1);
    await db.owner`update project set tz_offset_beijing = -1 where id = ${at.id}`;
    expect(await tick("04:00")).toBe(1);
    expect(await tick("05:00")).toBe(2);
    await db.owner`update project set tz_offset_beijing = 2 where id = ${at.id}`;
    expect(await tick("05:01")).toBe(3);
    expect(await tick("05:30")).toBe(3);
  });

  test("does not run in a closed project, and once when it is opened again", async () => {
    await enable("Often", [plain], { autoExecute: true, frequency: 0.5 });
    await db.owner`update project set status = 'closed' where id = ${at.id}`;
    await runAutomatic(db.app, at.id, moment("2026-10-14T05:00"));
    await db.owner`update project set status = 'active' where id = ${at.id}`;
    expect(await runs()).toEqual([]);
    await runAutomatic(db.app, at.id, moment("2026-10-14T05:10"));
    expect(await runs()).toHaveLength(1);
  });

  test("ends with its date, and its makers are told", async () => {
    const rule = await enable("Short", [plain], { autoExecute: true, expireDate: "2026-10-14" });
    await tidyRules(db.app, at.id, moment("2026-10-14T15:59"));
    const state = async () => (await done(call("planAutoRule/detail", { id: rule.id }))) as { status: string; invalidReason: string };
    expect(await state()).toMatchObject({ status: "EFFECTIVE" });
    await tidyRules(db.app, at.id, moment("2026-10-14T16:05"));
    expect(await state()).toMatchObject({ status: "INVALID", invalidReason: "EXPIRED" });
    const [mails] = await db.owner`select count(*)::int as n from mail_outbox where project_id = ${at.id} and kind = 'planRule.invalid'`;
    expect(mails).toEqual({ n: 1 });
  });

  test("keeps what it could not fill of a thousand DUs, and what it changed of all", async () => {
    await enable("Auto", [plain], { autoExecute: true, frequency: 0.5 });
    const frozen = await makeDu({ Survey: { actual_end: "2026-03-03" }, RFI: { plan_end: "2026-03-01", state: 1 | (1 << 4) } });
    await runAutomatic(db.app, at.id, moment("2026-10-14T02:30"));
    const [kept] = await db.owner`select du_id, outcome from rule_run_change where project_id = ${at.id}`;
    expect(kept).toEqual({ du_id: frozen, outcome: [4] });
  });
});

describe("rules of events [RUL-02]", () => {
  const events = () => [{ moment: "ACTUAL_END_SET", activityId: act("Survey.ACTUAL_END").a }];
  const tick = async (utc: string) => {
    const now = moment(`2026-10-14T${utc}`);
    for (const name of ["ruleEvents", "lostRuns"]) await ticks[name]!(db.app, now);
    await runAutomatic(db.app, at.id, now);
  };
  const saveEnd = (duId: number, value: string) =>
    done(call("rolloutPlan/save", { edits: [{ duId, activityId: act("Survey.ACTUAL_END").a, field: "actualEnd", value, base: null }] }));

  test("run within the minute, on the DUs of the events alone, and raise none themselves", async () => {
    const [before, one, two] = [await makeDu(owned()), await makeDu(owned()), await makeDu({ Survey: { actual_end: "2026-03-03" } })];
    await saveEnd(before, "2026-03-01");
    await enable("Event", [plain], { ruleType: "EXT_EVENT", events: events() });
    await enable("Chain", ["MOS.PLAN_END = RFI.PLAN_END + 7"], {
      ruleType: "EXT_EVENT",
      events: [{ moment: "PLAN_CHANGED", activityId: act("RFI.PLAN_END").a }],
    });
    await tick("02:01");
    expect(await runs()).toEqual([]);
    await saveEnd(one, "2026-03-05");
    await tick("02:02");
    expect(await runs()).toEqual([{ mode: "EVENT", status: "DONE", changed: 1 }]);
    expect(await Promise.all([before, one, two].map((du) => day(du, "RFI.PLAN_END")))).toEqual([null, "2026-03-19", null]);
    await tick("02:03");
    expect(await runs()).toHaveLength(1);
    const [cursor] =
      await db.owner`select c.seq = s.seq as caught from rule_event_cursor c join plan_seq s using (project_id) where c.project_id = ${at.id}`;
    expect(cursor).toEqual({ caught: true });
  });

  test("that comes into force while others get theirs gets its events the next time", async () => {
    const other = await makeProject(db.owner);
    const flow = await makeFlow(db.owner, other.id, at.pm.id, await makeActivities(db.owner, other.id, ["Survey"]));
    await db.owner`
      insert into plan_rule (project_id, name, rule_type, flow_id, status, sort_no, events, created_by, created_at, updated_by, updated_at)
      values (${other.id}, 'Other', 'EXT_EVENT', ${flow}, 'EFFECTIVE', 1, ${db.owner.json(events())}, ${at.pm.id}, now(), ${at.pm.id}, now())`;
    await db.owner`insert into plan_seq (project_id, seq) values (${other.id}, 1) on conflict (project_id) do update set seq = 1`;
    await db.owner`insert into rule_event_cursor (project_id, seq) values (${other.id}, 0)`;
    const du = await makeDu(owned());
    await meanwhile(
      db,
      (sql) => sql`select 1 from rule_event_cursor where project_id = ${other.id} for update`,
      () => tick("02:01"),
      async () => {
        await enable("Event", [plain], { ruleType: "EXT_EVENT", events: events() });
        await saveEnd(du, "2026-03-05");
      },
    );
    await db.owner`delete from plan_rule where project_id = ${other.id}`;
    await tick("02:02");
    expect(await runs()).toEqual([{ mode: "EVENT", status: "DONE", changed: 1 }]);
  });

  function owned() {
    return { Survey: { plan_owner: at.ownSet } };
  }
});

test("a run whose task is gone holds no rule any more", async () => {
  const rule = await enable("Rule", [plain]);
  const { taskId } = await done(call("planAutoRule/run", { ruleIds: [rule.id] }));
  await endLost(db.app, clock);
  expect((await runs())[0]).toMatchObject({ status: "QUEUED" });
  await db.owner`update task set status = 'cancelled' where id = ${taskId}`;
  expect(await endLost(db.app, clock)).toBe(1);
  expect((await runs())[0]).toMatchObject({ status: "FAILED" });
  expect(await call("planAutoRule/disable", { ids: [rule.id], confirm: true })).toMatchObject({ status: 200 });
  const [mails] = await db.owner`select count(*)::int as n from mail_outbox where project_id = ${at.id} and kind = 'planRule.failed'`;
  expect(mails).toEqual({ n: 1 });
  expect(slot("RFI")).toBe(3);
  expect(imports).toBeDefined();
});
