import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { planGrid } from "#lib/templates/limits.ts";
import { listReachable } from "./filters/queries.ts";
import { selectionHours } from "./limits.ts";
import type { SaveHomePage, StoreSelection } from "./schema.ts";

/** Keeps the state of the person's roll-out plan in this project. */
export async function saveHomePage(ctx: Ctx, { state }: SaveHomePage): Promise<Record<string, never>> {
  const { sql, user, project } = ctx;
  const [before] = await sql<
    { state: unknown }[]
  >`select state from home_page_state where user_id = ${user.id} and project_id = ${project.id}`;
  await sql`
    insert into home_page_state (user_id, project_id, state) values (${user.id}, ${project.id}, ${sql.json(state as never)})
    on conflict (user_id, project_id) do update set state = excluded.state`;
  // The view holds places and widths too: those kept before it by themselves are over.
  await sql`delete from column_position where project_id = ${project.id} and user_id = ${user.id} and grid_key = ${planGrid}`;
  ctx.audit("home page", before?.state ?? null, state);
  return {};
}

/**
 * Keeps a selection of DUs under a key the client made, for screens that open on it within a day. DUs the person does not reach are left out.
 * @throws DU_EMPTY when none is left
 */
export async function storeSelection(ctx: Ctx, { key, kind, duIds }: StoreSelection): Promise<{ redisKey: string }> {
  const { sql, user, project } = ctx;
  const reachable = await listReachable(ctx, duIds);
  if (reachable.length === 0) throw new AppError("DU_EMPTY");
  await sql`delete from du_selection where project_id = ${project.id} and user_id = ${user.id} and expires_at <= ${ctx.now}`;
  await sql`
    insert into du_selection (project_id, user_id, key, kind, du_ids, expires_at)
    values (${project.id}, ${user.id}, ${key}, ${kind}, ${reachable}::bigint[], ${ctx.now}::timestamptz + make_interval(hours => ${selectionHours}))
    on conflict (project_id, user_id, key) do update set kind = excluded.kind, du_ids = excluded.du_ids, expires_at = excluded.expires_at`;
  ctx.audit(`selection ${key}`, null, { kind, count: reachable.length });
  return { redisKey: key };
}
