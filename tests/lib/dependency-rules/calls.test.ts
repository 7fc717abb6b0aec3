import { beforeEach, describe, expect, it } from "vitest";
import { transaction } from "#db/client.ts";
import { forgetModes } from "#lib/attributes/modes/queries.ts";
import { dayNumber } from "#lib/core/clock.ts";
import { recheckDependencies } from "#lib/dependency-rules/commands.ts";
import { patchPlanState, type WriteOptions, writePlanRows } from "#lib/rollout-plan/plan-rows/commands.ts";
import { type PlanBlock, setCell, withState } from "#lib/rollout-plan/plan-rows/logic.ts";
import { readPlanRows } from "#lib/rollout-plan/plan-rows/queries.ts";
import { clock, useDatabase } from "../../support/database.ts";
import { inProject } from "../../support/plan-ctx.ts";
import { makeAttribute, makeDus } from "../../support/plan-factories.ts";
import { planCalls, usePlanProject } from "../../support/plan-project.ts";

const db = useDatabase();
const project = usePlanProject(db);
const { call, save, plan } = planCalls(db, project);

const id = (slot: number) => project.activities[slot - 1]!.id;
const started = (slot: number) => ({ activityId: id(slot), event: "START" });
const completed = (slot: number) => ({ activityId: id(slot), event: "COMPLETE" });
const closed = (slot: number) => ({ activityId: id(slot), event: "CLOSE" });
const maintained = (attributeId: number) => ({ attributeId, event: "MAINTAIN" });

type Rule = {
  prerequisites: object[];
  targets: object[];
  flowId?: number | null;
  expireDate?: string | null;
  id?: number;
  rowVersion?: number;
};
const store = (rule: Rule) => call(project.pm, "rollPlanDependency/save", rule);
const list = async (filters: object[] = [], user = project.pm) =>
  (await call(user, "rollPlanDependency/list/1/200/default/%5B%5D", { filters })).data;
/** Writes plan rows below the calls, as other areas do. */
const write = (duIds: number[], compute: (block: PlanBlock, row: number) => void, options: WriteOptions) =>
  inProject(project.pm, project.number, async (ctx) => {
    const block = await readPlanRows(ctx, duIds, { lock: true });
    for (const row of block.duIds.keys()) compute(block, row);
    return writePlanRows(ctx, block, options);
  });
const change = (verb: string, ids: number[]) => call(project.pm, `rollPlanDependency/${verb}`, { ids, confirm: true });

/** Owned DUs, so that actual dates may be entered. */
const dus = (count: number, more: Record<number, Record<string, string | number>> = {}, ext: Record<string, unknown> = {}) => {
  const slots = Object.fromEntries([1, 2, 3, 4, 5].map((slot) => [slot, { plan_owner: project.ownSet, ...more[slot] }]));
  return makeDus(
    db.owner,
    project.id,
    Array.from({ length: count }, () => ({ plan: slots, ext })),
    project.flow,
  );
};

beforeEach(async () => {
  await db.owner`delete from dep_rule where project_id = ${project.id}`;
});

