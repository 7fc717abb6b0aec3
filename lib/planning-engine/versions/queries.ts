import "server-only";
import type { PendingQuery, Row } from "postgres";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import { openVersionSetting, type VersionSource, type VersionState } from "./limits.ts";
import { SaveEngineSetting } from "./schema.ts";

/** A plan version of the engine. [ENG-07] */
export type EngineVersion = {
  id: number;
  versionName: string;
  description: string | null;
  status: VersionState;
  source: VersionSource;
  isCurrent: boolean;
  isPlanned: boolean;
  inUse: boolean;
  calcStartAt: Date | null;
  calcEndAt: Date | null;
  inputsChangedAt: Date;
  creator: string;
  createdAt: Date;
  rowVersion: number;
};

const selected = ({ sql }: Pick<Ctx, "sql">) => sql`
  v.id, v.version_name as "versionName", v.description, v.status, v.source, v.is_current as "isCurrent", v.is_planned as "isPlanned", v.in_use as "inUse",
  v.calc_start_at as "calcStartAt", v.calc_end_at as "calcEndAt", v.inputs_changed_at as "inputsChangedAt", u.name as creator,
  v.created_at as "createdAt", v.row_version as "rowVersion"`;

const orders: Record<string, string> = {
  versionName: "v.version_name collate natural_order",
  status: "v.status",
  createdAt: "v.created_at",
};

/** The versions of the project, newest first unless asked otherwise. */
export async function listEngineVersions(ctx: Ctx, { page, size, filters, sort = [] }: ListInput): Promise<Page<EngineVersion>> {
  const { sql, project } = ctx;
  const where = filters.reduce<PendingQuery<Row[]>>(
    (left, filter) => sql`${left} and ${condition(ctx, filter)}`,
    sql`v.project_id = ${project.id}`,
  );
  const order = [...sort.map(({ field, dir }) => `${orders[field]} ${dir === "desc" ? "desc" : "asc"}`), "v.id desc"].join(", ");
  const rows = await sql<(EngineVersion & { total: number })[]>`
    select ${selected(ctx)}, count(*) over ()::int as total from engine_plan_version v join app_user u on u.id = v.created_by
    where ${where} order by ${sql.unsafe(order)} limit ${size} offset ${(page - 1) * size}`;
  return { records: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0, page, size };
}

function condition({ sql }: Ctx, { field, values }: Filter): PendingQuery<Row[]> {
  if (field === "search") return sql`position(lower(${String(values[0] ?? "")}) in lower(v.version_name)) > 0`;
  if (field === "id") return sql`v.id = any(${values.map(Number).filter(Number.isSafeInteger)}::bigint[])`;
  return sql`${sql(field === "status" ? "v.status" : "v.source")} = any(${values.map(String)}::text[])`;
}

/** Versions by id, locked for what the call is going to write. @throws NOT_FOUND */
export async function lockVersions(ctx: Pick<Ctx, "sql" | "project">, ids: readonly number[]): Promise<EngineVersion[]> {
  const { sql, project } = ctx;
  const rows = await sql<EngineVersion[]>`
    select ${selected(ctx)} from engine_plan_version v join app_user u on u.id = v.created_by
    where v.project_id = ${project.id} and v.id = any(${[...ids]}::bigint[]) order by v.id for update of v`;
  const missing = ids.filter((id) => !rows.some((row) => row.id === id));
  if (missing.length > 0) throw new AppError("NOT_FOUND", { object: missing.join(", ") });
  return [...rows];
}

/** The version a person has open: the one he asks for, else the one he chose last, else the current one; null without any. [ENG-18] */
export async function findOpenVersion(ctx: Ctx, wanted: number | null = null): Promise<EngineVersion | null> {
  const { sql, project, user } = ctx;
  const [row] = await sql<EngineVersion[]>`
    select ${selected(ctx)} from engine_plan_version v join app_user u on u.id = v.created_by
      left join user_setting s on s.user_id = ${user.id} and s.project_id = v.project_id and s.setting_id = ${openVersionSetting}
    where v.project_id = ${project.id}
    order by v.id is not distinct from ${Number.isSafeInteger(wanted) ? wanted : null}::bigint desc, s.value is not distinct from to_jsonb(v.id) desc, v.is_current desc, v.id desc limit 1`;
  return row ?? null;
}

/** Whether the project has this version. @throws NOT_FOUND */
export async function demandVersion({ sql, project }: Pick<Ctx, "sql" | "project">, id: number): Promise<void> {
  const [row] = await sql`select 1 from engine_plan_version where project_id = ${project.id} and id = ${id}`;
  if (!row) throw new AppError("NOT_FOUND", { object: id });
}

/** Settings as they are stored. */
export type EngineSetting = Omit<SaveEngineSetting, "versionId" | "rowVersion"> & { rowVersion: number };

/** Settings with the activities one of which may be the anchor, by name. */
export type FoundSetting = EngineSetting & { anchors: string[] };

/** The settings of a version; while nobody has saved any, those it would begin with, at revision 0. @throws NOT_FOUND */
export async function findEngineSetting(ctx: Ctx, { versionId }: { versionId: number }): Promise<FoundSetting> {
  await demandVersion(ctx, versionId);
  const [stored, named] = await Promise.all([
    readSetting(ctx, versionId),
    ctx.sql<{ name: string }[]>`
      select activity_name as name from engine_activity where version_id = ${versionId} group by activity_name order by min(sort), activity_name`,
  ]);
  const anchors = named.map(({ name }) => name);
  if (stored) return { ...stored, anchors };
  const { versionId: _version, ...begin } = SaveEngineSetting.parse({ versionId, planStartDate: ctx.today });
  return { ...begin, clusteringRate: null, maxClusterCutover: null, activityAnchor: null, targetAzimuth: null, rowVersion: 0, anchors };
}

/** The settings of a version as they were saved; null without. */
export async function readSetting({ sql }: Pick<Ctx, "sql">, versionId: number): Promise<EngineSetting | null> {
  const [row] = await sql<EngineSetting[]>`
    select direction, plan_start_date as "planStartDate", horizon_days as "horizonDays", sort_by_rfi as "sortByRfi", enable_eomonth as "enableEomonth",
      enable_cluster as "enableCluster", clustering_rate as "clusteringRate", damage_rate as "damageRate", reuse_rate as "reuseRate", buffer_rate as "bufferRate",
      max_cluster_cutover as "maxClusterCutover", activity_anchor as "activityAnchor", target_azimuth as "targetAzimuth", gap_policy as "gapPolicy", currency,
      evaluation_limit as "evaluationLimit", time_budget_s as "timeBudgetS", seed, islands, use_exact as "useExact", row_version as "rowVersion"
    from engine_setting where version_id = ${versionId}`;
  return row ?? null;
}
