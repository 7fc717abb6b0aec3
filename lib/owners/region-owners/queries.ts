import "server-only";
import type { PendingQuery, Row } from "postgres";
import type { Ctx } from "#lib/core/ctx.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import type { InvalidReason } from "#lib/resources/pool/limits.ts";
import { validAccounts } from "#lib/resources/pool/queries.ts";
import type { Owner } from "../people/logic.ts";
import { readOwners } from "../people/queries.ts";

/** A region with its owners. */
export type RegionOwnersRow = { regionId: number; name: string; active: boolean; duCount: number | null; owners: Owner[] };
/** A page of regions, and how many of all there are have no owner. */
export type RegionOwnersPage = Page<RegionOwnersRow> & { blank: number };

const orders: Record<string, string> = { name: "g.name collate natural_order", duCount: '"duCount"' };

/** A page of the regions with their owners, in their order. */
export async function listRegionOwners(ctx: Ctx, input: ListInput): Promise<RegionOwnersPage> {
  const { sql, project } = ctx;
  const where = reached(ctx, input.filters);
  const hidden = ctx.can("rollout.duCountHide");
  const order = (input.sort ?? [])
    .map(({ field, dir }) => `${orders[field]} ${dir}`)
    .concat("g.sort_no", "g.name collate natural_order", "g.id");
  const rows = await sql<Found[]>`
    ${selectRegions(ctx, where)} order by ${sql.unsafe(order.join(", "))} limit ${input.size} offset ${(input.page - 1) * input.size}`;
  const [counts] = await sql<{ total: number; blank: number }[]>`
    select count(*) filter (where ${where})::int as total,
      count(*) filter (where g.status = 'ACTIVE' and not exists (select 1 from region_owner o where o.region_id = g.id))::int as blank
    from delivery_region g where g.project_id = ${project.id} and g.deleted_at is null`;
  const records = (await withOwners(ctx, rows)).map((row) => (hidden ? { ...row, duCount: null } : row));
  return { records, total: counts!.total, blank: counts!.blank, page: input.page, size: input.size };
}

type Found = Omit<RegionOwnersRow, "owners"> & { userIds: number[] };

function selectRegions(ctx: Ctx, where: PendingQuery<Row[]>) {
  return ctx.sql`
    select g.id as "regionId", g.name, g.status = 'ACTIVE' as active,
      (select count(*)::int from du where du.region_id = g.id and ${ctx.scope.where("owner.view")}) as "duCount",
      coalesce((select array_agg(o.user_id) from region_owner o where o.region_id = g.id), '{}') as "userIds"
    from delivery_region g where ${where}`;
}

/** Every region the conditions keep, in their order. */
export async function readRegionOwners(ctx: Ctx, filters: readonly Filter[]): Promise<RegionOwnersRow[]> {
  return withOwners(
    ctx,
    await ctx.sql<Found[]>`${selectRegions(ctx, reached(ctx, filters))} order by g.sort_no, g.name collate natural_order, g.id`,
  );
}

function reached(ctx: Ctx, filters: readonly Filter[]): PendingQuery<Row[]> {
  return filters.reduce<PendingQuery<Row[]>>(
    (left, filter) => ctx.sql`${left} and ${condition(ctx, filter)}`,
    ctx.sql`g.project_id = ${ctx.project.id} and g.deleted_at is null`,
  );
}

function condition({ sql }: Ctx, { field, values }: Filter): PendingQuery<Row[]> {
  const text = String(values[0] ?? "");
  const hasOwner = sql`exists (select 1 from region_owner o where o.region_id = g.id)`;
  if (field === "blank") return text === "true" ? sql`not ${hasOwner}` : hasOwner;
  return sql`(position(lower(${text}) in lower(g.name)) > 0 or exists (select 1 from region_owner o join app_user u on u.id = o.user_id
    where o.region_id = g.id and (position(lower(${text}) in lower(u.account)) > 0 or position(lower(${text}) in lower(u.name)) > 0)))`;
}

async function withOwners(ctx: Ctx, rows: readonly Found[]): Promise<RegionOwnersRow[]> {
  const people = await readOwners(
    ctx,
    rows.flatMap(({ userIds }) => userIds),
  );
  return rows.map(({ userIds, ...row }) => ({
    ...row,
    owners: userIds.map((id) => people.get(id)!).sort((a, b) => a.name.localeCompare(b.name) || a.userId - b.userId),
  }));
}

/** Regions of the project with their owners by id. @param lock keeps the regions until the transaction ends */
export async function findRegionOwners(
  { sql, project }: Pick<Ctx, "sql" | "project">,
  regionIds: readonly number[],
  { lock = false }: { lock?: boolean } = {},
): Promise<Map<number, { name: string; userIds: number[] }>> {
  const regions = await sql<{ id: number; name: string }[]>`
    select id, name from delivery_region where project_id = ${project.id} and deleted_at is null and id = any(${[...new Set(regionIds)]}::bigint[])
    order by id ${lock ? sql`for no key update` : sql``}`;
  const rows = await sql<{ id: number; userIds: number[] }[]>`
    select region_id as id, array_agg(user_id order by user_id) as "userIds" from region_owner
    where region_id = any(${regions.map(({ id }) => id)}::bigint[]) group by 1`;
  const held = new Map(rows.map(({ id, userIds }) => [id, userIds]));
  return new Map(regions.map(({ id, name }) => [id, { name, userIds: held.get(id) ?? [] }]));
}

/** Which accounts can be owners of a region, and why the others cannot. [OWN-12] */
export async function judgeRegionOwners(
  ctx: Ctx,
  { accounts }: { accounts: string[] },
): Promise<{ valid: { account: string; userId: number; name: string }[]; invalid: { account: string; reason: InvalidReason }[] }> {
  const { valid, invalid } = await validAccounts(ctx, accounts);
  return { valid: valid.map(({ account, userId, name }) => ({ account, userId, name })), invalid };
}
