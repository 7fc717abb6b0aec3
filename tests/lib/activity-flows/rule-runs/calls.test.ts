import { buffer } from "node:stream/consumers";
import { beforeEach, describe, expect, test } from "vitest";
import { schedules } from "#jobs/schedule.ts";
import { runDaily } from "#lib/activity-flows/rule-runs/commands.ts";
import { newestSlot } from "#lib/core/schedule.ts";
import { writeWorkbook } from "#lib/core/workbook-write.ts";
import { clock, useDatabase } from "../../../support/database.ts";
import { expectSameWhenTakenUp } from "../../../support/take-up.ts";
import { importsOf, useFiles } from "../../imports/support.ts";
import { useRuleProject } from "../flow-rules/make-rules.ts";
import { done } from "../make-flow.ts";

const db = useDatabase();
useFiles();
const { at, call, clear, enable, flowOf, isRooftop, list, make, makeDu } = useRuleProject(db);
const imports = importsOf(db, () => ({ project: at, user: at.pm }));
beforeEach(clear);

const run = async (...ids: number[]) => {
  const { taskId } = await done(call("duFlowRule/run", { ids }));
  const task = await imports.run(taskId);
  await expectSameWhenTakenUp(db, taskId, imports.run);
  return task;
};
const filters = (list: object[]) => encodeURIComponent(JSON.stringify(list));
const unmatched = async (...given: object[]) =>
  (await done(call(`duFlowRule/unmatched/list/1/200/default/${filters(given)}`))).records.map(
    ({ id, reason }: { id: number; reason: string }) => `${id} ${reason}`,
  );
const runs = async () => (await done(call(`duFlowRule/run/list/1/20/default/${filters([])}`))).records;
const twoRules = async (): Promise<[{ id: number }, { id: number }]> => [
  await enable("Roofs", { flowId: at.rooftop.id, regionId: at.north, conditions: [isRooftop()] }),
  await enable("All", { flowId: at.standard.id }),
];

