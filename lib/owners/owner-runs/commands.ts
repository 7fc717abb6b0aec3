import "server-only";
import type { Sql } from "#db/client.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import type { JobCtx } from "#lib/core/job.ts";
import type { ScheduleRun } from "#lib/core/schedule.ts";
import { asSystem, findSystemProject } from "#lib/core/system-ctx.ts";
import { enqueueTask, type Outcome } from "#lib/core/task.ts";
import { addRun, beginRun, keepRun, setRunTask } from "#lib/plan-rules/runs/commands.ts";
import { type RunMode, sampleDus } from "#lib/plan-rules/runs/limits.ts";
import { findCounts, getRun } from "#lib/plan-rules/runs/queries.ts";
import { resolveOwnerSets } from "#lib/rollout-plan/owner-sets/commands.ts";
import { writePlanRows } from "#lib/rollout-plan/plan-rows/commands.ts";
import { diffBlock, keepBefore, type PlanBlock, rowIndex } from "#lib/rollout-plan/plan-rows/logic.ts";
import { listLibraryActivities, lockPlanRows, readOwnerSets, readPlanRows, writableFields } from "#lib/rollout-plan/plan-rows/queries.ts";
import { everyEditor } from "../assignment/logic.ts";
import { guardExecuting, recheckOwnerRules } from "../owner-rules/commands.ts";
import { ruleFieldNames, ruleFields } from "../owner-rules/limits.ts";
import { checkOwnerRule, type OwnerRule, readOwnerRules } from "../owner-rules/queries.ts";
import type { SaveOwnerRule } from "../owner-rules/schema.ts";
import { ownerTexts } from "../people/queries.ts";
import { fillOwners, type OwnerRunFacts, type OwnerRunResult, type OwnerRunRule } from "./logic.ts";
import { type AskedDus, askRules } from "./queries.ts";
import type { OwnerRunParams, PreviewOwnerRules } from "./schema.ts";

type Started = { runId: number; taskId: string };

/**
 * Starts a run of rules in the background. The other rules in force keep what they would fill.
 * @throws RULES_INVALID when one is not in force, RULE_EXECUTING, TOO_MANY_RULES
 */
export async function startOwnerRun(ctx: Ctx, { ruleIds }: { ruleIds: number[] }): Promise<Started> {
  await holdProject(ctx);
  const rules = await findRules(ctx, ruleIds);
  await guardExecuting(ctx, rules);
  const invalid = rules.filter(({ status }) => status !== "ENABLED");
  if (invalid.length > 0) throw new AppError("RULES_INVALID", { names: invalid.map(({ name }) => name).join(", ") });
  return enqueueRun(ctx, "MANUAL", ruleIds);
}

/** Starts a dry run of stored rules, or of one that is being typed, as if they were in force. @throws what is wrong with a typed rule */
export async function startOwnerPreview(ctx: Ctx, { ruleIds, rule }: PreviewOwnerRules): Promise<Started> {
  if (ruleIds) await findRules(ctx, ruleIds);
  else {
    if (rule!.id !== undefined) await findRules(ctx, [rule!.id]);
    await checkOwnerRule(ctx, rule!);
  }
  return enqueueRun(ctx, "PREVIEW", ruleIds ?? [rule!.id ?? 0], rule ? { typed: rule } : {});
}

async function findRules(ctx: Ctx, ids: readonly number[]): Promise<OwnerRule[]> {
  const rules = await readOwnerRules(ctx, { ids, lock: true });
  if (rules.length !== ids.length) throw new AppError("NOT_FOUND", { object: ids.join(", ") });
  return rules;
}

/** Fills the owners of DUs that were just bound to a flow; does nothing in a project without rules in force. */
export async function fillBoundDus(ctx: Ctx, duIds: readonly number[]): Promise<void> {
  const [inForce] = await ctx.sql`
    select 1 from owner_rule where project_id = ${ctx.project.id} and status = 'ENABLED' and deleted_at is null limit 1`;
  if (!inForce || duIds.length === 0) return;
  const rules = (await readOwnerRules(ctx)).filter(({ status }) => status === "ENABLED");
  await enqueueRun(
    ctx,
    "EVENT",
    rules.map(({ id }) => id),
    { duIds },
  );
}

async function enqueueRun(
  ctx: Ctx,
  mode: RunMode,
  ruleIds: readonly number[],
  { duIds, typed }: { duIds?: readonly number[]; typed?: SaveOwnerRule } = {},
): Promise<Started> {
  const runId = await addRun(ctx, { mode, kind: "OWNER", ruleIds, startedBy: mode === "EVENT" ? null : ctx.user.id, duIds });
  const params: OwnerRunParams = { runId, ...(typed ? { typed } : {}) };
  const title = ownerTexts(ctx.locale)(mode === "PREVIEW" ? "run.previewTask" : "run.task");
  const taskId = await enqueueTask(ctx, { kind: "owners.runRules", direction: "process", title, params });
  await setRunTask(ctx, runId, taskId);
  ctx.audit(`rule_run ${runId}`, null, { mode, kind: "OWNER", ruleIds });
  return { runId, taskId };
}

