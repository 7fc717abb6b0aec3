import "server-only";
import type { z } from "zod";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { brokenRules, checkRules } from "#lib/core/rule.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import { lockVersions, readSetting } from "./queries.ts";
import { deleteRules, editRules } from "./rules.ts";
import type {
  CopyEngineVersion,
  DeleteEngineVersions,
  RenameEngineVersion,
  SaveEngineSetting,
  SaveEngineVersion,
  SetCurrentVersion,
} from "./schema.ts";

/** Inputs of a version, with the columns that a copy takes over. */
const inputs: Record<string, string> = {
  engine_du:
    "du_id, workflow_name, du_type, customer_site, direct_migration_site, allow_direct_moving, region, longitude, latitude, cluster, cluster_priority, rfi_priority, plan_end_date, ic_actual_end_date, decom_actual_end_date, eomonth, decom_site, in_scope",
  engine_activity:
    "workflow_name, activity_name, sort, slot, duration_days, material_related, need_subcontractor, disassembly, assembly, skill_type, resource_name, flow_id, flow_version",
  engine_skill_resource: "skill_type, resource_name, region, team_count",
  engine_du_material: "du_id, item_code, description, decom_qty, install_qty, material_category",
  engine_inventory: "warehouse_id, item_code, inventory_qty, plan_qty, plan_inbound_date, origin",
  engine_item_substitute:
    "design_item_code, design_description, design_qty, design_priority, group_name, warehouse_item_code, warehouse_description, warehouse_qty, substitution_priority",
  engine_reuse_material: "item_code, material_category, damage_rate, reuse_rate, buffer_rate, turnaround_days",
};
const settings =
  "direction, plan_start_date, horizon_days, sort_by_rfi, enable_eomonth, enable_cluster, clustering_rate, damage_rate, reuse_rate, buffer_rate, max_cluster_cutover, activity_anchor, target_azimuth, gap_policy, currency, evaluation_limit, time_budget_s, seed, islands, use_exact";

/** Makes a version, or gives one another description. The first of a project is the current one. [ENG-18] @throws NAME_EXISTS, NOT_FOUND, NOTHING_MODIFIED, STALE, VERSION_LOCKED */
export async function saveEngineVersion(ctx: Ctx, input: SaveEngineVersion): Promise<{ id: number }> {
  if (!("id" in input)) return { id: await makeVersion(ctx, input) };
  const { sql, user, now } = ctx;
  const before = await editable(ctx, input);
  refuseUnchanged(before, { description: input.description || null });
  await sql`
    update engine_plan_version set description = ${input.description || null}, updated_by = ${user.id}, updated_at = ${now}, row_version = row_version + 1
    where id = ${input.id}`;
  ctx.audit(`engine_plan_version ${input.id}`, { description: before.description }, { description: input.description || null });
  return { id: input.id };
}

async function makeVersion(
  ctx: Ctx,
  { versionName, description, source }: { versionName: string; description?: string | null | undefined; source: string },
): Promise<number> {
  const { sql, project, user, now } = ctx;
  // Two first versions at once would both want to be the current one.
  await holdProject(ctx);
  const [made] = await sql<{ id: number }[]>`
    insert into engine_plan_version (project_id, version_name, description, source, is_current, inputs_changed_at, created_by, created_at, updated_by, updated_at)
    select ${project.id}, ${versionName}, ${description || null}, ${source},
      not exists (select 1 from engine_plan_version where project_id = ${project.id} and is_current), ${now}, ${user.id}, ${now}, ${user.id}, ${now}
    returning id`;
  ctx.audit(`engine_plan_version ${made!.id}`, null, { versionName, source });
  return made!.id;
}

async function editable(ctx: Ctx, { id, rowVersion }: { id: number; rowVersion: number }) {
  const [before] = await lockVersions(ctx, [id]);
  if (before!.rowVersion !== rowVersion) throw new AppError("STALE", {}, [], before);
  checkRules(editRules, before!);
  return before!;
}

/** Makes a version with all settings and inputs of another one. @throws NAME_EXISTS, NOT_FOUND */
export async function copyEngineVersion(ctx: Ctx, { fromVersionId, versionName, description }: CopyEngineVersion): Promise<{ id: number }> {
  const { sql, user, now } = ctx;
  const [from] = await lockVersions(ctx, [fromVersionId]);
  const id = await makeVersion(ctx, { versionName, description: description ?? from!.description, source: from!.source });
  await sql`
    insert into engine_setting (version_id, project_id, ${sql.unsafe(settings)}, updated_by, updated_at)
    select ${id}, project_id, ${sql.unsafe(settings)}, ${user.id}, ${now} from engine_setting where version_id = ${fromVersionId}`;
  for (const [table, columns] of Object.entries(inputs))
    await sql`
      insert into ${sql(table)} (version_id, project_id, ${sql.unsafe(columns)}, created_by, created_at, updated_by, updated_at)
      select ${id}, project_id, ${sql.unsafe(columns)}, ${user.id}, ${now}, ${user.id}, ${now} from ${sql(table)} where version_id = ${fromVersionId} order by id`;
  const copied = sql`
    engine_activity a join engine_activity n on n.version_id = ${id} and n.workflow_name = a.workflow_name and n.activity_name = a.activity_name`;
  await sql`
    insert into engine_activity_pre (engine_activity_id, pre_engine_activity_id, project_id, relation, offset_days)
    select n.id, m.id, p.project_id, p.relation, p.offset_days from ${copied} join engine_activity_pre p on p.engine_activity_id = a.id
      join engine_activity b on b.id = p.pre_engine_activity_id
      join engine_activity m on m.version_id = ${id} and m.workflow_name = b.workflow_name and m.activity_name = b.activity_name
    where a.version_id = ${fromVersionId}`;
  await sql`
    insert into engine_activity_link (engine_activity_id, other_engine_activity_id, kind, project_id)
    select least(n.id, m.id), greatest(n.id, m.id), l.kind, l.project_id from ${copied} join engine_activity_link l on l.engine_activity_id = a.id
      join engine_activity b on b.id = l.other_engine_activity_id
      join engine_activity m on m.version_id = ${id} and m.workflow_name = b.workflow_name and m.activity_name = b.activity_name
    where a.version_id = ${fromVersionId}`;
  return { id };
}

