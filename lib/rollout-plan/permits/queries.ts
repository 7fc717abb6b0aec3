import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import type { PermitKind, PermitStatus } from "./limits.ts";

/** An application with those of its DUs the caller sees. */
export type PermitRow = {
  id: number;
  kind: PermitKind;
  status: PermitStatus;
  reason: string;
  remark: string | null;
  dus: { id: number; code: string; name: string }[];
  applicantName: string;
  createdAt: Date;
  answeredOn: string | null;
  rowVersion: number;
  /** The caller may record the answer. */
  mayAnswer: boolean;
};

const orders: Record<string, string> = { createdAt: "a.created_at", answeredOn: "a.answered_on", status: "a.status", kind: "a.kind" };

/** Applications of which the caller sees a DU, newest first. */
export async function listPermits(ctx: Ctx, input: ListInput): Promise<Page<PermitRow>> {
  const { sql, project, scope } = ctx;
  const { page, size } = input;
  const where = input.filters.reduce(
    (left, filter) => sql`${left} and ${condition(ctx, filter)}`,
    sql`a.project_id = ${project.id} and v.dus is not null`,
  );
  const order = (input.sort ?? []).map(({ field, dir }) => `${orders[field]} ${dir} nulls last`).concat("a.id desc");
  const rows = await sql<(PermitRow & { total: number })[]>`
    select a.id, a.kind, a.status, a.reason, a.remark, v.dus, u.name as "applicantName", a.created_at as "createdAt", a.answered_on as "answeredOn",
      a.row_version as "rowVersion", (a.status = 'submitted' and v.own = cardinality(a.du_ids)) as "mayAnswer", count(*) over ()::int as total
    from permit_application a join app_user u on u.id = a.applicant_id
    cross join lateral (
      select json_agg(json_build_object('id', du.id, 'code', du.code, 'name', du.name) order by du.code collate natural_order) as dus,
        count(*) filter (where ${scope.where("rollout.permitSubmit")}) as own
      from du where du.id = any(a.du_ids) and ${scope.where("rollout.view")}
    ) v
    where ${where} order by ${sql.unsafe(order.join(", "))} limit ${size} offset ${(page - 1) * size}`;
  return { records: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0, page, size };
}

function condition({ sql, scope }: Ctx, { field, values }: Filter) {
  const texts = values.map(String);
  switch (field) {
    case "status":
      return sql`a.status = any(${texts}::text[])`;
    case "kind":
      return sql`a.kind = any(${texts}::text[])`;
    case "duId":
      return sql`exists (select 1 from unnest(a.du_ids) one where one::text = any(${texts}::text[]))`;
    default:
      return sql`exists (select 1 from du where du.id = any(a.du_ids) and ${scope.where("rollout.view")} and position(lower(${texts[0] ?? ""}) in lower(du.code)) > 0)`;
  }
}
