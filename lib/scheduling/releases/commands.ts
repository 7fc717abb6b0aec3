import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import type { JobCtx } from "#lib/core/job.ts";
import { loadMessages } from "#lib/core/messages.ts";
import { countInTask, enqueueTask, type Outcome, readTaskCount } from "#lib/core/task.ts";
import { addVersionRows, dropVersion, openVersion, settleVersion } from "#lib/plan-versions/snapshots/commands.ts";
import { coversProject, demandFreeName, listVersionDus } from "#lib/plan-versions/snapshots/queries.ts";
import { writePlanRows } from "#lib/rollout-plan/plan-rows/commands.ts";
import type { PlanField } from "#lib/rollout-plan/plan-rows/limits.ts";
import { type PlanBlock, rowIndex } from "#lib/rollout-plan/plan-rows/logic.ts";
import { readPlanRows, writableFields } from "#lib/rollout-plan/plan-rows/queries.ts";
import { tellPeople } from "#lib/work-orders/notices/commands.ts";
import { orderKey, readOrders } from "#lib/work-orders/orders/queries.ts";
import { refusedShown } from "../limits.ts";
import {
  computeSchedule,
  describeRefused,
  listSelectedDus,
  loopNames,
  type RefusedDu,
  type RefusedRow,
  readReachedDus,
} from "../queries.ts";
import { storeRefused } from "../refused-sheet/commands.ts";
import { releaseChunkDus, releaseDusMax, releaseWarningsShown } from "./limits.ts";
import { applyMoves, movedReleases, releaseRow, sortFindings } from "./logic.ts";
import type { ReleaseParams, ReleasePlan } from "./schema.ts";

/** What a release would do. */
export type ReleasePreview = {
  dus: number;
  releasable: number;
  moved: number;
  warnings: number;
  /** The first of `refusedCount` rows. */
  refused: RefusedRow[];
  refusedCount: number;
  /** The first of the warnings, with what they are about. */
  warned: RefusedRow[];
  /** What the caller may ask for besides. */
  maySkip: boolean;
  mayBaseline: boolean;
};
/**
 * What a release did: DUs released into the version and those left as they were, of which the task of a large release lists the first. Without any released DU
 * there is no version.
 */
export type ReleaseResult = {
  version: { id: number; code: string } | null;
  baseline: { id: number; code: string } | null;
  released: number;
  moved: number;
  refused: RefusedRow[];
  /** Rows of `refused` before any was left out, and ids of all DUs they are about, to select them. */
  refusedCount: number;
  refusedDus: number[];
};

const countRefused = (refused: readonly RefusedDu[]) => ({
  refusedCount: refused.length,
  refusedDus: [...new Set(refused.map(({ duId }) => duId))],
});

/**
 * Releases the plan of DUs: schedules them, makes their plan dates the released ones and keeps them as a published version, and as a baseline where asked.
 * A DU is released whole or not at all; those that cannot be are listed. For many DUs this is a background task.
 * @throws NO_PERMISSION for a baseline without plan.baseline, or without scheduling where the right does not cover the whole project
 */
export async function releasePlan(ctx: Ctx, input: ReleasePlan): Promise<ReleasePreview | ReleaseResult | { taskId: string }> {
  const { versionName, saveBaseline, skipSchedule } = input;
  const maySkip = ctx.scope.all("plan.release");
  const mayBaseline = ctx.can("plan.baseline");
  if (skipSchedule && !maySkip) throw new AppError("NO_PERMISSION", { right: "plan.release" });
  if (saveBaseline && !mayBaseline) throw new AppError("NO_PERMISSION", { right: "plan.baseline" });
  const duIds = await listSelectedDus(ctx, input, Number.POSITIVE_INFINITY);
  if (input.preview) {
    const { refused, ...found } = await previewDus(ctx, duIds, { saveBaseline, skipSchedule });
    ctx.audit("plan release", null, { dus: found.dus, releasable: found.releasable, refused: refused.length }, "preview");
    const listed = await describeRefused(ctx, refused.slice(0, refusedShown), "plan.release");
    return { ...found, refused: listed, refusedCount: refused.length, maySkip, mayBaseline };
  }
  await demandFreeName(ctx, "published", versionName);
  if (saveBaseline) await demandFreeName(ctx, "baseline", versionName);
  const chosen = maySkip ? duIds : await reachable(ctx, duIds);
  const scope = (await coversProject(ctx, chosen)) ? "project" : "selection";
  const params: ReleaseParams = { duIds: [...duIds].sort((a, b) => a - b), versionName, saveBaseline, skipSchedule, scope };
  if (duIds.length > releaseDusMax) {
    const taskId = await enqueueTask(ctx, {
      kind: "scheduling.release",
      direction: "process",
      title: versionName,
      params,
      total: duIds.length,
    });
    return { taskId };
  }
  const done = await releaseChunk(ctx, params, params.duIds, { last: true });
  return { ...done, refused: await describeRefused(ctx, done.refused, "plan.release"), ...countRefused(done.refused) };
}

