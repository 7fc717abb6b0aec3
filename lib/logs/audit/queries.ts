import "server-only";
import type { PendingQuery, Row } from "postgres";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import { readPeriod } from "../queries.ts";
import { auditRowsMax, sessionEvents } from "./limits.ts";

/** A line of the audit log. */
export type AuditRow = {
  id: number;
  at: Date;
  actorId: number | null;
  actor: string | null;
  ip: string | null;
  requestId: string | null;
  event: string;
  address: string | null;
  object: string | null;
  detail: { before?: unknown; after?: unknown } | null;
};

/** Lines of the project; administrators also see the sign-ins of its people, which belong to no project. */
function visible({ sql, project, user }: Ctx): PendingQuery<Row[]> {
  const own = sql`a.project_id = ${project.id}`;
  if (!user.roles.includes("PROJECT_ADMIN") && !user.roles.includes("SYS_ADMIN")) return own;
  return sql`(${own} or (a.project_id is null and a.event = any(${[...sessionEvents]}::text[]) and exists (
    select 1 from project_member m where m.project_id = ${project.id} and m.user_id = a.actor_id)))`;
}

const pattern = (value: unknown) => `%${String(value ?? "").replace(/[\\%_]/g, "\\$&")}%`;

function condition(ctx: Ctx, { field, type, values }: Filter): PendingQuery<Row[]> {
  const { sql } = ctx;
  switch (field) {
    case "actor":
      return sql`a.actor_id = any(${values.map(Number).filter(Number.isSafeInteger)}::bigint[])`;
    case "event":
      return sql`a.event = any(${values.map(String)}::text[])`;
    case "object":
      return sql`a.object ilike ${pattern(values[0])}`;
    case "address":
      return sql`a.address ilike ${pattern(values[0])}`;
    case "request":
      return sql`a.request_id = ${String(values[0] ?? "")}`;
    default: {
      const { from, before } = readPeriod(ctx, { field, type, values });
      return sql`a.at >= coalesce(${from}::timestamptz, '-infinity') and a.at < coalesce(${before}::timestamptz, 'infinity')`;
    }
  }
}

function where(ctx: Ctx, filters: readonly Filter[]): PendingQuery<Row[]> {
  return filters.reduce((left, filter) => ctx.sql`${left} and ${condition(ctx, filter)}`, visible(ctx));
}

function columns({ sql }: Ctx): PendingQuery<Row[]> {
  return sql`a.id, a.at, a.actor_id as "actorId", u.name as actor, a.ip, a.request_id as "requestId", a.event, a.address, a.object, a.detail`;
}

/**
 * A page of the audit log, newest first. The total is exact up to 10,000; behind that the answer says `more`.
 * @throws NARROW_FILTER for a page behind them
 */
export async function listAudit(ctx: Ctx, input: ListInput): Promise<Page<AuditRow> & { more: boolean }> {
  const { sql } = ctx;
  const offset = (input.page - 1) * input.size;
  if (offset >= auditRowsMax) throw new AppError("NARROW_FILTER", { max: auditRowsMax });
  const asked = where(ctx, input.filters);
  const [[counted], rows] = await Promise.all([
    sql<{ total: number }[]>`select count(*)::int as total from (select 1 from audit_log a where ${asked} limit ${auditRowsMax + 1}) r`,
    sql<AuditRow[]>`
      select ${columns(ctx)} from audit_log a left join app_user u on u.id = a.actor_id where ${asked} order by a.at desc, a.id desc limit ${input.size} offset ${offset}`,
  ]);
  const total = counted?.total ?? 0;
  return {
    records: [...rows],
    total: Math.min(total, auditRowsMax),
    more: total > auditRowsMax,
    page: input.page,
    size: input.size,
  };
}

/** How many lines a filter has, and the newest of them: what an export is made of. */
export async function countAudit(ctx: Ctx, filters: readonly Filter[]): Promise<{ total: number; upTo: number }> {
  const [row] = await ctx.sql<{ total: number; upTo: number | null }[]>`
    select count(*)::int as total, max(a.id) as "upTo" from audit_log a where ${where(ctx, filters)}`;
  return { total: row?.total ?? 0, upTo: row?.upTo ?? 0 };
}

/** Lines of a filter up to one of them, newest first, a batch at a time. */
export async function* auditRows(ctx: Ctx, filters: readonly Filter[], upTo: number): AsyncGenerator<AuditRow> {
  const { sql } = ctx;
  const rows = sql<AuditRow[]>`
    select ${columns(ctx)} from audit_log a left join app_user u on u.id = a.actor_id where ${where(ctx, filters)} and a.id <= ${upTo} order by a.at desc, a.id desc`;
  for await (const batch of rows.cursor(500)) yield* batch;
}

/** People who have written something in the project, for the filter. */
export async function listAuditActors(ctx: Ctx): Promise<{ id: number; name: string }[]> {
  const { sql, project } = ctx;
  return [
    ...(await sql<{ id: number; name: string }[]>`
      select u.id, u.name from app_user u where exists (select 1 from audit_log a where a.actor_id = u.id and a.project_id = ${project.id})
      order by u.name collate natural_order, u.id limit 2000`),
  ];
}

/** What people have reported about errors. */
export type ErrorReportRow = {
  id: number;
  at: Date;
  person: string;
  code: string;
  requestId: string;
  text: string | null;
  screen: string | null;
};

/** A page of the error reports of the project, newest first. */
export async function listErrorReports(ctx: Ctx, input: ListInput): Promise<Page<ErrorReportRow>> {
  const { sql, project } = ctx;
  const request = input.filters.find(({ field }) => field === "request")?.values[0];
  const asked = sql`e.project_id = ${project.id} ${request === undefined ? sql`` : sql`and e.request_id = ${String(request)}`}`;
  const [[counted], rows] = await Promise.all([
    sql<{ total: number }[]>`select count(*)::int as total from error_report e where ${asked}`,
    sql<ErrorReportRow[]>`
      select e.id, e.at, u.name as person, e.code, e.request_id as "requestId", e.text, e.screen from error_report e join app_user u on u.id = e.user_id
      where ${asked} order by e.at desc, e.id desc limit ${input.size} offset ${(input.page - 1) * input.size}`,
  ]);
  return { records: [...rows], total: counted?.total ?? 0, page: input.page, size: input.size };
}
