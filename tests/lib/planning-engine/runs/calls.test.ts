import { symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { env } from "#lib/core/env.ts";
import { locales } from "#lib/core/locale.ts";
import { exactFolder } from "#lib/planning-engine/exact/queries.ts";
import { engineDusMax } from "#lib/planning-engine/inputs/limits.ts";
import { endLostRuns } from "#lib/planning-engine/runs/commands.ts";
import { frozenDaysMax, stabilityWeightMax } from "#lib/planning-engine/runs/limits.ts";
import { callAs } from "#tests/support/call.ts";
import { clock, useDatabase } from "#tests/support/database.ts";
import { type EngineVersion, engineCalls } from "#tests/support/engine-version.ts";
import { usePlanProject } from "#tests/support/plan-project.ts";
import { expectSameWhenTakenUp } from "../../../support/take-up.ts";
import { useFiles } from "../../imports/support.ts";

const db = useDatabase();
useFiles();
const project = usePlanProject(db);
const { call, ok, start, work, plan, makeVersion } = engineCalls(db, project);
const elsewhere = engineCalls(db, usePlanProject(db));
let version: EngineVersion;

const installed = exactFolder(resolve(".data"));
if (!installed) console.warn("skipped: the solver of the exact step is not installed (npm run get-exact)");

const state = async (versionId: number) =>
  (
    await db.owner`select status, is_planned as "isPlanned", calc_end_at is not null as ended from engine_plan_version where id = ${versionId}`
  )[0]!;
const run = async (id: number) => (await db.owner`select * from engine_run where id = ${id}`)[0]!;
/** What a task says it has come to, in every language. */
const told = async (taskId: string) =>
  Object.fromEntries(
    await Promise.all(
      locales.map(async (locale) => {
        const { data } = await callAs(project.pm, `task/find/${taskId}`, {}, { project: project.number, locale });
        return [locale, data?.message];
      }),
    ),
  );

beforeAll(async () => {
  version = await makeVersion("V");
});

describe("engine/executeEngine", () => {
  it("calculates a version: executing, then success, its plan published with the checker's report [ENG-16] [ENG-21] [ENG-22]", async () => {
    const { versionId } = version;
    expect(await state(versionId)).toMatchObject({ status: "setting", isPlanned: false });
    const { runId, taskId } = await start(versionId);
    expect(await state(versionId)).toMatchObject({ status: "calculating", ended: false });
    expect(await ok("engine/executeEngine/status", { runId })).toMatchObject({
      status: "executing",
      phase: "queued",
      queuePosition: 1,
      percent: 0,
    });
    expect(await call(project.pm, "engine/executeEngine/plan", { versionId })).toMatchObject({ code: "ALREADY_RUNNING" });
    expect((await call(project.pm, "engine/setting/save", { versionId, planStartDate: "2026-11-03", rowVersion: 1 })).code).toBe(
      "VERSION_LOCKED",
    );
    const task = await work(taskId);
    expect(task.status, JSON.stringify(task)).toBe("succeeded");
    await expectSameWhenTakenUp(db, taskId, work);
    const status = await ok("engine/executeEngine/status", { runId });
    expect(status).toMatchObject({
      status: "success",
      phase: "done",
      percent: 100,
      queuePosition: null,
      evaluationLimit: 60,
      message: null,
    });
    expect(status.evaluations).toBeGreaterThan(0);
    // Surveys from Monday on, installations one after the other: nine working days of the only team from Tuesday on.
    expect(status.incumbent).toEqual({ gapDus: 1, lateDus: 2, lateDays: 4 + 7, finishDate: "2026-11-13", makespan: 12 });
    expect(status.bound).toEqual({ makespan: 12 });
    expect(await state(versionId)).toEqual({ status: "finished", isPlanned: true, ended: true });
    const stored = await run(runId);
    expect(stored.check_report).toMatchObject({ signed: true });
    expect(stored.check_report.rules).toHaveLength(20);
    expect(stored.snapshot_sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it("gives the same plan again from the same inputs, seed and limit", async () => {
    const vectors = (id: number) =>
      db.owner`select du_id, starts, ends, pools, teams, bindings, binding_refs, fixed from engine_out_du where run_id = ${id} order by du_id`;
    const [first] = await db.owner<{ id: number }[]>`select id from engine_run where version_id = ${version.versionId}`;
    const { runId } = await plan(version.versionId);
    expect(await vectors(runId)).toEqual(await vectors(first!.id));
    expect((await run(runId)).snapshot_sha256).toBe((await run(first!.id)).snapshot_sha256);
  });

  it("refuses what the input check finds, with its errors, and more DUs than one run plans", async () => {
    const { id } = await ok("engine/version/save", { versionName: "Empty" });
    const answer = await call(project.pm, "engine/executeEngine/plan", { versionId: id });
    expect(answer).toMatchObject({ code: "INPUT_CHECK", status: 422 });
    expect((answer.data as { errors: { code: string }[] }).errors.map(({ code }) => code)).toContain("SETTING_MISSING");
    expect((await call(project.viewer, "engine/executeEngine/plan", { versionId: id })).status).toBe(403);
    expect((await call(project.stranger, "engine/executeEngine/plan", { versionId: id })).status).toBe(403);
    const refusal = async (more: object) => (await call(project.pm, "engine/executeEngine/plan", { versionId: id, ...more })).code;
    expect(await refusal({ stabilityWeight: stabilityWeightMax, frozenDays: frozenDaysMax })).toBe("INPUT_CHECK");
    expect(await refusal({ stabilityWeight: stabilityWeightMax + 1 })).toBe("INVALID_INPUT");
    expect(await refusal({ frozenDays: frozenDaysMax + 1 })).toBe("INVALID_INPUT");
    await db.owner`
      with made as (
        insert into du (project_id, code, name, site_id) select project_id, 'MANY-' || n, 'Many', min(id) from customer_site, generate_series(1, ${engineDusMax + 1}) n
        where project_id = ${project.id} group by project_id, n returning id, project_id)
      insert into engine_du (project_id, version_id, du_id, workflow_name, du_type, allow_direct_moving, in_scope, created_by, created_at, updated_by, updated_at)
      select project_id, ${id}, id, 'NEW', 'both', false, true, ${project.pm.id}, now(), ${project.pm.id}, now() from made`;
    expect(await refusal({})).toBe("TOO_MANY_DU");
    const drop = () => db.owner`delete from engine_du where id = (select min(id) from engine_du where version_id = ${id})`;
    await drop();
    expect(await refusal({})).toBe("INPUT_CHECK");
    const take = async () => (await call(project.pm, "nc/duConfig/takeFromPlan", { versionId: id, duIds: [version.dus[0]] })).code;
    expect(await take()).toBe("TOO_MANY_DU");
    await drop();
    expect(await take()).toBeUndefined();
    expect((await call(project.pm, "engine/executeEngine/plan", { versionId: id, base: { runId: 999_999 } })).code).toBe("NOT_FOUND");
  });

  it("says no feasible solution with its proof only, and leaves the outputs of the run before [ENG-21]", async () => {
    const { versionId } = await makeVersion("Strict", { settings: { gapPolicy: "strict" } });
    const { runId, status, task } = await plan(versionId);
    expect(status).toMatchObject({ status: "no_feasible", message: expect.stringMatching(/no feasible/i) });
    expect(task).toMatchObject({ status: "failed", message_key: "errors.NO_FEASIBLE" });
    expect(await state(versionId)).toMatchObject({ status: "failed" });
    const facts = await ok("engine/output/find/facts", { runId });
    expect(facts.diagnosis.counts).toEqual({ MATERIAL_GAP: 1 });
    expect(facts.diagnosis.rows[0]).toMatchObject({
      code: "MATERIAL_GAP",
      needed: 6,
      available: 4,
      relax: 2,
      detail: expect.stringMatching(/ANT.*6.*4.*2/),
    });
    expect((await call(project.pm, "engine/output/find/outputPlan", { versionId, filters: [], page: 1, size: 20 })).code).toBe("NO_OUTPUT");
  });

  it("is stopped by a person: one that waits ends at once and the version is what it was; what is over is not executing [ENG-22]", async () => {
    const { runId, taskId } = await start(version.versionId);
    expect((await call(project.pm, "engine/executeEngine/terminate", { runId, mode: "keep_best" })).code).toBe("NO_OUTPUT");
    expect(await ok("engine/executeEngine/terminate", { runId, mode: "discard" })).toEqual({ status: "terminated" });
    expect(await state(version.versionId)).toMatchObject({ status: "finished", isPlanned: true });
    expect((await call(project.pm, "engine/executeEngine/terminate", { runId, mode: "discard" })).code).toBe("NOT_EXECUTING");
    expect((await work(taskId)).status).toBe("cancelled");
    expect(await told(taskId)).toEqual({
      zh: "计算已终止，未发布计划",
      en: "The calculation was terminated; nothing was published",
      ja: "計算は中止され、計画は公開されていません",
    });
    expect((await ok("engine/executeEngine/status", { runId })).status).toBe("terminated");
    expect((await call(project.viewer, "engine/executeEngine/terminate", { runId, mode: "discard" })).status).toBe(403);
  });

  it("calculates two runs at once, a third waits in its place; a stop is heard within two seconds, with the best plan or without one [ENG-22]", async () => {
    const settings = { evaluationLimit: 1_000_000, timeBudgetS: 600 };
    const { versionId } = await makeVersion("Long", { count: 12, settings });
    const dropped = await makeVersion("Dropped", { count: 12, settings });
    const third = await elsewhere.makeVersion("Third");
    const { runId, taskId } = await start(versionId);
    const second = await start(dropped.versionId);
    const waiting = await elsewhere.start(third.versionId);
    const place = async () => (await elsewhere.ok("engine/executeEngine/status", { runId: waiting.runId })).queuePosition;
    expect(await place()).toBe(3);
    const working = work(taskId);
    const others = work(second.taskId);
    for (const id of [runId, second.runId]) {
      while (!(await run(id)).incumbent) await new Promise((next) => setImmediate(next));
      expect(await ok("engine/executeEngine/status", { runId: id })).toMatchObject({
        status: "executing",
        phase: "improve",
        queuePosition: null,
      });
    }
    // Of another project, so that it is this process that has no place for it. It goes back to the queue and has lost nothing.
    await expect(elsewhere.work(waiting.taskId)).rejects.toThrow();
    expect(await db.owner`select status, attempt from task where id = ${waiting.taskId}`).toEqual([{ status: "queued", attempt: 0 }]);
    expect(await place()).toBe(1);
    const dropping = performance.now();
    expect(await ok("engine/executeEngine/terminate", { runId: second.runId, mode: "discard" })).toEqual({ status: "executing" });
    expect(await others).toMatchObject({ status: "cancelled", message_key: "engine-runs.task.terminated" });
    expect(performance.now() - dropping).toBeLessThan(2_500);
    expect(await run(second.runId)).toMatchObject({ status: "terminated", has_output: false });
    expect(await state(dropped.versionId)).toMatchObject({ status: "setting", isPlanned: false });
    expect(await db.owner`select 1 from engine_out_du where run_id = ${second.runId}`).toEqual([]);
    expect((await elsewhere.work(waiting.taskId)).status).toBe("succeeded");
    expect(await place()).toBeNull();
    const asked = performance.now();
    expect(await ok("engine/executeEngine/terminate", { runId, mode: "keep_best" })).toEqual({ status: "executing" });
    expect((await working).status).toBe("succeeded");
    expect(performance.now() - asked).toBeLessThan(2_500);
    expect(await told(taskId)).toEqual({
      zh: expect.stringMatching(/^计算已被人工终止，保留当前最优计划：延期 DU \d+ 个/),
      en: expect.stringMatching(/^Terminated by a person; the best plan so far is kept: \d+ late DUs/),
      ja: expect.stringMatching(/^計算は途中で中止され、それまでの最良計画を採用しました：遅延 DU \d+ 件/),
    });
    const { notes, ...ended } = await ok("engine/executeEngine/status", { runId });
    expect(ended).toMatchObject({ status: "success", cancelMode: "keep_best" });
    // Whoever opens the page later sees the run from its start.
    expect(notes.flatMap((note: { phase?: string }) => note.phase ?? [])).toEqual(["prepare", "construct", "improve", "check", "write"]);
    const seconds = notes.map(({ at }: { at: number }) => at);
    expect(seconds).toEqual(seconds.toSorted((left: number, right: number) => left - right));
    expect(notes.find((note: object) => "incumbent" in note)?.incumbent).toMatchObject({ makespan: expect.any(Number) });
    expect(await run(runId)).toMatchObject({ stopped_early: true, has_output: true });
    expect(await state(versionId)).toMatchObject({ status: "finished" });
  });

  it("publishes nothing that the checker refuses: the run has failed with its report, the plan before stays in force [ENG-21]", async () => {
    const { versionId } = version;
    const shown = async () =>
      (await ok("engine/output/find/outputPlan", { versionId, filters: [], page: 1, size: 20 })) as {
        run: { id: number };
        records: unknown[];
      };
    const before = await shown();
    const { runId, taskId } = await start(versionId);
    // Another input was frozen than the one that lies there: a plan of it is not the plan of this run.
    await db.owner`update engine_run set snapshot_sha256 = repeat('0', 64) where id = ${runId}`;
    expect(await work(taskId)).toMatchObject({ status: "failed", message_key: "errors.CHECK_FAILED" });
    expect(await ok("engine/executeEngine/status", { runId })).toMatchObject({
      status: "failed",
      message: expect.stringMatching(/check/i),
    });
    const failed = await run(runId);
    expect(failed).toMatchObject({ error_code: "CHECK_FAILED", has_output: false, check_report: { signed: false } });
    expect(failed.check_report.rules.filter(({ violations }: { violations: number }) => violations > 0)).toEqual([
      { rule: "C17", violations: 1 },
    ]);
    const tables = await db.owner<{ name: string }[]>`
      select table_name as name from information_schema.columns where column_name = 'run_id' and table_name like 'engine\_%'`;
    expect(tables.length).toBeGreaterThan(5);
    for (const { name } of tables) expect(await db.owner`select 1 from ${db.owner(name)} where run_id = ${runId}`, name).toEqual([]);
    expect(await state(versionId)).toMatchObject({ status: "failed", isPlanned: true });
    expect(await shown()).toEqual(before);
    expect((await call(project.pm, "engine/output/apply", { runId })).code).toBe("NO_OUTPUT");
  });

  it("fails a run whose worker was lost as often as it may be, and starts again; the output before stays [ENG-21]", async () => {
    const { runId, taskId } = await start(version.versionId);
    await db.owner`update task set attempt = attempt_limit, status = 'running' where id = ${taskId}`;
    await work(taskId);
    expect(await endLostRuns(db.app, clock)).toBe(1);
    expect(await ok("engine/executeEngine/status", { runId })).toMatchObject({
      status: "failed",
      message: expect.stringMatching(/started again/),
    });
    expect(await state(version.versionId)).toMatchObject({ status: "failed", isPlanned: true });
    const shown = await ok("engine/output/find/outputPlan", { versionId: version.versionId, filters: [], page: 1, size: 20 });
    expect(shown.run.id).toBeLessThan(runId);
    expect((await plan(version.versionId)).status.status).toBe("success");
  });

  it("lists the runs of a version, newest first, and says whether its inputs have changed since", async () => {
    const filters = [{ field: "versionId", type: "eq", values: [version.versionId] }];
    const list = await ok("engine/executeEngine/find/list", { page: 1, size: 20, filters });
    const ids = list.records.map(({ id }: { id: number }) => id);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    expect(list.records[0]).toMatchObject({
      status: "success",
      hasOutput: true,
      inputsChanged: false,
      requestedBy: project.pm.name,
      versionName: "V",
    });
    const suffixed = await ok(`engine/executeEngine/find/list/1/20/default/${encodeURIComponent(JSON.stringify(filters))}`);
    expect(suffixed.total).toBe(list.total);
    expect((await call(project.stranger, "engine/executeEngine/find/list", { page: 1, size: 20, filters })).status).toBe(403);
  });

  it("plans again from an earlier run and from the rollout plan: nothing moves without a change, and what cannot stay frozen is told with what moved", async () => {
    const { versionId } = await makeVersion("Again");
    const first = await plan(versionId);
    const placed = (id: number) => db.owner`select du_id, starts, pools from engine_out_du where run_id = ${id} order by du_id`;
    const movesOf = (runId: number) => ok("engine/output/find/moves", { runId, filters: [], page: 1, size: 20 });
    const again = { base: { runId: first.runId }, stabilityWeight: 100, frozenDays: 1095 };
    const same = await plan(versionId, again);
    expect(same.status.status).toBe("success");
    expect(await placed(same.runId)).toEqual(await placed(first.runId));
    expect((await movesOf(same.runId)).total).toBe(0);
    expect((await ok("engine/output/find/facts", { runId: same.runId })).diagnosis).toBeNull();
    expect((await call(project.pm, "engine/output/find/moves", { runId: first.runId, filters: [], page: 1, size: 20 })).code).toBe(
      "NO_BASE",
    );

    // From the rollout plan, once it has these dates: nothing moves either.
    const { taskId } = await ok("engine/output/apply", { runId: first.runId });
    expect((await work(taskId)).result).toMatchObject({ written: 3, counts: {} });
    const planned = await plan(versionId, { base: "plan", stabilityWeight: 100 });
    expect(planned.status.status).toBe("success");
    expect(await run(planned.runId)).toMatchObject({ base_plan: true, base_run_id: null });
    expect((await movesOf(planned.runId)).total).toBe(0);
    expect((await placed(planned.runId)).map(({ starts }) => starts)).toEqual((await placed(first.runId)).map(({ starts }) => starts));

    // A survey of two days reaches into the installation behind it.
    const [survey] = await db.owner<{ id: number; rowVersion: number }[]>`
      select id, row_version as "rowVersion" from engine_activity where version_id = ${versionId} and activity_name = 'Survey'`;
    const row = {
      ...survey,
      workflowName: "NEW",
      activityName: "Survey",
      sort: 1,
      durationDays: 2,
      needSubcontractor: true,
      skillType: "SUR",
    };
    await ok("engine/activity/save", { versionId, rows: [row] });
    const changed = await plan(versionId, again);
    expect(changed.status.status).toBe("success");
    const { diagnosis } = await ok("engine/output/find/facts", { runId: changed.runId });
    expect(Object.keys(diagnosis.counts)).toEqual(["FROZEN_BROKEN"]);
    expect(diagnosis.rows[0]).toMatchObject({ duCode: expect.stringMatching(/^Again-/), detail: expect.stringMatching(/frozen/) });
    const moves = await movesOf(changed.runId);
    expect(moves.total).toBeGreaterThan(0);
    expect(moves.records.map(({ cause }: { cause: { code: string } }) => cause.code)).toContain("duration");
    expect(await placed(changed.runId)).not.toEqual(await placed(first.runId));
  });

  it("goes without the exact step where it is asked for and not installed", async () => {
    const { versionId } = await makeVersion("Bare", { settings: { useExact: true }, inbound: "2026-11-20" });
    const { runId, status } = await plan(versionId);
    expect(status.status).toBe("success");
    const { levels } = await ok("engine/output/find/facts", { runId });
    expect(levels.map(({ proved }: { proved: string | null }) => proved)).not.toContain("exact");
  });

  it.skipIf(!installed)("has levels proved by the exact step, apart from what the checker signs", async () => {
    await symlink(installed as string, join(env().DATA_DIR, "exact"));
    const { versionId } = await makeVersion("Exact", { settings: { useExact: true, timeBudgetS: 20 }, inbound: "2026-11-20" });
    const { runId, status } = await plan(versionId);
    expect(status.status).toBe("success");
    const { levels, check } = await ok("engine/output/find/facts", { runId });
    expect(check.signed).toBe(true);
    expect(levels.map(({ proved }: { proved: string | null }) => proved)).toContain("exact");
    expect(levels.map(({ proved }: { proved: string | null }) => proved)).not.toContain(null);
  });

  it("plans backward with clusters, and again from that plan: all of it as late as the due date lets it, and nothing moves", async () => {
    const clustered = { enableCluster: true, clusteringRate: 0.5, activityAnchor: "Install" };
    const { versionId, dus } = await makeVersion("Later", { count: 1, settings: { direction: "reverse", ...clustered } });
    const { runId, status } = await plan(versionId);
    expect(status.status).toBe("success");
    const dates = async (id: number) => {
      const { activities } = await ok("engine/output/find/outputPlan/details", { runId: id, duId: dus[0] });
      return activities.map(({ start, end }: { start: string; end: string }) => [start, end]);
    };
    const latest = [
      ["2026-11-03", "2026-11-03"],
      ["2026-11-04", "2026-11-06"],
    ];
    expect(await dates(runId)).toEqual(latest);
    const again = await plan(versionId, { base: { runId }, stabilityWeight: 10, frozenDays: 2 });
    expect(again.status.status).toBe("success");
    expect(await dates(again.runId)).toEqual(latest);
    expect((await ok("engine/output/find/moves", { runId: again.runId, filters: [], page: 1, size: 20 })).total).toBe(0);
  });
});
