import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";

/** Ids of owner sets that exist, by their list of people (`list.join(",")`). */
export async function findOwnerSets(
  ctx: Pick<Ctx, "sql" | "project">,
  lists: readonly (readonly number[])[],
): Promise<Map<string, number>> {
  const texts = [...new Set(lists.filter((list) => list.length > 0).map((list) => list.join(",")))];
  if (texts.length === 0) return new Map();
  const rows = await ctx.sql<{ id: number; key: string }[]>`
    select o.id, g.t as key from unnest(${texts}::text[]) g(t) join owner_set o on o.project_id = ${ctx.project.id} and o.user_ids = string_to_array(g.t, ',')::bigint[]`;
  return new Map(rows.map((row) => [row.key, row.id]));
}
