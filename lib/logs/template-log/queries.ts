import "server-only";
import type { PendingQuery, Row } from "postgres";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import { planGrid } from "#lib/templates/limits.ts";
import { readPeriod } from "../queries.ts";
import { type TemplateAct, templateLogRowsMax } from "./limits.ts";

/** A line of the log of templates. */
export type TemplateLogRow = {
  id: number;
  at: Date;
  actor: string | null;
  act: TemplateAct;
  templateId: number;
  /** The name it had after, or before it was deleted; null where the line does not say it and the template is gone. */
  name: string | null;
  detail: { before?: unknown; after?: unknown };
  /** It is a layout of the plan the reader may open it in. */
  opens: boolean;
};

const actSql = `case
  when a.detail -> 'after' ? 'shared' then 'shared'
  when a.detail -> 'after' ? 'ownerId' then 'transferred'
  when a.detail -> 'before' = 'null' and a.detail -> 'after' ? 'columns' then 'widths'
  when a.detail -> 'before' = 'null' then 'made'
  when a.detail -> 'after' = 'null' then 'deleted'
  else 'changed' end`;
const nameSql = `coalesce(a.detail -> 'after' ->> 'name', a.detail -> 'before' ->> 'name', t.name)`;

function condition(ctx: Ctx, { field, type, values }: Filter): PendingQuery<Row[]> {
  const { sql } = ctx;
  if (field === "actor") return sql`a.actor_id = any(${values.map(Number).filter(Number.isSafeInteger)}::bigint[])`;
  if (field === "act") return sql`${sql.unsafe(actSql)} = any(${values.map(String)}::text[])`;
  if (field === "name") return sql`position(lower(${String(values[0] ?? "")}) in lower(${sql.unsafe(nameSql)})) > 0`;
  const { from, before } = readPeriod(ctx, { field, type, values });
  return sql`a.at >= coalesce(${from}::timestamptz, '-infinity') and a.at < coalesce(${before}::timestamptz, 'infinity')`;
}

function compile(ctx: Ctx, filters: readonly Filter[]): PendingQuery<Row[]> {
  const { sql, project } = ctx;
  const own = sql`a.project_id = ${project.id} and a.event = 'write' and a.object ~ '^template [0-9]+$'`;
  return filters.reduce<PendingQuery<Row[]>>((left, filter) => sql`${left} and ${condition(ctx, filter)}`, own);
}

const sourceOf = ({ sql, project }: Ctx) =>
  sql`audit_log a left join template t on t.project_id = ${project.id} and a.object = 'template ' || t.id`;

async function readRows(ctx: Ctx, asked: PendingQuery<Row[]>, rest: PendingQuery<Row[]>): Promise<TemplateLogRow[]> {
  const { sql } = ctx;
  return [
    ...(await sql<TemplateLogRow[]>`
      select a.id, a.at, u.name as actor, ${sql.unsafe(actSql)} as act, substr(a.object, 10)::bigint as "templateId", ${sql.unsafe(nameSql)} as name, a.detail,
        coalesce(t.kind = 'grid' and t.grid_key = ${planGrid} and (t.is_public or t.owner_id = ${ctx.user.id}), false) as opens
      from ${sourceOf(ctx)} left join app_user u on u.id = a.actor_id where ${asked} order by a.at desc, a.id desc ${rest}`),
  ];
}

/** How many lines a filter has, and the newest of them: what an export is made of. */
export async function countTemplateLog(ctx: Ctx, filters: readonly Filter[]): Promise<{ total: number; upTo: number }> {
  const [row] = await ctx.sql<{ total: number; upTo: number }[]>`
    select count(*)::int as total, coalesce(max(a.id), 0)::bigint as "upTo" from ${sourceOf(ctx)} where ${compile(ctx, filters)}`;
  return row ?? { total: 0, upTo: 0 };
}

/** The lines of a filter up to one of them, newest first. */
export function readTemplateLog(ctx: Ctx, filters: readonly Filter[], upTo: number): Promise<TemplateLogRow[]> {
  return readRows(ctx, ctx.sql`${compile(ctx, filters)} and a.id <= ${upTo}`, ctx.sql``);
}

/**
 * What became of the project's templates, newest first. The total is exact up to 10,000; behind that the answer says `more`.
 * @throws NARROW_FILTER for a page behind them
 */
export async function listTemplateLog(ctx: Ctx, input: ListInput): Promise<Page<TemplateLogRow> & { more: boolean }> {
  const { sql } = ctx;
  const offset = (input.page - 1) * input.size;
  if (offset >= templateLogRowsMax) throw new AppError("NARROW_FILTER", { max: templateLogRowsMax });
  const asked = compile(ctx, input.filters);
  const source = sourceOf(ctx);
  const [[counted], records] = await Promise.all([
    sql<{ total: number }[]>`select count(*)::int as total from (select 1 from ${source} where ${asked} limit ${templateLogRowsMax + 1}) r`,
    readRows(ctx, asked, sql`limit ${input.size} offset ${offset}`),
  ]);
  const total = counted?.total ?? 0;
  return {
    records,
    total: Math.min(total, templateLogRowsMax),
    more: total > templateLogRowsMax,
    page: input.page,
    size: input.size,
  };
}
