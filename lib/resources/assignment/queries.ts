import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { type ResourceType, resourceTypes } from "../pool/limits.ts";

/** Who may own an activity; every type while nothing was set. */
export type AssignmentRow = {
  activityId: number;
  code: string;
  activity: string;
  types: ResourceType[];
  requiredSkill: string | null;
  maxDistanceKm: number | null;
  rowVersion: number;
};

/** The rule of each activity of the project, in the order of the library. @param activityIds those alone */
export async function listAssignment(
  { sql, project }: Pick<Ctx, "sql" | "project">,
  activityIds?: readonly number[],
): Promise<AssignmentRow[]> {
  const chosen = activityIds ? sql`and l.id = any(${[...activityIds]}::bigint[])` : sql``;
  return [
    ...(await sql<AssignmentRow[]>`
      select l.id as "activityId", l.code, l.name as activity, coalesce(a.types, ${[...resourceTypes]}) as types, a.required_skill as "requiredSkill",
        a.max_distance_km::float8 as "maxDistanceKm", coalesce(a.row_version, 0) as "rowVersion"
      from activity_library l left join res_assignment a on a.project_id = l.project_id and a.activity_id = l.id
      where l.project_id = ${project.id} and l.disabled_at is null ${chosen} order by l.slot`),
  ];
}
