import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import type { DeleteNetworkRegions, SaveNetworkRegion } from "./schema.ts";

/**
 * Makes a network region, unmapped, or gives one another name.
 * @throws NAME_EXISTS, NOT_FOUND, NOTHING_MODIFIED, STALE
 */
export async function saveNetworkRegion(
  ctx: Ctx,
  { id, name, rowVersion }: SaveNetworkRegion,
): Promise<{ id: number; rowVersion: number }> {
  const { sql, project } = ctx;
  if (id === undefined) {
    const [made] = await sql<{ id: number }[]>`
      insert into network_region (project_id, name, source) values (${project.id}, ${name}, 'MANUAL') returning id`;
    ctx.audit(`network region ${made!.id}`, null, { name }, "config_changed");
    return { id: made!.id, rowVersion: 1 };
  }
  const [before] = await sql<{ name: string; rowVersion: number }[]>`
    select name, row_version as "rowVersion" from network_region where project_id = ${project.id} and id = ${id} for update`;
  if (!before) throw new AppError("NOT_FOUND", { object: id });
  if (before.rowVersion !== rowVersion) throw new AppError("STALE", {}, [], before);
  refuseUnchanged(before, { name });
  await sql`update network_region set name = ${name}, row_version = row_version + 1 where id = ${id}`;
  ctx.audit(`network region ${id}`, { name: before.name }, { name }, "config_changed");
  return { id, rowVersion: before.rowVersion + 1 };
}

/**
 * Deletes network regions no DU names, all or none.
 * @throws IN_USE with the names and their DUs, NOT_FOUND
 */
export async function deleteNetworkRegions(ctx: Ctx, { ids }: DeleteNetworkRegions): Promise<{ deleted: number }> {
  await holdProject(ctx);
  const { sql, project } = ctx;
  await sql`select 1 from network_region where project_id = ${project.id} and id = any(${ids}::bigint[]) order by id for update`;
  // Counted after the wait for who names one of them just now.
  const found = await sql<{ id: number; name: string; dus: number }[]>`
    select n.id, n.name, (select count(*)::int from du where du.network_region_id = n.id and du.deleted_at is null) as dus
    from network_region n where n.project_id = ${project.id} and n.id = any(${ids}::bigint[]) order by n.id`;
  const missing = ids.filter((id) => !found.some((row) => row.id === id));
  if (missing.length > 0) throw new AppError("NOT_FOUND", { object: missing.join(", ") });
  const used = found.filter(({ dus }) => dus > 0);
  if (used.length > 0) throw new AppError("IN_USE", { by: used.map(({ name, dus }) => `${name} (${dus} DU)`).join(", ") });
  await sql`update du set network_region_id = null where network_region_id = any(${ids}::bigint[]) and deleted_at is not null`;
  await sql`delete from network_region where id = any(${ids}::bigint[])`;
  for (const { id, name } of found) ctx.audit(`network region ${id}`, { name }, null, "config_changed");
  return { deleted: found.length };
}
