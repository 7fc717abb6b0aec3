import "server-only";
import type { PendingQuery, Row } from "postgres";
import { addDays, dayNumber, isoDay } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { Page } from "#lib/core/paging.ts";
import { type ConfigKey, configKeys, shownWeeks } from "./limits.ts";
import { type CapacityPlan, type CapacityWeek, compareWeeks, weekCapacity, weeklyAdded, weekStart } from "./logic.ts";
import type { CompareWeeks, ListConfigs } from "./schema.ts";

type Fragment = PendingQuery<Row[]>;

/** A capacity: where it holds, how it grows, and the weeks set by hand. */
export type CapacityRow = CapacityPlan & {
  id: number;
  regionId: number | null;
  subconTypeId: number | null;
  weeklyAdded: number;
  weeks: { week: string; value: number }[];
};
/** What is set for a company; the one without company holds for all that have nothing of their own. */
export type CompanyConfig = {
  subcontractorId: number | null;
  code: string | null;
  name: string | null;
  config: Record<ConfigKey, boolean>;
  capacity: CapacityRow[];
  rowVersion: number;
};

type Read = Omit<CompanyConfig, "config" | "capacity"> & {
  config: Partial<Record<ConfigKey, boolean>>;
  capacity: Omit<CapacityRow, "weeklyAdded">[];
};

const columns = `s.id as "settingId", coalesce(s.row_version, 0) as "rowVersion",
  coalesce((select json_object_agg(f.key, f.value) from subcon_config f where f.setting_id = s.id), '{}') as config,
  coalesce((
    select json_agg(json_build_object('id', p.id, 'regionId', p.region_id, 'subconTypeId', p.subcon_type_id, 'baseline', p.baseline, 'upperCap', p.upper_cap,
      'lowerLimit', p.lower_limit, 'leadTimeWeeks', p.lead_time_weeks, 'increasePeriodWeeks', p.increase_period_weeks, 'increasePerCycle', p.increase_per_cycle,
      'redundancyRatio', p.redundancy_ratio, 'startWeek', p.start_week, 'weeks', coalesce((
        select json_agg(json_build_object('week', w.week_start, 'value', w.value) order by w.week_start) from subcon_capacity_week w where w.capacity_id = p.id), '[]'))
      order by p.region_id nulls first, p.subcon_type_id nulls first)
    from subcon_capacity p where p.setting_id = s.id), '[]') as capacity`;

function finish({ config, capacity, subcontractorId, code, name, rowVersion }: Read): CompanyConfig {
  return {
    subcontractorId,
    code,
    name,
    rowVersion,
    config: Object.fromEntries(configKeys.map((key) => [key, config[key] ?? false])) as Record<ConfigKey, boolean>,
    capacity: capacity.map((row) => ({ ...row, weeklyAdded: weeklyAdded(row) })),
  };
}

const readDefaults = ({ sql, project }: Ctx) => sql<Read[]>`
  select null as "subcontractorId", null as code, null as name, ${sql.unsafe(columns)}
  from (select 1) one left join subcon_setting s on s.project_id = ${project.id} and s.subcontractor_id is null`;

/** @param rest conditions on the company (c), order and bounds */
const readCompanies = ({ sql, project, scope }: Ctx, rest: Fragment) => sql<Read[]>`
  select c.id as "subcontractorId", c.code, c.name, ${sql.unsafe(columns)} from subcontractor c left join subcon_setting s on s.subcontractor_id = c.id
  where c.project_id = ${project.id} and ${scope.company(sql`c.id`)} ${rest}`;

/** What is set for all companies and for each; who works for one reads his own alone. [RES-53] */
export async function readConfigs(ctx: Ctx): Promise<{ defaults: CompanyConfig; companies: CompanyConfig[] }> {
  const [[defaults], companies] = await Promise.all([
    readDefaults(ctx),
    readCompanies(ctx, ctx.sql`order by c.name collate natural_order, c.id`),
  ]);
  return { defaults: finish(defaults!), companies: companies.map(finish) };
}

/** What is set for a company, or for all that have nothing of their own. @throws NOT_FOUND */
export async function readConfig(ctx: Ctx, subcontractorId: number | null): Promise<CompanyConfig> {
  const [found] = await (subcontractorId === null ? readDefaults(ctx) : readCompanies(ctx, ctx.sql`and c.id = ${subcontractorId}`));
  if (!found) throw new AppError("NOT_FOUND", { object: subcontractorId as number });
  return finish(found);
}

/** A page of what is set for the companies. [RES-54] */
export async function listConfigs(ctx: Ctx, { page, size, keyword = "" }: ListConfigs): Promise<Page<CompanyConfig>> {
  const { sql, project, scope } = ctx;
  const named = sql`and position(lower(${keyword}) in lower(concat_ws(' ', c.code, c.name))) > 0`;
  const [rows, [count]] = await Promise.all([
    readCompanies(ctx, sql`${named} order by c.name collate natural_order, c.id limit ${size} offset ${(page - 1) * size}`),
    sql<{ total: number }[]>`
      select count(*)::int as total from subcontractor c where c.project_id = ${project.id} and ${scope.company(sql`c.id`)} ${named}`,
  ]);
  return { records: rows.map(finish), total: count?.total ?? 0, page, size };
}

