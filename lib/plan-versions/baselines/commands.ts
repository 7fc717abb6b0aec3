import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import type { JobCtx } from "#lib/core/job.ts";
import { enqueueTask, type Outcome } from "#lib/core/task.ts";
import { writePlanRows } from "#lib/rollout-plan/plan-rows/commands.ts";
import { readPlanRows, writableFields } from "#lib/rollout-plan/plan-rows/queries.ts";
import { addVersionRows, openVersion, settleVersion } from "../snapshots/commands.ts";
import { directDusMax, versionChunkDus } from "../snapshots/limits.ts";
import { coversProject, demandFreeName, findTaskVersions } from "../snapshots/queries.ts";
import { copyToBaseline } from "./logic.ts";
import { listBoundDus } from "./queries.ts";
import type { BaselineParams } from "./schema.ts";

export type NewBaseline = { name: string; remark?: string | null | undefined; duIds?: number[] | undefined };
/** The baseline that was saved, or the task that saves it. */
export type BaselineAnswer = { id: number; code: string } | { taskId: string };

/**
 * Saves the present plan as a baseline, of the whole project or of chosen DUs: their baseline dates become their plan dates. DUs without a flow have no plan to keep.
 * @throws DU_NOT_FOUND, DU_EMPTY, NAME_EXISTS
 */
export async function saveBaseline(ctx: Ctx, { name, remark = null, duIds: asked }: NewBaseline): Promise<BaselineAnswer> {
  await demandFreeName(ctx, "baseline", name);
  const duIds = await listBoundDus(ctx, asked);
  if (duIds.length === 0) throw new AppError("DU_EMPTY");
  const params: BaselineParams = { name, remark, duIds, scope: (await coversProject(ctx, duIds)) ? "project" : "selection" };
  if (duIds.length > directDusMax) {
    const taskId = await enqueueTask(ctx, {
      kind: "planVersions.baseline",
      direction: "process",
      title: name,
      params,
      total: duIds.length,
    });
    return { taskId };
  }
  const { id, code } = await keepChunk(ctx, params, duIds, { last: true });
  return { id, code };
}

/** Saves a baseline of many DUs in the background, some at a time into the same version. Safe to run twice. */
export async function runBaseline(job: JobCtx, params: BaselineParams): Promise<Outcome> {
  const { duIds } = params;
  for (let at = job.task.chunksDone * versionChunkDus; at < duIds.length; at += versionChunkDus) {
    const part = duIds.slice(at, at + versionChunkDus);
    await job.chunk(async (ctx, tally) => {
      tally.done += part.length;
      await keepChunk(ctx, params, part, { last: at + versionChunkDus >= duIds.length, taskId: job.task.id });
    });
    job.progress(Math.min(duIds.length, at + versionChunkDus), duIds.length);
  }
  return { result: { version: (await findTaskVersions(job, job.task.id)).baseline } };
}

async function keepChunk(
  ctx: Ctx,
  { name, remark, scope }: BaselineParams,
  duIds: readonly number[],
  { last, taskId }: { last: boolean; taskId?: string },
): Promise<{ id: number; code: string }> {
  await holdProject(ctx);
  const version = await openVersion(ctx, { kind: "baseline", name, remark, source: "manual", taskId });
  const block = await readPlanRows(ctx, duIds, { lock: true, fields: [...writableFields, "baselineStart", "baselineEnd"] });
  for (let row = 0; row < block.duIds.length; row++) copyToBaseline(block, row);
  await writePlanRows(ctx, block, {
    source: "batch",
    origin: { kind: "version", id: version.id },
    copies: true,
    logAttrs: { baseline: version.id },
  });
  await addVersionRows(ctx, [version.id], block.duIds);
  if (last) await settleVersion(ctx, version, scope);
  ctx.audit(`plan_version ${version.id}`, null, { code: version.code, name, remark, scope, dus: block.duIds.length }, "baseline");
  return { id: version.id, code: version.code };
}
