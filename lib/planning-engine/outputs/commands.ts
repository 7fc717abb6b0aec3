import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Params } from "#lib/core/error.ts";
import type { JobCtx } from "#lib/core/job.ts";
import { enqueueTask, type Outcome } from "#lib/core/task.ts";
import { errorText } from "#lib/core/texts.ts";
import type { Cell } from "#lib/core/workbook-cell.ts";
import type { WriteColumn } from "#lib/core/workbook-write.ts";
import type { ErrorCode } from "#lib/errors.ts";
import { readTaskWork } from "#lib/rollout-plan/plan-log/queries.ts";
import { writePlanRows } from "#lib/rollout-plan/plan-rows/commands.ts";
import { planAheadYears } from "#lib/rollout-plan/plan-rows/limits.ts";
import { readPlanRows, readStanding, writableFields } from "#lib/rollout-plan/plan-rows/queries.ts";
import { startListExport, storeListExport } from "#lib/tasks/list-export/commands.ts";
import { getOutputRun } from "../runs/queries.ts";
import { lockVersions } from "../versions/queries.ts";
import { applyTries, rejectedListed } from "./limits.ts";
import { enterOutput } from "./logic.ts";
import { findHeader, readApplied, readExportRows } from "./queries.ts";
import type { ApplyOutput, ApplyParams, ApplyResult, ExportParams } from "./schema.ts";

/**
 * Starts writing the dates of a run into the rollout plan, in the background.
 * @throws NOT_FOUND, NO_OUTPUT, INPUTS_CHANGED until it is confirmed
 */
export async function startApply(ctx: Ctx, { runId, duIds, confirm }: ApplyOutput): Promise<{ taskId: string }> {
  const run = await getOutputRun(ctx, { runId });
  if (run.inputsChanged && !confirm) throw new AppError("INPUTS_CHANGED");
  const params: ApplyParams = { runId, duIds: duIds ?? null };
  const taskId = await enqueueTask(ctx, {
    kind: "planningEngine.apply",
    direction: "process",
    title: run.versionName,
    params,
    dedupeKey: `engineApply:${runId}`,
  });
  return { taskId };
}

type Rejected = { duId: number; activity: string | null; code: ErrorCode; params?: Params };

/** Writes the dates of a run: all its DUs in one operation, those that somebody changed meanwhile again, at most three times. */
export async function runApply(job: JobCtx, { runId, duIds }: ApplyParams): Promise<Outcome> {
  const run = await getOutputRun(job, { runId });
  const output = await readApplied(job, runId, duIds);
  const rejected: Rejected[] = [];
  let left = [...output.keys()];
  for (let attempt = 1; left.length > 0; attempt++) {
    const { result, kept } = await job.chunk(async (ctx, tally) => {
      const reading = readPlanRows(ctx, left, { fields: writableFields });
      // Asked for with the rows, and waited for once the dates are entered.
      const standing = readStanding(ctx, left);
      standing.catch(() => {});
      const block = await reading;
      const known = new Set(block.duIds);
      const kept: Rejected[] = left.filter((duId) => !known.has(duId)).map((duId) => ({ duId, activity: null, code: "NO_ACTIVITY" }));
      const dates = new Map<number, number>();
      block.duIds.forEach((duId, row) => {
        const { fixed, activities, ...vectors } = output.get(duId)!;
        const entered = enterOutput(block, row, vectors, fixed);
        for (const { position, code } of entered.kept) kept.push({ duId, activity: activities[position] ?? null, code });
        dates.set(duId, entered.dates);
      });
      const result = await writePlanRows(ctx, block, {
        source: "engine",
        origin: { kind: "task", id: job.task.originKey },
        standing,
      });
      if (attempt === 1) await markInUse(ctx, run.versionId, runId);
      tally.done += result.written.length;
      const own = result.written.reduce((sum, duId) => sum + (dates.get(duId) ?? 0), 0);
      ctx.audit(
        `engine_run ${runId}`,
        null,
        { dus: result.written.length, cells: own, rejected: result.rejected.length + kept.length },
        "applied",
      );
      return { result, kept };
    });
    const moved = new Set(result.moved);
    // What a moved DU keeps is judged anew with it.
    rejected.push(...kept.filter(({ duId }) => !moved.has(duId)));
    const told = new Set<string>();
    for (const { duId, code, params, withDu } of result.rejected) {
      if (withDu || told.has(`${duId} ${code}`)) continue;
      told.add(`${duId} ${code}`);
      rejected.push({ duId, activity: null, code: code === "CHANGE_CONTROL" ? "RELEASED" : code, params });
    }
    left = result.moved;
    job.progress(output.size - left.length, output.size);
    if (attempt < applyTries) continue;
    rejected.push(...left.map((duId): Rejected => ({ duId, activity: null, code: "CHANGED_MEANWHILE" })));
    break;
  }
  const counts: Record<string, number> = {};
  for (const { code } of rejected) counts[code] = (counts[code] ?? 0) + 1;
  // By all attempts of the task.
  const { batchId, dus: written, cells } = await readTaskWork(job, job.task.originKey);
  const result: ApplyResult = {
    written,
    cells,
    rejected: rejected.slice(0, rejectedListed).map(({ duId, activity, code, params }) => ({
      duId,
      duCode: output.get(duId)?.duCode ?? "",
      activity,
      code,
      text: errorText(job.locale, code, { years: planAheadYears, right: "rollout.edit", ...params }),
    })),
    counts,
    batchId,
  };
  return { total: output.size, result, message: { key: "engine-runs.task.applied", args: { written, rejected: rejected.length } } };
}

