import "server-only";
import { createTranslator } from "use-intl/core";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { loadMessages } from "#lib/core/messages.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import { type Bucket, buckets } from "../outputs/limits.ts";
import { bucketsBetween } from "../outputs/logic.ts";
import { type Condition, gapFields, isTrue, listedRun, orderOf, texts, visible } from "../outputs/queries.ts";
import type {
  ExportNet,
  FindMaterialGap,
  FindMaterialGrid,
  GapRow,
  GapTotal,
  MaterialGap,
  MaterialGrid,
  MaterialItem,
  MrpRow,
} from "../outputs/schema.ts";
import { getOutputRun } from "../runs/queries.ts";

function gapCondition({ sql }: Ctx, { field, values }: Filter): Condition {
  if (field === "search")
    return sql`position(lower(${String(values[0] ?? "")}) in lower(du.code || ' ' || du.name || ' ' || g.item_code)) > 0`;
  if (field === "item") return sql`g.item_code = any(${texts(values)}::text[])`;
  if (field === "region") return sql`o.region = any(${texts(values)}::text[])`;
  if (field === "reason") return sql`g.reason = any(${texts(values)}::text[])`;
  return sql`g.du_id = ${Number(values[0]) || 0}`;
}

const gapSort: Record<string, string> = {
  needDate: "g.need_date",
  shortQty: "g.short_qty",
  coverDate: "g.cover_date",
  duCode: "du.code collate natural_order",
  itemCode: "g.item_code",
};

/** Which DU is short of what, or waits for it, with the sums of each item. [ENG-45] @throws NOT_FOUND, NO_OUTPUT */
export async function findMaterialGap(ctx: Ctx, input: FindMaterialGap): Promise<MaterialGap> {
  const { sql } = ctx;
  const { runId, page, size, filters, sort } = input;
  const run = await getOutputRun(ctx, { runId });
  const where = filters.reduce<Condition>((left, filter) => sql`${left} and ${gapCondition(ctx, filter)}`, visible(ctx, runId));
  const from = sql`engine_out_gap g join engine_out_du o on o.run_id = g.run_id and o.du_id = g.du_id join du on du.id = g.du_id`;
  const [rows, totals] = await Promise.all([
    sql<GapRow[]>`
      select ${gapFields(ctx)} from ${from}
      where ${where} order by ${sql.unsafe(orderOf(gapSort, sort, "g.need_date, o.rank, g.item_code"))} limit ${size} offset ${(page - 1) * size}`,
    sql<GapTotal[]>`
      select g.item_code as "itemCode", count(*)::int as dus, sum(g.required_qty)::float8 as "requiredQty", sum(g.short_qty)::float8 as "shortQty",
        min(g.need_date) as "firstNeed"
      from ${from} where ${where} group by g.item_code order by sum(g.short_qty) desc, count(*) desc, g.item_code`,
  ]);
  return { run, totals: [...totals], records: [...rows], total: totals.reduce((sum, { dus }) => sum + dus, 0), page, size };
}

const bucketDays: Record<Bucket, string> = {
  day: "m.day",
  week: "m.day - extract(dow from m.day)::int",
  month: "date_trunc('month', m.day)::date",
};

function mrpWhere({ sql, project }: Ctx, runId: number, filters: readonly Filter[]): Condition {
  const condition = ({ field, values }: Filter): Condition => {
    if (field === "search") return sql`position(lower(${String(values[0] ?? "")}) in lower(m.item_code)) > 0`;
    if (field === "item") return sql`m.item_code = any(${texts(values)}::text[])`;
    if (field === "region") return sql`m.region = any(${texts(values)}::text[])`;
    if (field === "net" && isTrue(values[0]))
      return sql`exists (select 1 from engine_out_mrp n where n.run_id = m.run_id and n.item_code = m.item_code and n.net_req > 0)`;
    return sql`true`;
  };
  return filters.reduce<Condition>(
    (left, filter) => sql`${left} and ${condition(filter)}`,
    sql`m.run_id = ${runId} and m.project_id = ${project.id}`,
  );
}

/** Sums of each item, region and bucket: it opens with its first day and closes with its last. */
const mrpRows = ({ sql }: Ctx, bucket: Bucket, where: Condition) => sql`
  select m.item_code as "itemCode", m.region, ${sql.unsafe(bucketDays[bucket])} as "from", (array_agg(m.opening order by m.day))[1]::float8 as opening,
    sum(m.gross_req)::float8 as "grossReq", sum(m.inbound)::float8 as inbound, sum(m.reuse_in)::float8 as "reuseIn", sum(m.issued)::float8 as issued,
    (array_agg(m.closing order by m.day desc))[1]::float8 as closing, sum(m.net_req)::float8 as "netReq", min(m.day) filter (where m.net_req > 0) as "needDate"
  from engine_out_mrp m where ${where} group by 1, 2, 3`;

