import "server-only";
import type { PendingQuery, Row } from "postgres";
import type { Sql } from "#db/client.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { searchEntriesMax } from "#lib/core/filter-limits.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import { searchEntries } from "#lib/core/search-entries.ts";
import type { DuField, SiteField } from "./schema.ts";

type Fragment = PendingQuery<Row[]>;

export type SiteRow = {
  id: number;
  rowVersion: number;
  /** DUs of the site that the caller may see; null where counts are hidden from him. */
  duCount: number | null;
} & Record<Exclude<SiteField, "longitude" | "latitude">, string | null> & { longitude: number | null; latitude: number | null };

export type DuRow = {
  id: number;
  rowVersion: number;
  code: string;
  name: string;
  siteId: number;
  siteCode: string;
  siteName: string;
  siteNumber: string | null;
  address: string | null;
  city: string | null;
  postCode: string | null;
  longitude: number | null;
  latitude: number | null;
  regionName: string | null;
  subcontractorName: string | null;
  clusterName: string | null;
  directMigrationSiteCode: string | null;
  decomSiteCode: string | null;
  flowId: number | null;
  flowName: string | null;
} & Record<Exclude<DuField, "code" | "name" | "siteId">, string | number | boolean | null>;

/** A page; the total is null where counts are hidden from the caller. */
export type List<T> = Omit<Page<T>, "total"> & { total: number | null };

const duColumns = `du.id, du.row_version as "rowVersion", du.code, du.name, du.site_id as "siteId", s.code as "siteCode", s.name as "siteName", s.site_number as "siteNumber", s.address,
  s.city, s.post_code as "postCode", s.longitude, s.latitude, du.project_code as "projectCode", du.sub_project_code as "subProjectCode", du.delivery_type as "deliveryType",
  du.work_type as "workType", du.region_id as "regionId", r.name as "regionName", c.id as "subcontractorId", c.name as "subcontractorName",
  k.name as "clusterName", du.cluster_priority as "clusterPriority", du.rfi_priority as "rfiPriority", m.id as "directMigrationSiteId", m.code as "directMigrationSiteCode",
  d.id as "decomSiteId", d.code as "decomSiteCode", du.allow_direct_moving as "allowDirectMoving", du.acceptance, du.po_completeness_no as "poCompletenessNo",
  du.delivery_key as "deliveryKey", du.delivery_batch_no as "deliveryBatchNo", du.product_type as "productType", du.product_line as "productLine",
  du.scenario_type as "scenarioType", du.rru_ics_scene as "rruIcsScene", du.value_unit as "valueUnit", du.value_qty as "valueQty", du.eomonth, du.rfc_number as "rfcNumber",
  du.hw_contract_number as "hwContractNumber", du.completeness_type as "completenessType", du.network_element_id as "networkElementId",
  b.flow_id as "flowId", f.name as "flowName"`;

/** DUs (du) with what their columns name: site (s), region (r), company (c), cluster (k), other DUs (m, d), flow (f). */
export const duTables = ({ sql, scope }: Pick<Ctx, "sql" | "scope">): Fragment => sql`du join customer_site s on s.id = du.site_id
  left join delivery_region r on r.id = du.region_id
  left join subcontractor c on c.id = du.subcontractor_id and ${scope.company(sql`c.id`)}
  left join cluster k on k.id = du.cluster_id
  left join du m on m.id = du.direct_migration_site_id and ${scope.du(sql`m.id`)}
  left join du d on d.id = du.decom_site_id and ${scope.du(sql`d.id`)}
  left join du_flow b on b.du_id = du.id and b.unbound_at is null
  left join activity_flow f on f.id = b.flow_id`;

