import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { attributeKey } from "#lib/rollout-plan/columns/logic.ts";

/**
 * Takes the values of an attribute out of the rows of DU tabs, deleted rows included, because its type changes; the old ones stay in the history of the rows.
 * @returns how many cells lost theirs
 */
export async function clearTabValues({ sql, project, user, now }: Ctx, attributeId: number): Promise<number> {
  const key = attributeKey(attributeId);
  const cleared = await sql`
    with held as (
      select id, tab_id, du_id, data -> ${key}::text as old from du_tab_row where project_id = ${project.id} and data ? ${key} order by id for update
    ), cut as (
      update du_tab_row r set data = r.data - ${key}::text, row_version = r.row_version + 1, updated_by = ${user.id}, updated_at = ${now}
      from held where r.id = held.id returning held.*
    )
    insert into du_tab_history (project_id, tab_id, row_id, du_id, changes, user_id, at, source)
    select ${project.id}, tab_id, id, du_id, jsonb_build_object(${key}::text, jsonb_build_array(old, null)), ${user.id}, ${now}, 'CLEAR' from cut`;
  return cleared.count;
}
