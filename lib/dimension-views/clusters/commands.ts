import "server-only";
import { dropRefs, replaceRefs } from "#lib/attributes/config-refs/commands.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import type { Change } from "#lib/rollout-plan/plan-log/logic.ts";
import { writePlanRows } from "#lib/rollout-plan/plan-rows/commands.ts";
import { readPlanRows } from "#lib/rollout-plan/plan-rows/queries.ts";
import { readClusters } from "./queries.ts";
import type { AssignDus, DeleteClusters, SaveCluster } from "./schema.ts";

/**
 * Stores a new cluster or changes one.
 * @throws NAME_EXISTS, NOTHING_MODIFIED, STALE, NOT_FOUND for a region, activity or cluster there is not
 */
export async function saveCluster(ctx: Ctx, input: SaveCluster): Promise<{ id: number; rowVersion: number }> {
  const { sql, project } = ctx;
  const { id, rowVersion, ...given } = input;
  const values = {
    ...given,
    regionId: given.regionId ?? null,
    cutoverActivityId: given.cutoverActivityId ?? null,
    maxCutoverQty: given.maxCutoverQty ?? null,
    polygon: given.polygon ?? null,
  };
  // Regions and activities go under the project: none does between the look at it and the write.
  await holdProject(ctx);
  await demand(
    ctx,
    "region",
    sql`delivery_region where deleted_at is null and project_id = ${project.id} and id = ${values.regionId}`,
    values.regionId,
  );
  await demand(
    ctx,
    "activity",
    sql`activity_library where project_id = ${project.id} and id = ${values.cutoverActivityId}`,
    values.cutoverActivityId,
  );
  const polygon = values.polygon && sql.json(values.polygon);
  if (id === undefined) {
    const [made] = await sql<{ id: number }[]>`
      insert into cluster (project_id, name, region_id, priority, completion_rate, rate_kind, cutover_activity_id, max_cutover_qty, polygon, color)
      values (${project.id}, ${values.name}, ${values.regionId}, ${values.priority}, ${values.completionRate}, ${values.rateKind}, ${values.cutoverActivityId},
        ${values.maxCutoverQty}, ${polygon}, ${values.color}) returning id`;
    await refer(ctx, made!.id, values.cutoverActivityId);
    ctx.audit(`cluster ${made!.id}`, null, values);
    return { id: made!.id, rowVersion: 1 };
  }
  const [before] = await readClusters(ctx, [id], { lock: true });
  if (!before) throw new AppError("NOT_FOUND", { object: id });
  if (before.rowVersion !== rowVersion) throw new AppError("STALE", {}, [], before);
  refuseUnchanged(before, values);
  await sql`
    update cluster set name = ${values.name}, region_id = ${values.regionId}, priority = ${values.priority}, completion_rate = ${values.completionRate},
      rate_kind = ${values.rateKind}, cutover_activity_id = ${values.cutoverActivityId}, max_cutover_qty = ${values.maxCutoverQty}, polygon = ${polygon},
      color = ${values.color}, row_version = row_version + 1 where id = ${id}`;
  await refer(ctx, id, values.cutoverActivityId);
  ctx.audit(`cluster ${id}`, before, values);
  return { id, rowVersion: before.rowVersion + 1 };
}

/** Notes the cutover activity in the index of what configuration names; the region is found there by its reference. */
const refer = (ctx: Ctx, id: number, activityId: number | null): Promise<void> =>
  replaceRefs(ctx, "CLUSTER", id, activityId === null ? [] : [{ kind: "ACTIVITY", id: activityId, usage: "TARGET" }]);

async function demand({ sql }: Ctx, object: string, source: ReturnType<Ctx["sql"]>, id: number | null): Promise<void> {
  if (id === null) return;
  const [found] = await sql<{ one: number }[]>`select 1 as one from ${source}`;
  if (!found) throw new AppError("NOT_FOUND", { object: `${object} ${id}` });
}

/**
 * Deletes clusters, all or none. DUs in them stand in the way unless they are to be taken out.
 * @throws IN_USE with the clusters that hold DUs
 */
