import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import type { VersionKind, VersionScope, VersionSource } from "./snapshots/limits.ts";
import { versionCounts } from "./snapshots/queries.ts";

/** The plan of the project, one per project. [VER-04] */
export type PlanHead = {
  id: number;
  name: string;
  version: number;
  rowVersion: number;
  createdByName: string | null;
  createdAt: Date;
  updatedByName: string | null;
  updatedAt: Date;
};

/** The plan of the project. */
export async function findPlan({ sql, project }: Ctx): Promise<PlanHead> {
  const [row] = await sql<PlanHead[]>`
    select p.id, p.name, p.version, p.row_version as "rowVersion", c.name as "createdByName", p.created_at as "createdAt",
      u.name as "updatedByName", p.updated_at as "updatedAt"
    from rollout_plan p left join app_user c on c.id = p.created_by left join app_user u on u.id = p.updated_by
    where p.project_id = ${project.id}`;
  if (!row) throw new AppError("NOT_FOUND", { object: project.number });
  return row;
}

/** A kept version. [VER-05] */
export type VersionRow = {
  id: number;
  code: string;
  name: string;
  kind: VersionKind;
  /** What a historical version was. */
  formerKind: "baseline" | "published" | null;
  scope: VersionScope;
  inForce: boolean;
  duCount: number;
  activityCount: number;
  source: VersionSource;
  remark: string | null;
  createdByName: string;
  createdAt: Date;
  rowVersion: number;
};

const columns = `v.id, v.code, v.name, v.kind, v.former_kind as "formerKind", v.scope, v.in_force as "inForce", v.source, v.remark, u.name as "createdByName", v.created_at as "createdAt", v.row_version as "rowVersion"`;

const orders: Record<string, string> = {
  code: "v.code collate natural_order",
  name: "v.name collate natural_order",
  kind: "v.kind",
  duCount: '"duCount"',
  createdAt: "v.created_at",
};

/** The versions of the project, newest first unless asked otherwise. */
export async function listVersions(ctx: Ctx, input: ListInput): Promise<Page<VersionRow>> {
  const { sql, project, scope } = ctx;
  const where = input.filters.reduce((left, filter) => sql`${left} and ${condition(sql, filter)}`, sql`v.project_id = ${project.id}`);
  const order = (input.sort ?? []).map(({ field, dir }) => `${orders[field]} ${dir}`).concat("v.created_at desc", "v.id desc");
  const rows = await sql<(VersionRow & { total: number })[]>`
    select ${sql.unsafe(columns)}, ${scope.apart ? versionCounts(ctx, sql`v.id`) : sql`v.du_count as "duCount", v.activity_count as "activityCount"`},
      count(*) over ()::int as total
    from plan_version v join app_user u on u.id = v.created_by
    where ${where} order by ${sql.unsafe(order.join(", "))} limit ${input.size} offset ${(input.page - 1) * input.size}`;
  const records = rows.map(({ total: _total, ...row }) => row);
  return { records, total: rows[0]?.total ?? 0, page: input.page, size: input.size };
}

function condition(sql: Ctx["sql"], { field, values }: Filter) {
  switch (field) {
    case "kind":
      return sql`v.kind = any(${values.map(String)}::text[])`;
    case "scope":
      return sql`v.scope = ${String(values[0])}`;
    case "inForce":
      return sql`v.in_force = ${values[0] === true || values[0] === "true"}`;
    default:
      return sql`(position(lower(${String(values[0] ?? "")}) in lower(v.name)) > 0 or position(lower(${String(values[0] ?? "")}) in lower(v.code)) > 0)`;
  }
}
