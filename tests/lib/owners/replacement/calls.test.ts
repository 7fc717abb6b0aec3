import { beforeEach, describe, expect, test } from "vitest";
import { runTask } from "#jobs/run-task.ts";
import { taskKinds } from "#jobs/tasks.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { directDusMax, replaceChunkDus } from "#lib/owners/replacement/limits.ts";
import { replacePerson } from "#lib/owners/replacement/logic.ts";
import { withState } from "#lib/rollout-plan/plan-rows/logic.ts";
import { orderStatuses } from "#lib/work-orders/orders/logic.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeUser } from "../../../support/factories.ts";
import { makeDuOwner } from "../../../support/plan-factories.ts";
import { expectSameWhenTakenUp } from "../../../support/take-up.ts";
import { done, problemsOf, useOwnerProject } from "../make-owners.ts";

const db = useDatabase();
const { at, call, clear, make, makeDus, setOf } = useOwnerProject(db);
beforeEach(clear);

const replace = (more: object = {}) =>
  call("ownerRule/replace", { oldOwner: at.people.li.account, newOwners: [at.people.wang.account], fields: ["PLAN_OWNER"], ...more });
const peopleOf = async (duId: number, column = "plan_owner") => {
  const [row] = await db.owner<{ people: string[] }[]>`
    select array(select (select coalesce(string_agg(u.account, ' ' order by s.place), '') from owner_set o, unnest(o.user_ids) with ordinality s(id, place)
      join app_user u on u.id = s.id where o.id = v.set) from unnest(p.${db.owner(column)}) with ordinality v(set, slot) order by v.slot) as people
    from du_plan p where p.du_id = ${duId}`;
  return row!.people;
};
const order = (status: (typeof orderStatuses)[number]) => withState(1, "workOrder", orderStatuses.indexOf(status));

test("a person gives way to others at his place, and nobody stands twice in a list", () => {
  expect(replacePerson([1, 2, 3], 2, [7, 8])).toEqual([1, 7, 8, 3]);
  expect(replacePerson([1, 2, 3], 2, [3])).toEqual([1, 3]);
  expect(replacePerson([3, 2], 2, [3, 4])).toEqual([3, 4]);
  expect(replacePerson([1], 2, [3])).toEqual([1]);
});

