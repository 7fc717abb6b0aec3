import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { type BlockData, type BlockScope, PlanRunBlock } from "#lib/plan-rules/blocks/logic.ts";
import { readBlocks, readFrame } from "#lib/plan-rules/blocks/queries.ts";
import { refKey } from "#lib/plan-rules/conditions/logic.ts";
import { listEveryConditionObject } from "#lib/plan-rules/conditions/queries.ts";
import type { PlanRule } from "#lib/plan-rules/logic.ts";
import { type CompiledRun, compileRun, type RunWorld } from "#lib/plan-rules/programs/logic.ts";
import { type RunMode, sampleDus } from "#lib/plan-rules/runs/limits.ts";
import { addCounts, compute, noCounts, type PackedRow, packRows, type RuleCounts, type RunResult } from "#lib/plan-rules/runs/logic.ts";
import { listEveryPlanAttribute } from "#lib/rollout-plan/columns/queries.ts";
import { listLibraryActivities } from "#lib/rollout-plan/plan-rows/queries.ts";

/** The activities and attributes of the project, and the objects that conditions of these rules ask. */
export async function readWorld(ctx: Pick<Ctx, "sql" | "project" | "locale">, rules: readonly PlanRule[]): Promise<RunWorld> {
  const [library, attributes, objects] = [
    await listLibraryActivities(ctx),
    await listEveryPlanAttribute(ctx),
    await listEveryConditionObject(ctx),
  ];
  const types = new Map(objects.map(({ key, type }) => [key, { type }]));
  for (const { conditions } of rules) for (const { object, type } of conditions) types.set(refKey(object), { type });
  return {
    slots: new Map(library.map(({ id, slot }) => [id, slot])),
    attributes: new Map(attributes.map(({ id, type, limit, enums }) => [`a${id}`, { id, type, limit, enums }])),
    objects: types,
  };
}

/** A block of DUs with what became of it. */
export type ComputedBlock = { data: BlockData; block: PlanRunBlock; result: RunResult };

/** Rules computed over the DUs of a project: nothing is written yet. */
export type ComputedRun = { run: CompiledRun; world: RunWorld; frame: Awaited<ReturnType<typeof readFrame>>; blocks: ComputedBlock[] };

/** Judges DUs block by block by the rules. @param only DUs a run looks at, of all rules or of each by its id */
export async function computeRules(
  ctx: Ctx,
  writing: readonly PlanRule[],
  shadows: readonly PlanRule[],
  only: { duIds?: readonly number[] | undefined; byRule?: ReadonlyMap<number, ReadonlySet<number>> | undefined } = {},
): Promise<ComputedRun> {
  const world = await readWorld(ctx, [...writing, ...shadows]);
  const run = compileRun(writing, shadows, world);
  const frame = await readFrame(ctx);
  const blocks: ComputedBlock[] = [];
  for await (const data of readBlocks(ctx, run, world, { only: only.duIds, rows: frame.rows }))
    blocks.push(computeBlock({ run, world, frame }, data, only.byRule ? { only: only.byRule } : {}));
  return { run, world, frame, blocks };
}

/** Judges one block. */
export function computeBlock({ run, world, frame }: Omit<ComputedRun, "blocks">, data: BlockData, scope: BlockScope): ComputedBlock {
  const block = new PlanRunBlock(run, world, data, frame, scope);
  return { data, block, result: compute(run.program, block) };
}

/** The DUs a run would change, in the order of their ids. */
export function changedDus({ blocks }: Pick<ComputedRun, "blocks">): number[] {
  return blocks.flatMap((computed) => [...changedRows(computed)].map((row) => computed.data.plan.duIds[row]!)).sort((a, b) => a - b);
}

/** The rows of a block with changed cells. */
export function changedRows({ result: { cells } }: ComputedBlock): Set<number> {
  const rows = new Set<number>();
  for (let place = 0; place < cells.count; place++) if (cells.outcome[place] === 0) rows.add(cells.row[place]!);
  return rows;
}

/** The result of a run over all blocks: its counts, and the packed rows that are kept. Runs nobody looks at keep what they could not fill of some DUs only. */
export function resultOf(
  { run, blocks }: Pick<ComputedRun, "run" | "blocks">,
  mode: RunMode,
): { scope: number; matched: number; rules: ({ id: number; name: string } & RuleCounts)[]; rows: PackedRow[] } {
  const writing = run.rules.filter(({ writes }) => writes);
  const counts = writing.map(() => noCounts());
  let [scope, matched, sampled] = [0, 0, 0];
  const keepsAll = mode !== "AUTO" && mode !== "EVENT";
  const rows = blocks.flatMap(({ data, block, result }) => {
    scope += result.scope;
    matched += result.matched;
    counts.forEach((sum, rule) => void addCounts(sum, result.rules[rule]!));
    const { cells } = result;
    const sample = new Set<number>();
    if (!keepsAll)
      for (let place = 0; place < cells.count && sampled < sampleDus; place++)
        if (cells.outcome[place] !== 0 && !sample.has(cells.row[place]!)) {
          sample.add(cells.row[place]!);
          sampled++;
        }
    return packRows(
      data.plan.duIds,
      cells,
      (target, code) => {
        const value = block.valueOf(target, code);
        return value === null ? null : String(value);
      },
      (place) => keepsAll || cells.outcome[place] === 0 || sample.has(cells.row[place]!),
    );
  });
  return { scope, matched, rules: writing.map(({ rule }, place) => ({ id: rule.id, name: rule.name, ...counts[place]! })), rows };
}
