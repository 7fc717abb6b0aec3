import "server-only";
import { readHidden } from "#lib/attributes/modes/queries.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { searchEntriesMax } from "#lib/core/filter-limits.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import { searchEntries } from "#lib/core/search-entries.ts";
import { attributeKey } from "#lib/rollout-plan/columns/logic.ts";
import type { FixedColumn } from "../limits.ts";
import { getTab, readTabColumns, type Tab } from "../queries.ts";
import type { GetHistory } from "./schema.ts";

/** A row of a tab; of a tab by DU also the DUs that have none yet, with null for what only a row has. */
export type TabRow = {
  id: number | null;
  duId: number;
  duVersion: number;
  rowVersion: number | null;
  updatedAt: Date | null;
  updatedBy: string | null;
  data: Record<string, unknown>;
} & Record<FixedColumn, string | null>;

const fixedSql: Record<FixedColumn, string> = {
  code: "du.code",
  sn: "r.sn",
  name: "du.name",
  siteCode: "s.code",
  siteName: "s.name",
  siteNumber: "s.site_number",
  hwContractNumber: "du.hw_contract_number",
  deliveryType: "du.delivery_type",
  productLine: "du.product_line",
  productType: "du.product_type",
  stateId: "s.state_id",
  stateName: "s.state_name",
  deliveryBatchNo: "du.delivery_batch_no",
  poCompletenessNo: "du.po_completeness_no",
  completenessType: "du.completeness_type",
  siteScenario: "s.site_scenario",
  deliveryKey: "du.delivery_key",
  networkElementId: "du.network_element_id",
};
/** The fixed columns of a row, of `tabTables`, as a select names them. */
export const fixedSelect = Object.entries(fixedSql)
  .map(([key, column]) => `${column} as "${key}"`)
  .join(", ");
const natural = new Set<string>(["code", "sn", "name", "siteCode", "siteName"]);
const orderOf = (field: string): string =>
  field === "updatedAt" ? "r.updated_at" : `${fixedSql[field as FixedColumn]}${natural.has(field) ? " collate natural_order" : ""}`;

/**
 * A page of a tab's rows, of DUs the caller sees, without what is hidden from him.
 * @throws NOT_FOUND, SEARCH_TOO_MANY; INVALID_INPUT without the filter on the tab
 */
export async function listRows(ctx: Ctx, input: ListInput): Promise<Page<TabRow>> {
  const { sql } = ctx;
  const { page, size } = input;
  const named = Number(input.filters.find(({ field }) => field === "tabId")?.values[0]);
  if (!Number.isSafeInteger(named))
    throw new AppError("INVALID_INPUT", { field: "tabId" }, [{ path: "filters", code: "VALUE_MISSING", params: { field: "tabId" } }]);
  const tab = await getTab(ctx, named);
  const { attributes } = await readTabColumns(ctx, tab);
  const keys = (level: "DU" | "TAB") => attributes.filter((one) => one.level === level).map(({ key }) => key);
  const from = tabTables(ctx, tab);
  const where = rowsWhere(ctx, input.filters);
  const order = [
    ...(input.sort ?? []).map(({ field, dir }) => `${orderOf(field)} ${dir} nulls last`),
    orderOf("code"),
    orderOf("sn"),
    "du.id",
    "r.id",
  ];
  const [records, [count]] = await Promise.all([
    sql<TabRow[]>`
      select r.id, du.id as "duId", du.row_version as "duVersion", r.row_version as "rowVersion", r.updated_at as "updatedAt",
        (select u.name from app_user u where u.id = r.updated_by) as "updatedBy", ${sql.unsafe(fixedSelect)},
        coalesce((select jsonb_object_agg(v.key, v.value) from (
          select * from jsonb_each(r.data) where key = any(${keys("TAB")}::text[])
          union all select * from jsonb_each(du.ext) where key = any(${keys("DU")}::text[])) v), '{}') as data
      from ${from} where ${where} order by ${sql.unsafe(order.join(", "))} limit ${size} offset ${(page - 1) * size}`,
    sql<{ total: number }[]>`select count(*)::int as total from ${from} where ${where}`,
  ]);
  return { records: [...records], total: count!.total, page, size };
}

