import "server-only";
import type { z } from "zod";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import type { ErrorCode } from "#lib/errors.ts";
import { fillBoundDus } from "#lib/owners/owner-runs/commands.ts";
import { type DuPatch, writePlanRows } from "#lib/rollout-plan/plan-rows/commands.ts";
import { type PlanBlock, rowIndex } from "#lib/rollout-plan/plan-rows/logic.ts";
import { readPlanRows } from "#lib/rollout-plan/plan-rows/queries.ts";
import { readFlowGraph } from "../queries.ts";
import type { BindingSource } from "./limits.ts";
import { applyFlow, applyFlowToEmpty, type BoundActivity } from "./logic.ts";
import { findDuCodes } from "./queries.ts";
import type { BindDus } from "./schema.ts";

/** A DU that was left as it is, and why. */
export type RefusedDu = { duId: number; code: ErrorCode; params: Record<string, string | number> };
export type BindResult = { bound: number[]; refused: RefusedDu[]; batchId: number | null };

/**
 * Binds DUs without a flow to a released one and marks its activities in their plan rows, in a fixed number of statements for any number of DUs.
 * DUs that follow a flow already or are not there are left out and listed. The plan rows must exist (`insertPlanRows`).
 * @param source manual: the caller's right decides which DUs are reached; other sources reach every DU of the project
 */
export async function bindDus(
  ctx: Ctx,
  { duIds, flowId, source, ruleId = null }: { duIds: readonly number[]; flowId: number; source: BindingSource; ruleId?: number | null },
): Promise<BindResult> {
  const flow = await holdFlow(ctx, flowId);
  const reached = await findDuCodes(ctx, duIds, source === "manual" ? "duFlow.bind" : null);
  const block = await readPlanRows(ctx, [...reached.keys()], { lock: true });
  const { bound, refused } = bindRows(ctx, block, flow, { duIds, source, ruleId, codes: reached });
  if (bound.length === 0) return { bound, refused, batchId: null };
  const { batchId } = await writePlanRows(ctx, block, { source: "flow", origin: { kind: "flow", id: flowId } });
  auditBinding(ctx, flow, bound, source);
  await fillBoundDus(ctx, bound);
  return { bound, refused, batchId };
}

/** A released flow that stays as it is until the transaction ends. */
export type HeldFlow = { id: number; version: number; activities: readonly BoundActivity[] };

/** Keeps a flow from being changed while DUs are bound to it. @throws NOT_FOUND, FLOW_NOT_RELEASED */
export async function holdFlow(ctx: Ctx, flowId: number): Promise<HeldFlow> {
  const { sql, project } = ctx;
  const [flow] = await sql<{ name: string; version: number; status: string }[]>`
    select name, version, status from activity_flow where id = ${flowId} and project_id = ${project.id} and draft_of is null for share`;
  if (!flow) throw new AppError("NOT_FOUND", { object: flowId });
  if (flow.status !== "released") throw new AppError("FLOW_NOT_RELEASED", { name: flow.name });
  const graph = await readFlowGraph(ctx, [flowId]);
  return { id: flowId, version: flow.version, activities: graph.get(flowId)!.nodes };
}

/**
 * Binds DUs whose rows stand locked in a block, and marks the flow's activities there; the caller writes the block and the audit line.
 * Rows of DUs made in this transaction hold nothing yet.
 * The bindings are sent and not waited for: what the caller writes comes behind them on the same connection, and fails with them.
 * @param how.codes DU codes by id, for refusals that name them
 * @param how.by who binds, null for nobody (default: the caller)
 */
export function bindRows(
  ctx: Ctx,
  block: PlanBlock,
  flow: HeldFlow,
  how: { duIds: readonly number[]; source: BindingSource; ruleId?: number | null; codes: ReadonlyMap<number, string>; by?: number | null },
): { bound: number[]; refused: RefusedDu[] } {
  const { sql } = ctx;
  const { source, ruleId = null, codes, by = ctx.user.id } = how;
  const rows = rowIndex(block);
  const refused: RefusedDu[] = [];
  const bound: number[] = [];
  for (const duId of new Set(how.duIds)) {
    const row = rows.get(duId);
    if (row === undefined) refused.push({ duId, code: "DU_NOT_FOUND", params: { code: codes.get(duId) ?? duId } });
    else if (block.flowIds[row] !== 0) refused.push({ duId, code: "ALREADY_BOUND", params: { code: codes.get(duId) ?? duId } });
    else bound.push(duId);
  }
  if (bound.length === 0) return { bound, refused };

  sql`
    insert into du_flow (project_id, du_id, flow_id, flow_version, source, rule_id, bound_by, bound_at)
    select ${ctx.project.id}, id, ${flow.id}, ${flow.version}, ${source}, ${ruleId}, ${by}, ${ctx.now}
    from unnest(${bound}::bigint[]) as id order by id`.execute();
  const made: number[] = [];
  for (const duId of bound) {
    const row = rows.get(duId)!;
    block.flowIds[row] = flow.id;
    block.flowVersions[row] = flow.version;
    if (block.versions[row] === 0) made.push(row);
    else applyFlow(block, row, flow.activities);
  }
  applyFlowToEmpty(block, made, flow.activities);
  return { bound, refused };
}

