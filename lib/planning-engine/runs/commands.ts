import "server-only";
import { once } from "node:events";
import { finished } from "node:stream/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Pool } from "#db/client.ts";
import { isoDay } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { enqueueTask } from "#lib/core/task.ts";
import type { KeptDiagnoses } from "../diagnosis/logic.ts";
import { describeCheck } from "../input-check/queries.ts";
import { engineDusMax } from "../inputs/limits.ts";
import { type OutputTable, type OutputTexts, outputTables } from "../publication/logic.ts";
import { type Snapshot, snapshotText } from "../snapshot/logic.ts";
import { readSnapshot, snapshotHash } from "../snapshot/queries.ts";
import { type EngineVersion, lockVersions } from "../versions/queries.ts";
import { type CancelMode, keptRuns, lostHeartbeatMs, type RunPhase } from "./limits.ts";
import { readBase } from "./queries.ts";
import type { Incumbent, RunNote, StartedRun, StartRun, TerminateRun } from "./schema.ts";

const zip = promisify(gzip);

/**
 * Freezes the input of a version and starts its calculation in the background; with a base, so that little moves. [ENG-22]
 * @throws NOT_FOUND, ALREADY_RUNNING, INPUT_CHECK with the errors, TOO_MANY_DU, NO_OUTPUT when the base run has none
 */
export async function startRun(ctx: Ctx, { versionId, base, stabilityWeight, frozenDays }: StartRun): Promise<StartedRun> {
  const [version] = await lockVersions(ctx, [versionId]);
  if (version!.status === "calculating") throw new AppError("ALREADY_RUNNING", { name: version!.versionName });
  const rows = base && (base === "plan" ? ("plan" as const) : await readBase(ctx, base.runId));
  const baseRunId = base && base !== "plan" ? base.runId : null;
  const { snapshot, faults } = await readSnapshot(ctx, {
    versionId,
    base: rows ? { runId: baseRunId, stabilityWeight, frozenDays, rows } : null,
  });
  const tooMany = faults.find(({ code }) => code === "TOO_MANY_DU");
  if (tooMany) throw new AppError("TOO_MANY_DU", { max: engineDusMax });
  const { errors } = await describeCheck(ctx, snapshot, faults);
  if (!snapshot || errors.length > 0) throw new AppError("INPUT_CHECK", { count: errors.length }, [], { errors });
  return addRun(ctx, version!, snapshot, { baseRunId, basePlan: base === "plan", stabilityWeight, frozenDays });
}

/** Notes the run of a locked version with its frozen input and enqueues its calculation. */
async function addRun(
  ctx: Ctx,
  version: EngineVersion,
  snapshot: Snapshot,
  base: { baseRunId: number | null; basePlan: boolean; stabilityWeight: number; frozenDays: number },
): Promise<StartedRun> {
  const { sql, project, user, now } = ctx;
  const text = snapshotText(snapshot);
  const sha256 = snapshotHash(text);
  const { seed, evaluationLimit, timeBudgetS, islands } = snapshot.settings;
  const [made] = await sql<{ id: number }[]>`
    insert into engine_run (project_id, version_id, snapshot, snapshot_sha256, code_version, seed, evaluation_limit, time_budget_s, islands, plan_start_date,
      former_status, base_run_id, base_plan, stability_weight, frozen_days, requested_by_id, created_at)
    values (${project.id}, ${version.id}, ${await zip(text, { level: 1 })}, ${sha256}, ${snapshot.codeVersion}, ${seed}, ${evaluationLimit}, ${timeBudgetS},
      ${islands}, ${isoDay(snapshot.planStart)}, ${version.status}, ${base.baseRunId}, ${base.basePlan}, ${base.stabilityWeight}, ${base.frozenDays},
      ${user.id}, ${now}) returning id`;
  const runId = made!.id;
  const taskId = await enqueueTask(ctx, {
    kind: "planningEngine.run",
    direction: "process",
    title: version.versionName,
    params: { runId },
  });
  await sql`update engine_run set task_id = ${taskId} where id = ${runId}`;
  await sql`
    update engine_plan_version set status = 'calculating', calc_start_at = ${now}, calc_end_at = null, row_version = row_version + 1 where id = ${version.id}`;
  ctx.audit(`engine_run ${runId}`, null, { versionId: version.id, seed, evaluationLimit, timeBudgetS, islands, ...base, sha256 });
  return { runId, taskId };
}

