import "server-only";
import { type Pool, type Sql, transaction } from "#db/client.ts";
import type { Ctx, CtxProject } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import type { JobCtx } from "#lib/core/job.ts";
import { asSystem, findSystemProject } from "#lib/core/system-ctx.ts";
import { enqueueTask, type Outcome } from "#lib/core/task.ts";
import { fillBoundDus } from "#lib/owners/owner-runs/commands.ts";
import type { ConditionObjects } from "#lib/plan-rules/conditions/logic.ts";
import { type ConditionBlock, listEveryConditionObject } from "#lib/plan-rules/conditions/queries.ts";
import { writePlanRows } from "#lib/rollout-plan/plan-rows/commands.ts";
import { readPlanRows, writableFields } from "#lib/rollout-plan/plan-rows/queries.ts";
import { auditBinding, bindRows, type HeldFlow, holdFlow } from "../binding/commands.ts";
import { findDuCodes } from "../binding/queries.ts";
import { guardExecuting, recheckFlowRules, ruleTexts } from "../flow-rules/commands.ts";
import { type FlowRule, readRules } from "../flow-rules/queries.ts";
import { type RunMode, runBlockDus } from "./limits.ts";
import { compileRule, type Matches, matchRules } from "./logic.ts";
import { readUnbound } from "./queries.ts";
import type { RunParams } from "./schema.ts";

/**
 * Starts a run of rules in the background. Rules that are not asked for keep what they would take.
 * @throws RULES_INVALID when one is not in force, RULE_EXECUTING, TOO_MANY_RULES
 */
export async function startRun(ctx: Ctx, { ids }: { ids: number[] }): Promise<{ runId: number; taskId: string }> {
  await holdProject(ctx);
  const rules = await readRules(ctx, { ids, lock: true });
  if (rules.length !== ids.length) throw new AppError("NOT_FOUND", { object: ids.join(", ") });
  await guardExecuting(ctx, rules);
  const invalid = rules.filter(({ status }) => status !== "enabled");
  if (invalid.length > 0) throw new AppError("RULES_INVALID", { names: invalid.map(({ name }) => name).join(", ") });
  return enqueueRun(ctx, "manual", rules);
}

async function enqueueRun(ctx: Ctx, mode: RunMode, rules: readonly FlowRule[]): Promise<{ runId: number; taskId: string }> {
  const runId = await insertRun(ctx, mode, rules, ctx.user.id);
  const taskId = await enqueueTask(ctx, {
    kind: "activityFlows.runRules",
    direction: "process",
    title: ruleTexts(ctx.locale)("run.task"),
    params: { runId } satisfies RunParams,
  });
  await ctx.sql`update du_flow_run set task_id = ${taskId} where id = ${runId}`;
  ctx.audit(`du_flow_run ${runId}`, null, { mode, ruleIds: rules.map(({ id }) => id) });
  return { runId, taskId };
}

async function insertRun(
  { sql, project, now }: { sql: Sql; project: { id: number }; now: Date },
  mode: RunMode,
  rules: readonly FlowRule[],
  startedBy: number | null,
): Promise<number> {
  const counts = sql.json(rules.map(({ id, name }) => ({ id, name, bound: 0 })));
  const [run] = await sql<{ id: number }[]>`
    insert into du_flow_run (project_id, mode, rule_ids, started_by, started_at, rules)
    values (${project.id}, ${mode}, ${rules.map(({ id }) => id)}, ${startedBy}, ${now}, ${counts}) returning id`;
  return run!.id;
}

/** Runs the rules in force once DUs have been imported; does nothing in a project without such rules. */
export async function runAfterImport(job: JobCtx): Promise<void> {
  const wanted = async (ctx: Pick<Ctx, "sql" | "project">) => (await readRules(ctx)).filter(({ status }) => status === "enabled");
  if ((await wanted(job)).length === 0) return;
  await job.chunk(async (ctx) => {
    await holdProject(ctx);
    const rules = await wanted(ctx);
    if (rules.length > 0) await enqueueRun(ctx, "import", rules);
  });
}

