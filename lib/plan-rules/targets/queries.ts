import "server-only";
import type { z } from "zod";
import type { Ctx } from "#lib/core/ctx.ts";
import type { FindTargets } from "./schema.ts";

/** The count of DUs wanted at an activity in a region and week. */
export type TargetRow = { regionId: number; activityId: number; weekStart: string; target: number; ruleId: number };

/** Targets between two weeks, of some regions and activities where these are named, with the names both are shown by. */
export async function findTargets(
  ctx: Ctx,
  { ruleId, regionIds, activityIds, from, to }: z.output<typeof FindTargets>,
): Promise<{
  rows: TargetRow[];
  regions: { id: number; name: string }[];
  activities: { id: number; name: string }[];
}> {
  const { sql, project } = ctx;
  const [rule] = ruleId
    ? await sql<{ regionIds: number[]; flowId: number }[]>`
        select region_ids as "regionIds", flow_id as "flowId" from plan_rule where id = ${ruleId} and project_id = ${project.id} and deleted_at is null`
    : [];
  const wanted = regionIds ?? (rule && rule.regionIds.length > 0 ? rule.regionIds : null);
  const [rows, regions, activities] = await Promise.all([
    sql<TargetRow[]>`
      select region_id as "regionId", activity_id as "activityId", week_start as "weekStart", target, rule_id as "ruleId" from org_target
      where project_id = ${project.id} and week_start between ${from} and ${to} ${wanted ? sql`and region_id = any(${wanted}::bigint[])` : sql``}
        ${activityIds ? sql`and activity_id = any(${activityIds}::bigint[])` : sql``} ${ruleId ? sql`and rule_id = ${ruleId}` : sql``}
      order by week_start, region_id, activity_id`,
    sql<{ id: number; name: string }[]>`
      select id, name from delivery_region where project_id = ${project.id} and deleted_at is null ${wanted ? sql`and id = any(${wanted}::bigint[])` : sql``}
      order by sort_no, name`,
    sql<{ id: number; name: string }[]>`
      select l.id, l.name from activity_library l where l.project_id = ${project.id} and l.disabled_at is null
        ${activityIds ? sql`and l.id = any(${activityIds}::bigint[])` : sql``}
        ${rule ? sql`and exists (select from flow_activity n where n.flow_id = ${rule.flowId} and n.activity_id = l.id)` : sql``}
      order by l.slot`,
  ]);
  return { rows: [...rows], regions: [...regions], activities: [...activities] };
}