/** Naming DUs of others does not make a selection the whole project. */
async function reachable(ctx: Ctx, duIds: readonly number[]): Promise<number[]> {
  const reached = await readReachedDus(ctx, duIds, "plan.release");
  return duIds.filter((id) => reached.get(id)?.may);
}

/** Releases many DUs, some at a time into the same versions, which replace their predecessors with the last ones; the workbook of its errors has all refused DUs. Safe to run twice. */
export async function runRelease(job: JobCtx, params: ReleaseParams): Promise<Outcome> {
  const { duIds } = params;
  const begin = Math.min(duIds.length, job.task.chunksDone * releaseChunkDus);
  // What an earlier attempt left out is as it was: it is found again without being written.
  const left = begin > 0 ? await listVersionDus(job, job.task.id, duIds.slice(0, begin)) : null;
  const result: Omit<ReleasedChunk, "refused"> = { version: null, baseline: null, released: 0, moved: 0 };
  let refused: RefusedDu[] = [];
  if (left) {
    result.released = begin - left.missing.length;
    Object.assign(result, left.versions);
    refused = (await previewDus(job, left.missing, params)).refused;
  }
  for (let at = begin; at < duIds.length; at += releaseChunkDus) {
    const part = duIds.slice(at, at + releaseChunkDus);
    const done = await job.chunk(async (ctx, tally) => {
      const chunk = await releaseChunk(ctx, params, part, { last: at + part.length >= duIds.length, taskId: job.task.id });
      tally.done += chunk.released;
      tally.failed += part.length - chunk.released;
      await countInTask(ctx, job.task.id, "moved", chunk.moved);
      return chunk;
    });
    result.version = done.version ?? result.version;
    result.baseline = done.baseline ?? result.baseline;
    result.released += done.released;
    refused = refused.concat(done.refused);
    job.progress(at + part.length, duIds.length);
  }
  result.moved = await readTaskCount(job, job.task.id, "moved");
  const { release } = loadMessages(job.locale).scheduling as { release: { refused: string } };
  return {
    total: duIds.length,
    result: {
      ...result,
      refused: await describeRefused(job, refused.slice(0, refusedShown), "plan.release"),
      ...countRefused(refused),
    } satisfies ReleaseResult,
    errorFileId: refused.length > 0 ? await storeRefused(job, release.refused, refused, "plan.release") : null,
  };
}

/** What the release would do, without a lock and without a write. */
async function previewDus(
  ctx: Ctx,
  duIds: readonly number[],
  how: Pick<ReleaseParams, "saveBaseline" | "skipSchedule">,
): Promise<Pick<ReleasePreview, "dus" | "releasable" | "moved" | "warnings" | "warned"> & { refused: RefusedDu[] }> {
  const found = { dus: duIds.length, releasable: 0, moved: 0, warnings: 0, refused: [] as RefusedDu[], warned: [] as RefusedRow[] };
  for (let at = 0; at < duIds.length; at += releaseChunkDus) {
    const { block, refused, moved, warnings } = await computeRelease(ctx, duIds.slice(at, at + releaseChunkDus), how, false);
    const { rejected } = await writePlanRows(ctx, block, { source: "release", dryRun: true });
    const left: RefusedDu[] = refused.concat(rejected.filter(({ withDu }) => !withDu));
    const blocked = new Set(left.map(({ duId }) => duId));
    found.releasable += block.duIds.filter((id) => !blocked.has(id)).length;
    found.moved += moved.filter((id) => !blocked.has(id)).length;
    const told = warnings.filter(({ duId }) => !blocked.has(duId));
    found.warnings += told.length;
    found.warned.push(...(await describeRefused(ctx, told.slice(0, releaseWarningsShown - found.warned.length), "plan.release")));
    found.refused = found.refused.concat(left);
  }
  return found;
}

type Computed = { block: PlanBlock; refused: RefusedDu[]; moved: number[]; warnings: RefusedDu[] };

/** The plan rows as they will be, and the DUs that stay as they are. */
async function computeRelease(
  ctx: Ctx,
  duIds: readonly number[],
  { saveBaseline, skipSchedule }: Pick<ReleaseParams, "saveBaseline" | "skipSchedule">,
  lock: boolean,
): Promise<Computed> {
  const reached = await readReachedDus(ctx, duIds, "plan.release");
  const fields: PlanField[] = [...writableFields, "releasedStart", "releasedEnd"];
  if (saveBaseline) fields.push("baselineStart", "baselineEnd");
  const block = await readPlanRows(
    ctx,
    duIds.filter((id) => reached.get(id)?.may),
    { lock, fields },
  );
  const read = new Set(block.duIds);
  const refused = duIds
    .filter((id) => !read.has(id))
    .map((duId): RefusedDu => ({ duId, slot: 0, code: reached.has(duId) ? "NO_PERMISSION" : "DU_NOT_FOUND", params: {} }));
  let moved: number[] = [];
  let warnings: RefusedDu[] = [];
  if (skipSchedule) {
    block.duIds.forEach((duId, row) => {
      if (block.flowIds[row] === 0) refused.push({ duId, slot: 0, code: "DU_EMPTY", params: {} });
    });
  } else {
    const run = await computeSchedule(ctx, block, reached, { mode: "BOTH", asOf: ctx.today, changeControl: false, anchors: [] });
    moved = applyMoves(block, run.result);
    const found = sortFindings(run.result);
    warnings = found.warnings.map(({ row, slot, code, days }) => ({ duId: block.duIds[row] as number, slot, code, params: { days } }));
    for (const { row, slot, code } of found.refused) {
      const place = run.flowPlaces.get(block.flowIds[row] as number);
      const loop = code === "CYCLE" && place !== undefined ? loopNames(run.flows[place]!.fault, run.graphs[place]!.nodes) : [];
      refused.push({ duId: block.duIds[row] as number, slot, code, params: loop.length > 0 ? { loop: loop.join(" → ") } : {} });
    }
  }
  const blocked = new Set(refused.map(({ duId }) => duId));
  block.duIds.forEach((duId, row) => {
    if (!blocked.has(duId)) releaseRow(block, row, saveBaseline);
  });
  return { block, refused, moved, warnings };
}