/** Notes in the audit log which DUs were bound to a flow. */
export function auditBinding(ctx: Ctx, flow: HeldFlow, bound: readonly number[], source: BindingSource): void {
  ctx.audit(`activity_flow ${flow.id} DUs`, null, { bound: bound.length, source, duIds: bound });
}

/** As `bindDus` for a person; refused as a whole only when no DU could be bound. */
export async function bindByHand(ctx: Ctx, { duIds, flowId }: z.output<typeof BindDus>): Promise<{ bound: number; refused: RefusedDu[] }> {
  const result = await bindDus(ctx, { duIds, flowId, source: "manual" });
  if (result.bound.length === 0) throw refusal(result.refused, duIds);
  return { bound: result.bound.length, refused: result.refused };
}

function refusal(refused: readonly RefusedDu[], duIds: readonly number[]): AppError {
  const problems: Problem[] = refused.map(({ duId, code, params }) => ({ path: `duIds.${duIds.indexOf(duId)}`, code, params }));
  return new AppError(problems[0]!.code, problems[0]!.params, problems);
}

/**
 * Brings DUs that follow a flow to its present version: activities it gained come in, those it lost go out with everything on their slots.
 * DUs that are there already are not written, so the call may be repeated.
 * @param relationsChanged a released plan then counts as changed
 */
export async function syncBoundDus(
  ctx: Ctx,
  flowId: number,
  duIds: readonly number[],
  relationsChanged: boolean,
): Promise<{ written: number; batchId: number | null }> {
  const graph = (await readFlowGraph(ctx, [flowId])).get(flowId)!;
  const block = await readPlanRows(ctx, duIds, { lock: true });
  const leaving = new Map<number, number[]>();
  block.duIds.forEach((duId, row) => {
    if (block.flowIds[row] !== flowId) return;
    const emptied = applyFlow(block, row, graph.nodes);
    if (emptied.length > 0) leaving.set(duId, emptied);
  });
  const patches = await sidePatches(ctx, leaving);
  const { written, batchId } = await writePlanRows(ctx, block, {
    source: "flow",
    origin: { kind: "flow", id: flowId, version: graph.version },
    patches,
    ...(relationsChanged ? { relationsChanged: new Set(block.duIds) } : {}),
  });
  await ctx.sql`
    update du_flow set flow_version = ${graph.version}
    where flow_id = ${flowId} and du_id = any(${[...duIds]}::bigint[]) and unbound_at is null and flow_version <> ${graph.version}`;
  return { written: written.length, batchId };
}

/** What hangs at slots that leave the flow outside the plan arrays: attribute values of the activity and its note. Steps done there go at once. */
async function sidePatches({ sql }: Ctx, leaving: ReadonlyMap<number, readonly number[]>): Promise<DuPatch[]> {
  const slots = [...leaving].flatMap(([duId, gone]) => gone.map((slot) => ({ duId, slot })));
  if (slots.length === 0) return [];
  const given = sql`jsonb_to_recordset(${sql.json(slots)}) as g("duId" bigint, slot smallint)`;
  await sql`delete from du_sub_step s using ${given} where s.du_id = g."duId" and s.slot = g.slot`;
  const values = await sql<{ duId: number; key: string; value: unknown }[]>`
    select du.id as "duId", e.key, e.value from ${given} join du on du.id = g."duId" cross join lateral jsonb_each(du.ext) e
    where du.ext <> '{}' and e.key like '%@%' and split_part(e.key, '@', 2) = g.slot::text`;
  const notes = await sql<{ duId: number; slot: number; delayReason: string | null; score: number | null; scoreRemark: string | null }[]>`
    select n.du_id as "duId", n.slot, n.delay_reason as "delayReason", n.score, n.score_remark as "scoreRemark"
    from ${given} join du_activity_note n on n.du_id = g."duId" and n.slot = g.slot`;
  const versions = await sql<{ id: number; version: number }[]>`
    select id, row_version as version from du where id = any(${[...new Set([...values, ...notes].map((row) => row.duId))]}::bigint[])`;
  const patches = new Map<number, Required<Pick<DuPatch, "duId" | "duVersion" | "ext" | "notes">>>(
    versions.map(({ id, version }) => [id, { duId: id, duVersion: version, ext: {}, notes: [] }]),
  );
  for (const { duId, key, value } of values) patches.get(duId)!.ext[key] = [value, null];
  for (const { duId, slot, ...note } of notes) {
    const changes: Record<string, [unknown, unknown]> = {};
    for (const [field, value] of Object.entries(note)) if (value !== null) changes[field] = [value, null];
    patches.get(duId)!.notes.push({ slot, note: null, changes });
  }
  return [...patches.values()];
}
