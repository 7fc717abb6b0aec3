import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { attributeKey } from "#lib/rollout-plan/columns/logic.ts";

/** What new DUs begin with: the default of the project of each attribute of DUs, else its own, by key of `du.ext`. */
export async function readDefaults({ sql, project }: Pick<Ctx, "sql" | "project">): Promise<Record<string, string | number>> {
  const rows = await sql<{ id: number; type: string; value: string }[]>`
    select id, type, coalesce(project_default_value, default_value) as value from attribute
    where project_id = ${project.id} and deleted_at is null and level = 'DU' and coalesce(project_default_value, default_value) is not null order by id`;
  return Object.fromEntries(rows.map(({ id, type, value }) => [attributeKey(id), type === "NUMBER" ? Number(value) : value]));
}