type ReleasedChunk = Pick<ReleaseResult, "version" | "baseline" | "released" | "moved"> & { refused: RefusedDu[] };

async function releaseChunk(
  ctx: Ctx,
  params: ReleaseParams,
  duIds: readonly number[],
  { last, taskId }: { last: boolean; taskId?: string },
): Promise<ReleasedChunk> {
  const { versionName: name, saveBaseline, skipSchedule, scope } = params;
  await holdProject(ctx);
  const { block, refused, moved } = await computeRelease(ctx, duIds, params, true);
  const version = await openVersion(ctx, { kind: "published", name, source: "release", taskId });
  const baseline = saveBaseline ? await openVersion(ctx, { kind: "baseline", name, source: "release", taskId }) : null;
  const versions = baseline ? [version, baseline] : [version];
  const { rejected, batchId } = await writePlanRows(ctx, block, {
    source: "release",
    origin: { kind: "version", id: version.id },
    logAttrs: { released: version.id, ...(baseline && { baseline: baseline.id }) },
    refused: new Set(refused.map(({ duId }) => duId)),
  });
  const left: RefusedDu[] = refused.concat(rejected.filter(({ withDu }) => !withDu));
  const blocked = new Set(left.map(({ duId }) => duId));
  const released = block.duIds.filter((id) => !blocked.has(id));
  if (released.length > 0) {
    await addVersionRows(
      ctx,
      versions.map(({ id }) => id),
      released,
    );
    await storeReleases(ctx, version.id, released, !skipSchedule);
    await tellMoved(ctx, block, released, version.id);
  }
  let kept = true;
  if (last)
    for (const one of versions) {
      kept = !(await dropVersion(ctx, one));
      if (kept) await settleVersion(ctx, one, scope);
    }
  ctx.audit(
    `plan_version ${version.id}`,
    null,
    {
      code: version.code,
      name,
      scope,
      baseline: baseline?.code ?? null,
      skipSchedule,
      released: released.length,
      refused: blocked.size,
      batchId,
    },
    "released",
  );
  const shown = (one: typeof baseline) => (one && kept ? { id: one.id, code: one.code } : null);
  return {
    version: shown(version),
    baseline: shown(baseline),
    released: released.length,
    moved: moved.filter((id) => !blocked.has(id)).length,
    refused: left,
  };
}

/** Orders somebody has to carry out. */
const openStatuses: readonly string[] = ["assigned", "accepted", "started", "suspended"];

/** Tells who has orders to carry out that their dates are others than those of the release before. */
async function tellMoved(ctx: Ctx, block: PlanBlock, released: readonly number[], versionId: number): Promise<void> {
  const rows = rowIndex(block);
  const moved = movedReleases(
    block,
    released.map((duId) => rows.get(duId) as number),
  );
  if (moved.length === 0) return;
  const orders = await readOrders(ctx, [...new Set(moved.map(({ duId }) => duId))]);
  const notices = moved.flatMap(({ duId, slot }) => {
    const order = orders.get(orderKey(duId, slot));
    const open = order?.assigneeId && openStatuses.includes(order.status);
    return open ? [{ userId: order.assigneeId as number, kind: "moved" as const, duId, slot }] : [];
  });
  await tellPeople(ctx, notices, { event: `released ${versionId} ${released[0]}`, actorId: ctx.user.id });
}

async function storeReleases(
  { sql, project, user, now }: Ctx,
  versionId: number,
  duIds: readonly number[],
  scheduled: boolean,
): Promise<void> {
  await sql`
    insert into du_release (du_id, project_id, scheduled_at, released_at, released_by, version_id)
    select id, ${project.id}, ${scheduled ? now : null}, ${now}, ${user.id}, ${versionId} from unnest(${[...duIds]}::bigint[]) id
    on conflict (du_id) do update set scheduled_at = coalesce(excluded.scheduled_at, du_release.scheduled_at), released_at = excluded.released_at,
      released_by = excluded.released_by, version_id = excluded.version_id`;
}
