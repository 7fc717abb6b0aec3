import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import { readWeekCapacities } from "../capacity/queries.ts";
import { dpaEnded, dpaNeeded } from "../isolation/queries.ts";
import { type CompanyStatus, type DpaState, pickedMax } from "./limits.ts";
import type { FindCompanies } from "./schema.ts";

/** A company as its list shows it: with its people and the DUs that are not done, as far as the caller sees them. */
export type CompanyRow = {
  id: number;
  code: string;
  name: string;
  typeIds: number[];
  countries: string[];
  dpaRequired: boolean;
  dpaExpires: string | null;
  dpa: DpaState;
  status: CompanyStatus;
  people: number;
  openDus: number;
  /** What it can do in the present week; null where nothing is set. */
  weekCapacity: number | null;
  rowVersion: number;
};

const orders: Record<string, string> = {
  code: "c.code collate natural_order",
  name: "c.name collate natural_order",
  status: "c.status",
  dpaExpires: "c.dpa_expires",
};

/** A page of the project's companies. */
export async function listCompanies(ctx: Ctx, input: ListInput): Promise<Page<CompanyRow>> {
  const { sql, project, scope, today } = ctx;
  const { page, size } = input;
  const where = input.filters.reduce(
    (left, filter) => sql`${left} and ${condition(ctx, filter)}`,
    sql`c.project_id = ${project.id} and ${scope.company(sql`c.id`)}`,
  );
  const order = [...(input.sort ?? []).map(({ field, dir }) => `${orders[field]} ${dir} nulls last`), orders.name, "c.id"].join(", ");
  const [rows, [count]] = await Promise.all([
    sql<Omit<CompanyRow, "weekCapacity">[]>`
      select c.id, c.code, c.name, c.type_ids as "typeIds", c.countries, c.dpa_required as "dpaRequired", c.dpa_expires::text as "dpaExpires",
        case when not ${dpaNeeded(sql)} then 'none' when ${dpaEnded(sql, today)} then 'ended' else 'valid' end as dpa, c.status, c.row_version as "rowVersion",
        (select count(*)::int from resource r where r.project_id = c.project_id and r.subcontractor_id = c.id and r.status = 'ACTIVE') as people,
        (select count(*)::int from du join du_plan p on p.du_id = du.id
          where du.subcontractor_id = c.id and p.applicable_count > p.done_count and ${scope.where("resource.view")}) as "openDus"
      from subcontractor c join project home on home.id = c.project_id
      where ${where} order by ${sql.unsafe(order)} limit ${size} offset ${(page - 1) * size}`,
    sql<{ total: number }[]>`select count(*)::int as total from subcontractor c where ${where}`,
  ]);
  const capacities = await readWeekCapacities(
    ctx,
    rows.map(({ id }) => id),
  );
  const records = rows.map((row) => ({ ...row, weekCapacity: capacities.get(row.id) ?? null }));
  return { records, total: count?.total ?? 0, page, size };
}

function condition({ sql }: Ctx, { field, values }: Filter) {
  if (field === "status") return sql`c.status = any(${values.map(String)}::text[])`;
  if (field === "typeId") return sql`c.type_ids && ${values.map(Number).filter(Number.isSafeInteger)}::bigint[]`;
  return sql`position(lower(${String(values[0] ?? "")}) in lower(concat_ws(' ', c.code, c.name))) > 0`;
}

/** Companies in use, for choosing one; who works for one finds it alone. [RES-47] */
export async function findCompanies(
  { sql, project, scope }: Ctx,
  { keyword = "" }: FindCompanies,
): Promise<{ id: number; code: string; name: string }[]> {
  return [
    ...(await sql<{ id: number; code: string; name: string }[]>`
      select c.id, c.code, c.name from subcontractor c where c.project_id = ${project.id} and c.status = 'ACTIVE' and ${scope.company(sql`c.id`)}
        and position(lower(${keyword}) in lower(concat_ws(' ', c.code, c.name))) > 0
      order by c.name collate natural_order, c.id limit ${pickedMax}`),
  ];
}

/** A kind of company: the activities it covers, and how many companies are of it. */
export type CompanyType = { id: number; name: string; activityIds: number[]; activities: string[]; companies: number; rowVersion: number };

/** The kinds of companies by name. */
export async function listTypes({ sql, project, scope }: Ctx): Promise<CompanyType[]> {
  return [
    ...(await sql<CompanyType[]>`
      select t.id, t.name, t.activity_ids as "activityIds", t.row_version as "rowVersion",
        array(select a.name from activity_library a where a.id = any(t.activity_ids) order by a.slot) as activities,
        (select count(*)::int from subcontractor c where c.project_id = t.project_id and t.id = any(c.type_ids) and ${scope.company(sql`c.id`)}) as companies
      from subcon_type t where t.project_id = ${project.id} order by t.name collate natural_order, t.id`),
  ];
}

/** Activities a kind of company can cover: those of the library in use. */
export async function listTypeActivities({ sql, project }: Ctx): Promise<{ id: number; name: string }[]> {
  return [
    ...(await sql<{ id: number; name: string }[]>`
      select id, name from activity_library where project_id = ${project.id} and disabled_at is null order by slot`),
  ];
}
