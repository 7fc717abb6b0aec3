import "server-only";
import type { PendingQuery, Row } from "postgres";
import type { Ctx } from "#lib/core/ctx.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import type { PermissionCode } from "#lib/permissions.ts";
import type { Owner } from "../people/logic.ts";
import { readOwners } from "../people/queries.ts";
import { type DuOwnerKind, duOwnerKinds } from "./limits.ts";

/** A DU with its owners of every kind. */
export type DuOwnersRow = { duId: number; code: string; name: string; region: string | null; owners: Record<DuOwnerKind, Owner[]> };

type Found = Omit<DuOwnersRow, "owners"> & { given: { kind: DuOwnerKind; userId: number }[] };

const orders: Record<string, string> = { code: "du.code collate natural_order", name: "du.name collate natural_order", region: "g.name" };

/** A page of the DUs with their owners, by code. */
export async function listDuOwners(ctx: Ctx, input: ListInput): Promise<Omit<Page<DuOwnersRow>, "total"> & { total: number | null }> {
  const { sql } = ctx;
  const order = (input.sort ?? [])
    .map(({ field, dir }) => `${orders[field]} ${dir} nulls last`)
    .concat("du.code collate natural_order", "du.id");
  const rows = await sql<Found[]>`
    ${selectDus(ctx, input.filters)} order by ${sql.unsafe(order.join(", "))} limit ${input.size} offset ${(input.page - 1) * input.size}`;
  const total = ctx.can("rollout.duCountHide") ? null : await countDus(ctx, input.filters);
  return { records: await withOwners(ctx, rows), total, page: input.page, size: input.size };
}

/** Number of DUs the conditions keep. */
export async function countDus(ctx: Ctx, filters: readonly Filter[]): Promise<number> {
  const [row] = await ctx.sql<{ total: number }[]>`select count(*)::int as total from du where ${reached(ctx, filters)}`;
  return row!.total;
}

/** Every DU the conditions keep, a few hundred at a time, by id. */
export async function* streamDuOwners(ctx: Ctx, filters: readonly Filter[]): AsyncGenerator<DuOwnersRow[]> {
  const size = 500;
  for (let after = 0; ; ) {
    const rows = await ctx.sql<Found[]>`${selectDus(ctx, filters)} and du.id > ${after} order by du.id limit ${size}`;
    if (rows.length > 0) yield await withOwners(ctx, rows);
    if (rows.length < size) return;
    after = rows.at(-1)!.duId;
  }
}

function selectDus(ctx: Ctx, filters: readonly Filter[]) {
  return ctx.sql`
    select du.id as "duId", du.code, du.name, g.name as region,
      coalesce((select json_agg(json_build_object('kind', o.owner_kind, 'userId', o.user_id)) from du_owner o where o.du_id = du.id), '[]') as given
    from du left join delivery_region g on g.id = du.region_id where ${reached(ctx, filters)}`;
}

function reached(ctx: Ctx, filters: readonly Filter[]): PendingQuery<Row[]> {
  return filters.reduce((left, filter) => ctx.sql`${left} and ${condition(ctx, filter)}`, ctx.scope.where("owner.view"));
}

function condition({ sql }: Ctx, { field, type, values }: Filter): PendingQuery<Row[]> {
  const text = String(values[0] ?? "");
  switch (field) {
    case "regionId":
      return sql`du.region_id = any(${values.map(Number).filter(Number.isSafeInteger)}::bigint[])`;
    case "blank":
      return sql`exists (select 1 from unnest(${values.map(String)}::text[]) k(kind)
        where not exists (select 1 from du_owner o where o.du_id = du.id and o.owner_kind = k.kind))`;
    case "owner":
      return sql`exists (select 1 from du_owner o join app_user u on u.id = o.user_id where o.du_id = du.id
        and (position(lower(${text}) in lower(u.account)) > 0 or position(lower(${text}) in lower(u.name)) > 0))`;
    default:
      return type === "in"
        ? sql`du.code = any(${values.map(String)}::text[])`
        : sql`(position(lower(${text}) in lower(du.code)) > 0 or position(lower(${text}) in lower(du.name)) > 0)`;
  }
}

async function withOwners(ctx: Ctx, rows: readonly Found[]): Promise<DuOwnersRow[]> {
  const people = await readOwners(
    ctx,
    rows.flatMap(({ given }) => given.map(({ userId }) => userId)),
  );
  return rows.map(({ given, ...row }) => {
    const owners = Object.fromEntries(
      duOwnerKinds.map((kind) => [
        kind,
        given
          .flatMap((one) => (one.kind === kind ? [people.get(one.userId)!] : []))
          .sort((a, b) => a.name.localeCompare(b.name) || a.userId - b.userId),
      ]),
    ) as Record<DuOwnerKind, Owner[]>;
    return { ...row, owners };
  });
}

/** Owners of a DU by kind: ids of people. */
export type HeldOwners = Map<string, number[]>;
export const ownersKey = (duId: number, kind: string): string => `${duId} ${kind}`;

/**
 * Owners of DUs that a right reaches, by `ownersKey`, with the codes of the DUs.
 * @param lock keeps the DUs until the transaction ends
 */
export async function findDuOwners(
  ctx: Ctx,
  right: PermissionCode,
  duIds: readonly number[],
  { lock = false }: { lock?: boolean } = {},
): Promise<{ codes: Map<number, string>; held: HeldOwners }> {
  const { sql } = ctx;
  const dus = await sql<{ id: number; code: string }[]>`
    select du.id, du.code from du where ${ctx.scope.where(right)} and du.id = any(${[...new Set(duIds)]}::bigint[])
    order by du.id ${lock ? sql`for no key update of du` : sql``}`;
  const rows = await sql<{ duId: number; kind: string; ids: number[] }[]>`
    select du_id as "duId", owner_kind as kind, array_agg(user_id order by user_id) as ids from du_owner
    where du_id = any(${dus.map(({ id }) => id)}::bigint[]) group by 1, 2`;
  return {
    codes: new Map(dus.map(({ id, code }) => [id, code])),
    held: new Map(rows.map(({ duId, kind, ids }) => [ownersKey(duId, kind), ids])),
  };
}
