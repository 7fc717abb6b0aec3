import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import type { PermissionCode } from "#lib/permissions.ts";
import type { BindingSource } from "./limits.ts";

export type DuFlowRow = {
  id: number;
  code: string;
  name: string;
  siteCode: string;
  siteName: string;
  deliveryType: string | null;
  region: string | null;
  flowId: number | null;
  flowName: string | null;
  flowVersion: number | null;
  source: BindingSource | null;
  boundAt: Date | null;
  boundByName: string | null;
};

const orders: Record<string, string> = {
  code: "du.code collate natural_order",
  name: "du.name collate natural_order",
  region: "g.name collate natural_order",
  flow: "f.name collate natural_order",
  boundAt: "b.bound_at",
};

/** DUs the caller sees with the flow they follow; the total is null where counts are hidden from him. */
export async function listDuFlows(ctx: Ctx, input: ListInput): Promise<Omit<Page<DuFlowRow>, "total"> & { total: number | null }> {
  const { sql } = ctx;
  const where = input.filters.reduce((left, filter) => sql`${left} and ${condition(ctx, filter)}`, ctx.scope.where("flow.view"));
  const order = (input.sort ?? [])
    .map(({ field, dir }) => `${orders[field]} ${dir} nulls last`)
    .concat("du.code collate natural_order", "du.id");
  // One look-up per DU, whatever the planner believes of tables that were filled a moment ago.
  const from = sql`du
    left join lateral (select * from du_flow where du_id = du.id and unbound_at is null limit 1) b on true
    left join activity_flow f on f.id = b.flow_id left join delivery_region g on g.id = du.region_id join customer_site s on s.id = du.site_id`;
  const rows = await sql<DuFlowRow[]>`
    select du.id, du.code, du.name, s.code as "siteCode", s.name as "siteName", du.delivery_type as "deliveryType", g.name as region,
      f.id as "flowId", f.name as "flowName", f.version as "flowVersion", b.source, b.bound_at as "boundAt", u.name as "boundByName"
    from ${from} left join app_user u on u.id = b.bound_by
    where ${where} order by ${sql.unsafe(order.join(", "))} limit ${input.size} offset ${(input.page - 1) * input.size}`;
  const hidden = ctx.can("rollout.duCountHide");
  const [count] = hidden ? [] : await sql<{ total: number }[]>`select count(*)::int as total from ${from} where ${where}`;
  return { records: [...rows], total: count?.total ?? null, page: input.page, size: input.size };
}

function condition({ sql }: Ctx, { field, type, values }: Filter) {
  const ids = values.map(Number).filter(Number.isSafeInteger);
  const texts = values.map(String);
  const like = (column: "code" | "name") => sql`position(lower(${texts[0] ?? ""}) in lower(${sql(`du.${column}`)})) > 0`;
  switch (field) {
    case "bound":
      return values[0] === false ? sql`b.id is null` : sql`b.id is not null`;
    case "flowId":
      return sql`b.flow_id = any(${ids}::bigint[])`;
    case "regionId":
      return type === "empty" ? sql`du.region_id is null` : sql`du.region_id = any(${ids}::bigint[])`;
    case "siteId":
      return sql`du.site_id = any(${ids}::bigint[])`;
    case "source":
      return sql`b.source = any(${texts}::text[])`;
    case "deliveryType":
      return sql`du.delivery_type = any(${texts}::text[])`;
    case "search":
      return type === "in" ? sql`du.code = any(${texts}::text[])` : sql`(${like("code")} or ${like("name")})`;
    case "code":
      return type === "in" ? sql`du.code = any(${texts}::text[])` : like("code");
    default:
      return like("name");
  }
}

/** What lists of DUs can be narrowed by: regions and delivery types that DUs in the caller's reach have. */
export type DuFacets = { regions: { id: number; name: string }[]; deliveryTypes: string[] };

/** Regions and delivery types in use, by name. */
export async function listDuFacets(ctx: Ctx): Promise<DuFacets> {
  const { sql } = ctx;
  const reach = ctx.scope.where("flow.view");
  const regions = await sql<{ id: number; name: string }[]>`
    select g.id, g.name from delivery_region g where g.id in (select distinct du.region_id from du where ${reach}) order by g.name collate natural_order`;
  const types = await sql<{ name: string }[]>`
    select distinct du.delivery_type as name from du where ${reach} and du.delivery_type is not null order by 1 limit 500`;
  return { regions: [...regions], deliveryTypes: types.map((row) => row.name) };
}

/**
 * Codes of the DUs among `duIds` that exist in the project and, with a right, that it covers for the caller.
 * @param right null: every DU of the project, for work that was judged elsewhere
 */
export async function findDuCodes(ctx: Ctx, duIds: readonly number[], right: PermissionCode | null): Promise<Map<number, string>> {
  const { sql } = ctx;
  const reach = right === null ? sql`du.project_id = ${ctx.project.id} and du.deleted_at is null` : ctx.scope.where(right);
  const rows = await sql<{ id: number; code: string }[]>`
    select du.id, du.code from du where ${reach} and du.id = any(${[...duIds]}::bigint[]) order by du.id`;
  return new Map(rows.map((row) => [row.id, row.code]));
}