type Held = {
  id: number;
  versionId: number;
  status: string;
  phase: RunPhase;
  formerStatus: string;
  incumbent: Incumbent | null;
  heartbeatAt: Date | null;
};

async function lockRun({ sql, project }: Ctx, runId: number): Promise<Held> {
  // The version first, as every other writer of it.
  await sql`
    select 1 from engine_plan_version where id = (select version_id from engine_run where id = ${runId} and project_id = ${project.id}) for update`;
  const [run] = await sql<Held[]>`
    select id, version_id as "versionId", status, phase, former_status as "formerStatus", incumbent, heartbeat_at as "heartbeatAt"
    from engine_run where id = ${runId} and project_id = ${project.id} for update`;
  if (!run) throw new AppError("NOT_FOUND", { object: runId });
  return run;
}

/**
 * Asks a run to stop, with its best plan or without; one that nobody is at ends at once. [ENG-22]
 * @throws NOT_FOUND, NOT_EXECUTING, NO_OUTPUT when there is no plan yet that could be kept
 */
export async function terminateRun(ctx: Ctx, { runId, mode }: TerminateRun): Promise<{ status: string }> {
  const { sql, now } = ctx;
  const run = await lockRun(ctx, runId);
  if (run.status !== "executing") throw new AppError("NOT_EXECUTING");
  if (mode === "keep_best" && !run.incumbent) throw new AppError("NO_OUTPUT");
  ctx.audit(`engine_run ${runId}`, null, { mode }, "terminated");
  await sql`update engine_run set cancel_requested_at = ${now}, cancel_mode = ${mode} where id = ${runId}`;
  const alone = run.phase === "queued" || !run.heartbeatAt || now.getTime() - run.heartbeatAt.getTime() > lostHeartbeatMs;
  if (mode === "discard" && alone) {
    await endTerminated(ctx, runId);
    return { status: "terminated" };
  }
  return { status: "executing" };
}

/**
 * Ends a run without publishing anything: the version is what it was before. Does nothing to a run that is over.
 * @returns whether it is terminated, now or before; else it had ended in another way
 */
export async function endTerminated(ctx: Ctx, runId: number): Promise<boolean> {
  const { sql, now } = ctx;
  const run = await lockRun(ctx, runId);
  if (run.status !== "executing") return run.status === "terminated";
  await sql`
    update engine_run set status = 'terminated', phase = 'done', finished_at = ${now}, cancel_mode = coalesce(cancel_mode, 'discard') where id = ${runId}`;
  await sql`
    update engine_plan_version set status = ${run.formerStatus}, calc_end_at = ${now}, row_version = row_version + 1 where id = ${run.versionId}`;
  return true;
}

/** What a worker needs to calculate a run. */
export type RunToDo = {
  runId: number;
  projectId: number;
  snapshot: Uint8Array;
  sha256: string;
  seed: number;
  evaluationLimit: number;
  timeBudgetS: number;
  islands: number;
  planStart: string;
  startedAt: Date;
  /** What the base of a re-planning was calculated from. */
  baseSnapshot: Uint8Array | null;
};