describe("rollPlanDependency/save", () => {
  it("stores one rule per target with its prerequisites, target, condition and status [DEP-02] [DEP-08]", async () => {
    const attribute = await makeAttribute(db.owner, project.id, { name: "Acceptance number" });
    const answer = await store({
      prerequisites: [completed(4), maintained(attribute.id)],
      targets: [started(5), completed(3)],
      flowId: project.flow.id,
    });
    expect(answer.status).toBe(200);
    expect(answer.data.ids).toHaveLength(2);
    const { records, effective, total } = await list();
    expect([effective, total]).toEqual([2, 2]);
    expect(records[0]).toMatchObject({
      flowId: project.flow.id,
      target: { ...started(5), name: "Install" },
      prerequisites: [
        { ...completed(4), name: "MOS" },
        { ...maintained(attribute.id), name: "Acceptance number" },
      ],
      status: "EFFECTIVE",
      violations: 0,
    });
    expect(records[1].target).toMatchObject(completed(3));
    const refs =
      await db.owner`select target_kind, usage from config_ref where holder_kind = 'DEP_RULE' and holder_id = ${answer.data.ids[0]} order by 1, 2`;
    expect(refs.map((ref) => `${ref.target_kind} ${ref.usage}`)).toEqual([
      "ACTIVITY CONDITION",
      "ACTIVITY TARGET",
      "ATTRIBUTE CONDITION",
      "FLOW CONDITION",
    ]);
  });

  it("starts, completes or closes an activity or maintains an attribute, and takes only the events an object has [DEP-03]", async () => {
    const attribute = await makeAttribute(db.owner, project.id);
    for (const node of [
      { activityId: id(1), event: "START" },
      { activityId: id(1), event: "COMPLETE" },
      { activityId: id(1), event: "CLOSE" },
      { attributeId: attribute.id, event: "MAINTAIN" },
    ]) {
      expect(await store({ prerequisites: [node], targets: [started(5)] }), node.event).toMatchObject({ status: 200 });
      expect((await list()).records, node.event).toMatchObject([{ prerequisites: [node] }]);
      await db.owner`delete from dep_rule where project_id = ${project.id}`;
      expect(await store({ prerequisites: [completed(4)], targets: [node] }), node.event).toMatchObject({ status: 200 });
      expect((await list()).records, node.event).toMatchObject([{ target: node }]);
      await db.owner`delete from dep_rule where project_id = ${project.id}`;
    }
    const wrong = [
      { activityId: id(1), event: "MAINTAIN" },
      { attributeId: attribute.id, event: "COMPLETE" },
      { activityId: id(1), event: "OPEN" },
    ];
    for (const node of wrong) expect((await store({ prerequisites: [node], targets: [started(5)] })).code).toBe("INVALID_INPUT");
    expect((await list()).total).toBe(0);
  });

  it("refuses a rule that exists, in whatever order its prerequisites stand [DEP-09]", async () => {
    await store({ prerequisites: [completed(1), completed(2)], targets: [started(5)] });
    const again = await store({ prerequisites: [completed(2), completed(1)], targets: [started(4), started(5)] });
    expect(again).toMatchObject({ status: 422, code: "DEP_DUPLICATE", problems: [{ path: "targets.1" }] });
    expect((await list()).total).toBe(1);
    expect((await store({ prerequisites: [completed(2), completed(1)], targets: [started(5)], flowId: project.flow.id })).status).toBe(200);
  });

  it("refuses a circle with its way and saves nothing [DEP-10]", async () => {
    await store({ prerequisites: [completed(4)], targets: [started(5)] });
    const draft = { prerequisites: [completed(5)], targets: [completed(3), started(4)] };
    const answer = await store(draft);
    expect(answer).toMatchObject({ status: 422, code: "DEP_LOOP" });
    expect(answer.msg).toBe(
      "The rules would form a circle, nothing was saved: MOS (start) → MOS (complete) → Install (start) → Install (complete) → MOS (start)",
    );
    expect((await list()).total).toBe(1);
    const check = await call(project.pm, "rollPlanDependency/checkLoop", { draft });
    expect(check.data).toMatchObject({ loop: true, path: [{ name: "MOS", event: "START" }, {}, {}, {}, { name: "MOS" }] });
    const free = await call(project.pm, "rollPlanDependency/checkLoop", { draft: { ...draft, targets: [completed(3)] } });
    expect(free.data).toEqual({ loop: false, path: [] });
  });

  it("takes 10 targets and 5 prerequisites, no more [DEP-06] [DEP-07]", async () => {
    const nodes = [1, 2, 3, 4].flatMap((slot) => [started(slot), completed(slot), closed(slot)]);
    const many = await store({ prerequisites: [closed(5)], targets: nodes.slice(0, 11) });
    expect(many.problems).toMatchObject([{ path: "targets", code: "TOO_MANY_TARGETS", msg: "At most 10 targets" }]);
    const wide = await store({ prerequisites: nodes.slice(0, 6), targets: [closed(5)] });
    expect(wide.problems).toMatchObject([{ path: "prerequisites", code: "TOO_MANY_PREREQUISITES", msg: "At most 5 prerequisites" }]);
    expect((await list()).total).toBe(0);
    const fit = await store({ prerequisites: nodes.slice(0, 5), targets: [started(5)] });
    expect(fit.status).toBe(200);
    const ten = await store({
      prerequisites: [maintained((await makeAttribute(db.owner, project.id)).id)],
      targets: nodes.slice(0, 10),
    });
    expect(ten.data.ids).toHaveLength(10);
  });

  it("changes a rule that was read and refuses a stale one, a second target and things that are not there", async () => {
    const { ids } = (await store({ prerequisites: [completed(4)], targets: [started(5)] })).data;
    const other = { id: ids[0], prerequisites: [completed(3)], targets: [completed(5)] };
    expect((await store({ ...other, rowVersion: 1 })).data).toEqual({ ids });
    expect((await list()).records[0]).toMatchObject({ target: completed(5), prerequisites: [completed(3)], rowVersion: 2 });
    expect((await store({ ...other, rowVersion: 1 })).code).toBe("STALE");
    expect((await store({ ...other, rowVersion: 2, targets: [started(1), started(2)] })).problems).toMatchObject([
      { path: "targets", code: "TOO_MANY_TARGETS" },
    ]);
    expect(
      await store({ prerequisites: [completed(4)], targets: [started(1), { activityId: 999_999_999, event: "START" }] }),
    ).toMatchObject({
      code: "NOT_FOUND",
      problems: [{ path: "targets.1" }],
    });
    expect((await store({ prerequisites: [completed(4)], targets: [started(5)], flowId: 999_999_999 })).problems).toMatchObject([
      { path: "flowId" },
    ]);
  });
});