/** The movements of material by day, week (from Sunday) or month. [ENG-42] @throws NOT_FOUND, NO_OUTPUT */
export async function listMaterialPlanning(ctx: Ctx, { page, size, filters }: ListInput): Promise<Page<MrpRow>> {
  const { sql } = ctx;
  const run = await listedRun(ctx, filters);
  const asked = filters.find(({ field }) => field === "bucket")?.values[0] ?? "week";
  const bucket = buckets.find((one) => one === asked);
  if (!bucket) throw new AppError("INVALID_INPUT", { field: "bucket" });
  const rows = await sql<(MrpRow & { total: number })[]>`
    select b.*, count(*) over ()::int as total from ${shownRows(ctx, bucket, run.id, filters)}
    order by b."itemCode", b.region, b."from" limit ${size} offset ${(page - 1) * size}`;
  return { records: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0, page, size };
}

/** Rows of the movements the conditions keep, named b. */
function shownRows(ctx: Ctx, bucket: Bucket, runId: number, filters: readonly Filter[]): Condition {
  const { sql } = ctx;
  const netOnly = filters.some(({ field, values }) => field === "net" && isTrue(values[0]));
  return sql`(${mrpRows(ctx, bucket, mrpWhere(ctx, runId, filters))}) b where ${netOnly ? sql`b."netReq" > 0` : sql`true`}`;
}

const netFilters = ({ search }: ExportNet): Filter[] => [
  { field: "net", type: "eq", values: [true] },
  ...(search ? [{ field: "search", type: "like" as const, values: [search] }] : []),
];

/** Number of net requirements of a run. */
export async function countNet(ctx: Ctx, asked: ExportNet): Promise<number> {
  const [row] = await ctx.sql<{ total: number }[]>`
    select count(*)::int as total from ${shownRows(ctx, asked.bucket, asked.runId, netFilters(asked))}`;
  return row!.total;
}

/** Net requirements of a run, in the order of their list. */
export async function readNet(ctx: Ctx, asked: ExportNet): Promise<MrpRow[]> {
  return [
    ...(await ctx.sql<MrpRow[]>`
      select b.* from ${shownRows(ctx, asked.bucket, asked.runId, netFilters(asked))} order by b."itemCode", b.region, b."from"`),
  ];
}

/** Words of the workbook of net requirements in the language of a person. */
export function netTexts({ locale }: Pick<Ctx, "locale">): (key: string) => string {
  return createTranslator({ locale, messages: loadMessages(locale), onError: () => {} }) as unknown as (key: string) => string;
}

/** Items by page with all their buckets, those with a net requirement first. @throws NOT_FOUND, NO_OUTPUT */
export async function findMaterialGrid(ctx: Ctx, input: FindMaterialGrid): Promise<MaterialGrid> {
  const { sql } = ctx;
  const { runId, bucket, page, size, filters } = input;
  const run = await getOutputRun(ctx, { runId });
  const where = mrpWhere(ctx, runId, filters);
  const [items, [span], regions] = await Promise.all([
    sql<(Omit<MaterialItem, "rows"> & { total: number })[]>`
      select m.item_code as "itemCode", sum(m.net_req)::float8 as "netReq", min(m.day) filter (where m.net_req > 0) as "firstNeed",
        count(*) over ()::int as total
      from engine_out_mrp m where ${where} group by m.item_code order by sum(m.net_req) desc, m.item_code limit ${size} offset ${(page - 1) * size}`,
    sql<
      { first: string | null; last: string | null }[]
    >`select min(day) as first, max(day) as last from engine_out_mrp where run_id = ${runId}`,
    sql<{ region: string }[]>`select distinct region from engine_out_mrp where run_id = ${runId} order by region`,
  ]);
  const codes = items.map(({ itemCode }) => itemCode);
  const rows = await sql<MrpRow[]>`
    select b.* from (${mrpRows(ctx, bucket, sql`${where} and m.item_code = any(${codes}::text[])`)}) b order by b."itemCode", b.region, b."from"`;
  const byItem = new Map<string, MrpRow[]>(codes.map((code) => [code, []]));
  for (const row of rows) byItem.get(row.itemCode)?.push(row);
  return {
    run,
    bucket,
    regions: regions.map(({ region }) => region),
    columns: span?.first && span.last ? bucketsBetween(span.first, span.last, bucket) : [],
    records: items.map(({ total: _total, ...item }) => ({ ...item, rows: byItem.get(item.itemCode) ?? [] })),
    total: items[0]?.total ?? 0,
    page,
    size,
  };
}
