import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import type { WarehouseType } from "./limits.ts";

/** A warehouse to choose. */
export type WarehouseChoice = { id: number; name: string; type: WarehouseType; region: string | null; priority: number };

/** The warehouses of the project, or those of a type, by priority. [ENG-58] */
export async function findWarehouses({ sql, project }: Ctx, { type }: { type?: WarehouseType | undefined }): Promise<WarehouseChoice[]> {
  const ofType = type === undefined ? sql`` : sql`and type = ${type}`;
  return [
    ...(await sql<WarehouseChoice[]>`
      select id, name, type, region, priority from engine_warehouse where project_id = ${project.id} ${ofType} order by priority, lower(name)`),
  ];
}
