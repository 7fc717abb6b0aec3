import "server-only";
import type { z } from "zod";
import { getSql, type Pool, snapshot } from "#db/client.ts";
import { asNobody } from "#lib/core/as-nobody.ts";
import { projectTime } from "#lib/core/clock.ts";
import type { Ctx, CtxProject } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import type { JobCtx } from "#lib/core/job.ts";
import { log } from "#lib/core/log.ts";
import { findSystemProject } from "#lib/core/system-ctx.ts";
import { enqueueTask, type Outcome } from "#lib/core/task.ts";
import type { Cell } from "#lib/core/workbook-cell.ts";
import { keepComputed, lockRuns, settleMoved, writeRun } from "#lib/plan-rules/engine/commands.ts";
import { computeRules } from "#lib/plan-rules/engine/queries.ts";
import { type PlanRule, ruleFaults } from "#lib/plan-rules/logic.ts";
import { guardExecuting, recheckRules, takeSlots, tellFailed } from "#lib/plan-rules/rule-set/commands.ts";
import { checkRule, firstDayOf, guardOthers, readRuleFacts, readRules, ruleTexts } from "#lib/plan-rules/rule-set/queries.ts";
import type { PlanRuleInput } from "#lib/plan-rules/rule-set/schema.ts";
import { addRun, beginRun, clearRuns, endLostRuns, failRun, setRunTask } from "#lib/plan-rules/runs/commands.ts";
import { type Counts, findCounts, getRun, type StoredRun } from "#lib/plan-rules/runs/queries.ts";
import { dueSlot } from "#lib/plan-rules/slots/logic.ts";
import { startListExport, storeListExport } from "#lib/tasks/list-export/commands.ts";
import { listPlanChanges } from "./queries.ts";
import type { ExportChanges, ExportParams, RunParams } from "./schema.ts";

type Started = { taskId: string; runId: number };

async function enqueueRun(
  ctx: Ctx,
  runId: number,
  title: string,
  more: { rule?: PlanRuleInput & { id?: number | undefined } } = {},
): Promise<Started> {
  const taskId = await enqueueTask(ctx, { kind: "planRules.run", direction: "process", title, params: { runId, ...more } });
  await setRunTask(ctx, runId, taskId);
  return { taskId, runId };
}

async function chosenRules(ctx: Ctx, ruleIds: readonly number[]): Promise<PlanRule[]> {
  const rules = await readRules(ctx, { ids: ruleIds });
  const missing = ruleIds.filter((id) => !rules.some((rule) => rule.id === id));
  if (missing.length > 0) throw new AppError("NOT_FOUND", { object: missing.join(", ") });
  return rules;
}

/** Whether a rule can be run now. */
function isInForce({ status, effectiveAt, ruleType }: PlanRule, now: Date): boolean {
  return status === "EFFECTIVE" && ruleType !== "ORG_TARGET" && (effectiveAt === null || effectiveAt <= now);
}

/**
 * Starts a run of rules in the background. [RUL-27, RUL-28]
 * @throws NO_SELECTION, TOO_MANY_RULES, RULES_INVALID when one is not in force, RULE_EXECUTING
 */
export async function startRun(
  ctx: Ctx,
  { ruleIds, previewRunId }: { ruleIds: number[]; previewRunId?: number | undefined },
): Promise<Started> {
  await holdProject(ctx);
  const rules = await chosenRules(ctx, ruleIds);
  await guardExecuting(ctx, rules);
  const facts = await readRuleFacts(ctx, rules);
  const invalid = rules.filter((rule) => !isInForce(rule, ctx.now) || ruleFaults(rule, facts).length > 0);
  if (invalid.length > 0) throw new AppError("RULES_INVALID", { names: invalid.map(({ name }) => name).join(", ") });
  if (previewRunId !== undefined) await getRun(ctx, previewRunId, "PLAN");
  const runId = await addRun(ctx, { mode: "MANUAL", kind: "PLAN", ruleIds, startedBy: ctx.user.id, previewRunId });
  ctx.audit(`rule_run ${runId}`, null, { mode: "MANUAL", ruleIds });
  return enqueueRun(ctx, runId, ruleTexts(ctx.locale)("run.task"));
}

