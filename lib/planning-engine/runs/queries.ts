import "server-only";
import type { PendingQuery, Row } from "postgres";
import { createTranslator } from "use-intl/core";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { loadMessages } from "#lib/core/messages.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import { errorText } from "#lib/core/texts.ts";
import { type ErrorCode, errors } from "#lib/errors.ts";
import type { KeptDiagnoses, KeptDiagnosis } from "../diagnosis/logic.ts";
import type { BaseRows } from "../snapshot/logic.ts";
import { demandVersion } from "../versions/queries.ts";
import type { CancelMode, RunPhase, RunState } from "./limits.ts";
import type { Diagnosis, Incumbent, RunHead, RunProgress } from "./schema.ts";

const selected = ({ sql }: Pick<Ctx, "sql">) => sql`
  r.id, r.version_id as "versionId", v.version_name as "versionName", r.status, r.phase, r.percent, r.seed, r.stopped_early as "stoppedEarly",
  r.has_output as "hasOutput", r.plan_start_date as "planStartDate", r.base_run_id as "baseRunId", r.base_plan as "basePlan",
  r.stability_weight as "stabilityWeight", r.frozen_days as "frozenDays", r.error_code as "errorCode", r.incumbent,
  v.inputs_changed_at > r.created_at as "inputsChanged", u.name as "requestedBy", r.created_at as "createdAt", r.started_at as "startedAt",
  r.finished_at as "finishedAt"`;
const joined = ({ sql }: Pick<Ctx, "sql">) =>
  sql`engine_run r join engine_plan_version v on v.id = r.version_id join app_user u on u.id = r.requested_by_id`;

function messageOf({ locale }: Pick<Ctx, "locale">, code: string | null): string | null {
  return code !== null && Object.hasOwn(errors, code) ? errorText(locale, code as ErrorCode) : code;
}

/** Runs of the project, of a version where one is asked for, newest first. @throws NOT_FOUND */
export async function listRuns(ctx: Ctx, { page, size, filters }: ListInput): Promise<Page<RunHead>> {
  const { sql, project } = ctx;
  const version = filters.find(({ field }) => field === "versionId")?.values[0];
  if (version !== undefined) {
    if (!Number.isSafeInteger(version)) throw new AppError("NOT_FOUND", { object: String(version) });
    await demandVersion(ctx, Number(version));
  }
  const where = filters.reduce<PendingQuery<Row[]>>(
    (left, filter) => sql`${left} and ${condition(ctx, filter)}`,
    sql`r.project_id = ${project.id}`,
  );
  const rows = await sql<(RunHead & { total: number })[]>`
    select ${selected(ctx)}, count(*) over ()::int as total from ${joined(ctx)}
    where ${where} order by r.id desc limit ${size} offset ${(page - 1) * size}`;
  return {
    records: rows.map(({ total: _total, ...row }) => ({ ...row, message: messageOf(ctx, row.errorCode) })),
    total: rows[0]?.total ?? 0,
    page,
    size,
  };
}

function condition({ sql }: Ctx, { field, values }: Filter): PendingQuery<Row[]> {
  if (field === "versionId") return sql`r.version_id = ${Number(values[0])}`;
  if (field === "hasOutput") return sql`r.has_output = ${values[0] === true || values[0] === "true"}`;
  return sql`r.status = any(${values.map(String)}::text[])`;
}

/** A run of the project. @throws NOT_FOUND */
export async function getRun(ctx: Ctx, runId: number): Promise<RunHead> {
  const { sql, project } = ctx;
  const [row] = await sql<RunHead[]>`select ${selected(ctx)} from ${joined(ctx)} where r.project_id = ${project.id} and r.id = ${runId}`;
  if (!row) throw new AppError("NOT_FOUND", { object: runId });
  return { ...row, message: messageOf(ctx, row.errorCode) };
}

/**
 * A run whose output is there; without one named the last of the version, or of the current version.
 * @throws NOT_FOUND, NO_OUTPUT
 */
export async function getOutputRun(
  ctx: Ctx,
  { runId, versionId }: { runId?: number | undefined; versionId?: number | undefined },
): Promise<RunHead> {
  if (runId !== undefined) {
    const run = await getRun(ctx, runId);
    if (!run.hasOutput || (versionId !== undefined && run.versionId !== versionId)) throw new AppError("NO_OUTPUT");
    return run;
  }
  const { sql, project } = ctx;
  if (versionId !== undefined) await demandVersion(ctx, versionId);
  const version = versionId === undefined ? sql`v.is_current` : sql`v.id = ${versionId}`;
  const [row] = await sql<RunHead[]>`
    select ${selected(ctx)} from ${joined(ctx)} where r.project_id = ${project.id} and ${version} and r.has_output order by r.id desc limit 1`;
  if (!row) throw new AppError("NO_OUTPUT");
  return { ...row, message: null };
}