/** Takes a run up, or up again from its frozen input; null when it is over. */
export async function beginRun(ctx: Ctx, runId: number): Promise<RunToDo | null> {
  const { sql, project, now } = ctx;
  const [run] = await sql<RunToDo[]>`
    update engine_run set phase = 'prepare', percent = 0, evaluations = null, incumbent = null, started_at = coalesce(started_at, ${now}), heartbeat_at = ${now}
    where id = ${runId} and project_id = ${project.id} and status = 'executing'
    returning id as "runId", project_id as "projectId", snapshot, snapshot_sha256 as sha256, seed, evaluation_limit as "evaluationLimit",
      time_budget_s as "timeBudgetS", islands, plan_start_date as "planStart", started_at as "startedAt",
      (select b.snapshot from engine_run b where b.id = engine_run.base_run_id) as "baseSnapshot"`;
  return run ?? null;
}

/** How far a run is, as its row keeps it. */
export type RunStep = {
  phase: RunPhase;
  percent: number;
  evaluations: number;
  incumbent: Incumbent | null;
  bound: { makespan: number } | null;
  notes: readonly RunNote[];
};

/**
 * Writes how far a run is with a sign of life, and with what it has told.
 * @returns whether it is still to go on, and how it is to stop where somebody has asked for it
 */
export async function tellRun(
  pool: Pool,
  runId: number,
  { phase, percent, evaluations, incumbent, bound, notes }: RunStep,
  now: Date,
): Promise<{ executing: boolean; cancelMode: "discard" | "keep_best" | null }> {
  const [row] = await pool<{ cancelMode: "discard" | "keep_best" | null }[]>`
    update engine_run set phase = ${phase}, percent = ${Math.round(percent * 100) / 100},
      evaluations = ${pool.json({ total: evaluations, notes })},
      incumbent = ${incumbent ? pool.json(incumbent) : null}, bound = coalesce(${bound ? pool.json(bound) : null}, bound), heartbeat_at = ${now}
    where id = ${runId} and status = 'executing' returning cancel_mode as "cancelMode"`;
  return { executing: row !== undefined, cancelMode: row?.cancelMode ?? null };
}

/** A plan that may be published, with what is told of it. */
export type Published = {
  texts: OutputTexts;
  incumbent: Incumbent;
  bound: { makespan: number } | null;
  /** `exact`: proved by the exact step, which the checker does not sign. */
  levels: { level: string; rankClass: number | null; value: number; bound: number | null; exact: boolean }[];
  warnings: KeptDiagnoses;
  evaluations: { total: number; components: { dus: number; jobs: number; done: number[] }[] };
  report: unknown;
  stoppedEarly: boolean;
};

/**
 * Publishes the plan of a run: its rows, its figures and the state of the version, all or nothing.
 * @returns `kept` where a person had stopped the run for its best plan, else `done`; null when the run is over, or was to be discarded meanwhile
 */
export async function publishRun(ctx: Ctx, runId: number, plan: Published): Promise<"done" | "kept" | null> {
  const { sql, now } = ctx;
  const run = await lockRun(ctx, runId);
  const [asked] = await sql<{ mode: CancelMode | null }[]>`select cancel_mode as mode from engine_run where id = ${runId}`;
  if (run.status !== "executing" || asked?.mode === "discard") return null;
  for (const table of Object.keys(outputTables) as OutputTable[]) await copyTexts(ctx, table, plan.texts[table]);
  await sql`
    update engine_run set status = 'success', phase = 'done', percent = 100, has_output = true, finished_at = ${now}, heartbeat_at = ${now},
      stopped_early = ${plan.stoppedEarly}, incumbent = ${sql.json(plan.incumbent)}, bound = ${plan.bound ? sql.json(plan.bound) : null},
      levels = ${sql.json(plan.levels)}, evaluations = coalesce(evaluations, '{}') || ${sql.json(plan.evaluations)}, check_report = ${sql.json(plan.report as never)},
      diagnosis = ${plan.warnings.rows.length > 0 ? sql.json(plan.warnings) : null}
    where id = ${runId}`;
  await sql`
    update engine_plan_version set status = 'finished', is_planned = true, calc_end_at = ${now}, row_version = row_version + 1 where id = ${run.versionId}`;
  ctx.audit(`engine_run ${runId}`, null, { ...plan.incumbent, stoppedEarly: plan.stoppedEarly }, "published");
  return asked?.mode === "keep_best" ? "kept" : "done";
}