/** The task of a run: one transaction, so that a worker killed in the middle leaves nothing half written. What one killed at the end has done is told. */
export async function runOwnerTask(job: JobCtx, { runId, typed }: OwnerRunParams): Promise<Outcome> {
  const run = await getRun(job, runId, "OWNER");
  const counts = await job.chunk(async (ctx, tally) => {
    if (!(await beginRun(ctx, runId))) {
      const ended = await findCounts(ctx, run);
      return ended && { changed: ended.changed, skipped: ended.skipped };
    }
    const done = await runRules(ctx, { ...run, typed });
    tally.done += done.changed;
    return done;
  });
  if (!counts) return { total: 0, result: { runId } };
  return { total: counts.changed, result: { runId, ...counts }, message: { key: "owners.run.message", args: counts } };
}

/** The daily run of every rule in force, in the one transaction that marks its slot as run. */
export async function runOwnersDaily({ once, projectId, now }: Pick<ScheduleRun, "once" | "projectId" | "now">): Promise<void> {
  const ended = await once(async (sql: Sql) => {
    const project = await findSystemProject(sql, projectId);
    if (!project) return null;
    return asSystem(sql, project, { now, address: "schedule ownerRules.run" }, async (ctx) => {
      await holdProject(ctx);
      // Before rules are locked, as a run that was started does.
      await waitForOthers(ctx);
      const rules = await recheckOwnerRules({ ...ctx, project }, `daily ${ctx.today}`);
      if (rules.length === 0) return;
      const id = await addRun(ctx, { mode: "AUTO", kind: "OWNER", ruleIds: rules.map((rule) => rule.id), startedBy: null });
      await runRules(ctx, { id, mode: "AUTO", ruleIds: rules.map((rule) => rule.id), duIds: null });
    });
  });
  await ended?.settle();
}

type Run = { id: number; mode: RunMode; ruleIds: readonly number[]; duIds: readonly number[] | null; typed?: SaveOwnerRule | undefined };
type Candidate = Pick<
  OwnerRule,
  "id" | "name" | "sortNo" | "flowIds" | "activityIds" | "ownerFields" | "fillMode" | "fillValue" | "overwrite" | "conditions"
> & { writes: boolean };

async function runRules(ctx: Ctx, run: Run): Promise<{ changed: number; skipped: number }> {
  if (run.mode !== "PREVIEW") await waitForOthers(ctx);
  const rules = await listCandidates(ctx, run);
  const library = await listLibraryActivities(ctx);
  const slotOf = new Map(library.map(({ id, slot }) => [id, slot]));
  const activityOf = new Map(library.map(({ id, slot }) => [slot, id]));
  const asked = await askRules(ctx, rules, run.duIds);
  const fields = ruleFieldNames
    .filter((field) => rules.some(({ ownerFields }) => ownerFields.includes(field)))
    .map((field) => ruleFields[field]);
  const read = (duIds: readonly number[]) => readPlanRows(ctx, duIds, { fields: [...writableFields, ...fields] });
  const block = await read(asked.duIds);
  const sets = await resolveOwnerSets(
    ctx,
    asked.lists.flatMap(({ people }) => people),
  );
  const runRulesOf = rules.map(
    ({ id, name, writes, flowIds, activityIds, ownerFields, overwrite }): OwnerRunRule => ({
      id,
      name,
      writes,
      flowIds,
      ownerFields,
      overwrite,
      slots: activityIds.length === 0 ? null : new Set(activityIds.flatMap((activity) => slotOf.get(activity) ?? [])),
    }),
  );
  const keepAll = run.mode === "PREVIEW" || run.mode === "MANUAL";
  const fill = async () =>
    fillOwners(runRulesOf, block, await factsOf(ctx, block, asked, sets, fields), activityOf, (skipped) => keepAll || skipped <= sampleDus);
  let result = await fill();
  if (run.mode !== "PREVIEW") {
    const changed = diffBlock(block, fields).map(({ row }) => block.duIds[row]!);
    const versions = await lockPlanRows(ctx, changed);
    const rows = rowIndex(block);
    const moved = changed.filter((id) => versions.get(id) !== block.versions[rows.get(id)!]);
    if (moved.length > 0) {
      // Their rows are locked now: what is computed again stays true.
      takeRows(block, await read(moved), moved);
      result = await fill();
    }
    block.locked = true;
    const { rejected } = await writePlanRows(ctx, block, {
      source: "owner_rule",
      origin: { kind: "rule_run", id: run.id },
      byPerson: run.mode === "MANUAL",
      // Rules act for the product, whoever starts them.
      standing: { editors: everyEditor(block.duIds), changeControl: false, dependencies: [], warnings: [] },
    });
    if (rejected.length > 0) throw new Error(`a run of owner rules was refused ${rejected[0]!.code}`);
  }
  await keepRun(ctx, { runId: run.id, ...result });
  return countsOf(result);
}

