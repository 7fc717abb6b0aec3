import "server-only";
import { isoDay } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import type { Page } from "#lib/core/paging.ts";
import { getCell, isApplicable, type PlanBlock, rowIndex } from "../plan-rows/logic.ts";
import { listLibraryActivities, readPlanRows } from "../plan-rows/queries.ts";
import { type Pair, pairKey } from "./logic.ts";
import type { FindHead, FindPairs } from "./schema.ts";

/** Product lines to choose from, and the activities both of two lines have. [RPL-36] */
export type NetworkHead = { lines: string[]; columns: { activityId: number; name: string }[] };

/** Columns of the planning of two networks: activities that apply to DUs of both lines, in the order of the library. */
export async function readNetworkHead(ctx: Ctx, { typeA, typeB }: FindHead): Promise<NetworkHead> {
  const { sql, scope } = ctx;
  const [lines, columns] = await Promise.all([
    sql<{ line: string }[]>`
      select distinct du.product_line as line from du where ${scope.where("rollout.view")} and du.product_line is not null order by 1`,
    typeA && typeB
      ? sql<NetworkHead["columns"]>`
          select l.id as "activityId", l.name from activity_library l
          where l.project_id = ${ctx.project.id} and l.slot in (
            select u.slot from du join du_plan p on p.du_id = du.id cross join lateral unnest(p.state) with ordinality u(state, slot)
            where ${scope.where("rollout.view")} and du.product_line in (${typeA}, ${typeB}) and u.state & 7 = 1
            group by u.slot having count(distinct du.product_line) = 2)
          order by l.slot`
      : [],
  ]);
  return { lines: lines.map(({ line }) => line), columns: [...columns] };
}

/** A DU of a pair. */
export type PairedDu = { id: number; code: string; name: string; rfcNumber: string | null };
/** An activity of a pair: plan dates of both DUs, null where it does not apply, and the joint date with its revision. */
export type JointCell = {
  activityId: number;
  a: { planStart: string | null; planEnd: string | null } | null;
  b: { planStart: string | null; planEnd: string | null } | null;
  jointDate: string | null;
  rowVersion: number | null;
};
/** Two DUs of one site, one of each line. */
export type NetworkPair = {
  siteId: number;
  siteCode: string;
  siteName: string;
  duA: PairedDu;
  duB: PairedDu;
  rfcDiffers: boolean;
  cells: JointCell[];
};

type PairRow = Omit<NetworkPair, "rfcDiffers" | "cells"> & { total: number };

/** Pairs of DUs of two product lines at the same site, with the plan dates of the chosen activities; a site with several DUs of a line gives a row per pair. [RPL-37] */
export async function listNetworkPairs(ctx: Ctx, input: FindPairs): Promise<Page<NetworkPair>> {
  const { sql, scope } = ctx;
  const { typeA, typeB, activityIds, page, size } = input;
  const where = input.filters.reduce((left, filter) => sql`${left} and ${condition(sql, filter)}`, sql`true`);
  const seen = (lineName: string) => sql`
    select du.id, du.code, du.name, du.rfc_number, du.site_id, du.region_id from du where ${scope.where("rollout.view")} and du.product_line = ${lineName}`;
  const person = (alias: "a" | "b") =>
    sql.unsafe(`json_build_object('id', ${alias}.id, 'code', ${alias}.code, 'name', ${alias}.name, 'rfcNumber', ${alias}.rfc_number)`);
  const rows = await sql<PairRow[]>`
    select s.id as "siteId", s.code as "siteCode", s.name as "siteName", ${person("a")} as "duA", ${person("b")} as "duB", count(*) over ()::int as total
    from (${seen(typeA)}) a join (${seen(typeB)}) b on b.site_id = a.site_id join customer_site s on s.id = a.site_id
    where ${where} order by s.code collate natural_order, s.id, a.code collate natural_order, a.id, b.code collate natural_order, b.id
    limit ${size} offset ${(page - 1) * size}`;
  const pairs = rows.map(({ duA, duB }) => ({ duAId: duA.id, duBId: duB.id }));
  const duIds = [...new Set(pairs.flatMap(({ duAId, duBId }) => [duAId, duBId]))];
  const [block, library, kept] = await Promise.all([
    readPlanRows(ctx, duIds, { fields: ["planStart", "planEnd", "state"] }),
    listLibraryActivities(ctx),
    readJointRows(ctx, pairs, activityIds),
  ]);
  const places = rowIndex(block);
  const slots = new Map(library.map(({ id, slot }) => [id, slot]));
  const records = rows.map(({ total: _total, ...row }): NetworkPair => {
    const cells = activityIds.flatMap((activityId): JointCell[] => {
      const slot = slots.get(activityId);
      if (slot === undefined) return [];
      const joint = kept.get(pairKey({ duAId: row.duA.id, duBId: row.duB.id }, activityId));
      return [
        {
          activityId,
          a: datesOf(block, places.get(row.duA.id), slot),
          b: datesOf(block, places.get(row.duB.id), slot),
          jointDate: joint?.jointDate ?? null,
          rowVersion: joint?.rowVersion ?? null,
        },
      ];
    });
    return { ...row, rfcDiffers: row.duA.rfcNumber !== row.duB.rfcNumber, cells };
  });
  return { records, total: rows[0]?.total ?? 0, page, size };
}

