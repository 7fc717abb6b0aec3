import { beforeEach, describe, expect, test } from "vitest";
import { schedules } from "#jobs/schedule.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { newestSlot, runSlot } from "#lib/core/schedule.ts";
import { clock, useDatabase } from "../../../support/database.ts";
import { makeMember, makeResource, makeSubcontractor } from "../../../support/factories.ts";
import { meanwhile } from "../../../support/meanwhile.ts";
import { type MadeDu, makeDuOwner } from "../../../support/plan-factories.ts";
import { expectSameWhenTakenUp } from "../../../support/take-up.ts";
import { importsOf, useFiles } from "../../imports/support.ts";
import { done, problemsOf, useOwnerProject } from "../make-owners.ts";

const db = useDatabase();
useFiles();
const { at, call, clear, enable, isRooftop, make, makeDus, rule, setOf } = useOwnerProject(db);
const imports = importsOf(db, () => ({ project: at, user: at.pm }));
beforeEach(async () => {
  await clear();
  await db.owner`delete from rule_run where project_id = ${at.id}`;
  await db.owner`delete from region_owner o using delivery_region g where g.id = o.region_id and g.project_id = ${at.id}`;
});

const inRegion = (region: number) => ({ object: { k: "DU", f: "region" }, operator: "EQ", values: [String(region)] });
const fixed = (...people: CtxUser[]) => ({ fillMode: "FIXED", fillValue: { accounts: people.map(({ account }) => account) } });
const ownRegion = (region: number, user: CtxUser) => db.owner`insert into region_owner (region_id, user_id) values (${region}, ${user.id})`;
/** People of the first activity of DUs, by the column. */
const owners = async (duIds: readonly number[], column = "plan_owner", slot = 1) => {
  const rows = await db.owner<{ id: number; people: string | null }[]>`
    select p.du_id as id, (select string_agg(u.account, ' ' order by s.place) from owner_set o, unnest(o.user_ids) with ordinality s(id, place) join app_user u on u.id = s.id
      where o.id = p.${db.owner(column)}[${slot}]) as people
    from du_plan p where p.du_id = any(${[...duIds]}::bigint[])`;
  const byId = new Map(rows.map(({ id, people }) => [id, people]));
  return duIds.map((id) => byId.get(id) ?? null);
};
const run = async (...ruleIds: number[]) => {
  const { runId, taskId } = await done(call("ownerRule/run", { ruleIds }));
  const task = await imports.run(taskId);
  await expectSameWhenTakenUp(db, taskId, imports.run);
  return { runId, task };
};
const runs = async (filters: object[] = []) =>
  (await done(call(`ownerRule/run/list/1/20/default/${encodeURIComponent(JSON.stringify(filters))}`))).records;
const changes = async (runId: number) => {
  const filters = encodeURIComponent(JSON.stringify([{ field: "runId", type: "eq", values: [runId] }]));
  return (await done(call(`ownerRule/run/changes/list/1/200/default/${filters}`))).records;
};
const plain = (regionId: number | null, more: Partial<MadeDu> = {}): MadeDu => ({ regionId, ...more });