/**
 * Starts a dry run of stored rules as if they were in force, or of one that is being typed.
 * @throws NO_SELECTION, TOO_MANY_RULES, what is wrong with a rule that is being typed, RULES_INVALID for rules that are never run
 */
export async function startPreview(
  ctx: Ctx,
  { ruleIds, rule }: { ruleIds?: number[] | undefined; rule?: (PlanRuleInput & { id?: number | undefined }) | undefined },
): Promise<Started> {
  const rules = ruleIds ? await chosenRules(ctx, ruleIds) : [];
  const never = rules.filter(({ ruleType }) => ruleType === "ORG_TARGET");
  if (never.length > 0 || rule?.ruleType === "ORG_TARGET")
    throw new AppError("RULES_INVALID", { names: never.map(({ name }) => name).join(", ") || (rule?.name ?? "") });
  if (rule) await typedRule(ctx, rule);
  const runId = await addRun(ctx, { mode: "PREVIEW", kind: "PLAN", ruleIds: ruleIds ?? [rule?.id ?? 0], startedBy: ctx.user.id });
  ctx.audit(`rule_run ${runId}`, null, { mode: "PREVIEW", ruleIds: ruleIds ?? [rule?.id ?? 0] });
  return enqueueRun(ctx, runId, ruleTexts(ctx.locale)("run.preview"), rule ? { rule } : {});
}

/** A rule that is being typed as it would be stored; it may not close a circle. */
async function typedRule(ctx: Ctx, input: PlanRuleInput & { id?: number | undefined }): Promise<PlanRule> {
  const others = (await readRules(ctx)).filter(({ id }) => id !== input.id);
  const { catalog, ...checked } = await checkRule(ctx, input);
  await guardOthers(
    ctx,
    { ...checked, catalog },
    others.filter(({ status }) => status === "EFFECTIVE"),
  );
  return {
    ...checked,
    id: input.id ?? 0,
    status: "EFFECTIVE",
    invalidReason: null,
    sinceSeq: 0,
    lastSlot: null,
    nextRunAt: null,
    sortNo: input.sortNo ?? Math.max(0, ...others.map(({ sortNo }) => sortNo)) + 1,
    rowVersion: 0,
    createdBy: ctx.user.id,
    createdAt: ctx.now,
  };
}

/** The task of a run or dry run. A worker killed in the middle has written nothing; the next one begins anew. One killed at the end has done it: it is told. */
export async function runRuleTask(job: JobCtx, params: RunParams): Promise<Outcome> {
  const { runId } = params;
  const run = await getRun(job, runId, "PLAN");
  try {
    const begun = await job.chunk((ctx) => beginRun(ctx, runId));
    const carryOut = () => (run.mode === "PREVIEW" ? previewRun(job, run, params.rule) : job.chunk((ctx) => executeRun(ctx, run)));
    const counts = begun ? await carryOut() : await findCounts(job, run);
    if (!counts) throw new AppError("CONFLICT", { object: runId });
    const message = { key: `plan-rules.run.${run.mode === "PREVIEW" ? "previewed" : "message"}`, args: counts };
    return { total: counts.changed, result: { runId, ...counts }, message };
  } catch (error) {
    if (error instanceof AppError) await job.chunk((ctx) => failRun(ctx, runId, error.code));
    throw error;
  }
}

async function previewRun(job: JobCtx, run: StoredRun, draft: unknown): Promise<Counts> {
  // One state of the database for all blocks, whatever is saved meanwhile.
  const computed = await snapshot(getSql(), async (sql) => {
    const ctx: Ctx = { ...job, sql };
    const rules = draft ? [await typedRule(ctx, draft as PlanRuleInput)] : await readRules(ctx, { ids: run.ruleIds });
    return computeRules(ctx, rules, await shadowsOf(ctx, rules));
  });
  return job.chunk(async (ctx) => keepComputed(ctx, run, computed));
}