describe("duFlowRule/run [FLW-03]", () => {
  test("binds every DU without flow to the flow of the first rule that fits, and says so", async () => {
    const [roofs, all] = await twoRules();
    const [north, south, nowhere, field] = [
      await makeDu(at.north, true),
      await makeDu(at.south, true),
      await makeDu(null, true),
      await makeDu(at.north),
    ];
    const task = await run(roofs.id, all.id);
    expect(task).toMatchObject({ status: "succeeded", done_count: 4 });
    expect(await flowOf(north)).toEqual({ flow: "R", source: "rule", by: at.pm.id, rule: roofs.id });
    for (const du of [south, nowhere, field]) expect(await flowOf(du)).toEqual({ flow: "S", source: "rule", by: at.pm.id, rule: all.id });
    expect(await unmatched()).toEqual([]);
    expect((await runs())[0]).toMatchObject({
      mode: "manual",
      status: "done",
      startedByName: at.pm.name,
      scopeCount: 4,
      boundCount: 4,
      unmatchedCount: 0,
      rules: [
        { name: "Roofs", bound: 1 },
        { name: "All", bound: 3 },
      ],
    });
    expect(
      (await list()).map(({ name, duCount, lastRunAt }: { name: string; duCount: number; lastRunAt: Date }) => [name, duCount, lastRunAt]),
    ).toEqual([
      ["Roofs", 1, clock],
      ["All", 3, clock],
    ]);
    const [plan] = await db.owner`select state, row_version from du_plan where du_id = ${north}`;
    expect((plan!.state as number[]).filter((bits) => bits & 1)).toHaveLength(2);
    const [batch] =
      await db.owner`select source, origin, actor_id, du_count from plan_batch where project_id = ${at.id} order by id desc limit 1`;
    expect(batch).toMatchObject({ source: "flow", origin: { kind: "flowRules" }, actor_id: at.pm.id, du_count: 4 });
  });

  test("never touches a DU that was bound by hand, and leaves to other rules what is theirs", async () => {
    const [roofs, all] = await twoRules();
    const [byHand, north, south] = [await makeDu(at.north, true), await makeDu(at.north, true), await makeDu(at.south)];
    await done(call("duFlow/bind", { duIds: [byHand], flowId: at.standard.id }));
    await run(all.id);
    expect(await flowOf(byHand)).toMatchObject({ flow: "S", source: "manual" });
    expect(await flowOf(south)).toMatchObject({ flow: "S", rule: all.id });
    // The rule before it takes this one, and was not asked for.
    expect(await flowOf(north)).toBeNull();
    expect(await unmatched()).toEqual([]);
    await run(roofs.id);
    expect(await flowOf(north)).toMatchObject({ flow: "R", rule: roofs.id });
  });

  test("keeps for every DU left why, until it fits or is bound", async () => {
    const roofs = await enable("Roofs", { flowId: at.rooftop.id, regionId: at.north, conditions: [isRooftop()] });
    await make("Off", { regionId: at.south });
    const [noRule, invalid, noRegion] = [await makeDu(at.north), await makeDu(at.south), await makeDu(null, true)];
    await run(roofs.id);
    expect((await unmatched()).sort()).toEqual([`${noRule} NO_RULE`, `${invalid} RULE_INVALID`, `${noRegion} NO_REGION`].sort());
    expect(await unmatched({ field: "reason", type: "eq", values: ["NO_REGION"] })).toEqual([`${noRegion} NO_REGION`]);
    await done(call("duFlow/bind", { duIds: [invalid], flowId: at.standard.id }));
    expect((await unmatched()).sort()).toEqual([`${noRule} NO_RULE`, `${noRegion} NO_REGION`].sort());
    await db.owner`update du set region_id = ${at.north} where id = ${noRegion}`;
    await run(roofs.id);
    expect(await flowOf(noRegion)).toMatchObject({ flow: "R" });
    expect(await unmatched()).toEqual([`${noRule} NO_RULE`]);
  });

  test("is refused for more than ten rules, for rules out of force, and while they run", async () => {
    const ids: number[] = [];
    for (let n = 0; n < 11; n++) ids.push((await enable(`Rule ${n}`)).id);
    const many = await call("duFlowRule/run", { ids });
    expect(many.problems).toMatchObject([{ path: "ids", code: "TOO_MANY_RULES", msg: "At most 10 rules" }]);
    const { taskId } = await done(call("duFlowRule/run", { ids: ids.slice(0, 10) }));
    const busy = { status: 422, code: "RULE_EXECUTING" };
    expect(await call("duFlowRule/run", { ids: [ids[0]] })).toMatchObject(busy);
    for (const address of ["duFlowRule/disable", "duFlowRule/delete", "duFlowRule/enable"])
      expect(await call(address, { ids: [ids[0]] }), address).toMatchObject(busy);
    expect(await call("duFlowRule/save", { id: ids[0], rowVersion: 2, name: "Busy", flowId: at.standard.id })).toMatchObject(busy);
    expect(await call("duFlowRule/saveSort", { ids })).toMatchObject(busy);
    expect((await list()).filter(({ executing }: { executing: boolean }) => executing)).toHaveLength(10);
    expect(await call("duFlowRule/disable", { ids: [ids[10]] })).toMatchObject({ status: 200 });
    await imports.run(taskId);
    expect(await call("duFlowRule/disable", { ids: [ids[0]] })).toMatchObject({ status: 200 });
    const invalid = await call("duFlowRule/run", { ids: [ids[0], ids[1]] });
    expect(invalid).toMatchObject({ status: 422, code: "RULES_INVALID", msg: "Checked rules invalid, reselect: Rule 0" });
  });

  test("leaves out a rule that is broken by the time it runs", async () => {
    const [roofs, all] = await twoRules();
    const du = await makeDu(at.north, true);
    const { taskId } = await done(call("duFlowRule/run", { ids: [roofs.id, all.id] }));
    await db.owner`update attribute set in_rollout_plan = false where id = ${at.scenario.id}`;
    await imports.run(taskId);
    await db.owner`update attribute set in_rollout_plan = true where id = ${at.scenario.id}`;
    expect(await flowOf(du)).toMatchObject({ flow: "S", rule: all.id });
    expect((await list())[0]).toMatchObject({ status: "invalid", invalidReason: "ATTRIBUTE_NOT_DISPLAYED" });
  });
});