describe("ownerRule/run", () => {
  test("gives every cell to the first rule that yields somebody, as the worked example says", async () => {
    const { li, sun, zhao } = at.people;
    await ownRegion(at.north, li);
    const sunSet = await setOf(sun);
    const taken = { plan: { 1: { plan_owner: sunSet } } };
    const [north, west, held] = (await makeDus([plain(at.north), plain(at.west), plain(at.north, taken)])) as [number, number, number];
    const one = await enable("North", { conditions: [inRegion(at.north)] });
    const two = await enable("All", fixed(zhao));
    const { runId, task } = await run(one, two);
    expect(task).toMatchObject({ status: "succeeded" });
    expect(await owners([north, west, held])).toEqual([li.account, zhao.account, sun.account]);
    // Without an owner of the region the next rule is asked.
    await db.owner`delete from region_owner where region_id = ${at.north}`;
    const [late] = (await makeDus([plain(at.north)])) as [number];
    await run(one, two);
    expect(await owners([late])).toEqual([zhao.account]);
    const [, first] = await runs();
    expect(first).toMatchObject({
      id: runId,
      mode: "MANUAL",
      status: "DONE",
      startedByName: at.pm.name,
      scopeCount: 3,
      matchedCount: 3,
      changedCount: 8,
    });
    // Every cell is told with the activity and the people by name.
    expect(await changes(runId)).toHaveLength(8);
    expect((await changes(runId))[0]).toMatchObject({
      duId: north,
      activity: "Survey",
      field: "PLAN_OWNER",
      old: null,
      now: li.name,
      rule: "North",
      outcome: "CHANGED",
    });
    const [batch] =
      await db.owner`select source, origin, actor_id, du_count from plan_batch where project_id = ${at.id} and origin ->> 'id' = ${String(runId)}`;
    expect(batch).toMatchObject({ source: "owner_rule", origin: { kind: "rule_run" }, actor_id: at.pm.id, du_count: 3 });
  });

  test("lets rules in force keep their cells that were not asked for", async () => {
    const { li, zhao } = at.people;
    await ownRegion(at.north, li);
    const dus = await makeDus([plain(at.north), plain(at.west)]);
    await enable("North", { conditions: [inRegion(at.north)] });
    await run(await enable("All", fixed(zhao)));
    expect(await owners(dus)).toEqual([null, zhao.account]);
  });

  test("skips completed, closed, NA and frozen activities, the frozen ones for the plan owner alone", async () => {
    const { zhao } = at.people;
    const [du] = (await makeDus([
      plain(at.north, {
        plan: { 1: { actual_start: "2026-10-01", actual_end: "2026-10-02" }, 2: { state: 1 | (1 << 4) }, 3: { state: 1 | (1 << 1) } },
      }),
      plain(at.north, { plan: { 1: { state: 1 | (1 << 6) } } }),
    ])) as [number, number];
    const { runId } = await run(await enable("All", { ...fixed(zhao), ownerFields: ["PLAN_OWNER", "ATTR_OWNER"] }));
    const told = (await changes(runId)).flatMap((row: { duId: number; activity: string; field: string; outcome: string }) =>
      row.outcome === "CHANGED" ? [] : [`${row.duId === du ? "first" : "second"} ${row.activity} ${row.field} ${row.outcome}`],
    );
    expect(told).toEqual([
      "first Survey PLAN_OWNER ACTIVITY_COMPLETED",
      "first Survey ATTR_OWNER ACTIVITY_COMPLETED",
      "first Design PLAN_OWNER FROZEN",
      "first Install PLAN_OWNER NA_OR_INV",
      "first Install ATTR_OWNER NA_OR_INV",
      "second Survey PLAN_OWNER TASK_CLOSED",
      "second Survey ATTR_OWNER TASK_CLOSED",
    ]);
    expect(await owners([du], "attr_owner", 2)).toEqual([zhao.account]);
    expect(await owners([du], "plan_owner", 2)).toEqual([null]);
  });

  test("takes people from an attribute, the DU, its subcontractor and a group, who are valid, in the order of their names", async () => {
    const { li, sun, wang, zhao } = at.people;
    const manager = await makeMember(db.owner, at.id, "SUBCON_PM");
    const company = await makeSubcontractor(db.owner, at.id);
    await makeResource(db.owner, at.id, manager.id, { subcontractorId: company });
    const [group] = await db.owner<{ id: number }[]>`
      insert into res_group (project_id, name, created_by, created_at, updated_by, updated_at) values (${at.id}, 'Team', ${at.pm.id}, now(), ${at.pm.id}, now()) returning id`;
    await db.owner`
      insert into res_group_member (group_id, resource_id, project_id, is_leader)
      select ${group!.id}, id, ${at.id}, user_id <> ${zhao.id} from resource where project_id = ${at.id} and user_id = any(${[li.id, wang.id, zhao.id]}::bigint[])`;
    const [du] = (await makeDus([
      plain(null, { subcontractorId: company, ext: { [at.lead.key]: `Sun (${sun.account.toUpperCase()})` } }),
    ])) as [number];
    for (const user of [wang, li]) await makeDuOwner(db.owner, du, user.id);
    const [one, two, three] = at.activities.map(({ id }) => id);
    const all = [
      await enable("Attribute", { activityIds: [one], fillMode: "ATTRIBUTE", fillValue: { attributeId: at.lead.id } }),
      await enable("DU", { activityIds: [two], fillMode: "DU_OWNER" }),
      await enable("Company", { activityIds: [three], fillMode: "SUBCON_PM" }),
      await enable("Group", { ownerFields: ["ATTR_OWNER"], fillMode: "GROUP_LEADER", fillValue: { groupId: group!.id } }),
    ];
    await run(...all);
    const byName = [li, wang]
      .sort((a, b) => a.name.localeCompare(b.name))
      .map(({ account }) => account)
      .join(" ");
    expect(await owners([du], "plan_owner", 1)).toEqual([sun.account]);
    expect(await owners([du], "plan_owner", 2)).toEqual([byName]);
    expect(await owners([du], "plan_owner", 3)).toEqual([manager.account]);
    expect(await owners([du], "attr_owner", 1)).toEqual([byName]);
    // Who may not be owner any more is nobody.
    await db.owner`update resource set status = 'INACTIVE' where user_id = ${wang.id} and project_id = ${at.id}`;
    const [next] = (await makeDus([plain(null)])) as [number];
    await makeDuOwner(db.owner, next, wang.id);
    await run(all[1]!, all[3]!);
    expect(await owners([next], "plan_owner", 2)).toEqual([null]);
    expect(await owners([next], "attr_owner", 1)).toEqual([li.account]);
    await db.owner`update resource set status = 'ACTIVE' where user_id = ${wang.id} and project_id = ${at.id}`;
  });

  test("overwrites where it may and where the people differ, not where their order does", async () => {
    const { li, sun, zhao } = at.people;
    const [other, turned] = [await setOf(sun), await setOf(zhao, li)];
    const dus = await makeDus([plain(null, { plan: { 1: { plan_owner: other } } }), plain(null, { plan: { 1: { plan_owner: turned } } })]);
    const id = await enable("Both", { ...fixed(li, zhao), overwrite: true, activityIds: [at.activities[0]!.id] });
    await run(id);
    expect(await owners(dus)).toEqual([`${li.account} ${zhao.account}`, `${zhao.account} ${li.account}`]);
    expect((await runs())[0]).toMatchObject({ changedCount: 1, unchangedCount: 1 });
    await run(id);
    expect((await runs())[0]).toMatchObject({ changedCount: 0, unchangedCount: 2 });
  });

  test("is refused for more than ten rules, rules out of force, and while they run", async () => {
    const ids: number[] = [];
    for (let n = 0; n < 11; n++) ids.push(await enable(`Rule ${n}`));
    expect(problemsOf(await call("ownerRule/run", { ruleIds: ids }))).toEqual(["ruleIds TOO_MANY_RULES"]);
    expect(problemsOf(await call("ownerRule/run", { ruleIds: [] }))).toEqual(["ruleIds NO_SELECTION"]);
    const { taskId } = await done(call("ownerRule/run", { ruleIds: ids.slice(0, 10) }));
    const busy = { status: 422, code: "RULE_EXECUTING" };
    expect(await call("ownerRule/run", { ruleIds: [ids[0]] })).toMatchObject(busy);
    expect(await call("ownerRule/disable", { ids: [ids[0]], confirm: true })).toMatchObject(busy);
    expect(await call("ownerRule/delete", { ids: [ids[0]] })).toMatchObject(busy);
    expect(await call("ownerRule/save", { id: ids[0], rowVersion: 2, ...rule("Busy") })).toMatchObject(busy);
    await done(call("ownerRule/disable", { ids: [ids[10]], confirm: true }));
    await imports.run(taskId);
    expect(await call("ownerRule/run", { ruleIds: [ids[10]] })).toMatchObject({
      code: "RULES_INVALID",
      msg: "Checked rules invalid, reselect: Rule 10",
    });
  });
});