function countsOf({ rules }: OwnerRunResult): { changed: number; skipped: number } {
  const skipped = rules.flatMap((rule) => Object.values(rule.skipped)).reduce((all, count) => all + count, 0);
  return { changed: rules.reduce((all, rule) => all + rule.changed, 0), skipped };
}

/** Runs of a project follow each other: the later one sees what the earlier one has filled. */
async function waitForOthers({ sql, project }: Ctx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`owner rules ${project.id}`}, 0))`;
}

/** The rules that write and those that only keep their cells, in the order in which they decide. */
async function listCandidates(ctx: Ctx, { id, mode, ruleIds, typed }: Run): Promise<Candidate[]> {
  const inForce =
    mode === "PREVIEW"
      ? (await readOwnerRules(ctx)).filter(({ status }) => status === "ENABLED")
      : await recheckOwnerRules(ctx, `run ${id}`);
  const asked: Candidate[] =
    mode !== "PREVIEW"
      ? []
      : typed
        ? [await typedRule(ctx, typed)]
        : (await readOwnerRules(ctx, { ids: ruleIds })).map((rule) => ({ ...rule, writes: true }));
  const known = new Set([...asked.map((rule) => rule.id), ...(typed?.id === undefined ? [] : [typed.id])]);
  const others = inForce
    .filter((rule) => !known.has(rule.id))
    .map((rule) => ({ ...rule, writes: mode !== "PREVIEW" && ruleIds.includes(rule.id) }));
  return [...asked, ...others].sort((a, b) => a.sortNo - b.sortNo || a.id - b.id);
}

async function typedRule(ctx: Ctx, typed: SaveOwnerRule): Promise<Candidate> {
  const { objects: _objects, ...checked } = await checkOwnerRule(ctx, typed);
  const stored = await readOwnerRules(ctx);
  const last = Math.max(0, ...stored.map(({ sortNo }) => sortNo));
  const sortNo = typed.sortNo ?? stored.find(({ id }) => id === typed.id)?.sortNo ?? last + 1;
  const { name, ownerFields, overwrite } = typed;
  return { ...checked, id: typed.id ?? 0, name, sortNo, ownerFields, overwrite, writes: true };
}

async function factsOf(
  ctx: Ctx,
  block: PlanBlock,
  { duIds, holds, lists }: AskedDus,
  sets: ReadonlyMap<string, number>,
  fields: readonly (typeof ruleFields)[keyof typeof ruleFields][],
): Promise<OwnerRunFacts> {
  const placeOf = new Map(duIds.map((id, at) => [id, at]));
  const places = Int32Array.from(block.duIds, (id) => placeOf.get(id)!);
  const people = lists.map(({ places: chosen, people: given }) => {
    const ids = given.map((list) => (list.length === 0 ? 0 : sets.get(list.join(","))!));
    return Int32Array.from(places, (place) => ids[chosen[place]!]!);
  });
  const named = new Set(fields.flatMap((field) => [...new Set(block[field])]));
  named.delete(0);
  const members = new Map(await readOwnerSets(ctx, [...named]));
  for (const [text, id] of sets) members.set(id, text.split(",").map(Number));
  return { holds: holds.map((column) => Uint8Array.from(places, (place) => column[place]!)), people, members };
}

/** Puts rows that were read again in the place of the old ones; a row that is gone takes part no more. What was computed is forgotten. */
function takeRows(block: PlanBlock, fresh: PlanBlock, duIds: readonly number[]): void {
  for (const field of block.fields) block[field].set(block.before![field] as never);
  const rows = rowIndex(block);
  const found = rowIndex(fresh);
  for (const id of duIds) {
    const row = rows.get(id)!;
    const from = found.get(id);
    if (from === undefined) {
      block.flowIds[row] = 0;
      continue;
    }
    block.versions[row] = fresh.versions[from]!;
    block.flowIds[row] = fresh.flowIds[from]!;
    block.flowVersions[row] = fresh.flowVersions[from]!;
    block.releaseStates[row] = fresh.releaseStates[from]!;
    for (const field of block.fields)
      for (let slot = 0; slot < block.width && slot < fresh.width; slot++)
        block[field][row * block.width + slot] = fresh[field][from * fresh.width + slot]!;
  }
  keepBefore(block);
}
