import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { listSelectedDus } from "#lib/scheduling/queries.ts";
import { fillFromFlows, type TakenFlows } from "../activity-relations/commands.ts";
import { engineDusMax } from "../inputs/limits.ts";
import { editVersion, saveEngineSetting, saveEngineVersion } from "../versions/commands.ts";
import { SaveEngineSetting } from "../versions/schema.ts";
import type { CreateFromPlan, TakeFromPlan } from "./schema.ts";

/** What became of the DUs: `skipped` follow no flow, so there is nothing to plan. */
export type TakenDus = { added: number; changed: number; skipped: number };

/** Columns the plan and the DU itself give. A type or scope that somebody has set stays. */
const refreshed = [
  "workflow_name",
  "customer_site",
  "direct_migration_site",
  "allow_direct_moving",
  "region",
  "longitude",
  "latitude",
  "cluster",
  "cluster_priority",
  "rfi_priority",
  "plan_end_date",
  "ic_actual_end_date",
  "decom_actual_end_date",
  "eomonth",
  "decom_site",
];

/**
 * Takes DUs of the rollout plan into a version, with what DU and plan say of them. [ENG-10]
 * @throws DU_EMPTY, NOT_FOUND, TOO_MANY_DU, VERSION_LOCKED
 */
export async function takeFromPlan(ctx: Ctx, input: TakeFromPlan): Promise<TakenDus> {
  await editVersion(ctx, input.versionId);
  return fillFromPlan(ctx, input);
}

async function fillFromPlan(
  ctx: Ctx,
  { versionId, refresh, ...selection }: Pick<TakeFromPlan, "versionId" | "refresh" | "duIds" | "queryId">,
): Promise<TakenDus> {
  const { sql, project, user, now } = ctx;
  const chosen = selection.duIds || selection.queryId ? await listSelectedDus(ctx, selection, engineDusMax) : null;
  const wanted = chosen ? sql`and du.id = any(${chosen}::bigint[])` : sql``;
  const reached = sql`du.project_id = ${project.id} and du.deleted_at is null and ${ctx.scope.where("rollout.view")} ${wanted}`;
  const day = (column: string) => sql.unsafe(`case when p.${column} > 0 then date '2000-01-01' + p.${column} end`);
  const onRepeat = refresh
    ? sql.unsafe(
        `do update set ${refreshed.map((column) => `${column} = excluded.${column}`).join(", ")}, updated_by = excluded.updated_by, updated_at = excluded.updated_at,
          row_version = engine_du.row_version + 1
          where (${refreshed.map((column) => `engine_du.${column}`).join(", ")}) is distinct from (${refreshed.map((column) => `excluded.${column}`).join(", ")})`,
      )
    : sql`do nothing`;
  const [before] = await sql<{ dus: number; reached: number }[]>`
    select (select count(*)::int from engine_du where version_id = ${versionId}) as dus, (select count(*)::int from du where ${reached}) as reached`;
  const rows = await sql<{ fresh: boolean }[]>`
    insert into engine_du (project_id, version_id, du_id, du_type, ${sql.unsafe(refreshed.join(", "))}, in_scope, created_by, created_at, updated_by, updated_at)
    select ${project.id}, ${versionId}, du.id, coalesce(du.work_type, 'both'), f.name, s.code, m.code, du.allow_direct_moving, r.name, s.longitude, s.latitude,
      c.name, coalesce(c.priority, du.cluster_priority), du.rfi_priority, ${day("last_plan_end")}, ${day("ic_actual_end")}, ${day("decom_actual_end")},
      (to_date(du.eomonth, 'YYYY-MM') + interval '1 month - 1 day')::date, x.code, true, ${user.id}, ${now}, ${user.id}, ${now}
    from du join customer_site s on s.id = du.site_id
      join du_flow b on b.du_id = du.id and b.unbound_at is null join activity_flow f on f.id = b.flow_id
      left join du_plan p on p.du_id = du.id left join customer_site m on m.id = du.direct_migration_site_id left join customer_site x on x.id = du.decom_site_id
      left join delivery_region r on r.id = du.region_id left join cluster c on c.id = du.cluster_id
    where ${reached} order by du.code collate natural_order, du.id
    on conflict on constraint engine_du_unique ${onRepeat} returning xmax = 0 as fresh`;
  const added = rows.filter(({ fresh }) => fresh).length;
  if (before!.dus + added > engineDusMax) throw new AppError("TOO_MANY_DU", { max: engineDusMax });
  const [bound] = await sql<{ count: number }[]>`
    select count(*)::int as count from du where ${reached} and exists (select 1 from du_flow b where b.du_id = du.id and b.unbound_at is null)`;
  const taken = { added, changed: rows.length - added, skipped: before!.reached - bound!.count };
  ctx.audit(`engine_du ${versionId}`, null, taken);
  return taken;
}

/**
 * Makes a version of DUs of the rollout plan: settings that begin today, the DUs, and the activities of their flows. [ENG-18]
 * @throws DU_EMPTY, NAME_EXISTS, NOT_FOUND, TOO_MANY_DU
 */
export async function createFromPlan(
  ctx: Ctx,
  { versionName, description, ...selection }: CreateFromPlan,
): Promise<{ id: number; dus: TakenDus; activities: TakenFlows }> {
  const { id } = await saveEngineVersion(ctx, { versionName, description, source: "page_input" });
  await saveEngineSetting(ctx, SaveEngineSetting.parse({ versionId: id, planStartDate: ctx.today }));
  const dus = await fillFromPlan(ctx, { versionId: id, refresh: false, ...selection });
  if (dus.added === 0) throw new AppError("DU_EMPTY");
  return { id, dus, activities: await fillFromFlows(ctx, id) };
}