export async function deleteClusters(ctx: Ctx, { ids, removeDus }: DeleteClusters): Promise<{ deleted: number; removed: number }> {
  const { sql } = ctx;
  const found = await readClusters(ctx, ids, { lock: true });
  const missing = ids.filter((id) => !found.some((cluster) => cluster.id === id));
  if (missing.length > 0) throw new AppError("NOT_FOUND", { object: missing.join(", ") });
  const held = await sql<{ id: number; clusterId: number }[]>`
    select id, cluster_id as "clusterId" from du where cluster_id = any(${ids}::bigint[]) and deleted_at is null order by id`;
  if (held.length > 0 && !removeDus) {
    const counts = Map.groupBy(held, (du) => du.clusterId);
    const by = found.filter(({ id }) => counts.has(id)).map(({ id, name }) => `${name} (${counts.get(id)?.length} DU)`);
    throw new AppError("IN_USE", { by: by.join(", ") });
  }
  const removed = await changeDus(
    ctx,
    held.map(({ id }) => id),
    { clusterId: null },
  );
  // Deleted DUs are shown nowhere, but still point to what they were in.
  await sql`update du set cluster_id = null where cluster_id = any(${ids}::bigint[]) and deleted_at is not null`;
  await sql`delete from cluster where id = any(${ids}::bigint[])`;
  await dropRefs(ctx, "CLUSTER", ids);
  for (const cluster of found) ctx.audit(`cluster ${cluster.id}`, cluster, null);
  return { deleted: found.length, removed: removed.length };
}

/**
 * Puts DUs into a cluster or out of any, and sets their priority in it. DUs the caller does not reach are left out.
 * @returns the DUs that changed
 * @throws NOT_FOUND when there is no such cluster, DU_EMPTY when no DU is left
 */
export async function assignDus(ctx: Ctx, { duIds, clusterId, priority }: AssignDus): Promise<{ ids: number[]; batchId: number | null }> {
  if (clusterId) {
    const [found] = await ctx.sql<{ id: number }[]>`
      select id from cluster where project_id = ${ctx.project.id} and id = ${clusterId} for key share`;
    if (!found) throw new AppError("NOT_FOUND", { object: clusterId });
  }
  const reached = await ctx.sql<
    { id: number }[]
  >`select du.id from du where ${ctx.scope.where("cluster.edit")} and du.id = any(${duIds}::bigint[])`;
  if (reached.length === 0) throw new AppError("DU_EMPTY");
  const { ids, batchId } = await writeDus(
    ctx,
    reached.map(({ id }) => id),
    { clusterId, priority },
  );
  ctx.audit(`cluster ${clusterId ?? "-"}`, null, { duIds: ids, clusterId, priority });
  return { ids, batchId };
}

type Assignment = { clusterId?: number | null | undefined; priority?: number | null | undefined };

const changeDus = async (ctx: Ctx, duIds: readonly number[], to: Assignment): Promise<number[]> => (await writeDus(ctx, duIds, to)).ids;

/** Writes what differs as one batch of the plan's log, so that open plans hear of it and it can be undone. */
async function writeDus(ctx: Ctx, duIds: readonly number[], to: Assignment): Promise<{ ids: number[]; batchId: number | null }> {
  if (duIds.length === 0) return { ids: [], batchId: null };
  const block = await readPlanRows(ctx, duIds, { lock: true });
  const present = await ctx.sql<{ id: number; version: number; clusterId: number | null; priority: number | null }[]>`
    select id, row_version as version, cluster_id as "clusterId", cluster_priority as priority from du where id = any(${block.duIds}::bigint[])`;
  const patches = present.flatMap(({ id, version, ...now }) => {
    const fields: Record<string, Change> = {};
    if (to.clusterId !== undefined && to.clusterId !== now.clusterId) fields.cluster_id = [now.clusterId, to.clusterId];
    if (to.priority !== undefined && to.priority !== now.priority) fields.cluster_priority = [now.priority, to.priority];
    return Object.keys(fields).length > 0 ? [{ duId: id, duVersion: version, fields }] : [];
  });
  const { written, batchId } = await writePlanRows(ctx, block, { source: "grid", patches });
  return { ids: written, batchId };
}
