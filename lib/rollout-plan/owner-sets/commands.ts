import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";

/**
 * Ids of the owner sets of ordered lists of people, making those that do not exist yet.
 * @returns id by `list.join(",")`
 */
export async function resolveOwnerSets(
  ctx: Pick<Ctx, "sql" | "project">,
  lists: readonly (readonly number[])[],
): Promise<Map<string, number>> {
  const texts = [...new Set(lists.filter((list) => list.length > 0).map((list) => list.join(",")))];
  if (texts.length === 0) return new Map();
  const { sql, project } = ctx;
  await sql`
    insert into owner_set (project_id, user_ids)
    select ${project.id}, g.ids from (select string_to_array(t, ',')::bigint[] as ids from unnest(${texts}::text[]) t) g
    where not exists (select 1 from owner_set o where o.project_id = ${project.id} and o.user_ids = g.ids)
    on conflict do nothing`;
  const rows = await sql<{ id: number; key: string }[]>`
    select o.id, g.t as key from unnest(${texts}::text[]) g(t) join owner_set o on o.project_id = ${project.id} and o.user_ids = string_to_array(g.t, ',')::bigint[]`;
  return new Map(rows.map((row) => [row.key, row.id]));
}