/** Rules in force that run by themselves and are not among these: they keep the cells they would fill. */
async function shadowsOf(ctx: Pick<Ctx, "sql" | "project" | "now">, rules: readonly PlanRule[]): Promise<PlanRule[]> {
  const inForce = await readRules(ctx, { effective: true });
  return inForce.filter((rule) => rule.autoExecute && isInForce(rule, ctx.now) && !rules.some(({ id }) => id === rule.id));
}

/** Runs rules in one transaction: reads without locks, computes, locks what changes in the order of ids, computes anew what moved meanwhile, writes once. */
async function executeRun(ctx: Ctx, run: StoredRun): Promise<Counts> {
  await lockRuns(ctx);
  const rules = (await readRules(ctx, { ids: run.ruleIds })).filter((rule) => isInForce(rule, ctx.now));
  const facts = await readRuleFacts(ctx, rules);
  const sound = rules.filter((rule) => ruleFaults(rule, facts).length === 0);
  if (run.mode === "MANUAL" && sound.length < run.ruleIds.length) throw new AppError("RULES_INVALID", { names: ctx.project.number });
  const byRule = run.ruleDus ? new Map(Object.entries(run.ruleDus).map(([id, dus]) => [Number(id), new Set(dus)])) : undefined;
  const computed = await computeRules(ctx, sound, await shadowsOf(ctx, sound), { duIds: run.duIds ?? undefined, byRule });
  await settleMoved(ctx, computed, byRule);
  await writeRun(ctx, run, computed);
  return keepComputed(ctx, run, computed);
}

/** Waits at most this long for the daily runs that come before rules. */
const chainMs = 3_600_000;

/**
 * The automatic runs of a project that are due: claims the slots of its rules, then carries out every automatic run that waits, also one a killed worker left.
 * @param after schedule whose run of the day comes first
 */
export async function runAutomatic(pool: Pool, projectId: number, now: Date, { after }: { after?: string } = {}): Promise<void> {
  const project = await findSystemProject(pool, projectId);
  if (project?.status !== "active") return;
  if (!after || !(await isOpen(pool, projectId, after, now))) await claimDue(pool, project, now);
  await runWaiting(pool, project, now);
}

async function isOpen(pool: Pool, projectId: number, name: string, now: Date): Promise<boolean> {
  const [open] = await pool`
    select 1 from schedule_slot where name = ${name} and project_id = ${projectId} and ran_at is null and claimed_at > ${new Date(now.getTime() - chainMs)}`;
  return open !== undefined;
}

const address = "schedule planRules.run";

/** Takes the slots that are due, under the lock of the rules, and notes the run: whichever worker comes first has them. */
async function claimDue(pool: Pool, project: CtxProject, now: Date): Promise<void> {
  await asNobody(pool, project, now, address, async (ctx) => {
    const { tzOffset } = project;
    const all = await readRules(ctx, { effective: true });
    const timed = all.flatMap((rule) =>
      rule.frequency !== null && rule.autoExecute ? [{ ...rule, frequency: rule.frequency, firstDay: firstDayOf(rule, tzOffset) }] : [],
    );
    if (!timed.some((rule) => dueSlot(rule, now, tzOffset))) return;
    const inForce = await recheckRules(
      ctx,
      `run ${projectTime(now, tzOffset).toISOString().slice(0, 13)}`,
      timed.map(({ id }) => id),
    );
    const due = inForce.flatMap((rule) => {
      if (rule.frequency === null) return [];
      const slot = dueSlot({ ...rule, frequency: rule.frequency, firstDay: firstDayOf(rule, tzOffset) }, now, tzOffset);
      return slot ? [{ ...rule, slot }] : [];
    });
    if (due.length === 0) return;
    await takeSlots(ctx, due);
    await addRun(ctx, { mode: "AUTO", kind: "PLAN", ruleIds: due.map(({ id }) => id), startedBy: null });
  });
}

