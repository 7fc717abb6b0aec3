import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import { type AssignmentRow, listAssignment } from "./queries.ts";
import type { SaveAssignment } from "./schema.ts";

/**
 * Sets who may own activities.
 * @returns the rows as they are now
 * @throws NOT_FOUND, NOTHING_MODIFIED, STALE, NO_PERMISSION
 */
export async function saveAssignment(ctx: Ctx, { rows }: SaveAssignment): Promise<AssignmentRow[]> {
  if (!ctx.can("resource.edit", { userIds: [] })) throw new AppError("NO_PERMISSION", { right: "resource.edit" });
  await holdProject(ctx);
  const { sql, project } = ctx;
  const ids = rows.map(({ activityId }) => activityId);
  const before = new Map((await listAssignment(ctx, ids)).map((row) => [row.activityId, row]));
  const missing = ids.filter((id) => !before.has(id));
  if (missing.length > 0) throw new AppError("NOT_FOUND", { object: missing.join(", ") });
  const stale = rows.filter(({ activityId, rowVersion }) => before.get(activityId)?.rowVersion !== rowVersion);
  if (stale.length > 0) throw new AppError("STALE", {}, [], { rows: stale.map(({ activityId }) => before.get(activityId)) });
  const inOrder = (row: Parameters<typeof facts>[0]) => ({ ...facts(row), types: row.types.toSorted() });
  refuseUnchanged(
    ids.map((id) => inOrder(before.get(id) as AssignmentRow)),
    rows.map(inOrder),
  );
  await sql`
    insert into res_assignment (project_id, activity_id, types, required_skill, max_distance_km)
    select ${project.id}, g."activityId", g.types, g."requiredSkill", g."maxDistanceKm"
    from jsonb_to_recordset(${sql.json(rows as never)}) as g("activityId" bigint, types varchar[], "requiredSkill" text, "maxDistanceKm" numeric)
    on conflict (project_id, activity_id) do update set types = excluded.types, required_skill = excluded.required_skill,
      max_distance_km = excluded.max_distance_km, row_version = res_assignment.row_version + 1`;
  for (const row of rows)
    ctx.audit(`resource assignment ${row.activityId}`, facts(before.get(row.activityId) as AssignmentRow), facts(row), "config_changed");
  return listAssignment(ctx, ids);
}

const facts = ({ types, requiredSkill, maxDistanceKm }: AssignmentRow | SaveAssignment["rows"][number]) => ({
  types,
  requiredSkill,
  maxDistanceKm,
});