/** The plan of an earlier run to start from, job by job. @throws NOT_FOUND, NO_OUTPUT */
export async function readBase(ctx: Ctx, runId: number): Promise<Exclude<BaseRows["rows"], "plan">> {
  const { sql } = ctx;
  await getOutputRun(ctx, { runId });
  const [pools, rows] = await Promise.all([
    sql<{ idx: number; skillType: string; resourceName: string; region: string | null }[]>`
      select idx, skill_type as "skillType", resource_name as "resourceName", region from engine_run_pool where run_id = ${runId}`,
    sql<{ duId: number; activities: string[]; starts: number[]; pools: number[] }[]>`
      select o.du_id as "duId", f.activity_names as activities, o.starts, o.pools from engine_out_du o
        join engine_run_flow f on f.run_id = o.run_id and f.workflow_name = o.workflow_name where o.run_id = ${runId} order by o.du_id`,
  ]);
  const byIdx = new Map(pools.map(({ idx, ...pool }) => [idx, pool]));
  return rows.map((row) => ({ ...row, pools: row.pools.map((idx) => byIdx.get(idx) ?? null) }));
}

/** How far a run is. [ENG-21] @throws NOT_FOUND */
export async function findRunStatus(ctx: Ctx, { runId }: { runId: number }): Promise<RunProgress> {
  const { sql, project } = ctx;
  type Stored = Omit<RunProgress, "message" | "incumbent"> & { errorCode: string | null; incumbent: Incumbent | null; phase: RunPhase };
  const [row] = await sql<(Stored & { status: RunState; cancelMode: CancelMode | null })[]>`
    select r.id as "runId", r.version_id as "versionId", r.status, r.phase, r.percent,
      coalesce(extract(epoch from coalesce(r.finished_at, ${ctx.now}::timestamptz) - r.started_at), 0)::float8 as "elapsedS",
      coalesce((r.evaluations ->> 'total')::int, 0) as evaluations, coalesce(r.evaluations -> 'notes', '[]') as notes, r.evaluation_limit as "evaluationLimit",
      case when r.status = 'executing' and r.phase = 'queued'
        then (select count(*)::int from engine_run o where o.status = 'executing' and o.phase = 'queued' and o.id <= r.id) end as "queuePosition",
      r.incumbent, r.bound, r.heartbeat_at as "heartbeatAt", r.cancel_mode as "cancelMode", r.error_code as "errorCode"
    from engine_run r where r.project_id = ${project.id} and r.id = ${runId}`;
  if (!row) throw new AppError("NOT_FOUND", { object: runId });
  const { errorCode, ...progress } = row;
  return { ...progress, elapsedS: Math.max(0, Math.round(progress.elapsedS)), message: messageOf(ctx, errorCode) };
}

type Texts = (key: string, values?: Record<string, string | number>) => string;

/** Texts of runs and outputs in a language. */
export function runTexts({ locale }: Pick<Ctx, "locale">): Texts {
  return createTranslator({
    locale,
    messages: loadMessages(locale),
    namespace: "engine-runs",
    onError: () => {},
  }) as unknown as Texts;
}

/** A diagnosis with its texts; DUs the caller does not see are left out of the rows. */
export async function describeDiagnosis(ctx: Ctx, kept: KeptDiagnoses | null): Promise<Diagnosis | null> {
  if (!kept) return null;
  const { sql, scope } = ctx;
  const t = runTexts(ctx);
  const ids = [...new Set(kept.rows.flatMap(({ duId }) => duId ?? []))];
  const dus = await sql<{ id: number; code: string }[]>`
    select du.id, du.code from du where ${scope.where("engine.view")} and du.id = any(${ids}::bigint[])`;
  const codes = new Map(dus.map(({ id, code }) => [id, code]));
  const rows = kept.rows
    .filter(({ duId }) => duId === null || codes.has(duId))
    .map(({ names, ...row }) => ({
      ...row,
      duCode: row.duId === null ? null : (codes.get(row.duId) ?? null),
      detail: detailOf(t, { names, ...row }),
    }));
  return { rows, counts: kept.counts };
}

function detailOf(t: Texts, { code, activity, names, needed, available, relax }: KeptDiagnosis): string {
  return t(`diagnosis.${code}`, {
    activity: activity ?? "",
    needed: needed ?? 0,
    available: available ?? 0,
    relax: relax ?? 0,
    days: 0,
    region: "",
    item: "",
    pools: "",
    cluster: "",
    workflow: "",
    from: 0,
    to: 0,
    ...names,
  });
}