describe("ownerRule/preview", () => {
  test("counts what stored and typed rules would fill and writes no owner", async () => {
    const { zhao } = at.people;
    const [du] = (await makeDus([plain(at.north, { ext: { [at.scenario.key]: String(at.scenario.enumIds[0]) } })])) as [number];
    const { id } = await make("Roofs", { ...fixed(zhao), conditions: [isRooftop()] });
    const print = async () => db.owner`select row_version, plan_owner from du_plan where du_id = ${du}`;
    const before = await print();
    const { runId, taskId } = await done(call("ownerRule/preview", { ruleIds: [id] }));
    await imports.run(taskId);
    const shown = await runs([{ field: "runId", type: "eq", values: [runId] }]);
    expect(shown).toMatchObject([{ mode: "PREVIEW", changedCount: 3, scopeCount: 1, rules: [{ name: "Roofs", changed: 3 }] }]);
    expect(await changes(runId)).toHaveLength(3);
    const typed = await done(call("ownerRule/preview", { rule: rule("Typed", { ...fixed(zhao), activityIds: [at.activities[0]!.id] }) }));
    await imports.run(typed.taskId);
    expect(await changes(typed.runId)).toMatchObject([{ duId: du, activity: "Survey", now: zhao.name, rule: "Typed" }]);
    expect(await print()).toEqual(before);
    // Dry runs are no part of the history, and hold no rule.
    expect(await runs()).toEqual([]);
    expect(await call("ownerRule/preview", {})).toMatchObject({ status: 400 });
  });
});

