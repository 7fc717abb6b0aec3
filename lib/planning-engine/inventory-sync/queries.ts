import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { demandVersion } from "../versions/queries.ts";
import type { WarehouseType } from "../warehouses/limits.ts";

/** The last synchronisation of the stock of a version. */
export type SyncStatus = {
  state: "idle" | "syncing" | "success" | "failed";
  taskId: string | null;
  startedAt: Date | null;
  finishedAt: Date | null;
  rows: number | null;
  reason: string | null;
};

/** How the synchronisation of a version stands; one whose task has gone without an end has failed. [ENG-19] [ENG-59] @throws NOT_FOUND */
export async function findSyncStatus(ctx: Pick<Ctx, "sql" | "project">, { versionId }: { versionId: number }): Promise<SyncStatus> {
  await demandVersion(ctx, versionId);
  const [row] = await ctx.sql<SyncStatus[]>`
    select case when s.state = 'syncing' and coalesce(t.status, 'expired') not in ('queued', 'running') then 'failed' else s.state end as state,
      s.task_id as "taskId", s.started_at as "startedAt", coalesce(s.finished_at, t.finished_at) as "finishedAt", s.rows, s.reason
    from engine_inventory_sync s left join task t on t.id = s.task_id where s.version_id = ${versionId}`;
  return row ?? { state: "idle", taskId: null, startedAt: null, finishedAt: null, rows: null, reason: null };
}

/** Stock of an item in a warehouse, and what is to come. */
export type StockRow = {
  id: number;
  warehouseId: number;
  warehouseName: string;
  type: WarehouseType;
  region: string | null;
  priority: number;
  itemCode: string;
  inventoryQty: number | null;
  planQty: number | null;
  planInboundDate: string | null;
  origin: "sync" | "addition";
};

/** The stock of the project, by priority of the warehouses: that of the current version, null while there is none. */
export async function listStock({ sql, project }: Pick<Ctx, "sql" | "project">): Promise<StockRow[] | null> {
  const [current] = await sql<{ id: number }[]>`select id from engine_plan_version where project_id = ${project.id} and is_current`;
  if (!current) return null;
  return [
    ...(await sql<StockRow[]>`
      select i.id, w.id as "warehouseId", w.name as "warehouseName", w.type, w.region, w.priority, i.item_code as "itemCode", i.inventory_qty as "inventoryQty",
        i.plan_qty as "planQty", i.plan_inbound_date as "planInboundDate", i.origin
      from engine_inventory i join engine_warehouse w on w.id = i.warehouse_id where i.project_id = ${project.id} and i.version_id = ${current.id}
      order by i.item_code, w.priority, i.id`),
  ];
}