function datesOf(block: PlanBlock, row: number | undefined, slot: number): JointCell["a"] {
  if (row === undefined || !isApplicable(getCell(block, row, slot, "state"))) return null;
  return { planStart: isoDay(getCell(block, row, slot, "planStart")), planEnd: isoDay(getCell(block, row, slot, "planEnd")) };
}

function condition(sql: Ctx["sql"], { field, type, values }: FindPairs["filters"][number]) {
  if (field === "regionId") return sql`(a.region_id = any(${values}::bigint[]) or b.region_id = any(${values}::bigint[]))`;
  if (type === "in") return sql`(s.code = any(${values}::text[]) or a.code = any(${values}::text[]) or b.code = any(${values}::text[]))`;
  const text = values[0] ?? "";
  const has = (column: string) => sql`position(lower(${text}) in lower(${sql.unsafe(column)})) > 0`;
  return sql`(${has("s.code")} or ${has("s.name")} or ${has("a.code")} or ${has("b.code")})`;
}

/** What is kept of pairs, by `pairKey`; locked where asked. */
export async function readJointRows(
  { sql, project }: Pick<Ctx, "sql" | "project">,
  pairs: readonly Pair[],
  activityIds: readonly number[],
  options: { lock?: boolean } = {},
): Promise<Map<string, { id: number; jointDate: string | null; rowVersion: number }>> {
  const rows = await sql<{ id: number; duAId: number; duBId: number; activityId: number; jointDate: string | null; rowVersion: number }[]>`
    select id, du_a_id as "duAId", du_b_id as "duBId", activity_id as "activityId", joint_date as "jointDate", row_version as "rowVersion" from special_plan
    where project_id = ${project.id} and activity_id = any(${[...activityIds]}::bigint[])
      and (du_a_id, du_b_id) in (
        select least(g."duAId", g."duBId"), greatest(g."duAId", g."duBId") from jsonb_to_recordset(${sql.json([...pairs])}) as g("duAId" bigint, "duBId" bigint))
    order by id ${options.lock ? sql`for update` : sql``}`;
  return new Map(rows.map(({ duAId, duBId, activityId, ...row }) => [pairKey({ duAId, duBId }, activityId), row]));
}

/** Site and RFC number of DUs whose joint dates the caller may set. */
export async function readPairedDus(
  ctx: Ctx,
  duIds: readonly number[],
): Promise<Map<number, { code: string; siteId: number; rfcNumber: string | null }>> {
  const rows = await ctx.sql<{ id: number; code: string; siteId: number; rfcNumber: string | null }[]>`
    select du.id, du.code, du.site_id as "siteId", du.rfc_number as "rfcNumber" from du
    where ${ctx.scope.where("specialPlan.edit")} and du.id = any(${[...new Set(duIds)]}::bigint[])`;
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}
