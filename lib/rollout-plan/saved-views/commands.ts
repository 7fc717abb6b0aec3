import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { checkRules } from "#lib/core/rule.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import { type ViewFacts, viewRules } from "./rules.ts";
import type { SaveView } from "./schema.ts";

type Kept = { id: string; name: string; shared: boolean; rowVersion: number };

/**
 * Keeps a new view or changes one's own.
 * @throws NAME_EXISTS, NOTHING_MODIFIED, TOO_MANY, STALE, NOT_FOUND for a view that is not one's own
 */
export async function saveView(ctx: Ctx, { id, name, state, shared, rowVersion }: SaveView): Promise<{ id: string; rowVersion: number }> {
  const { sql, user, project } = ctx;
  await holdProject(ctx);
  const [before] = id
    ? await sql<(Kept & { state: SaveView["state"] })[]>`
        select id, name, shared, state, row_version as "rowVersion" from saved_view
        where id = ${id} and project_id = ${project.id} and owner_id = ${user.id} for update`
    : [];
  if (id && !before) throw new AppError("NOT_FOUND", { object: id });
  if (before && before.rowVersion !== rowVersion) throw new AppError("STALE", {}, [], before);
  const [facts] = await sql<ViewFacts[]>`
    select coalesce(bool_or(lower(v.name) = lower(${name})), false) as taken, count(*)::int as others
    from saved_view v where v.project_id = ${project.id} and v.owner_id = ${user.id} ${id ? sql`and v.id <> ${id}` : sql``}`;
  checkRules(viewRules, facts as ViewFacts, "name");
  refuseUnchanged(before, { name, shared, state });
  const kept = sql.json(state as never);
  const [saved] = before
    ? await sql<{ id: string; rowVersion: number }[]>`
        update saved_view set name = ${name}, shared = ${shared}, state = ${kept}, row_version = row_version + 1
        where id = ${before.id} returning id, row_version as "rowVersion"`
    : await sql<{ id: string; rowVersion: number }[]>`
        insert into saved_view (id, project_id, owner_id, name, state, shared)
        values (gen_random_uuid(), ${project.id}, ${user.id}, ${name}, ${kept}, ${shared}) returning id, row_version as "rowVersion"`;
  ctx.audit(`saved view ${saved!.id}`, before ? { name: before.name, shared: before.shared } : null, { name, shared });
  return saved as { id: string; rowVersion: number };
}

/**
 * Deletes one's own views, all or none.
 * @throws NOT_FOUND when one is not one's own
 */
export async function deleteViews(ctx: Ctx, { ids }: { ids: string[] }): Promise<{ deleted: number }> {
  const { sql, user, project } = ctx;
  const deleted = await sql<Kept[]>`
    delete from saved_view where id = any(${ids}::uuid[]) and project_id = ${project.id} and owner_id = ${user.id} returning id, name, shared`;
  const missing = ids.filter((id) => !deleted.some((view) => view.id === id));
  if (missing.length > 0) throw new AppError("NOT_FOUND", { object: missing.join(", ") });
  for (const { id, name, shared } of deleted) ctx.audit(`saved view ${id}`, { name, shared }, null);
  return { deleted: deleted.length };
}