describe("ownerRule/replace", () => {
  test("asks for an old owner, and for others than him [OWN-08]", async () => {
    const { li, wang } = at.people;
    for (const oldOwner of [undefined, "", "  "])
      expect(await replace({ oldOwner })).toMatchObject({
        problems: [{ path: "oldOwner", code: "OLD_OWNER_REQUIRED", msg: "Choose the present owner" }],
      });
    expect(problemsOf(await replace({ newOwners: [wang.account, li.account.toUpperCase()] }))).toEqual(["newOwners SAME_OWNER"]);
    expect(problemsOf(await replace({ oldOwner: "nobody" }))).toEqual(["oldOwner ACCOUNT_MISSING"]);
    expect(problemsOf(await replace({ newOwners: [(await makeUser(db.owner)).account] }))).toEqual(["newOwners OWNER_NOT_RESOURCE"]);
    expect(await done(replace({ dryRun: true }))).toMatchObject({ count: 0 });
  });

  test("takes 20 new owners and no more, and fills no list beyond 20 [OWN-09]", async () => {
    const people = await Promise.all(Array.from({ length: 21 }, () => makeMember(db.owner, at.id, "TL")));
    const accounts = people.map(({ account }) => account);
    expect(problemsOf(await replace({ newOwners: accounts, dryRun: true }))).toEqual(["newOwners TOO_MANY"]);
    const both = await setOf(at.people.li, at.people.sun);
    await makeDus([{ plan: { 1: { plan_owner: both } } }]);
    expect(problemsOf(await replace({ newOwners: accounts.slice(1) }))).toEqual(["newOwners TOO_MANY"]);
    expect(await done(replace({ newOwners: accounts.slice(2) }))).toMatchObject({ count: 1 });
  });

  test("counts first, then changes unfinished activities of the scope at his place in their lists", async () => {
    const { li, sun, wang, zhao } = at.people;
    const [alone, middle, without] = [await setOf(li), await setOf(sun, li, wang), await setOf(sun)];
    const closed = withState(1, "closed", 1);
    const plan = {
      1: { plan_owner: middle, actual_owner: alone },
      2: { plan_owner: alone, actual_start: "2026-10-01", actual_end: "2026-10-02" },
      3: { plan_owner: alone, state: closed },
    };
    const [du, west, other] = (await makeDus([
      { regionId: at.north, plan },
      { regionId: at.west, plan: { 1: { plan_owner: alone }, 2: { plan_owner: without } } },
    ])) as [number, number, number];
    const [swap] = (await makeDus([{ regionId: at.north, plan: { 2: { attr_owner: alone } } }], at.other)) as [number];
    expect(other).toBeUndefined();
    const fields = ["PLAN_OWNER", "ACTUAL_OWNER", "ATTR_OWNER"];
    const newOwners = [zhao.account, wang.account];
    const seen = await done(replace({ fields, newOwners, dryRun: true }));
    expect(seen).toMatchObject({ count: 4, fields: { PLAN_OWNER: 2, ACTUAL_OWNER: 1, ATTR_OWNER: 1 }, dispatched: 0, orders: [] });
    expect((await peopleOf(west)).slice(0, 2)).toEqual([li.account, sun.account]);
    const north = { flowIds: [at.flow.id], regionIds: [at.north], duIds: [] };
    expect(await done(replace({ fields, newOwners, scope: north, dryRun: true }))).toMatchObject({ count: 2 });
    expect(await done(replace({ fields, newOwners, scope: { ...north, duIds: [west] }, dryRun: true }))).toMatchObject({ count: 0 });
    expect(await done(replace({ fields, newOwners }))).toMatchObject({ count: 4 });
    const fresh = `${zhao.account} ${wang.account}`;
    expect(await peopleOf(du)).toEqual([`${sun.account} ${zhao.account} ${wang.account}`, li.account, li.account]);
    expect((await peopleOf(du, "actual_owner"))[0]).toBe(fresh);
    expect((await peopleOf(west))[0]).toBe(fresh);
    expect((await peopleOf(swap, "attr_owner"))[1]).toBe(fresh);
    expect(await done(replace({ fields, newOwners, dryRun: true }))).toMatchObject({ count: 0 });
    const [batch] = await db.owner`select source, actor_id, origin from plan_batch where project_id = ${at.id} order by id desc limit 1`;
    expect(batch).toMatchObject({ source: "owner_rule", actor_id: at.pm.id, origin: { kind: "ownerReplacement", oldOwner: li.id } });
  });

  test("leaves dispatched orders alone unless it is told otherwise, and then hands them over", async () => {
    const { li, wang } = at.people;
    const alone = await setOf(li);
    const [du] = (await makeDus([
      { code: "D-1", plan: { 1: { plan_owner: alone, state: order("assigned") }, 2: { plan_owner: alone, state: order("scheduled") } } },
    ])) as [number];
    await db.owner`
      insert into work_order (project_id, number, du_id, slot, status, assignee_id, assigned_at) values (${at.id}, 41, ${du}, 1, 'assigned', ${li.id}, now())`;
    const seen = await done(replace({ dryRun: true }));
    expect(seen).toMatchObject({
      count: 1,
      dispatched: 1,
      orders: [{ number: 41, duCode: "D-1", activity: "Survey", assignee: li.name }],
    });
    expect(await done(replace())).toMatchObject({ count: 1, dispatched: 1 });
    expect((await peopleOf(du)).slice(0, 2)).toEqual([li.account, wang.account]);
    expect(await done(replace({ includeDispatched: true }))).toMatchObject({ count: 1 });
    expect((await peopleOf(du)).slice(0, 2)).toEqual([wang.account, wang.account]);
    const [sent] = await db.owner`select status, assignee_id from work_order where project_id = ${at.id} and number = 41`;
    expect(sent).toEqual({ status: "assigned", assignee_id: wang.id });
    const [event] =
      await db.owner`select event, from_status, to_status, actor_id from work_order_event where project_id = ${at.id} and number = 41`;
    expect(event).toEqual({ event: "reassign", from_status: "assigned", to_status: "assigned", actor_id: at.pm.id });
  });

  test("replaces owners of DUs and of regions, the latter unless the scope names DUs or flows alone", async () => {
    const { li, sun, wang } = at.people;
    const [du] = (await makeDus([{ regionId: at.north }])) as [number];
    await makeDuOwner(db.owner, du, li.id);
    await makeDuOwner(db.owner, du, sun.id);
    await makeDuOwner(db.owner, du, li.id, "SITE_OWNER");
    await db.owner`insert into region_owner (region_id, user_id) values (${at.north}, ${li.id}), (${at.west}, ${li.id})`;
    const fields = ["DU_OWNER", "REGION_OWNER"];
    expect(await done(replace({ fields, dryRun: true }))).toMatchObject({ count: 3, fields: { DU_OWNER: 1, REGION_OWNER: 2 } });
    const scope = { flowIds: [], regionIds: [], duIds: [du] };
    expect(await done(replace({ fields, scope, dryRun: true }))).toMatchObject({ count: 1, fields: { DU_OWNER: 1 } });
    await done(replace({ fields, scope: { ...scope, duIds: [], regionIds: [at.north] } }));
    const owned = await db.owner`select owner_kind as kind, user_id as id from du_owner where du_id = ${du} order by 1, 2`;
    expect(owned.map(({ kind, id }) => `${kind} ${id}`).sort()).toEqual(
      [`DU_OWNER ${sun.id}`, `DU_OWNER ${wang.id}`, `SITE_OWNER ${li.id}`].sort(),
    );
    const regions =
      await db.owner`select region_id as region, user_id as id from region_owner where region_id in (${at.north}, ${at.west})`;
    expect(Object.fromEntries(regions.map(({ region, id }) => [region, id]))).toEqual({ [at.north]: wang.id, [at.west]: li.id });
    await db.owner`delete from region_owner where region_id in (${at.north}, ${at.west})`;
  });

  test("in up to 200 DUs is done at once, in more by a task that can be stopped between its parts", { timeout: 60_000 }, async () => {
    const { li } = at.people;
    const alone = await setOf(li);
    const many = (count: number) => makeDus(Array.from({ length: count }, () => ({ plan: { 1: { plan_owner: alone } } })));
    const left = async () => {
      const [row] = await db.owner`
        select count(*)::int as n from du_plan p join du on du.id = p.du_id where p.project_id = ${at.id} and du.deleted_at is null and ${alone} = any(p.plan_owner)`;
      return row!.n as number;
    };
    await many(directDusMax);
    expect((await done(replace())).taskId).toBeUndefined();
    expect(await left()).toBe(0);
    await many(2 * replaceChunkDus + 1);
    await db.owner`insert into region_owner (region_id, user_id) values (${at.north}, ${li.id})`;
    const fields = ["PLAN_OWNER", "REGION_OWNER"];
    const started = await done(replace({ fields }));
    expect(started).toMatchObject({ count: 2 * replaceChunkDus + 2, taskId: expect.any(String) });
    expect(await left()).toBe(2 * replaceChunkDus + 1);
    // Stopped behind its first part.
    const stop = new AbortController();
    await db.owner`
      create or replace function pg_temp_stop() returns trigger language plpgsql as $$ begin new.cancel_requested := new.chunks_done >= 1; return new; end $$`;
    await db.owner`create trigger stop_task before update of chunks_done on task for each row execute function pg_temp_stop()`;
    await runTask(db.app, taskKinds, started.taskId, stop.signal);
    await db.owner`drop trigger stop_task on task`;
    await db.owner`drop function pg_temp_stop()`;
    const [halted] = await db.owner`select status, done_count from task where id = ${started.taskId}`;
    expect(halted).toEqual({ status: "cancelled", done_count: replaceChunkDus });
    expect(await left()).toBe(replaceChunkDus + 1);
    const rest = await done(replace({ fields }));
    await runTask(db.app, taskKinds, rest.taskId, stop.signal);
    const [task] = await db.owner`select status, done_count, result, message_key from task where id = ${rest.taskId}`;
    expect(task).toMatchObject({ status: "succeeded", result: { count: replaceChunkDus + 2 }, message_key: "owners.replace.finished" });
    await expectSameWhenTakenUp(db, rest.taskId, (id) => runTask(db.app, taskKinds, id, stop.signal));
    expect(await left()).toBe(0);
    expect(await db.owner`select 1 from region_owner where user_id = ${li.id}`).toHaveLength(0);
    await db.owner`delete from region_owner where region_id = ${at.north}`;
  });

  test("lists the rules and attributes that still name him", async () => {
    const { li, sun } = at.people;
    const fixed = (...people: CtxUser[]) => ({ fillMode: "FIXED", fillValue: { accounts: people.map(({ account }) => account) } });
    await make("Names him", fixed(sun, li));
    await make("Names others", fixed(sun));
    await make("Reads the lead", { fillMode: "ATTRIBUTE", fillValue: { attributeId: at.lead.id } });
    await makeDus([
      { ext: { [at.lead.key]: `Li (${li.account})` } },
      { ext: { [at.lead.key]: li.account.toUpperCase() } },
      { ext: { [at.lead.key]: `${li.account}x` } },
    ]);
    const seen = await done(replace({ dryRun: true }));
    expect(seen.rules).toMatchObject([{ name: "Names him" }]);
    expect(seen.attributes).toEqual([{ id: at.lead.id, name: "Team lead", dus: 2 }]);
  });
});
