import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { JobCtx } from "#lib/core/job.ts";
import { loadMessages } from "#lib/core/messages.ts";
import { enqueueTask, type Outcome } from "#lib/core/task.ts";
import { readTaskWork } from "#lib/rollout-plan/plan-log/queries.ts";
import { writePlanRows } from "#lib/rollout-plan/plan-rows/commands.ts";
import { diffBlock } from "#lib/rollout-plan/plan-rows/logic.ts";
import { listRefusals, readPlanRows, readStanding, writableFields } from "#lib/rollout-plan/plan-rows/queries.ts";
import { refusedShown } from "#lib/scheduling/limits.ts";
import { describeRefused, type RefusedDu, type RefusedRow } from "#lib/scheduling/queries.ts";
import { storeRefused } from "#lib/scheduling/refused-sheet/commands.ts";
import { directDusMax, versionChunkDus } from "../snapshots/limits.ts";
import { getVersion } from "../snapshots/queries.ts";
import { dropRefused, restoreRow } from "./logic.ts";
import { listRestorable, readKeptRows } from "./queries.ts";
import type { RestoreParams, RestoreVersion } from "./schema.ts";

/**
 * Cells changed in how many DUs, what kept its values and why, and the batch that undoes it. A preview and the task of a large restore list the first of `rejectedCount` rows.
 */
export type RestoreResult = { changed: number; dus: number; rejected: RefusedRow[]; rejectedCount: number; batchId: number | null };

/**
 * Sets the plan dates, and owners where asked, of DUs to those of a version, with all rules of the plan; what is locked or no longer in the flow is skipped
 * and listed. For many DUs this is a background task. It can be undone for ten minutes.
 * @throws NOT_FOUND, DU_NOT_FOUND, NOTHING_MODIFIED
 */
export async function restoreVersion(ctx: Ctx, input: RestoreVersion): Promise<RestoreResult | { taskId: string }> {
  const version = await getVersion(ctx, input.id);
  const duIds = await listRestorable(ctx, version.id, input.duIds);
  const { fields, reason, preview } = input;
  const params: RestoreParams = { id: version.id, duIds, fields, reason };
  if (!preview && duIds.length > directDusMax) {
    const title = `${version.code} ${version.name}`;
    return { taskId: await enqueueTask(ctx, { kind: "planVersions.restore", direction: "process", title, params, total: duIds.length }) };
  }
  const result: Omit<RestoreResult, "rejected" | "rejectedCount"> = { changed: 0, dus: 0, batchId: null };
  let refused: RefusedDu[] = [];
  for (let at = 0; at < duIds.length; at += versionChunkDus) {
    const part = duIds.slice(at, at + versionChunkDus);
    const done = await restoreChunk(ctx, params, part, { dryRun: preview, origin: { kind: "version", id: version.id } });
    result.changed += done.changed;
    result.dus += done.dus;
    result.batchId = done.batchId ?? result.batchId;
    refused = refused.concat(done.refused);
  }
  const { changed, dus } = result;
  if (!preview && changed === 0 && refused.length === 0) throw new AppError("NOTHING_MODIFIED");
  ctx.audit(
    `plan_version ${version.id}`,
    null,
    { fields, reason, changed, dus, rejected: refused.length },
    preview ? "preview" : "restored",
  );
  const listed = preview ? refused.slice(0, refusedShown) : refused;
  return { ...result, rejected: await describeRefused(ctx, listed, "rollout.edit"), rejectedCount: refused.length };
}

/**
 * Restores many DUs, some at a time; all batches of the task are undone together. The workbook of its errors has all that kept its values. Safe to run twice.
 */
export async function runRestore(job: JobCtx, params: RestoreParams): Promise<Outcome> {
  const { duIds } = params;
  const begin = job.task.chunksDone * versionChunkDus;
  let refused: RefusedDu[] = [];
  for (let at = 0; at < duIds.length; at += versionChunkDus) {
    const part = duIds.slice(at, at + versionChunkDus);
    // What an earlier attempt restored is as the version has it; asked again without writing, it tells what it kept.
    const done = at < begin ? await restoreChunk(job, params, part, { dryRun: true }) : await writeChunk(job, params, part);
    refused = refused.concat(done.refused);
    job.progress(Math.min(at + versionChunkDus, duIds.length), duIds.length);
  }
  const { batchId, dus, cells } = await readTaskWork(job, job.task.originKey);
  const { restore } = loadMessages(job.locale)["plan-versions"] as { restore: { kept: string } };
  return {
    total: duIds.length,
    result: {
      changed: cells,
      dus,
      rejected: await describeRefused(job, refused.slice(0, refusedShown), "rollout.edit"),
      rejectedCount: refused.length,
      batchId,
    } satisfies RestoreResult,
    errorFileId: refused.length > 0 ? await storeRefused(job, restore.kept, refused, "rollout.edit") : null,
  };
}

const writeChunk = (job: JobCtx, params: RestoreParams, part: readonly number[]): Promise<RestoredChunk> =>
  job.chunk(async (ctx, tally) => {
    const chunk = await restoreChunk(ctx, params, part, { dryRun: false, origin: { kind: "task", id: job.task.originKey } });
    const { changed, dus, refused } = chunk;
    ctx.audit(
      `plan_version ${params.id}`,
      null,
      { fields: params.fields, reason: params.reason, changed, dus, rejected: refused.length },
      "restored",
    );
    tally.done += part.length;
    return chunk;
  });

type RestoredChunk = { changed: number; dus: number; refused: RefusedDu[]; batchId: number | null };

async function restoreChunk(
  ctx: Ctx,
  { id, fields, reason }: RestoreParams,
  duIds: readonly number[],
  { dryRun, origin }: { dryRun: boolean; origin?: Record<string, unknown> },
): Promise<RestoredChunk> {
  const block = await readPlanRows(ctx, duIds, { lock: !dryRun, fields: [...writableFields, "planOwner", "actualOwner"] });
  const keptOf = await readKeptRows(ctx, id, block.duIds, block.width);
  const refused: RefusedDu[] = [];
  block.duIds.forEach((duId, row) => {
    const kept = keptOf(duId);
    if (kept) for (const { slot, code } of restoreRow(block, row, kept, fields)) refused.push({ duId, slot, code, params: {} });
  });
  const options = { source: "restore", reason: dryRun ? "preview" : reason } as const;
  const standing = await readStanding(ctx, block.duIds);
  // What the plan refuses keeps its value; the other cells of the DU are restored.
  const dropped = await dropRefused(block, (diffs) => listRefusals(ctx, block, diffs, { ...options, standing }));
  const cells = new Map(diffBlock(block).map((diff) => [block.duIds[diff.row] as number, diff.cells.length]));
  const { written, rejected, batchId } = await writePlanRows(ctx, block, { ...options, standing, origin, dryRun });
  for (const { duId, slot, code, params, withDu } of [...dropped, ...rejected]) if (!withDu) refused.push({ duId, slot, code, params });
  return { changed: written.reduce((sum, duId) => sum + (cells.get(duId) ?? 0), 0), dus: written.length, refused, batchId };
}
