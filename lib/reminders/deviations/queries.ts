import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import {
  type FiringFields,
  firingColumns,
  type LastFire,
  lastFire,
  type Named,
  type RuleCtx,
  type ShownTimes,
  shownTimes,
} from "../rules/queries.ts";

/** A deviation reminder as it is stored. */
export type DeviationRemind = FiringFields & {
  regionId: number;
  activityId: number;
  deviationDays: number;
  roles: string[];
  userIds: number[];
  groupIds: number[];
};

const columns = (sql: RuleCtx["sql"]) => sql`${firingColumns(sql)}, r.region_id as "regionId", r.activity_id as "activityId",
  r.deviation_days as "deviationDays", r.roles, r.user_ids as "userIds", r.group_ids as "groupIds"`;

/** Deviation reminders of the project by id; the options are those of `readMailRules`. */
export async function readDeviations(
  { sql, project }: RuleCtx,
  { ids, lock }: { ids?: readonly number[]; lock?: "wait" | "free" } = {},
): Promise<DeviationRemind[]> {
  return [
    ...(await sql<DeviationRemind[]>`
      select ${columns(sql)} from deviation_remind r where r.project_id = ${project.id} ${ids ? sql`and r.id = any(${[...ids]}::bigint[])` : sql``}
      order by r.id ${lock === "wait" ? sql`for update of r` : lock === "free" ? sql`for update of r skip locked` : sql``}`),
  ];
}

export type DeviationRow = Omit<DeviationRemind, keyof ShownTimes | "armedLocal"> &
  ShownTimes & { region: string; activity: string; people: Named[]; groups: Named[]; last: LastFire | null };

/** A page of deviation reminders by region, activity and days. */
export async function listDeviations(ctx: Ctx, input: ListInput): Promise<Page<DeviationRow>> {
  const { sql, project } = ctx;
  const where = input.filters.reduce((left, filter) => sql`${left} and ${condition(sql, filter)}`, sql`r.project_id = ${project.id}`);
  const [[counted], rows] = await Promise.all([
    sql<{ total: number }[]>`select count(*)::int as total from deviation_remind r where ${where}`,
    sql<(DeviationRemind & Omit<DeviationRow, keyof DeviationRemind>)[]>`
      select ${columns(sql)}, g.name as region, a.name as activity, ${lastFire(sql)}, coalesce((
        select jsonb_agg(jsonb_build_object('id', w.id, 'name', w.name) order by w.name, w.id) from res_group w
        where w.project_id = r.project_id and w.id = any(r.group_ids)), '[]') as groups, coalesce((
        select jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name) order by p.name, p.id) from app_user p where p.id = any(r.user_ids)), '[]') as people
      from deviation_remind r join delivery_region g on g.id = r.region_id join activity_library a on a.id = r.activity_id where ${where}
      order by g.sort_no, g.name, a.slot, r.deviation_days, r.id limit ${input.size} offset ${(input.page - 1) * input.size}`,
  ]);
  return {
    records: rows.map(({ armedLocal: _armed, ...row }) => ({ ...row, ...shownTimes(row, project.tzOffset) })),
    total: counted?.total ?? 0,
    page: input.page,
    size: input.size,
  };
}

function condition(sql: Ctx["sql"], { field, values }: Filter) {
  const ids = values.map(Number).filter(Number.isSafeInteger);
  if (field === "region") return sql`r.region_id = any(${ids}::bigint[])`;
  if (field === "activity") return sql`r.activity_id = any(${ids}::bigint[])`;
  return sql`r.status = any(${values.map(String)})`;
}

/** Where reminders are: for each region and activity that has any, how many, how many of them in force, and their days. */
export type DeviationMatrix = {
  regions: Named[];
  activities: Named[];
  cells: { regionId: number; activityId: number; count: number; enabled: number; days: number[] }[];
};

/** The reminders of the project as a table of regions and activities; activities without any are left out. */
export async function readDeviationMatrix({ sql, project }: Ctx): Promise<DeviationMatrix> {
  const [regions, activities, cells] = await Promise.all([
    sql<Named[]>`
      select id, name from delivery_region where project_id = ${project.id} and deleted_at is null and status = 'ACTIVE' order by sort_no, name, id`,
    sql<Named[]>`
      select id, name from activity_library a where project_id = ${project.id}
        and exists (select from deviation_remind r where r.project_id = ${project.id} and r.activity_id = a.id) order by slot`,
    sql<DeviationMatrix["cells"]>`
      select region_id as "regionId", activity_id as "activityId", count(*)::int as count, (count(*) filter (where status = 'ENABLED'))::int as enabled,
        array_agg(distinct deviation_days order by deviation_days) as days
      from deviation_remind where project_id = ${project.id} group by region_id, activity_id`,
  ]);
  return { regions: [...regions], activities: [...activities], cells: [...cells] };
}

/** Pairs of region and activity that a reminder would be the second one for: equal days and receivers, and a validity that touches. */
export async function listDuplicates(
  { sql, project }: RuleCtx,
  given: Pick<DeviationRemind, "deviationDays" | "roles" | "userIds" | "groupIds"> & {
    regionIds: readonly number[];
    activityIds: readonly number[];
    validBegin: string;
    validEnd: string;
  },
  except: number | null,
): Promise<{ regionId: number; activityId: number; region: string; activity: string }[]> {
  return [
    ...(await sql<{ regionId: number; activityId: number; region: string; activity: string }[]>`
      select distinct r.region_id as "regionId", r.activity_id as "activityId", g.name as region, a.name as activity
      from deviation_remind r join delivery_region g on g.id = r.region_id join activity_library a on a.id = r.activity_id
      where r.project_id = ${project.id} and r.region_id = any(${[...given.regionIds]}::bigint[]) and r.activity_id = any(${[...given.activityIds]}::bigint[])
        and r.deviation_days = ${given.deviationDays} and r.roles = ${given.roles}::text[] and r.user_ids = ${given.userIds}::bigint[]
        and r.group_ids = ${given.groupIds}::bigint[] and r.valid_begin <= ${given.validEnd}::text::timestamp
        and r.valid_end >= ${given.validBegin}::text::timestamp and r.id is distinct from ${except}
      order by region, activity`),
  ];
}