/** The task of a run. A worker killed in the middle leaves DUs bound or unbound, nothing between; the next one judges those that are unbound. */
export async function runFlowRules(job: JobCtx, { runId }: RunParams): Promise<Outcome> {
  const [run] = await job.sql<Run[]>`
    select id, mode, rule_ids as "ruleIds" from du_flow_run where id = ${runId} and project_id = ${job.project.id}`;
  if (!run) throw new AppError("NOT_FOUND", { object: runId });
  for (let after: number | null = 0; after !== null; ) {
    const from: number = after;
    after = await job.chunk(async (ctx, tally) => {
      const { last, bound } = await runBlock(ctx, run, from);
      tally.done += bound;
      return last;
    });
  }
  const [counts] = await job.sql<{ bound: number; unmatched: number }[]>`
    select bound_count as bound, unmatched_count as unmatched from du_flow_run where id = ${runId}`;
  return { total: counts!.bound, result: { runId, ...counts }, message: { key: "flow-rules.run.message", args: { ...counts! } } };
}

/** The daily run of every rule in force, started by nobody. Whatever it was killed at, running it again is harmless. */
export async function runDaily(pool: Pool, projectId: number, now: Date): Promise<void> {
  const project = await findSystemProject(pool, projectId);
  if (!project) return;
  const run = await asNobody(pool, project, now, async (ctx): Promise<Run | null> => {
    await holdProject(ctx);
    const rules = await recheckFlowRules(ctx, `daily ${ctx.today}`);
    return rules.length === 0
      ? null
      : { id: await insertRun(ctx, "daily", rules, null), mode: "daily", ruleIds: rules.map(({ id }) => id) };
  });
  if (!run) return;
  for (let after: number | null = 0; after !== null; ) {
    const from: number = after;
    after = await asNobody(pool, project, now, async (ctx) => (await runBlock(ctx, run, from)).last);
  }
}

/** One transaction of the product itself. */
async function asNobody<T>(pool: Pool, project: CtxProject, now: Date, fn: (ctx: Ctx) => Promise<T>): Promise<T> {
  const { result, settle } = await transaction(pool, (sql) => asSystem(sql, project, { now, address: "schedule flowRules.run" }, fn));
  await settle();
  return result;
}

type Run = { id: number; mode: RunMode; ruleIds: number[] };

/**
 * Judges the next DUs without a flow, binds those a rule of the run decides, and writes down what became of the others.
 * @returns the last DU judged, null when there are no more
 */
async function runBlock(ctx: Ctx, run: Run, after: number): Promise<{ last: number | null; bound: number }> {
  const inForce = new Set((await recheckFlowRules(ctx, `run ${run.id}`)).map(({ id }) => id));
  const objects: ConditionObjects = new Map((await listEveryConditionObject(ctx)).map((object) => [object.key, object]));
  const rules = (await readRules(ctx)).map((rule) => ({ ...rule, inForce: inForce.has(rule.id), compiled: compileRule(rule, objects) }));
  const block = await readUnbound(ctx, rules, objects, after);
  const matches = matchRules(rules, block);
  const bound = await bindWinners(ctx, run, rules, block, matches);
  const last = block.duIds.length < runBlockDus ? null : block.duIds.at(-1)!;
  await keepUnmatched(ctx, block, matches, after, last);
  await countRun(ctx, run, { block, matches, bound, after, last });
  return { last, bound: [...bound.values()].reduce((sum, count) => sum + count, 0) };
}