/** Gives a version another name. [ENG-18] @throws NAME_EXISTS, NOT_FOUND, NOTHING_MODIFIED, STALE, VERSION_LOCKED */
export async function renameEngineVersion(ctx: Ctx, input: RenameEngineVersion): Promise<{ id: number }> {
  const { sql, user, now } = ctx;
  const before = await editable(ctx, input);
  refuseUnchanged(before, { versionName: input.versionName });
  await sql`
    update engine_plan_version set version_name = ${input.versionName}, updated_by = ${user.id}, updated_at = ${now}, row_version = row_version + 1
    where id = ${input.id}`;
  ctx.audit(`engine_plan_version ${input.id}`, { versionName: before.versionName }, { versionName: input.versionName });
  return { id: input.id };
}

/** Makes a version the current one of the project, in place of the one before. [ENG-18] @throws NOT_FOUND, VERSION_LOCKED */
export async function setCurrentVersion(ctx: Ctx, { id }: z.output<typeof SetCurrentVersion>): Promise<{ id: number }> {
  const { sql, project } = ctx;
  await holdProject(ctx);
  const [version] = await lockVersions(ctx, [id]);
  checkRules(editRules, version!);
  const [before] = await sql<{ id: number }[]>`
    update engine_plan_version set is_current = false where project_id = ${project.id} and is_current and id <> ${id} returning id`;
  await sql`update engine_plan_version set is_current = true where id = ${id}`;
  ctx.audit("engine_plan_version current", { id: before?.id ?? null }, { id });
  return { id };
}

/** Deletes versions with all that belongs to them, all or none. @throws VERSION_LOCKED, VERSION_IN_USE, NOT_FOUND */
export async function deleteEngineVersions(ctx: Ctx, { ids }: z.output<typeof DeleteEngineVersions>): Promise<{ deleted: number }> {
  const found = await lockVersions(ctx, ids);
  const problems = found.flatMap((version): Problem[] => brokenRules(deleteRules, version, `ids.${ids.indexOf(version.id)}`));
  if (problems[0]) throw new AppError(problems[0].code, problems[0].params, problems);
  await ctx.sql`delete from engine_plan_version where id = any(${ids}::bigint[])`;
  ctx.audit(
    "engine_plan_version",
    found.map(({ id, versionName }) => ({ id, versionName })),
    null,
    "deleted",
  );
  return { deleted: found.length };
}

/** Stores how a version is to be calculated. [ENG-09] @throws NOTHING_MODIFIED, NOT_FOUND, STALE, VERSION_LOCKED */
export async function saveEngineSetting(ctx: Ctx, { versionId, rowVersion, ...given }: SaveEngineSetting): Promise<{ rowVersion: number }> {
  const { sql, project, user, now } = ctx;
  await editVersion(ctx, versionId);
  const before = await readSetting(ctx, versionId);
  if ((before?.rowVersion ?? 0) !== rowVersion) throw new AppError("STALE", {}, [], before);
  const after = {
    ...given,
    clusteringRate: given.clusteringRate ?? null,
    maxClusterCutover: given.maxClusterCutover ?? null,
    activityAnchor: given.activityAnchor || null,
    targetAzimuth: given.targetAzimuth ?? null,
  };
  refuseUnchanged(before, after);
  const next = (before?.rowVersion ?? 0) + 1;
  await sql`delete from engine_setting where version_id = ${versionId}`;
  await sql`
    insert into engine_setting (version_id, project_id, ${sql.unsafe(settings)}, row_version, updated_by, updated_at)
    values (${versionId}, ${project.id}, ${after.direction}, ${after.planStartDate}, ${after.horizonDays}, ${after.sortByRfi}, ${after.enableEomonth},
      ${after.enableCluster}, ${after.clusteringRate}, ${after.damageRate}, ${after.reuseRate}, ${after.bufferRate}, ${after.maxClusterCutover},
      ${after.activityAnchor}, ${after.targetAzimuth}, ${after.gapPolicy}, ${after.currency}, ${after.evaluationLimit}, ${after.timeBudgetS}, ${after.seed},
      ${after.islands}, ${after.useExact}, ${next}, ${user.id}, ${now})`;
  ctx.audit(`engine_setting ${versionId}`, before, after);
  return { rowVersion: next };
}

/** Locks a version whose inputs are going to change, and notes that they do. @throws NOT_FOUND, VERSION_LOCKED */
export async function editVersion(ctx: Ctx, versionId: number): Promise<void> {
  const [version] = await lockVersions(ctx, [versionId]);
  checkRules(editRules, version!);
  await ctx.sql`update engine_plan_version set inputs_changed_at = ${ctx.now} where id = ${versionId}`;
}