describe("status of rules", () => {
  it("enables 50 rules, not one more [DEP-05]", async () => {
    await db.owner`
      with r as (
        insert into dep_rule (project_id, target_kind, target_id, target_event, created_by, created_at, updated_by, updated_at)
        select ${project.id}, 'ACTIVITY', ${id(5)}, 'START', ${project.pm.id}, now(), ${project.pm.id}, now() from generate_series(1, 49) returning id)
      insert into dep_rule_prereq (rule_id, project_id, seq, kind, object_id, event) select id, ${project.id}, 1, 'ACTIVITY', ${id(1)}, 'START' from r`;
    const fits = await store({ prerequisites: [completed(4)], targets: [started(5)] });
    expect(fits.status).toBe(200);
    const over = await store({ prerequisites: [completed(3)], targets: [started(5)] });
    expect(over).toMatchObject({ code: "DEP_LIMIT", msg: "At most 50 dependency rules can be in force" });
    await change("expire", fits.data.ids);
    expect((await store({ prerequisites: [completed(3)], targets: [started(5)] })).status).toBe(200);
    expect((await change("enable", fits.data.ids)).code).toBe("DEP_LIMIT");
  });

  it("only effective rules are enforced; an expired one is judged again when it is enabled [DEP-04]", async () => {
    const [duId] = await dus(1);
    const { ids } = (await store({ prerequisites: [completed(4)], targets: [started(5)] })).data;
    const enter = (value: string | null, base: string | null = null) =>
      save(project.pm, [{ duId: duId!, activityId: id(5), field: "actualStart", value, base }]);
    expect((await enter("2026-10-12")).data).toMatchObject({ saved: 0, rejected: [{ code: "DEP_PREREQ_UNMET" }] });
    expect((await change("expire", ids)).data).toEqual({ expired: 1 });
    expect((await enter("2026-10-12")).data).toMatchObject({ saved: 1 });
    // In force again it counts what has happened all the same.
    expect((await change("enable", ids)).data).toEqual({ enabled: 1 });
    expect((await list()).records[0]).toMatchObject({ status: "EFFECTIVE", violations: 1 });
    await change("expire", ids);
    await store({ prerequisites: [completed(5)], targets: [started(4)] });
    expect((await change("enable", ids)).code).toBe("DEP_LOOP");
    expect((await change("delete", ids)).data).toEqual({ deleted: 1 });
    expect((await db.owner`select 1 from config_ref where holder_kind = 'DEP_RULE' and holder_id = any(${ids}::bigint[])`).count).toBe(0);
  });

  it("a rule holds through its last day and is expired by the check after it", async () => {
    const { ids } = (await store({ prerequisites: [completed(4)], targets: [started(5)], expireDate: "2026-10-15" })).data;
    const recheck = (now: string) =>
      transaction(db.app, (sql) => recheckDependencies({ sql, project: { id: project.id }, now: new Date(now) }, now));
    expect(await recheck("2026-10-15T15:59:00Z")).toEqual([]);
    expect(await recheck("2026-10-15T16:00:00Z")).toEqual(ids);
    expect((await list()).records[0].status).toBe("EXPIRED");
    expect(await db.owner`select user_id, title, params from notice where project_id = ${project.id}`).toEqual([
      { user_id: project.pm.id, title: "dependency-rules.notice.expired", params: { count: 1 } },
    ]);
    const refused = await call(project.pm, "rollPlanDependency/enable", { ids, confirm: true }, new Date("2026-10-16T01:00:00Z"));
    expect(refused).toMatchObject({ code: "DEP_CANNOT_ENABLE", msg: expect.stringContaining("its last day is over") });
    expect((await store({ prerequisites: [completed(3)], targets: [started(5)], expireDate: "2026-10-01" })).code).toBe("END_PAST");
  });

  it("a rule whose attribute is gone is taken out of force", async () => {
    const attribute = await makeAttribute(db.owner, project.id);
    const { ids } = (await store({ prerequisites: [maintained(attribute.id)], targets: [started(5)] })).data;
    await db.owner`update attribute set deleted_at = now() where id = ${attribute.id}`;
    const gone = await transaction(db.app, (sql) => recheckDependencies({ sql, project: { id: project.id }, now: clock }, "gone"));
    expect(gone).toEqual(ids);
    expect((await change("enable", ids)).msg).toContain("no longer in use");
  });

  it("needs dependency.edit to change and rule.view to see", async () => {
    expect((await call(project.viewer, "rollPlanDependency/save", { prerequisites: [completed(4)], targets: [started(5)] })).code).toBe(
      "NO_PERMISSION",
    );
    expect((await call(project.pm, "rollPlanDependency/expire", { ids: [1] })).status).toBe(400);
  });
});