describe("duFlowRule/preview [FLW-03]", () => {
  test("counts what stored rules would do if they were in force, and writes nothing", async () => {
    const roofs = await make("Roofs", { flowId: at.rooftop.id, regionId: at.north, conditions: [isRooftop()] });
    await enable("All", { flowId: at.standard.id });
    const [north, south] = [await makeDu(at.north, true), await makeDu(at.south, true)];
    const prints = async () => db.owner`select count(*)::int as n from du_flow where project_id = ${at.id}`;
    const before = await prints();
    const preview = await done(call("duFlowRule/preview", { ids: [roofs.id] }));
    expect(preview).toMatchObject({
      scope: 2,
      others: 1,
      unmatched: { NO_RULE: 0, RULE_INVALID: 0, NO_REGION: 0 },
      rules: [{ id: roofs.id, matched: 1, bound: 1, faulty: false, dus: [{ id: north, region: "North" }] }],
    });
    expect(await prints()).toEqual(before);
    expect(await flowOf(south)).toBeNull();
  });

  test("of a rule that is being typed stands in for the stored one, and loses to earlier ones", async () => {
    await enable("First", { flowId: at.rooftop.id, regionId: at.north });
    const stored = await enable("Second", { flowId: at.standard.id, regionId: at.south });
    for (const region of [at.north, at.north, at.south, null]) await makeDu(region);
    const typed = { name: "Typed", flowId: at.standard.id, conditions: [] };
    const asNew = await done(call("duFlowRule/preview", { rule: typed }));
    expect(asNew).toMatchObject({ scope: 4, others: 3, rules: [{ id: null, matched: 4, bound: 1 }] });
    const inPlace = await done(call("duFlowRule/preview", { rule: { ...typed, id: stored.id } }));
    expect(inPlace).toMatchObject({ others: 2, rules: [{ id: stored.id, matched: 4, bound: 2 }] });
    const narrow = await done(call("duFlowRule/preview", { rule: { ...typed, id: stored.id, regionId: at.south } }));
    expect(narrow).toMatchObject({ rules: [{ matched: 1, bound: 1 }], unmatched: { NO_REGION: 1 } });
  });

  test("lists the first 200 DUs of a rule and counts all; a rule that cannot be in force takes none", async () => {
    const rule = await make("All");
    await db.owner`
      with s as (insert into customer_site (project_id, code, name) values (${at.id}, 'MANY', 'Many') returning id),
        d as (insert into du (project_id, code, name, site_id) select ${at.id}, 'M' || n, 'M', s.id from s, generate_series(1, 201) n returning id, project_id)
      insert into du_plan (du_id, project_id) select id, project_id from d`;
    const preview = await done(call("duFlowRule/preview", { ids: [rule.id] }));
    expect(preview.rules[0]).toMatchObject({ matched: 201, bound: 201 });
    expect(preview.rules[0].dus).toHaveLength(200);
    const [region] = await db.owner<{ id: number }[]>`
      insert into delivery_region (project_id, name, status) values (${at.id}, 'Closed', 'INVALID') returning id`;
    const broken = await make("Broken", { regionId: region!.id });
    expect((await done(call("duFlowRule/preview", { ids: [broken.id] }))).rules[0]).toMatchObject({ bound: 0, faulty: true });
  });

  test("tells what is wrong with the conditions, and takes no eleventh rule", async () => {
    const conditions = [{ object: { k: "DU", f: "code" }, operator: "eq", values: ["today*"] }];
    expect(await call("duFlowRule/preview", { rule: { name: "T", flowId: at.standard.id, conditions } })).toMatchObject({
      code: "SPECIAL_CHARACTERS",
    });
    const ids = Array.from({ length: 11 }, (_, place) => place + 1);
    expect((await call("duFlowRule/preview", { ids })).problems).toMatchObject([{ code: "TOO_MANY_RULES" }]);
  });
});

describe("without anybody asking [FLW-03]", () => {
  test("every day at 03:00 project time, by nobody, and twice is once", async () => {
    const due = schedules.find(({ name }) => name === "flowRules.run")!.due;
    expect(due).toEqual({ daily: "03:00" });
    // 02:59 and 03:00 in a project two hours behind Beijing.
    const slot = (utc: string) => newestSlot(due, new Date(utc), -2).toISOString().slice(0, 16);
    expect([slot("2026-10-13T20:59:00Z"), slot("2026-10-13T21:00:00Z")]).toEqual(["2026-10-13T03:00", "2026-10-14T03:00"]);

    const all = await enable("All");
    const [one, two] = [await makeDu(at.north), await makeDu(null)];
    await runDaily(db.app, at.id, clock);
    expect(await flowOf(one)).toEqual({ flow: "S", source: "rule", by: null, rule: all.id });
    expect(await flowOf(two)).toMatchObject({ flow: "S" });
    const [batch] = await db.owner`select actor_id, source, du_count from plan_batch where project_id = ${at.id} order by id desc limit 1`;
    expect(batch).toEqual({ actor_id: null, source: "flow", du_count: 2 });
    expect((await runs())[0]).toMatchObject({ mode: "daily", status: "done", startedByName: null, boundCount: 2 });
    await runDaily(db.app, at.id, clock);
    expect((await runs())[0]).toMatchObject({ mode: "daily", status: "done", scopeCount: 0, boundCount: 0 });
    expect(await db.owner`select 1 from du_flow where du_id = any(${[one, two]}::bigint[])`).toHaveLength(2);
  });

  test("does nothing where no rule is in force", async () => {
    await make("Off");
    const before = (await runs()).length;
    await runDaily(db.app, at.id, clock);
    expect(await runs()).toHaveLength(before);
  });

  test("after DUs were imported", async () => {
    const north = await enable("North", { regionId: at.north });
    const sheet = {
      name: "DUs",
      columns: ["DU ID", "DU name", "Region"].map((title) => ({ title })),
      rows: [
        ["IMP-1", "One", "North"],
        ["IMP-2", "Two", "South"],
      ],
    };
    const fileId = await imports.upload("dus.xlsx", await buffer(writeWorkbook(sheet)));
    const checked = await imports.preview({ fileId, kind: "dus", options: {} });
    expect(await imports.apply(checked.id)).toMatchObject({ status: "succeeded", done_count: 2 });
    const [follower] = await db.owner<
      { id: string }[]
    >`select id from task where project_id = ${at.id} and kind = 'activityFlows.runRules' and status = 'queued'`;
    await imports.run(follower!.id);
    const idOf = async (code: string) =>
      (await db.owner`select id from du where project_id = ${at.id} and code = ${code}`)[0]!.id as number;
    expect(await flowOf(await idOf("IMP-1"))).toMatchObject({ flow: "S", source: "rule", rule: north.id });
    expect(await unmatched()).toEqual([`${await idOf("IMP-2")} NO_RULE`]);
    expect((await runs())[0]).toMatchObject({ mode: "import", status: "done", boundCount: 1, unmatchedCount: 1 });
  });
});