describe("owner rules by themselves", () => {
  test("fill DUs that were just bound to a flow", async () => {
    const { zhao } = at.people;
    await enable("All", fixed(zhao));
    const [free, other] = (await makeDus([plain(at.north), plain(at.north)], null)) as [number, number];
    await done(call("duFlow/bind", { duIds: [free], flowId: at.flow.id }));
    const [task] = await db.owner<{ id: string }[]>`select task_id as id from rule_run where project_id = ${at.id} and mode = 'EVENT'`;
    await imports.run(task!.id);
    expect(await owners([free, other])).toEqual([zhao.account, null]);
    expect((await runs())[0]).toMatchObject({ mode: "EVENT", scopeCount: 1, changedCount: 3, startedByName: null });
  });

  test("run once each day at 03:00 of the project, however many workers there are and whatever the clock does", async () => {
    const { zhao } = at.people;
    const dus = await makeDus([plain(at.north)]);
    await enable("All", fixed(zhao));
    const schedule = schedules.find(({ name }) => name === "flowRules.run")!;
    expect(newestSlot(schedule.due, clock, 0).toISOString()).toBe("2026-10-14T03:00:00.000Z");
    const slot = { name: schedule.name, projectId: at.id, slot: "2026-10-14T03:00:00.000Z" };
    await db.owner`insert into schedule_slot (name, project_id, slot, claimed_at) values (${slot.name}, ${at.id}, ${slot.slot}, ${clock})`;
    await Promise.all([0, 1].map((hours) => runSlot(db.app, schedule, slot, new Date(clock.getTime() - hours * 3_600_000))));
    expect(await owners(dus)).toEqual([zhao.account]);
    expect(await runs()).toMatchObject([{ mode: "AUTO", status: "DONE", changedCount: 3, startedByName: null }]);
    await db.owner`update du_plan set plan_owner = '{0,0,0}' where du_id = ${dus[0]!}`;
    await runSlot(db.app, schedule, slot, clock);
    expect(await owners(dus)).toEqual([null]);
    const [batch] =
      await db.owner`select actor_id from plan_batch where project_id = ${at.id} and source = 'owner_rule' order by id desc limit 1`;
    expect(batch!.actor_id).toBeNull();
  });

  test("by the clock waits for another run before it locks rules, as a run that somebody started does", async () => {
    const id = await enable("All", fixed(at.people.zhao));
    const schedule = schedules.find(({ name }) => name === "flowRules.run")!;
    const slot = { name: schedule.name, projectId: at.id, slot: "2026-10-13T03:00:00.000Z" };
    await db.owner`insert into schedule_slot (name, project_id, slot, claimed_at) values (${slot.name}, ${at.id}, ${slot.slot}, ${clock})`;
    await meanwhile(
      db,
      (sql) => sql`select pg_advisory_xact_lock(hashtextextended(${`owner rules ${at.id}`}, 0))`,
      () => runSlot(db.app, schedule, slot, clock),
      (sql) => sql`select 1 from owner_rule where id = ${id} for update nowait`,
    );
    expect(await runs()).toMatchObject([{ mode: "AUTO", status: "DONE" }]);
  });
});
