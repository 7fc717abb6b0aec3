import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { readBlocks } from "#lib/plan-rules/blocks/queries.ts";
import { keepRun } from "#lib/plan-rules/runs/commands.ts";
import { type Counts, findCounts, type StoredRun } from "#lib/plan-rules/runs/queries.ts";
import type { Change } from "#lib/rollout-plan/plan-log/logic.ts";
import { type DuPatch, writePlanRows } from "#lib/rollout-plan/plan-rows/commands.ts";
import { pickRows } from "#lib/rollout-plan/plan-rows/logic.ts";
import { lockPlanRows } from "#lib/rollout-plan/plan-rows/queries.ts";
import { type ComputedBlock, type ComputedRun, changedDus, changedRows, computeBlock, resultOf } from "./queries.ts";

/** Waits for the run of the project before this one, until the transaction ends; interactive saves are not held up. */
export async function lockRuns({ sql, project }: Pick<Ctx, "sql" | "project">): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`plan-rules ${project.id}`}, 0))`;
}

/** Locks the DUs of a run; those that somebody has changed since they were read are taken out of their block and computed again as they are now. */
export async function settleMoved(
  ctx: Ctx,
  computed: ComputedRun,
  byRule: ReadonlyMap<number, ReadonlySet<number>> | undefined,
): Promise<void> {
  const ids = changedDus(computed);
  if (ids.length === 0) return;
  const plans = await lockPlanRows(ctx, ids);
  const dus = await ctx.sql<{ id: number; version: number; flow: number | null }[]>`
    select du.id, du.row_version as version, f.flow_id as flow from du left join du_flow f on f.du_id = du.id and f.unbound_at is null
    where du.id = any(${ids}::bigint[]) and du.deleted_at is null`;
  const present = new Map(dus.map((du) => [du.id, du]));
  const moved: number[] = [];
  computed.blocks.forEach((one, place) => {
    const gone = [...changedRows(one)].filter((row) => {
      const { plan, versions } = one.data;
      const du = present.get(plan.duIds[row]!);
      return plans.get(plan.duIds[row]!) !== plan.versions[row] || du?.version !== versions[row] || (du?.flow ?? 0) !== plan.flowIds[row];
    });
    if (gone.length === 0) return;
    moved.push(...gone.map((row) => one.data.plan.duIds[row]!));
    computed.blocks[place] = computeBlock(computed, one.data, { ...(byRule ? { only: byRule } : {}), without: new Set(gone) });
  });
  if (moved.length === 0) return;
  for await (const data of readBlocks(ctx, computed.run, computed.world, { only: moved, rows: computed.frame.rows }))
    computed.blocks.push(computeBlock(computed, data, byRule ? { only: byRule } : {}));
}

/** Writes the changed cells of a run as one batch. */
export async function writeRun(ctx: Ctx, run: StoredRun, computed: Pick<ComputedRun, "run" | "blocks" | "frame">): Promise<void> {
  const parts = computed.blocks.map((one) => ({ block: one.data.plan, rows: [...changedRows(one)] })).filter(({ rows }) => rows.length > 0);
  if (parts.length === 0) return;
  const block = pickRows(parts);
  block.locked = true;
  const { rejected } = await writePlanRows(ctx, block, {
    source: "rule",
    origin: { kind: "rule_run", id: run.id },
    byPerson: false,
    patches: computed.blocks.flatMap((one) => patchesOf(computed.run, one)),
    // The rows were judged by these when they were computed, and are locked since: nothing is refused any more, but what is only told of is listed.
    standing: { editors: new Map(), changeControl: false, ...computed.frame.standing },
  });
  // What a run gives to be written has been judged by the same rules.
  if (rejected.length > 0) throw new Error(`a run of rules was refused: ${rejected[0]!.code}`);
}

function patchesOf(run: ComputedRun["run"], { data, block, result: { cells } }: ComputedBlock): DuPatch[] {
  const patches = new Map<number, DuPatch & { ext: Record<string, Change> }>();
  for (let place = 0; place < cells.count; place++) {
    const target = cells.target[place]!;
    const { place: field } = run.targets[target]!;
    if (cells.outcome[place] !== 0 || field.kind !== "attribute") continue;
    const row = cells.row[place]!;
    const patch = patches.get(row) ?? { duId: data.plan.duIds[row]!, duVersion: data.versions[row]!, ext: {} };
    patch.ext[field.key] = [block.valueOf(target, cells.old[place]!), block.valueOf(target, cells.now[place]!)];
    patches.set(row, patch);
  }
  return [...patches.values()];
}

/** Writes down what became of a run and ends it. */
export async function keepComputed(ctx: Ctx, run: StoredRun, computed: Pick<ComputedRun, "run" | "blocks">): Promise<Counts> {
  const result = resultOf(computed, run.mode);
  await keepRun(ctx, { runId: run.id, targets: computed.run.targets.map(({ ref }) => ref), ...result });
  ctx.audit(`rule_run ${run.id}`, null, { mode: run.mode, changed: result.rows.length });
  return (await findCounts(ctx, run))!;
}
