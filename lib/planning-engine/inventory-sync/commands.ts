import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { env } from "#lib/core/env.ts";
import { AppError } from "#lib/core/error.ts";
import { type JobCtx, TaskStopped } from "#lib/core/job.ts";
import { log } from "#lib/core/log.ts";
import { checkRules } from "#lib/core/rule.ts";
import { enqueueTask, type Outcome } from "#lib/core/task.ts";
import { errorText } from "#lib/core/texts.ts";
import { startStockSandbox } from "../stock-sandbox/commands.ts";
import { httpStockSource, readStock, StockFailed } from "../stock-source/queries.ts";
import type { StockRow } from "../stock-source/schema.ts";
import { editVersion } from "../versions/commands.ts";
import { lockVersions } from "../versions/queries.ts";
import { editRules } from "../versions/rules.ts";
import { findSyncStatus } from "./queries.ts";
import type { SyncInventory } from "./schema.ts";

/**
 * Starts the synchronisation of the stock of the current version. [ENG-19] [ENG-34]
 * @throws NO_CURRENT_VERSION, NO_MAPPING, SYNC_RUNNING, NOT_FOUND, VERSION_LOCKED
 */
export async function startSync(ctx: Ctx, { versionId }: SyncInventory): Promise<{ taskId: string }> {
  const { sql, project, now } = ctx;
  const [version] = await lockVersions(ctx, [versionId]);
  if (!version!.isCurrent) throw new AppError("NO_CURRENT_VERSION", { name: version!.versionName });
  checkRules(editRules, version!);
  const [mapped] = await sql`select 1 from engine_warehouse_mapping where project_id = ${project.id} limit 1`;
  if (!mapped) throw new AppError("NO_MAPPING");
  const { state } = await findSyncStatus(ctx, { versionId });
  if (state === "syncing") throw new AppError("SYNC_RUNNING");
  const task = { kind: "planningEngine.sync", direction: "process" as const, title: version!.versionName, params: { versionId } };
  const taskId = await enqueueTask(ctx, task);
  await sql`
    insert into engine_inventory_sync (version_id, project_id, state, task_id, started_at) values (${versionId}, ${project.id}, 'syncing', ${taskId}, ${now})
    on conflict (version_id) do update set state = 'syncing', task_id = excluded.task_id, started_at = excluded.started_at, finished_at = null, rows = null, reason = null`;
  return { taskId };
}

/** Asks the other system and puts its stock in place of what it had said before; what people added stays. @throws SYNC_FAILED, VERSION_LOCKED */
export async function runSync(job: JobCtx, { versionId }: SyncInventory): Promise<Outcome> {
  try {
    const rows = await askStock(job, versionId);
    const written = await job.chunk(async (ctx, tally) => {
      const count = await replaceStock(ctx, versionId, rows, job.task.id);
      tally.done = count - job.task.doneCount;
      return count;
    });
    return { total: written };
  } catch (error) {
    if (error instanceof TaskStopped || job.signal.aborted) throw error;
    const told = refusalOf(error);
    await job.chunk(async (ctx) => {
      const reason = errorText(job.locale, told.code, told.params);
      await ctx.sql`
        update engine_inventory_sync set state = 'failed', finished_at = ${ctx.now}, reason = ${reason.slice(0, 500)}
        where version_id = ${versionId} and task_id = ${job.task.id}`;
      ctx.audit(`engine_inventory_sync ${versionId}`, null, { failed: told.code }, "failed");
    });
    throw told;
  }
}

/** What a person is told of a failure. */
function refusalOf(error: unknown): AppError {
  if (error instanceof StockFailed) return new AppError("SYNC_FAILED", { reason: error.reason });
  if (error instanceof AppError) return error;
  log.error({ error }, "stock not synchronised");
  return new AppError("SYNC_FAILED", { reason: "unexpected" });
}

async function askStock(job: JobCtx, versionId: number): Promise<StockRow[]> {
  const { sql, project } = job;
  const sources = await sql<{ system: string; code: string }[]>`
    select source_system as system, source_code as code from engine_warehouse_mapping where project_id = ${project.id} order by 1, 2`;
  const items = await sql<{ code: string }[]>`
    select item_code as code from engine_du_material where version_id = ${versionId}
    union select warehouse_item_code from engine_item_substitute where version_id = ${versionId} order by 1`;
  const request = { project: project.number, sources: [...sources], items: items.map(({ code }) => code) };
  const { INVENTORY_URL: address, INVENTORY_TOKEN: token } = env();
  if (address) return readStock(httpStockSource({ base: address, ...(token && { token }) }), request, job.signal);
  const sandbox = await startStockSandbox();
  try {
    return await readStock(httpStockSource({ base: sandbox.base }), request, job.signal);
  } finally {
    await sandbox.close();
  }
}

async function replaceStock(ctx: Ctx, versionId: number, rows: readonly StockRow[], taskId: string): Promise<number> {
  const { sql, project, user, now } = ctx;
  await editVersion(ctx, versionId);
  const gone = await sql`delete from engine_inventory where version_id = ${versionId} and origin = 'sync'`;
  const made = await sql`
    insert into engine_inventory (project_id, version_id, warehouse_id, item_code, inventory_qty, plan_qty, plan_inbound_date, origin, sync_task_id, created_by,
      created_at, updated_by, updated_at)
    select ${project.id}, ${versionId}, m.warehouse_id, r."itemCode", r."inventoryQty", r."planQty", r."planInboundDate", 'sync', ${taskId}::uuid, ${user.id},
      ${now}, ${user.id}, ${now}
    from jsonb_to_recordset(${sql.json(rows as never)}) as r(system text, code text, "itemCode" text, "inventoryQty" numeric, "planQty" numeric, "planInboundDate" date)
      join engine_warehouse_mapping m on m.project_id = ${project.id} and m.source_system = r.system and m.source_code = r.code`;
  await sql`
    update engine_inventory_sync set state = 'success', finished_at = ${now}, synced_at = ${now}, rows = ${made.count}, reason = null
    where version_id = ${versionId} and task_id = ${taskId}`;
  ctx.audit(`engine_inventory ${versionId}`, { sync: gone.count }, { sync: made.count });
  return made.count;
}
