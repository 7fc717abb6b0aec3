import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import type { JobCtx } from "#lib/core/job.ts";
import { enqueueTask, type Outcome } from "#lib/core/task.ts";
import { PlanRunBlock } from "#lib/plan-rules/blocks/logic.ts";
import { readBlocks, readFrame } from "#lib/plan-rules/blocks/queries.ts";
import { keepComputed, lockRuns, writeRun } from "#lib/plan-rules/engine/commands.ts";
import { type ComputedRun, readWorld } from "#lib/plan-rules/engine/queries.ts";
import { guardExecuting } from "#lib/plan-rules/rule-set/commands.ts";
import { ruleTexts } from "#lib/plan-rules/rule-set/queries.ts";
import { addRun, beginRun, failRun, setRunTask } from "#lib/plan-rules/runs/commands.ts";
import { compute } from "#lib/plan-rules/runs/logic.ts";
import { findCounts, getRun, type StoredRun } from "#lib/plan-rules/runs/queries.ts";
import { lockPlanRows } from "#lib/rollout-plan/plan-rows/queries.ts";
import { revertBlock, revertRun, withBlanks } from "./logic.ts";
import { getRevertible, readChanged } from "./queries.ts";

/**
 * Takes back in the background what a run has changed, or what some of its rules have.
 * @throws NOT_FOUND, REVERT_TOO_OLD, ALREADY_REVERTED, RULE_EXECUTING
 */
export async function startRevert(
  ctx: Ctx,
  { runId, ruleIds }: { runId: number; ruleIds?: number[] | undefined },
): Promise<{ taskId: string; runId: number }> {
  await holdProject(ctx);
  const rules = await getRevertible(ctx, runId, ruleIds);
  await guardExecuting(ctx, rules);
  const id = await addRun(ctx, {
    mode: "REVERT",
    kind: "PLAN",
    ruleIds: rules.map((rule) => rule.id),
    startedBy: ctx.user.id,
    revertsRunId: runId,
  });
  ctx.audit(`rule_run ${id}`, null, { mode: "REVERT", runId, ruleIds: rules.map((rule) => rule.id) });
  const title = ruleTexts(ctx.locale)("run.revert");
  const taskId = await enqueueTask(ctx, { kind: "planRules.revert", direction: "process", title, params: { runId: id } });
  await setRunTask(ctx, id, taskId);
  return { taskId, runId: id };
}

/** The task that takes a run back: in one transaction, so that a killed worker leaves nothing half done. What one killed at the end has done is told. */
export async function runRevertTask(job: JobCtx, { runId }: { runId: number }): Promise<Outcome> {
  const run = await getRun(job, runId, "PLAN");
  try {
    const begun = await job.chunk((ctx) => beginRun(ctx, runId));
    const counts = begun ? await job.chunk((ctx) => revert(ctx, run)) : await findCounts(job, run);
    if (!counts) throw new AppError("CONFLICT", { object: runId });
    return { total: counts.changed, result: { runId, ...counts }, message: { key: "plan-rules.run.reverted", args: counts } };
  } catch (error) {
    if (error instanceof AppError) await job.chunk((ctx) => failRun(ctx, runId, error.code));
    throw error;
  }
}

async function revert(ctx: Ctx, run: StoredRun) {
  await lockRuns(ctx);
  const origin = run.revertsRunId ?? 0;
  const rules = await getRevertible(ctx, origin, run.ruleIds);
  const changed = await readChanged(ctx, origin, run.ruleIds);
  const places = new Map(rules.map(({ id }, place) => [id, place]));
  const cells = changed.cells.map((cell) => ({ ...cell, rule: places.get(changed.ruleIds[cell.rule]!)! }));
  const ids = [...new Set(cells.map(({ duId }) => duId))];
  await lockPlanRows(ctx, ids);
  const world = await readWorld(ctx, []);
  const compiled = revertRun(changed.targets, rules, world);
  const frame = await readFrame(ctx);
  const computed: ComputedRun = { run: compiled, world, frame, blocks: [] };
  for await (const data of readBlocks(ctx, compiled, world, { only: ids, rows: frame.rows })) {
    const block = new PlanRunBlock(compiled, world, data, frame);
    const present = new Set(data.plan.duIds);
    const wrapped = revertBlock(
      block,
      rules.length,
      cells.filter(({ duId }) => present.has(duId)),
    );
    computed.blocks.push({ data, block, result: withBlanks(compute(compiled.program, wrapped)) });
  }
  await writeRun(ctx, run, computed);
  await ctx.sql`update rule_run_rule set reverted = true where run_id = ${origin} and rule_id = any(${run.ruleIds}::bigint[])`;
  return keepComputed(ctx, run, computed);
}