async function copyTexts({ sql }: Pick<Ctx, "sql">, table: OutputTable, pieces: readonly string[]): Promise<void> {
  if (pieces.length === 0) return;
  const sink = await sql`copy ${sql(table)} (${sql.unsafe(outputTables[table])}) from stdin`.writable();
  for (const piece of pieces) if (!sink.write(piece)) await once(sink, "drain");
  sink.end();
  await finished(sink);
}

/** Ends a run that gave no plan: outputs of earlier runs stay as they are. Does nothing to a run that is over. */
export async function failRun(
  ctx: Ctx,
  runId: number,
  { code, diagnosis = null, report = null }: { code: string; diagnosis?: KeptDiagnoses | null; report?: unknown },
): Promise<void> {
  const { sql, now } = ctx;
  const run = await lockRun(ctx, runId);
  if (run.status !== "executing") return;
  await sql`
    update engine_run set status = ${code === "NO_FEASIBLE" ? "no_feasible" : "failed"}, phase = 'done', finished_at = ${now}, error_code = ${code},
      diagnosis = ${diagnosis ? sql.json(diagnosis) : null}, check_report = ${report ? sql.json(report as never) : null}
    where id = ${runId}`;
  await sql`
    update engine_plan_version set status = 'failed', calc_end_at = ${now}, row_version = row_version + 1 where id = ${run.versionId}`;
  ctx.audit(`engine_run ${runId}`, null, { code, counts: diagnosis?.counts }, "failed");
}

/**
 * Ends runs whose task is over without them: the worker was lost as often as it may be. They can be started again.
 * @returns number of runs ended
 */
export async function endLostRuns(pool: Pool, now: Date): Promise<number> {
  const ended = await pool`
    with lost as (
      update engine_run r set status = 'failed', phase = 'done', finished_at = ${now}, error_code = 'ENGINE_LOST'
      where r.status = 'executing' and not exists (select 1 from task t where t.id = r.task_id and t.status in ('queued', 'running'))
      returning r.version_id)
    update engine_plan_version v set status = 'failed', calc_end_at = ${now}, row_version = row_version + 1
    from lost where v.id = lost.version_id and v.status = 'calculating'`;
  return ended.count;
}

/** The nightly clean-up: outputs and snapshots stay for the last successful runs of a version, the version in use and bases of later runs; the run row stays. */
export async function clearOutputs({ sql }: Pick<Ctx, "sql">, projectId: number): Promise<void> {
  const old = await sql<{ id: number }[]>`
    with kept as (
      select id from (
        select id, row_number() over (partition by version_id order by id desc) as place from engine_run
        where project_id = ${projectId} and status = 'success' and has_output) r
      where place <= ${keptRuns}
      union all
      (select distinct on (r.version_id) r.id from engine_run r join engine_plan_version v on v.id = r.version_id
      where r.project_id = ${projectId} and v.in_use and r.applied_at is not null order by r.version_id, r.applied_at desc))
    select r.id from engine_run r
    where r.project_id = ${projectId} and r.status <> 'executing' and (r.has_output or r.snapshot is not null) and r.id not in (select id from kept)
      and not exists (select 1 from engine_run b where b.base_run_id = r.id and (b.status = 'executing' or b.id in (select id from kept)))`;
  const ids = old.map(({ id }) => id);
  if (ids.length === 0) return;
  for (const table of Object.keys(outputTables)) await sql`delete from ${sql(table)} where run_id = any(${ids}::bigint[])`;
  await sql`update engine_run set has_output = false, snapshot = null where id = any(${ids}::bigint[])`;
}