/**
 * What companies can do in the present week: by their capacity for everything, else by the sum of those for a region or kind of work, else by the project's
 * for everything. Companies for which nothing is set are missing.
 */
export async function readWeekCapacities(
  { sql, project, today }: Pick<Ctx, "sql" | "project" | "today">,
  companyIds: readonly number[],
): Promise<Map<number, number>> {
  const week = weekStart(today);
  const rows = await sql<(Omit<CapacityPlan, "redundancyRatio"> & { companyId: number | null; whole: boolean; manual: number | null })[]>`
    select s.subcontractor_id as "companyId", p.region_id is null and p.subcon_type_id is null as whole, p.baseline::float8, p.upper_cap::float8 as "upperCap",
      p.lower_limit::float8 as "lowerLimit", p.lead_time_weeks as "leadTimeWeeks", p.increase_period_weeks as "increasePeriodWeeks",
      p.increase_per_cycle::float8 as "increasePerCycle", p.start_week::text as "startWeek", w.value::float8 as manual
    from subcon_capacity p join subcon_setting s on s.id = p.setting_id left join subcon_capacity_week w on w.capacity_id = p.id and w.week_start = ${week}::date
    where s.project_id = ${project.id} and (s.subcontractor_id is null or s.subcontractor_id = any(${[...companyIds]}::bigint[]))`;
  const found = new Map<number, number>();
  for (const id of companyIds) {
    const own = rows.filter(({ companyId }) => companyId === id);
    const whole = own.find((row) => row.whole);
    const counted = whole ? [whole] : own.length > 0 ? own : rows.filter((row) => row.companyId === null && row.whole);
    if (counted.length > 0) found.set(id, sumOf(counted.map((row) => row.manual ?? weekCapacity(row, week))));
  }
  return found;
}

const sumOf = (values: readonly number[]): number => Math.round(values.reduce((sum, value) => sum + value, 0) * 100) / 100;

/**
 * The weeks of a capacity against the starts planned in them: of the company's DUs, the region, and the activities of the kind.
 * Without a capacity of its own a company has the project's.
 * @throws NOT_FOUND when there is none at all
 */
export async function readWeeks(
  ctx: Ctx,
  { subcontractorId, regionId = null, subconTypeId = null }: CompareWeeks,
): Promise<{ weeks: CapacityWeek[]; plan: CapacityPlan }> {
  const { sql, project, scope, today } = ctx;
  const [found] = await sql<(CapacityPlan & { overrides: { week: string; value: number }[] })[]>`
    select p.baseline::float8, p.upper_cap::float8 as "upperCap", p.lower_limit::float8 as "lowerLimit", p.lead_time_weeks as "leadTimeWeeks",
      p.increase_period_weeks as "increasePeriodWeeks", p.increase_per_cycle::float8 as "increasePerCycle", p.redundancy_ratio::float8 as "redundancyRatio",
      p.start_week::text as "startWeek",
      coalesce((select json_agg(json_build_object('week', w.week_start, 'value', w.value)) from subcon_capacity_week w where w.capacity_id = p.id), '[]') as overrides
    from subcon_capacity p join subcon_setting s on s.id = p.setting_id left join subcontractor c on c.id = s.subcontractor_id
    where s.project_id = ${project.id} and (s.subcontractor_id is null or s.subcontractor_id = ${subcontractorId}::bigint and ${scope.company(sql`c.id`)})
      and p.region_id is not distinct from ${regionId}::bigint and p.subcon_type_id is not distinct from ${subconTypeId}::bigint
    order by s.subcontractor_id nulls last limit 1`;
  if (!found) throw new AppError("NOT_FOUND", { object: "capacity" });
  const { overrides, ...plan } = found;
  const begin = addDays(weekStart(today), -28);
  const first = plan.startWeek > begin ? plan.startWeek : begin;
  const from = dayNumber(first);
  const rows = await sql<{ week: number; starts: number }[]>`
    select (u.start - ${from}::int) / 7 as week, count(*)::int as starts
    from du join du_plan p on p.du_id = du.id
    cross join lateral unnest(p.plan_start, p.state) with ordinality u(start, state, slot)
    where ${scope.where("resource.view")} and u.state & 7 = 1 and u.start >= ${from}::int and u.start < ${from + shownWeeks * 7}::int
      and (${subcontractorId}::bigint is null or du.subcontractor_id = ${subcontractorId}::bigint) and (${regionId}::bigint is null or du.region_id = ${regionId}::bigint)
      and (${subconTypeId}::bigint is null or u.slot in (
        select a.slot from subcon_type t join activity_library a on a.id = any(t.activity_ids) where t.id = ${subconTypeId}::bigint and t.project_id = ${project.id}))
    group by 1`;
  const planned = new Map(rows.map(({ week, starts }) => [isoDay(from + week * 7) as string, starts]));
  return { weeks: compareWeeks(plan, first, shownWeeks, new Map(overrides.map(({ week, value }) => [week, value])), planned), plan };
}