const duSources: Record<string, string> = {
  code: "du.code",
  name: "du.name",
  siteId: "du.site_id",
  siteCode: "s.code",
  siteName: "s.name",
  city: "s.city",
  region: "r.name",
  regionId: "du.region_id",
  subcontractor: "c.name",
  subcontractorId: "c.id",
  flow: "f.name",
  flowId: "b.flow_id",
  deliveryType: "du.delivery_type",
  workType: "du.work_type",
  productType: "du.product_type",
  productLine: "du.product_line",
  subProjectCode: "du.sub_project_code",
  rfcNumber: "du.rfc_number",
};

/** DUs of the project the caller may see, with their site, region and flow. */
export async function listDus(ctx: Ctx, input: ListInput): Promise<List<DuRow>> {
  const { sql } = ctx;
  const where = duCondition(ctx, input.filters);
  const tables = duTables(ctx);
  const read = () => sql<DuRow[]>`
    select ${sql.unsafe(duColumns)} from ${tables} where ${where}
    order by ${order(sql, duSources, input, "du.code", "du.id")} limit ${input.size} offset ${(input.page - 1) * input.size}`;
  return page(ctx, input, read, () => sql<{ total: number }[]>`select count(*)::int as total from ${tables} where ${where}`);
}

/** Which DUs (du of `duTables`) the caller may see and the conditions keep. */
export function duCondition(ctx: Ctx, filters: readonly Filter[]): Fragment {
  const { sql } = ctx;
  return filters.reduce(
    (left, filter) => sql`${left} and ${condition(sql, duSources, filter, "du.code", "du.name")}`,
    ctx.scope.where("rollout.view"),
  );
}

/** One DU the caller may see, with its site, region and flow; null when there is none. */
export async function findDu(ctx: Ctx, id: number): Promise<DuRow | null> {
  const { sql } = ctx;
  const [row] = await sql<DuRow[]>`
    select ${sql.unsafe(duColumns)} from ${duTables(ctx)} where ${ctx.scope.where("rollout.view")} and du.id = ${id}`;
  return row ?? null;
}

const siteSources: Record<string, string> = {
  code: "s.code",
  name: "s.name",
  province: "s.province",
  city: "s.city",
  town: "s.town",
  postCode: "s.post_code",
  status: "s.status",
  duCount: '"duCount"',
};

/** Sites of the project; who sees only own DUs sees only their sites. */
export async function listSites(ctx: Ctx, input: ListInput): Promise<List<SiteRow>> {
  const { sql } = ctx;
  const where = siteCondition(ctx, input.filters);
  const hidden = ctx.can("rollout.duCountHide");
  const asked = { ...input, sort: (input.sort ?? []).filter(({ field }) => !(hidden && field === "duCount")) };
  const read = () => sql<SiteRow[]>`
    select s.id, s.row_version as "rowVersion", s.code, s.name, s.site_number as "siteNumber", s.country, s.province, s.city, s.town, s.address, s.post_code as "postCode",
      s.longitude, s.latitude, s.state_id as "stateId", s.state_name as "stateName", s.site_scenario as "siteScenario", s.status,
      ${hidden ? sql`null::int` : sql`(select count(*)::int from du where du.site_id = s.id and ${ctx.scope.where("rollout.view")})`} as "duCount"
    from customer_site s where ${where}
    order by ${order(sql, siteSources, asked, "s.code", "s.id")} limit ${input.size} offset ${(input.page - 1) * input.size}`;
  return page(ctx, input, read, () => sql<{ total: number }[]>`select count(*)::int as total from customer_site s where ${where}`);
}

/** Which sites (customer_site s) the caller may see and the conditions keep. */
export function siteCondition(ctx: Ctx, filters: readonly Filter[]): Fragment {
  const { sql } = ctx;
  const scoped = ctx.scope.all("rollout.view")
    ? sql``
    : sql` and exists (select 1 from du where du.site_id = s.id and ${ctx.scope.where("rollout.view")})`;
  return filters.reduce(
    (left, filter) =>
      sql`${left} and ${filter.field === "located" ? located(sql, filter) : condition(sql, siteSources, filter, "s.code", "s.name")}`,
    sql`s.project_id = ${ctx.project.id} and s.deleted_at is null${scoped}`,
  );
}