/** The rows of DUs the caller sees that the conditions keep. */
export const rowsWhere = (ctx: Ctx, filters: readonly Filter[]) =>
  filters.reduce((left, filter) => ctx.sql`${left} and ${condition(ctx, filter)}`, ctx.scope.where("duTab.view"));

/** DUs (du) with their site (s) and the rows (r) of a tab; of a tab by DU also DUs without a row. */
export function tabTables({ sql }: Pick<Ctx, "sql">, { id, keyMode }: Pick<Tab, "id" | "keyMode">) {
  const join = sql.unsafe(keyMode === "DU" ? "left join" : "join");
  return sql`du join customer_site s on s.id = du.site_id ${join} du_tab_row r on r.du_id = du.id and r.tab_id = ${id} and r.deleted_at is null`;
}

// One entry is looked for anywhere, several are exact.
function condition({ sql }: Ctx, { field, values }: Filter) {
  const texts = values.map(String);
  switch (field) {
    case "tabId":
      return sql`true`;
    case "region":
      return sql`du.region_id = any(${values.map(Number).filter(Number.isSafeInteger)}::bigint[])`;
    case "search":
    case "sn": {
      const entries = texts.flatMap(searchEntries);
      if (entries.length > searchEntriesMax) throw new AppError("SEARCH_TOO_MANY", { max: searchEntriesMax });
      if (entries.length > 1) return sql`${sql.unsafe(field === "sn" ? "r.sn" : "du.code")} = any(${entries}::text[])`;
      const entry = (entries[0] ?? "").toLowerCase();
      const found = (column: string) => sql`position(${entry} in lower(${sql.unsafe(column)})) > 0`;
      return field === "sn" ? found("r.sn") : sql`(${found("du.code")} or ${found("du.name")})`;
    }
    default:
      return sql`${sql.unsafe(fixedSql[field as FixedColumn])} = any(${texts}::text[])`;
  }
}

/** One write of a row. */
export type HistoryLine = {
  id: number;
  rowId: number;
  duCode: string;
  sn: string | null;
  changes: Record<string, [unknown, unknown]>;
  source: string;
  by: string;
  at: Date;
};

/** What was changed in a tab, newest first, of DUs the caller sees; values hidden from him are absent. [DUT-17] */
export async function getHistory(ctx: Ctx, { tabId, rowId, duId, attributeKey: key, page, size }: GetHistory): Promise<Page<HistoryLine>> {
  await getTab(ctx, tabId);
  const { sql } = ctx;
  const hidden = [...(await readHidden(ctx))].map((id) => attributeKey(id));
  const where = sql`h.tab_id = ${tabId} and ${ctx.scope.where("duTab.view")} and h.changes - ${hidden}::text[] <> '{}'
    ${rowId ? sql`and h.row_id = ${rowId}` : sql``} ${duId ? sql`and h.du_id = ${duId}` : sql``}
    ${key ? sql`and h.changes - ${hidden}::text[] ? ${key}` : sql``}`;
  const from = sql`du_tab_history h join du on du.id = h.du_id`;
  const [records, [count]] = await Promise.all([
    sql<HistoryLine[]>`
      select h.id, h.row_id as "rowId", du.code as "duCode", r.sn, h.changes - ${hidden}::text[] as changes, h.source, u.name as by, h.at
      from ${from} join du_tab_row r on r.id = h.row_id join app_user u on u.id = h.user_id
      where ${where} order by h.id desc limit ${size} offset ${(page - 1) * size}`,
    sql<{ total: number }[]>`select count(*)::int as total from ${from} where ${where}`,
  ]);
  return { records: [...records], total: count!.total, page, size };
}
