import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import type { RelationKind } from "./limits.ts";
import type { Link } from "./logic.ts";

export type DuRelationRow = {
  id: number;
  duId: number;
  code: string;
  name: string;
  relatedDuId: number;
  relatedCode: string;
  relatedName: string;
  kind: RelationKind;
  note: string | null;
  rowVersion: number;
};

const orders: Record<string, string> = {
  code: "du.code collate natural_order",
  relatedCode: "o.code collate natural_order",
  kind: "r.kind",
};

/** Relations of which the caller sees both DUs. */
export async function listDuRelations(ctx: Ctx, input: ListInput): Promise<Page<DuRelationRow>> {
  const { sql } = ctx;
  const where = input.filters.reduce((left, filter) => sql`${left} and ${condition(ctx, filter)}`, ctx.scope.where("flow.view"));
  const order = (input.sort ?? [])
    .map(({ field, dir }) => `${orders[field]} ${dir}`)
    .concat("du.code collate natural_order", "o.code collate natural_order", "r.kind", "r.id");
  const rows = await sql<(DuRelationRow & { total: number })[]>`
    select r.id, du.id as "duId", du.code, du.name, o.id as "relatedDuId", o.code as "relatedCode", o.name as "relatedName", r.kind, r.note,
      r.row_version as "rowVersion", count(*) over ()::int as total
    from du_relation r join du on du.id = r.du_id
    join lateral (select du.* from du where du.id = r.related_du_id and ${ctx.scope.where("flow.view")}) o on true
    where r.project_id = ${ctx.project.id} and ${where} order by ${sql.unsafe(order.join(", "))}
    limit ${input.size} offset ${(input.page - 1) * input.size}`;
  return { records: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0, page: input.page, size: input.size };
}

function condition({ sql }: Ctx, { field, values }: Filter) {
  if (field === "kind") return sql`r.kind = any(${values.map(String)}::text[])`;
  const ids = values.map(Number).filter(Number.isSafeInteger);
  if (field === "duId") return sql`(r.du_id = any(${ids}::bigint[]) or r.related_du_id = any(${ids}::bigint[]))`;
  const text = String(values[0] ?? "");
  const found = (column: string) => sql`position(lower(${text}) in lower(${sql.unsafe(column)})) > 0`;
  return sql`(${found("du.code")} or ${found("du.name")} or ${found("o.code")} or ${found("o.name")})`;
}

/** The relations of the project between DUs that are there. */
export async function listLinks({ sql, project }: Ctx): Promise<Link[]> {
  return [
    ...(await sql<Link[]>`
      select r.id, r.du_id as "duId", r.related_du_id as "relatedDuId", r.kind from du_relation r
      join du a on a.id = r.du_id and a.deleted_at is null join du b on b.id = r.related_du_id and b.deleted_at is null
      where r.project_id = ${project.id}`),
  ];
}

/** Codes of DUs of the project, by id. */
export async function readCodes({ sql, project }: Ctx, duIds: readonly number[]): Promise<Map<number, string>> {
  const rows = await sql<{ id: number; code: string }[]>`
    select id, code from du where project_id = ${project.id} and id = any(${[...new Set(duIds)]}::bigint[])`;
  return new Map(rows.map(({ id, code }) => [id, code]));
}

/** DUs the caller may relate, by code or by id. */
export async function readRelatable(
  ctx: Ctx,
  asked: { codes: readonly string[] } | { ids: readonly number[] },
): Promise<{ id: number; code: string }[]> {
  const { sql } = ctx;
  const chosen = "codes" in asked ? sql`du.code = any(${[...asked.codes]}::text[])` : sql`du.id = any(${[...asked.ids]}::bigint[])`;
  return [
    ...(await sql<{ id: number; code: string }[]>`select du.id, du.code from du where ${chosen} and ${ctx.scope.where("duRelation.edit")}`),
  ];
}