/** The version whose dates the plan has: one at a time. */
async function markInUse(ctx: Ctx, versionId: number, runId: number): Promise<void> {
  const { sql, project, now } = ctx;
  await lockVersions(ctx, [versionId]);
  await sql`update engine_plan_version set in_use = false, row_version = row_version + 1 where project_id = ${project.id} and in_use and id <> ${versionId}`;
  await sql`update engine_plan_version set in_use = true, row_version = row_version + 1 where id = ${versionId} and not in_use`;
  await sql`update engine_run set applied_at = ${now} where id = ${runId}`;
}

/** Starts an export of the output of a run: a row per DU with the dates of all activities. @throws NOT_FOUND, NO_OUTPUT, NO_DATA, EXPORT_LIMIT, EXPORT_CELLS */
export async function startOutputExport(ctx: Ctx, { runId }: { runId: number }): Promise<{ taskId: string }> {
  const run = await getOutputRun(ctx, { runId });
  const [columns, { total }] = await Promise.all([findHeader(ctx, { runId }), readExportRows(ctx, runId, { limit: 0, offset: 0 })]);
  return startListExport(ctx, {
    kind: "planningEngine.outputExport",
    title: run.versionName,
    params: { runId },
    total,
    columns: columns.length,
  });
}

/** Rows read at once. */
const exportRows = 1_000;

/** Writes the output of a run as a workbook. Safe to run twice. */
export async function runOutputExport(job: JobCtx, { runId }: ExportParams): Promise<Outcome> {
  const run = await getOutputRun(job, { runId });
  const header = await findHeader(job, { runId });
  const { total } = await readExportRows(job, runId, { limit: 0, offset: 0 });
  async function* rows(): AsyncGenerator<Cell[]> {
    for (let offset = 0; offset < total; offset += exportRows) {
      const { records } = await readExportRows(job, runId, { limit: exportRows, offset });
      for (const record of records) yield header.map(({ key }) => (record[key] ?? null) as Cell);
    }
  }
  const columns = header.map(
    ({ title, group, kind }): WriteColumn => ({
      title: group === null ? title : `${group} ${title}`,
      ...(kind === "date" && { kind: "day" as const }),
      ...(kind === "number" && { kind: "number" as const }),
    }),
  );
  return storeListExport(job, { title: run.versionName, columns, rows: rows(), total, lockedColumns: 2 });
}
