import "server-only";
import type { PendingQuery, Row } from "postgres";
import { holderTables } from "#lib/attributes/config-refs/limits.ts";
import { listHolders } from "#lib/attributes/config-refs/queries.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { loadMessages } from "#lib/core/messages.ts";
import { mapPointsMax, type RegionStatus, type UseKind, useKinds } from "./limits.ts";

/** A delivery region as it is configured. */
export type Region = { id: number; name: string; sortNo: number; percentage: number; status: RegionStatus; rowVersion: number };
/** What names a region, and how often. */
export type RegionUse = { kind: UseKind; count: number };
/** A row of the list: the network regions mapped to it, its DUs, and what stands in the way of its deletion. */
export type RegionRow = Region & { networkRegions: { id: number; name: string }[]; duCount: number; uses: RegionUse[] };

/** The regions that are not deleted, in their order. */
export async function readRegions({ sql, project }: Pick<Ctx, "sql" | "project">): Promise<Region[]> {
  return [
    ...(await sql<Region[]>`
      select id, name, sort_no as "sortNo", percentage::float8 as percentage, status, row_version as "rowVersion" from delivery_region
      where project_id = ${project.id} and deleted_at is null order by sort_no, lower(name)`),
  ];
}

/**
 * Every delivery region with its network regions and what uses it.
 * @param dus which DUs count: those the caller sees, or all where a change is judged
 */
export async function listRegions(
  ctx: Pick<Ctx, "sql" | "project" | "scope" | "locale">,
  dus: "seen" | "all" = "seen",
): Promise<RegionRow[]> {
  const { sql, project } = ctx;
  const regions = await readRegions(ctx);
  const [networks, uses] = await Promise.all([
    sql<{ id: number; name: string; regionId: number }[]>`
      select id, name, region_id as "regionId" from network_region where project_id = ${project.id} and region_id is not null order by name collate natural_order`,
    readUses(
      ctx,
      regions.map(({ id }) => id),
      dus === "all" || ctx.scope.all("region.view") ? sql`true` : ctx.scope.where("region.view"),
    ),
  ]);
  const byRegion = Map.groupBy(networks, ({ regionId }) => regionId);
  return regions.map((region) => {
    const own = uses.get(region.id) ?? [];
    const mapped = (byRegion.get(region.id) ?? []).map(({ id, name }) => ({ id, name }));
    return {
      ...region,
      networkRegions: mapped,
      duCount: own.find(({ kind }) => kind === "du")?.count ?? 0,
      uses: [
        ...own,
        ...(mapped.length > 0 ? [{ kind: "network_region" as const, count: mapped.length }] : []),
        ...(region.percentage > 0 ? [{ kind: "share" as const, count: region.percentage }] : []),
      ],
    };
  });
}

/**
 * How often other objects name regions, by kind: through whatever column refers to one, and through the index of configuration.
 * The columns are asked of the database, so that no table that comes to name regions can be forgotten here.
 */
async function readUses(
  ctx: Pick<Ctx, "sql" | "project" | "locale">,
  ids: readonly number[],
  dus?: PendingQuery<Row[]>,
): Promise<Map<number, RegionUse[]>> {
  if (ids.length === 0) return new Map();
  const { sql } = ctx;
  const references = await sql<{ table: string; column: string; soft: boolean }[]>`
    select con.conrelid::regclass::text as table, a.attname as column,
      exists (select from pg_attribute d where d.attrelid = con.conrelid and d.attname = 'deleted_at' and not d.attisdropped) as soft
    from pg_constraint con join pg_attribute a on a.attrelid = con.conrelid and a.attnum = con.conkey[1]
    where con.contype = 'f' and con.confrelid = 'delivery_region'::regclass and con.conrelid <> 'network_region'::regclass`;
  const counts = references.map(
    ({ table, column, soft }) => sql`
      select ${table}::text as kind, ${sql(column)} as id, count(*)::int as count from ${sql(table)}
      where ${sql(column)} = any(${[...ids]}::bigint[]) ${soft ? sql`and deleted_at is null` : sql``} ${dus && table === "du" ? sql`and ${dus}` : sql``} group by 2`,
  );
  const [rows, holders] = await Promise.all([
    sql<{ kind: string; id: number; count: number }[]>`${counts.reduce((left, right) => sql`${left} union all ${right}`)}`,
    listHolders(ctx, "REGION", ids),
  ]);
  const counted = new Set(references.map(({ table }) => table));
  const named = new Map<string, { kind: string; id: number; count: number }>();
  for (const { targetId, kind, id } of holders)
    if (!counted.has(holderTables[kind].table)) named.set(`${targetId} ${kind} ${id}`, { kind: "other", id: targetId, count: 1 });
  const uses = new Map<number, Map<UseKind, number>>();
  for (const { kind, id, count } of [...rows, ...named.values()]) {
    const known = useKinds.find((use) => use === kind) ?? "other";
    const own = uses.get(id) ?? new Map<UseKind, number>();
    own.set(known, (own.get(known) ?? 0) + count);
    uses.set(id, own);
  }
  return new Map([...uses].map(([id, own]) => [id, [...own].map(([kind, count]) => ({ kind, count }))]));
}

/** What uses a region, in words of the caller's language: "212 DU, 3 clusters". */
export function useText({ locale }: Pick<Ctx, "locale">, uses: readonly RegionUse[]): string {
  const words = (loadMessages(locale).regions as unknown as { uses: Record<UseKind, string> }).uses;
  return uses.map(({ kind, count }) => `${words[kind]} ${count.toLocaleString("en-US")}`).join(", ");
}

/** A point of the small map: longitude, latitude, and the place of its region in the list, -1 without one. */
export type RegionPoint = [longitude: number, latitude: number, region: number];

/** Where the DUs of the regions are, evenly thinned to what a small map can show. */
export async function listRegionPoints({ sql, project }: Pick<Ctx, "sql" | "project">): Promise<RegionPoint[]> {
  const rows = await sql<{ longitude: number; latitude: number; region: number }[]>`
    with point as (
      select s.longitude::float8 as longitude, s.latitude::float8 as latitude, du.region_id, row_number() over (order by du.id) as no, count(*) over () as total
      from du join customer_site s on s.id = du.site_id
      where du.project_id = ${project.id} and du.deleted_at is null and s.longitude is not null and s.latitude is not null
    ), region as (
      select id, row_number() over (order by sort_no, lower(name)) - 1 as place from delivery_region
      where project_id = ${project.id} and deleted_at is null
    )
    select p.longitude, p.latitude, coalesce(r.place, -1)::int as region from point p left join region r on r.id = p.region_id
    where p.no % greatest(1, ceil(p.total::float8 / ${mapPointsMax})::int) = 0`;
  return rows.map(({ longitude, latitude, region }) => [longitude, latitude, region]);
}
