import "server-only";
import type { z } from "zod";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { ListInput, Page } from "#lib/core/paging.ts";
import { listPlanAttributes } from "#lib/rollout-plan/columns/queries.ts";
import type { CopyCode, CopyProgress } from "./limits.ts";
import type { CopyResult } from "./logic.ts";
import type { ListCopyItems } from "./schema.ts";

export type CopyJob = {
  id: number;
  sourceCode: string;
  sourceName: string;
  attributes: string[];
  alsoBind: boolean;
  overwrite: boolean;
  createdByName: string;
  createdAt: Date;
} & Record<CopyProgress, number>;

/** The copies of the project, newest first, with how far their targets have come. */
export async function listCopies(ctx: Ctx, input: ListInput): Promise<Page<CopyJob>> {
  const { sql, project } = ctx;
  const search = input.filters[0]?.values[0];
  const rows = await sql<(CopyJob & { total: number })[]>`
    select j.id, du.code as "sourceCode", du.name as "sourceName", j.also_bind as "alsoBind", j.overwrite, u.name as "createdByName",
      j.created_at as "createdAt", i.*, count(*) over ()::int as total,
      coalesce((select array_agg(a.name order by a.sort_no, a.id) from attribute a where a.id = any(j.attribute_ids)), '{}') as attributes
    from copy_job j join du on du.id = j.source_du_id join app_user u on u.id = j.created_by
    cross join lateral (
      select count(*) filter (where progress = 'unprocessed')::int as unprocessed, count(*) filter (where progress = 'processing')::int as processing,
        count(*) filter (where progress = 'completed')::int as completed, count(*) filter (where progress = 'failed')::int as failed
      from copy_job_item where job_id = j.id
    ) i
    where j.project_id = ${project.id} and ${ctx.scope.where("flow.view")}
      and ${search === undefined ? sql`true` : sql`position(lower(${String(search)}) in lower(du.code)) > 0`}
    order by j.id desc limit ${input.size} offset ${(input.page - 1) * input.size}`;
  return { records: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0, page: input.page, size: input.size };
}

export type CopyItem = CopyResult & { name: string | null };

/** The targets of a copy. */
export async function listCopyItems(ctx: Ctx, { jobId }: z.output<typeof ListCopyItems>): Promise<{ items: CopyItem[] }> {
  const { sql, project } = ctx;
  const [job] = await sql`
    select 1 from copy_job j join du on du.id = j.source_du_id where j.id = ${jobId} and j.project_id = ${project.id} and ${ctx.scope.where("flow.view")}`;
  if (!job) throw new AppError("NOT_FOUND", { object: jobId });
  const items = await sql<(Omit<CopyItem, "code"> & { code: CopyCode | null })[]>`
    select i.target_code as "targetCode", i.target_du_id as "targetDuId", d.name, i.progress, i.association, i.code, i.detail
    from copy_job_item i left join lateral (select name from du where du.id = i.target_du_id and ${ctx.scope.where("flow.view")}) d on true
    where i.job_id = ${jobId} order by i.target_code collate natural_order`;
  return { items: [...items] };
}

/** The attributes that can be copied, as a form shows them. */
export async function listCopiedAttributes(ctx: Ctx): Promise<{ id: number; name: string }[]> {
  const attributes = await listPlanAttributes(ctx);
  return attributes.filter(({ mode }) => mode === "RW").map(({ id, name }) => ({ id, name }));
}

/** Which of the codes a DU of the project has that the caller may bind. */
export async function readTargets(ctx: Ctx, codes: readonly string[]): Promise<Map<string, number>> {
  const rows = await ctx.sql<{ id: number; code: string }[]>`
    select du.id, du.code from du
    where du.code = any(${[...codes]}::text[]) and du.deleted_at is null and ${ctx.scope.where("duFlow.copyAssociation")} order by du.id`;
  return new Map(rows.map(({ id, code }) => [code, id]));
}

/** The flow a DU follows, when others can be bound to it. */
export async function findUsableFlow({ sql, project }: Ctx, duId: number): Promise<number | null> {
  const [row] = await sql<{ id: number }[]>`
    select f.id from du_flow b join activity_flow f on f.id = b.flow_id
    where b.du_id = ${duId} and b.unbound_at is null and f.project_id = ${project.id} and f.status = 'released'`;
  return row?.id ?? null;
}

/** The present bindings of DUs. */
export async function readBindings({ sql }: Ctx, duIds: readonly number[]): Promise<Map<number, { flowId: number; source: string }>> {
  const rows = await sql<{ duId: number; flowId: number; source: string }[]>`
    select du_id as "duId", flow_id as "flowId", source from du_flow where du_id = any(${[...duIds]}::bigint[]) and unbound_at is null`;
  return new Map(rows.map(({ duId, ...binding }) => [duId, binding]));
}

/** Attribute values of DUs with the revisions they were read at. */
export async function readValues(
  { sql }: Ctx,
  duIds: readonly number[],
): Promise<Map<number, { version: number; ext: Record<string, unknown> }>> {
  const rows = await sql<{ id: number; version: number; ext: Record<string, unknown> }[]>`
    select id, row_version as version, ext from du where id = any(${[...duIds]}::bigint[])`;
  return new Map(rows.map(({ id, ...values }) => [id, values]));
}