describe("every way to write a date", () => {
  it("grid: names what is missing, keeps the DU and saves the others", async () => {
    await store({ prerequisites: [completed(4)], targets: [started(5)] });
    const [early, ready] = await dus(2);
    const answer = await save(project.pm, [
      { duId: early!, activityId: id(5), field: "actualStart", value: "2026-10-12" },
      { duId: early!, activityId: id(1), field: "planEnd", value: "2026-10-20" },
      { duId: ready!, activityId: id(4), field: "actualEnd", value: "2026-10-11" },
      { duId: ready!, activityId: id(5), field: "actualStart", value: "2026-10-12" },
    ]);
    expect(answer.data).toMatchObject({ saved: 2 });
    const refusal = { duId: early, code: "DEP_PREREQ_UNMET", msg: "“Install” cannot be started: “MOS” has not been completed" };
    expect(answer.data.rejected).toEqual([
      { ...refusal, activityId: id(5), field: "actualStart" },
      { ...refusal, activityId: id(1), field: "planEnd" },
    ]);
    expect((await plan(ready!)).actual_start[4]).toBe(dayNumber("2026-10-12"));
    // An end alone is a start too.
    const end = await save(project.pm, [{ duId: early!, activityId: id(5), field: "actualEnd", value: "2026-10-12" }]);
    expect(end.data.rejected[0]).toMatchObject({ field: "actualEnd", code: "DEP_PREREQ_UNMET" });
  });

  it("an attribute as prerequisite and as target, never named to whom it is not shown", async () => {
    const number = await makeAttribute(db.owner, project.id, { name: "Acceptance no." });
    const note = await makeAttribute(db.owner, project.id, { name: "Handover note" });
    await store({ prerequisites: [maintained(number.id)], targets: [completed(5)] });
    await store({ prerequisites: [completed(1)], targets: [maintained(note.id)] });
    const [duId, full] = [(await dus(1))[0]!, (await dus(1, {}, { [number.key]: "N-1" }))[0]!];
    const done = (du: number) => ({ duId: du, activityId: id(5), field: "actualEnd", value: "2026-10-12" });
    const answer = await save(project.pm, [
      done(duId),
      done(full),
      { duId: full, activityId: id(5), field: "actualStart", value: "2026-10-12" },
    ]);
    expect(answer.data.rejected).toMatchObject([{ duId, msg: "“Install” cannot be completed: “Acceptance no.” has not been maintained" }]);
    expect(answer.data.saved).toBe(2);
    // One save fills both.
    expect((await save(project.pm, [done(duId), { duId, field: number.key, value: "N-2" }])).data.saved).toBe(2);
    const target = await save(project.pm, [{ duId, field: note.key, value: "x" }]);
    expect(target.data.rejected).toEqual([
      { duId, field: note.key, code: "DEP_PREREQ_UNMET", msg: "“Handover note” cannot be maintained: “Survey” has not been completed" },
    ]);
    await db.owner`
      insert into attribute_permission (project_id, subject_type, role, entries, updated_by, updated_at)
      values (${project.id}, 'ROLE', 'PM', ${db.owner.json([{ attributeId: number.id, mode: "HIDDEN" }])}, ${project.pm.id}, now())`;
    const [hidden] = await dus(1);
    const blind = await save(project.pm, [done(hidden!)]);
    expect(blind.data.rejected[0].msg).toBe("“Install” cannot be completed: a condition that is not shown to you");
    forgetModes();
    expect((await list()).records[0].prerequisites).toEqual([{ ...maintained(number.id), name: null }]);
    await db.owner`delete from attribute_permission where project_id = ${project.id}`;
  });

  it("an old violation blocks no other edit; NA and activities outside the flow are not waited for", async () => {
    const [old, na] = [(await dus(1, { 5: { actual_start: "2026-10-01" } }))[0]!, (await dus(1, { 4: { state: 3 } }))[0]!];
    await store({ prerequisites: [completed(4)], targets: [started(5)] });
    expect((await save(project.pm, [{ duId: old, activityId: id(5), field: "actualEnd", value: "2026-10-12" }])).data.saved).toBe(1);
    expect((await save(project.pm, [{ duId: na, activityId: id(5), field: "actualStart", value: "2026-10-12" }])).data.saved).toBe(1);
  });

  it("batch set date, in the preview and when it writes", async () => {
    await store({ prerequisites: [completed(4)], targets: [started(5)] });
    const [early, ready] = [(await dus(1))[0]!, (await dus(1, { 4: { actual_end: "2026-10-01" } }))[0]!];
    const input = { duIds: [early, ready], activityIds: [id(5)], field: "actualStart", mode: "set", value: "2026-10-12" };
    for (const preview of [true, false]) {
      const { data } = await call(project.pm, "rolloutPlan/batch/setDate", { ...input, preview });
      expect(data).toMatchObject({ changed: 1, rejected: [{ duId: early, code: "DEP_PREREQ_UNMET" }] });
    }
    expect((await plan(ready)).actual_start[4]).toBe(dayNumber("2026-10-12"));
    expect((await plan(early)).actual_start[4] ?? 0).toBe(0);
  });

  it("batch of an attribute", async () => {
    const note = await makeAttribute(db.owner, project.id, { name: "Batch note" });
    await store({ prerequisites: [completed(1)], targets: [maintained(note.id)] });
    const [early, ready] = [(await dus(1))[0]!, (await dus(1, { 1: { actual_end: "2026-10-01" } }))[0]!];
    const { data } = await call(project.pm, "rolloutPlan/batch/setAttribute", {
      duIds: [early, ready],
      attributeId: note.id,
      value: "x",
      preview: false,
    });
    expect(data).toMatchObject({ changed: 1, rejected: [{ duId: early, field: note.key, code: "DEP_PREREQ_UNMET" }] });
    const rows = await db.owner`select id, ext ->> ${note.key} as value from du where id = any(${[early, ready]}::bigint[]) order by id`;
    expect(rows.map((row) => row.value)).toEqual([null, "x"]);
  });

  it("closing", async () => {
    await store({ prerequisites: [closed(4)], targets: [closed(5)] });
    const ended = { actual_end: "2026-10-01" };
    const [early, ready] = [
      (await dus(1, { 5: ended }))[0]!,
      (await dus(1, { 4: { ...ended, state: withState(1, "closed", 1) }, 5: ended }))[0]!,
    ];
    const { data } = await call(project.pm, "rolloutPlan/close", { duIds: [early, ready], activityIds: [id(5)] });
    expect(data).toMatchObject({
      changed: 1,
      rejected: [{ duId: early, field: "closed", code: "DEP_PREREQ_UNMET", msg: "“Install” cannot be closed: “MOS” has not been closed" }],
    });
  });

  it("undo", async () => {
    const [duId] = await dus(1, { 4: { actual_end: "2026-10-01" }, 5: { actual_start: "2026-10-02" } });
    const cleared = await save(project.pm, [{ duId: duId!, activityId: id(5), field: "actualStart", value: null, base: "2026-10-02" }]);
    await save(project.pm, [{ duId: duId!, activityId: id(4), field: "actualEnd", value: null, base: "2026-10-01" }], {
      reason: "wrong site",
    });
    await store({ prerequisites: [completed(4)], targets: [started(5)] });
    const { data } = await call(project.pm, "rolloutPlan/undo", { batchId: cleared.data.batchId });
    expect(data).toMatchObject({ saved: 0, rejected: [{ duId, code: "DEP_PREREQ_UNMET" }] });
  });

  const sources: [title: string, options: Omit<WriteOptions, "patches">][] = [
    ["an import", { source: "import", reason: "r" }],
    ["feedback", { source: "feedback", reason: "r" }],
    ["a version restored", { source: "restore", reason: "r" }],
    ["a plan change", { source: "plan_change", reason: "r" }],
    ["a work order that is completed", { source: "work_order", event: "complete" }],
    ["a work order that is started", { source: "work_order", event: "start" }],
    ["a plan auto rule", { source: "rule", byPerson: false }],
    ["automation", { source: "automation", byPerson: false }],
    ["the engine", { source: "engine", byPerson: false }],
    ["another system", { source: "api" }],
    ["a mobile", { source: "mobile" }],
  ];
  it.each(sources)("%s: refused per DU, the others are written", async (_title, options) => {
    await store({ prerequisites: [completed(4)], targets: [started(5)] });
    const [early, ready] = [(await dus(1))[0]!, (await dus(1, { 4: { actual_end: "2026-10-01" } }))[0]!];
    const written = await write([early, ready], (block, row) => setCell(block, row, 5, "actualStart", dayNumber("2026-10-12")), options);
    expect(written).toMatchObject({ written: [ready], rejected: [{ duId: early, code: "DEP_PREREQ_UNMET" }], questions: [] });
  });

  it("redo, NA and a change of flow only clear: nothing hinders them; what they take away is told, not asked", async () => {
    await store({ prerequisites: [completed(4)], targets: [started(5)] });
    for (const options of [
      { source: "work_order", event: "redo", reason: "r" },
      { source: "work_order", event: "na", reason: "r" },
      { source: "flow" },
    ] as const) {
      const [duId] = await dus(1, { 4: { actual_end: "2026-10-01" }, 5: { actual_start: "2026-10-02" } });
      const written = await write([duId!], (block, row) => setCell(block, row, 4, "actualEnd", 0), options);
      expect(written).toMatchObject({ written: [duId], rejected: [] });
    }
    const [duId] = await dus(1, { 4: { actual_end: "2026-10-01" }, 5: { actual_start: "2026-10-02" } });
    const told = await write([duId!], (block, row) => setCell(block, row, 4, "actualEnd", 0), { source: "import", reason: "r" });
    expect(told).toMatchObject({ written: [duId], questions: [{ code: "DEP_CLEAR_CONFIRM", duId, slot: 4 }] });
  });

  it("the state bits of an area: a task closed by another way", async () => {
    await store({ prerequisites: [closed(4)], targets: [closed(5)] });
    const [duId] = await dus(1, { 5: { actual_end: "2026-10-01" } });
    const answer = await inProject(project.pm, project.number, (ctx) =>
      patchPlanState(ctx, [{ duId: duId!, slot: 5, set: { closed: 1 } }], { owner: "rollout-plan", source: "system" }),
    );
    expect(answer).toMatchObject({ written: [], rejected: [{ duId, field: "state", code: "DEP_PREREQ_UNMET" }] });
  });

  it("clearing a prerequisite of what has happened is asked about, with the list, and done once confirmed", async () => {
    await store({ prerequisites: [completed(4)], targets: [started(5), started(3)] });
    const [duId, other] = await dus(2, { 4: { actual_end: "2026-10-01" }, 5: { actual_start: "2026-10-02" } });
    const edits = [{ duId: duId!, activityId: id(4), field: "actualEnd", value: null, base: "2026-10-01" }];
    const asked = await save(project.pm, edits, { reason: "wrong site" });
    expect(asked).toMatchObject({ status: 422, code: "DEP_CLEAR_CONFIRM" });
    expect(asked.data.questions).toEqual([
      {
        code: "DEP_CLEAR_CONFIRM",
        duId,
        activityId: id(4),
        field: "actualEnd",
        msg: "“Install” has already been started, and now “MOS” has not been completed",
      },
    ]);
    expect((await plan(duId!)).actual_end[3]).toBe(dayNumber("2026-10-01"));
    // A question that was not shown is asked, whatever was confirmed.
    const more = [...edits, { ...edits[0]!, duId: other! }];
    const again = await save(project.pm, more, { reason: "wrong site", confirmed: asked.data.confirm });
    expect(again).toMatchObject({ code: "DEP_CLEAR_CONFIRM", data: { questions: [{}, {}] } });
    const done = await save(project.pm, more, { reason: "wrong site", confirmed: again.data.confirm });
    expect(done.data).toMatchObject({ saved: 2, rejected: [] });
  });

  it("rollPlanDependency/violations: what waits, with unsaved edits taken as saved", async () => {
    await store({ prerequisites: [completed(4), completed(3)], targets: [started(5)] });
    const [duId] = await dus(1, { 3: { actual_end: "2026-10-01" } });
    const ask = async (edits: object[] = []) =>
      (await call(project.pm, "rollPlanDependency/violations", { duIds: [duId], edits })).data.violations;
    const waiting = { duId, activityId: id(5), event: "START", happened: false, unmet: ["“MOS” has not been completed"] };
    expect(await ask()).toEqual([waiting]);
    expect(await ask([{ duId, activityId: id(5), field: "actualStart", value: "2026-10-12" }])).toEqual([{ ...waiting, happened: true }]);
    expect(await ask([{ duId, activityId: id(4), field: "actualEnd", value: "2026-10-12" }])).toEqual([]);
    expect((await call(project.stranger, "rollPlanDependency/violations", { duIds: [duId] })).status).toBe(403);
  });
});
