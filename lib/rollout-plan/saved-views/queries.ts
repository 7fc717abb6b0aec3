import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { readHead } from "#lib/rollout-plan/columns/queries.ts";
import { fitView, visibleOf } from "./logic.ts";

/** A kept view without its state. */
export type ViewHead = { id: string; name: string; shared: boolean; mine: boolean; owner: string; rowVersion: number };
export type SavedView = ViewHead & { state: Record<string, unknown>; dropped: number };

const headSql = `v.id, v.name, v.shared, u.name as owner, v.row_version as "rowVersion"`;

/** Views the caller may open: his own first, then those others share. */
export async function listViews({ sql, user, project }: Ctx): Promise<{ records: ViewHead[] }> {
  const records = await sql<ViewHead[]>`
    select ${sql.unsafe(headSql)}, v.owner_id = ${user.id} as mine from saved_view v join app_user u on u.id = v.owner_id
    where v.project_id = ${project.id} and (v.owner_id = ${user.id} or v.shared)
    order by v.owner_id <> ${user.id}, lower(v.name), v.id`;
  return { records: [...records] };
}

/**
 * A view as the caller may see it: conditions and columns on things he does not see are left out and counted.
 * @throws NOT_FOUND for a view that is neither his own nor shared
 */
export async function getView(ctx: Ctx, { id }: { id: string }): Promise<SavedView> {
  const { sql, user, project } = ctx;
  const [[found], head] = await Promise.all([
    sql<(ViewHead & { state: Record<string, unknown> })[]>`
      select ${sql.unsafe(headSql)}, v.owner_id = ${user.id} as mine, v.state from saved_view v join app_user u on u.id = v.owner_id
      where v.id = ${id} and v.project_id = ${project.id} and (v.owner_id = ${user.id} or v.shared)`,
    readHead(ctx, {}),
  ]);
  if (!found) throw new AppError("NOT_FOUND", { object: id });
  return { ...found, ...fitView(found.state, visibleOf(head)) };
}

/** The view an address names, or null where there is none the caller may open. */
export async function findView(ctx: Ctx, asked: string | undefined): Promise<SavedView | null> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(asked ?? "")) return null;
  return getView(ctx, { id: asked as string }).catch((error) => {
    if (error instanceof AppError) return null;
    throw error;
  });
}
