import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { deleteRows } from "../inputs/commands.ts";
import { editVersion } from "../versions/commands.ts";
import type { DeleteWarehouses } from "./schema.ts";

/**
 * Deletes warehouses with their mappings, all or none. What was added by hand keeps its warehouse; what was synchronised goes with it once that is confirmed.
 * [ENG-35] [ENG-36]
 * @throws WAREHOUSE_IN_ADDITIONS, CONFIRM_REQUIRED with `syncRows`, VERSION_LOCKED, NOT_FOUND
 */
export async function deleteWarehouses(ctx: Ctx, { ids, confirm }: DeleteWarehouses): Promise<{ deleted: number }> {
  const { sql, project } = ctx;
  // Stock that is being added waits for the row of its warehouse, so what is counted here stays true.
  await sql`select 1 from engine_warehouse where project_id = ${project.id} and id = any(${ids}::bigint[]) order by id for update`;
  const used = await sql<{ versionId: number; name: string; origin: "sync" | "addition"; rows: number }[]>`
    select i.version_id as "versionId", w.name, i.origin, count(*)::int as rows from engine_inventory i join engine_warehouse w on w.id = i.warehouse_id
    where i.project_id = ${project.id} and i.warehouse_id = any(${ids}::bigint[]) group by 1, 2, 3 order by 1, 2`;
  const added = [...new Set(used.flatMap(({ origin, name }) => (origin === "addition" ? [name] : [])))];
  if (added.length > 0) throw new AppError("WAREHOUSE_IN_ADDITIONS", { names: added.join(", ") });
  const syncRows = used.reduce((sum, { rows }) => sum + rows, 0);
  if (syncRows > 0 && !confirm) throw new AppError("CONFIRM_REQUIRED", {}, [], { syncRows });
  for (const versionId of new Set(used.map((row) => row.versionId))) await editVersion(ctx, versionId);
  await sql`delete from engine_inventory where project_id = ${project.id} and warehouse_id = any(${ids}::bigint[]) and origin = 'sync'`;
  return deleteRows(ctx, "warehouse", { ids });
}
