import "server-only";
import type { PendingQuery, Row } from "postgres";
import type { ReplicationOutcome, ReplicationStatus } from "#lib/activity-flows/replications/limits.ts";
import type { ActivityResult } from "#lib/activity-flows/replications/logic.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import { errorText } from "#lib/core/texts.ts";
import { readPeriod } from "../queries.ts";
import { replicationRowsMax } from "./limits.ts";

/** What became of one activity, with the reason in the reader's language. */
export type ReplicatedActivity = { activity: string; outcome: ReplicationOutcome; code: string | null; msg: string | null };

/** A copy of a flow with what became of its activities. */
export type ReplicationRow = {
  id: number;
  at: Date;
  actor: string;
  sourceFlowId: number | null;
  sourceName: string;
  /** Number of the project it went to; null for this one. */
  targetProject: string | null;
  targetFlowId: number | null;
  targetName: string;
  activityCount: number;
  successCount: number;
  failedCount: number;
  status: ReplicationStatus;
  detail: ReplicatedActivity[];
  taskId: string | null;
  mayRetry: boolean;
};

// A copy whose task was cancelled, or ended before it could say how, has failed.
const statusSql = `case when l.status = 'running' and coalesce(t.status not in ('queued', 'running'), true) then 'failed' else l.status end`;
const sourceSql = `replication_log l join app_user u on u.id = l.actor_id left join project p on p.id = l.target_project_id left join task t on t.id = l.task_id`;

function condition(ctx: Ctx, { field, type, values }: Filter): PendingQuery<Row[]> {
  const { sql } = ctx;
  if (field === "actor") return sql`l.actor_id = any(${values.map(Number).filter(Number.isSafeInteger)}::bigint[])`;
  if (field === "status") return sql`${sql.unsafe(statusSql)} = any(${values.map(String)}::text[])`;
  if (field === "project") return sql`p.number = any(${values.map(String)}::text[])`;
  if (field === "flow") {
    const text = String(values[0] ?? "");
    return sql`(position(lower(${text}) in lower(l.source_name)) > 0 or position(lower(${text}) in lower(l.target_name)) > 0)`;
  }
  const { from, before } = readPeriod(ctx, { field, type, values });
  return sql`l.at >= coalesce(${from}::timestamptz, '-infinity') and l.at < coalesce(${before}::timestamptz, 'infinity')`;
}

const compile = (ctx: Ctx, filters: readonly Filter[]) =>
  filters.reduce<PendingQuery<Row[]>>(
    (left, filter) => ctx.sql`${left} and ${condition(ctx, filter)}`,
    ctx.sql`l.project_id = ${ctx.project.id}`,
  );

type Stored = Omit<ReplicationRow, "detail" | "mayRetry"> & { detail: ActivityResult[] };

async function readRows(ctx: Ctx, where: PendingQuery<Row[]>, rest: PendingQuery<Row[]>): Promise<ReplicationRow[]> {
  const { sql } = ctx;
  const rows = await sql<Stored[]>`
    select l.id, l.at, u.name as actor, l.source_flow_id as "sourceFlowId", l.source_name as "sourceName", p.number as "targetProject", l.target_flow_id as "targetFlowId",
      l.target_name as "targetName", l.activity_count as "activityCount", l.success_count as "successCount", l.failed_count as "failedCount",
      ${sql.unsafe(statusSql)} as status, l.detail, l.task_id as "taskId"
    from ${sql.unsafe(sourceSql)} where ${where} order by l.at desc, l.id desc ${rest}`;
  const may = ctx.can("flow.transfer");
  return rows.map(({ detail, ...row }) => ({
    ...row,
    detail: detail.map(({ activity, outcome, code, params }) => ({
      activity,
      outcome,
      code,
      msg: code === null ? null : errorText(ctx.locale, code, params),
    })),
    mayRetry: may && row.targetProject !== null && row.sourceFlowId !== null && (row.status === "failed" || row.status === "partly"),
  }));
}

/**
 * Copies of the project's flows, newest first. The total is exact up to 10,000; behind that the answer says `more`.
 * @throws NARROW_FILTER for a page behind them
 */
export async function listReplications(ctx: Ctx, input: ListInput): Promise<Page<ReplicationRow> & { more: boolean }> {
  const { sql } = ctx;
  const offset = (input.page - 1) * input.size;
  if (offset >= replicationRowsMax) throw new AppError("NARROW_FILTER", { max: replicationRowsMax });
  const where = compile(ctx, input.filters);
  const [[counted], records] = await Promise.all([
    sql<{ total: number }[]>`
      select count(*)::int as total from (select 1 from ${sql.unsafe(sourceSql)} where ${where} limit ${replicationRowsMax + 1}) r`,
    readRows(ctx, where, sql`limit ${input.size} offset ${offset}`),
  ]);
  const total = counted?.total ?? 0;
  return { records, total: Math.min(total, replicationRowsMax), more: total > replicationRowsMax, page: input.page, size: input.size };
}

/** How many activities of copies a filter has, and the newest copy of them: what an export is made of. */
export async function countReplications(ctx: Ctx, filters: readonly Filter[]): Promise<{ total: number; upTo: number }> {
  const [row] = await ctx.sql<{ total: number; upTo: number }[]>`
    select coalesce(sum(greatest(jsonb_array_length(l.detail), 1)), 0)::int as total, coalesce(max(l.id), 0)::bigint as "upTo"
    from ${ctx.sql.unsafe(sourceSql)} where ${compile(ctx, filters)}`;
  return row ?? { total: 0, upTo: 0 };
}

/** The copies of a filter up to one of them, newest first. */
export function readReplications(ctx: Ctx, filters: readonly Filter[], upTo: number): Promise<ReplicationRow[]> {
  return readRows(ctx, ctx.sql`${compile(ctx, filters)} and l.id <= ${upTo}`, ctx.sql``);
}