/** Binds every DU to the flow of the rule that decides, as far as the run was asked for that rule. Gives the number of DUs by rule. */
async function bindWinners(
  ctx: Ctx,
  run: Run,
  rules: readonly FlowRule[],
  { duIds }: ConditionBlock,
  { winners }: Matches,
): Promise<Map<number, number>> {
  const asked = new Set(run.ruleIds);
  const decided = duIds.flatMap((duId, at) => {
    const rule = rules[winners[at]!];
    return rule && asked.has(rule.id) ? [{ duId, rule }] : [];
  });
  const byRule = Map.groupBy(decided, ({ rule }) => rule);
  if (byRule.size === 0) return new Map();
  const flows = new Map<number, HeldFlow>();
  for (const id of [...new Set([...byRule.keys()].map(({ flowId }) => flowId))].sort((a, b) => a - b))
    flows.set(id, await holdFlow(ctx, id));
  const codes = await findDuCodes(
    ctx,
    decided.map(({ duId }) => duId),
    null,
  );
  const plans = await readPlanRows(ctx, [...codes.keys()], { lock: true, fields: writableFields });
  const counts = new Map<number, number>();
  for (const [rule, given] of byRule) {
    const flow = flows.get(rule.flowId)!;
    const by = run.mode === "daily" ? null : ctx.user.id;
    // A DU that somebody has bound meanwhile is refused here, and keeps what he gave it.
    const { bound } = bindRows(ctx, plans, flow, {
      duIds: given.map(({ duId }) => duId).filter((duId) => codes.has(duId)),
      source: "rule",
      ruleId: rule.id,
      codes,
      by,
    });
    if (bound.length === 0) continue;
    counts.set(rule.id, bound.length);
    auditBinding(ctx, flow, bound, "rule");
  }
  await writePlanRows(ctx, plans, { source: "flow", origin: { kind: "flowRules", id: run.id }, byPerson: run.mode !== "daily" });
  // The nightly run of the owner rules comes behind that of the flow rules.
  if (run.mode !== "daily")
    await fillBoundDus(
      ctx,
      decided.map(({ duId }) => duId),
    );
  return counts;
}

async function keepUnmatched(ctx: Ctx, { duIds }: ConditionBlock, { reasons }: Matches, after: number, last: number | null): Promise<void> {
  const { sql, project, now } = ctx;
  await sql`
    delete from du_flow_unmatched where project_id = ${project.id} and du_id > ${after} ${last === null ? sql`` : sql`and du_id <= ${last}`}`;
  const open = duIds.flatMap((id, at) => (reasons[at] ? [{ id, reason: reasons[at] }] : []));
  await sql`
    insert into du_flow_unmatched (du_id, project_id, reason, at)
    select id, ${project.id}, reason, ${now} from unnest(${open.map(({ id }) => id)}::bigint[], ${open.map(({ reason }) => reason)}::text[]) n(id, reason)
    order by id on conflict (du_id) do update set reason = excluded.reason, at = excluded.at`;
}

type Block = { block: ConditionBlock; matches: Matches; bound: ReadonlyMap<number, number>; after: number; last: number | null };

/** Counts a block into its run. A run that begins again counts what is still unbound, and what it has bound before. */
async function countRun({ sql, now }: Ctx, run: Run, { block, matches, bound, after, last }: Block): Promise<void> {
  const [before] = await sql<{ bound: number; rules: { id: number; name: string; bound: number }[] }[]>`
    select bound_count as bound, rules from du_flow_run where id = ${run.id} for update`;
  const unmatched = matches.reasons.filter((reason) => reason !== null).length;
  const all = [...bound.values()].reduce((sum, count) => sum + count, 0);
  const rules = before!.rules.map((rule) => ({ ...rule, bound: rule.bound + (bound.get(rule.id) ?? 0) }));
  await sql`
    update du_flow_run set scope_count = ${after === 0 ? before!.bound : sql`scope_count`} + ${block.duIds.length}::int, bound_count = bound_count + ${all}::int,
      unmatched_count = ${after === 0 ? 0 : sql`unmatched_count`} + ${unmatched}::int, rules = ${sql.json(rules)}, finished_at = ${last === null ? now : null}
    where id = ${run.id}`;
  if (last === null) await sql`update du_flow_rule set last_run_at = ${now} where id = any(${run.ruleIds}::bigint[])`;
}