async function page<Row>(
  ctx: Ctx,
  input: ListInput,
  read: () => PromiseLike<readonly Row[]>,
  count: () => PromiseLike<readonly { total: number }[]>,
): Promise<List<Row>> {
  const records = [...(await read())];
  const frame = { records, page: input.page, size: input.size };
  if (ctx.can("rollout.duCountHide")) return { ...frame, total: null };
  const last = records.length < input.size && (records.length > 0 || input.page === 1);
  return { ...frame, total: last ? (input.page - 1) * input.size + records.length : ((await count())[0]?.total ?? 0) };
}

const natural = (column: string): string => (/\.(code|name|city|province|town)$/.test(column) ? `${column} collate natural_order` : column);

function order(sql: Sql, sources: Record<string, string>, input: ListInput, code: string, id: string): Fragment {
  const asked = (input.sort ?? []).map(({ field, dir }) => `${natural(sources[field] as string)} ${dir} nulls last`);
  return sql.unsafe([...asked, natural(code), id].join(", ")) as unknown as Fragment;
}

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, (sign) => `\\${sign}`);

function condition(sql: Sql, sources: Record<string, string>, filter: Filter, code: string, name: string): Fragment {
  if (filter.field === "search") return search(sql, filter, code, name);
  const column = sql.unsafe(sources[filter.field] as string);
  switch (filter.type) {
    case "empty":
      return sql`${column} is null`;
    case "notEmpty":
      return sql`${column} is not null`;
    case "like":
      return sql`${column} ilike ${`%${escapeLike(String(filter.values[0] ?? ""))}%`}`;
    default:
      return sql`${column}::text = any(${filter.values.map(String)}::text[])`;
  }
}

// One entry is looked for anywhere in code or name, several are taken for exact codes.
function search(sql: Sql, filter: Filter, code: string, name: string): Fragment {
  const entries = filter.values.flatMap((value) => searchEntries(String(value ?? "")));
  if (entries.length > searchEntriesMax) throw new AppError("SEARCH_TOO_MANY", { max: searchEntriesMax });
  if (entries.length === 0) return sql`true`;
  if (entries.length > 1 || filter.type === "in") return sql`${sql.unsafe(code)} = any(${entries}::text[])`;
  const like = `%${escapeLike(entries[0] as string)}%`;
  return sql`(${sql.unsafe(code)} ilike ${like} or ${sql.unsafe(name)} ilike ${like})`;
}

function located(sql: Sql, filter: Filter): Fragment {
  return filter.values[0] === false
    ? sql`(s.longitude is null or s.latitude is null)`
    : sql`(s.longitude is not null and s.latitude is not null)`;
}

export type Choice = { id: number; name: string };

/** What the cells of a DU can be chosen from. Companies do not learn of one another: who sees the DUs of his own company finds it alone. */
export async function readDuOptions(
  ctx: Ctx,
): Promise<{ regions: Choice[]; subcontractors: (Choice & { code: string })[]; flows: Choice[] }> {
  const { sql, project } = ctx;
  const [regions, subcontractors, flows] = await Promise.all([
    sql<
      Choice[]
    >`select id, name from delivery_region where project_id = ${project.id} and deleted_at is null and status = 'ACTIVE' order by sort_no, name collate natural_order`,
    sql<
      (Choice & { code: string })[]
    >`select id, name, code from subcontractor where project_id = ${project.id} and status = 'ACTIVE' and ${ctx.scope.company(sql`id`)} order by name collate natural_order`,
    sql<
      Choice[]
    >`select id, name from activity_flow where project_id = ${project.id} and draft_of is null and status = 'released' order by name collate natural_order`,
  ]);
  return { regions: [...regions], subcontractors: [...subcontractors], flows: [...flows] };
}