/** Carries out automatic runs that wait, the oldest first. One that fails does not keep the others from running. */
async function runWaiting(pool: Pool, project: CtxProject, now: Date): Promise<void> {
  const waiting = await pool<{ id: number }[]>`
    select id from rule_run where project_id = ${project.id} and kind = 'PLAN' and mode in ('AUTO', 'EVENT') and status in ('QUEUED', 'RUNNING') order by id`;
  for (const { id } of waiting) {
    try {
      await asNobody(pool, project, now, address, (ctx) => beginRun(ctx, id));
      await asNobody(pool, project, now, address, async (ctx) => {
        // Another worker may be at it: the one that holds the row runs it.
        const [mine] = await ctx.sql`select 1 from rule_run where id = ${id} and status = 'RUNNING' for update skip locked`;
        if (mine) await executeRun(ctx, await getRun(ctx, id, "PLAN"));
      });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      log.warn({ run: id, code: error.code }, "a run of rules failed");
      await asNobody(pool, project, now, address, async (ctx) => {
        await failRun(ctx, id, error.code);
        await tellFailed(ctx, (await getRun(ctx, id, "PLAN")).ruleIds);
      });
    }
  }
}

/**
 * Ends runs whose task or worker is gone, so that their rules can be changed again, and tells their makers and the PMs once a day.
 * @returns number of runs ended
 */
export function endLost(pool: Pool, now: Date): Promise<number> {
  return endLostRuns({ sql: pool, now }, async ({ projectId, kind, ruleIds }) => {
    if (kind !== "PLAN") return;
    const project = await findSystemProject(pool, projectId);
    if (project) await asNobody(pool, project, now, address, (ctx) => tellFailed(ctx, ruleIds));
  });
}

/** The daily look at rules of a project: those whose date has passed are taken out of force, and old runs are forgotten. */
export async function tidyRules(pool: Pool, projectId: number, now: Date): Promise<void> {
  const project = await findSystemProject(pool, projectId);
  if (!project) return;
  await asNobody(pool, project, now, "schedule planRules.expire", async (ctx) => {
    await recheckRules(ctx, `expire ${ctx.today}`);
    await clearRuns(ctx, projectId, now);
  });
}

const columns = ["du", "name", "flow", "field", "old", "now", "rule", "outcome"] as const;

/**
 * Starts an export of the cells of a run as filtered.
 * @throws NO_DATA, NOT_FOUND, EXPORT_LIMIT, EXPORT_UNFINISHED
 */
export async function startChangesExport(ctx: Ctx, { filters }: z.output<typeof ExportChanges>): Promise<{ taskId: string }> {
  const { total } = await listPlanChanges(ctx, { filters, page: 1, size: 1 });
  const title = ruleTexts(ctx.locale)("changes.title");
  return startListExport(ctx, { kind: "planRules.exportChanges", title, params: { filters, total }, total, columns: columns.length });
}

const exportRows = 500;

/** Writes the cells of an export. */
export function runChangesExport(job: JobCtx, { filters, total }: ExportParams): Promise<Outcome> {
  const t = ruleTexts(job.locale);
  async function* rows(): AsyncGenerator<Cell[]> {
    for (let page = 1; (page - 1) * exportRows < total; page++) {
      const { records } = await listPlanChanges(job, { filters, page, size: exportRows });
      for (const { code, name, flow, field, old, now, rule, outcome } of records)
        yield [code, name, flow ?? "", field, old ?? "", now ?? "", rule, t(`outcome.${outcome}`)];
    }
  }
  const title = t("changes.title");
  return storeListExport(job, { title, columns: columns.map((key) => ({ title: t(`column.${key}`), width: 24 })), rows: rows(), total });
}
