import "server-only";
import type { z } from "zod";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import type { JobCtx } from "#lib/core/job.ts";
import { loadMessages } from "#lib/core/messages.ts";
import { enqueueTask, type Outcome } from "#lib/core/task.ts";
import { listPlanAttributes } from "#lib/rollout-plan/columns/queries.ts";
import { type DuPatch, writePlanRows } from "#lib/rollout-plan/plan-rows/commands.ts";
import { type PlanBlock, rowIndex, stateValue } from "#lib/rollout-plan/plan-rows/logic.ts";
import { listRefusals, readPlanRows } from "#lib/rollout-plan/plan-rows/queries.ts";
import type { Refusal } from "#lib/rollout-plan/plan-rows/rules.ts";
import { bindDus } from "../binding/commands.ts";
import { copyChunk, copyCodes } from "./limits.ts";
import { bindingCode, type CopyResult, completedTarget, copyValues, failedTarget } from "./logic.ts";
import { findUsableFlow, listCopiedAttributes, readBindings, readTargets, readValues } from "./queries.ts";
import type { CopyParams, RetryCopy, StartCopy } from "./schema.ts";

const titleOf = ({ locale }: Pick<Ctx, "locale">): string =>
  (loadMessages(locale)["activity-flows"] as unknown as { copies: { title: string } }).copies.title;

/** Starts a copy: its targets are listed at once and copied to in the background. */
export async function startCopy(ctx: Ctx, input: z.output<typeof StartCopy>): Promise<{ jobId: number; taskId: string }> {
  const { sourceDuId, targetDuCodes, attributeIds, alsoBind, overwrite } = input;
  const [source] = await ctx.sql<{ code: string }[]>`
    select du.code from du where du.id = ${sourceDuId} and ${ctx.scope.where("duFlow.copyAssociation")}`;
  if (!source) throw new AppError("DU_NOT_FOUND", { code: sourceDuId });
  const known = new Set((await listCopiedAttributes(ctx)).map(({ id }) => id));
  const problems = attributeIds.flatMap((id, at): Problem[] => {
    const path = `attributeIds.${at}`;
    return known.has(id) ? [] : [{ path, code: "VALUE_UNKNOWN", params: { field: path, value: id } }];
  });
  if (problems[0]) throw new AppError("INVALID_INPUT", { field: problems[0].path }, problems);
  const [job] = await ctx.sql<{ id: number }[]>`
    insert into copy_job (project_id, source_du_id, attribute_ids, also_bind, overwrite, created_by, created_at)
    values (${ctx.project.id}, ${sourceDuId}, ${attributeIds}, ${alsoBind}, ${overwrite}, ${ctx.user.id}, ${ctx.now}) returning id`;
  const jobId = job!.id;
  await ctx.sql`insert into copy_job_item (job_id, target_code) select ${jobId}, code from unnest(${targetDuCodes}::text[]) code`;
  ctx.audit(`copy_job ${jobId}`, null, input);
  return { jobId, taskId: await enqueue(ctx, jobId, source.code, targetDuCodes.length) };
}

/** Tries failed targets of a copy once more. @throws WRONG_STATUS for targets that have not failed */
export async function retryCopy(
  ctx: Ctx,
  { jobId, targetDuCodes }: z.output<typeof RetryCopy>,
): Promise<{ jobId: number; taskId: string }> {
  const [job] = await ctx.sql<{ code: string }[]>`
    select du.code from copy_job j join du on du.id = j.source_du_id
    where j.id = ${jobId} and j.project_id = ${ctx.project.id} and ${ctx.scope.where("duFlow.copyAssociation")} for update of j`;
  if (!job) throw new AppError("NOT_FOUND", { object: jobId });
  const again = await ctx.sql`
    update copy_job_item set progress = 'unprocessed', code = null, detail = null
    where job_id = ${jobId} and progress = 'failed' and target_code = any(${targetDuCodes}::text[]) returning target_code`;
  if (again.length !== targetDuCodes.length) throw new AppError("WRONG_STATUS", { status: targetDuCodes.join(", ") });
  ctx.audit(`copy_job ${jobId}`, { failed: targetDuCodes }, { unprocessed: targetDuCodes });
  return { jobId, taskId: await enqueue(ctx, jobId, job.code, targetDuCodes.length) };
}

const enqueue = (ctx: Ctx, jobId: number, source: string, total: number): Promise<string> =>
  enqueueTask(ctx, {
    kind: "activityFlows.copyAttributes",
    direction: "process",
    title: `${titleOf(ctx)} ${source}`,
    params: { jobId } satisfies CopyParams,
    total,
  });

type Job = { id: number; sourceDuId: number; attributeIds: number[]; alsoBind: boolean; overwrite: boolean };

/** Copies to the targets that wait, some at a time; a worker killed in between leaves them waiting. */
export async function runCopy(job: JobCtx, { jobId }: CopyParams): Promise<Outcome> {
  const [copy] = await job.sql<Job[]>`
    select id, source_du_id as "sourceDuId", attribute_ids as "attributeIds", also_bind as "alsoBind", overwrite from copy_job
    where id = ${jobId} and project_id = ${job.project.id}`;
  if (!copy) throw new AppError("NOT_FOUND", { object: jobId });
  const waiting = await job.sql<{ code: string }[]>`
    select target_code as code from copy_job_item where job_id = ${jobId} and progress in ('unprocessed', 'processing')
    order by target_code collate natural_order`;
  for (let at = 0; at < waiting.length; at += copyChunk) {
    const codes = waiting.slice(at, at + copyChunk).map(({ code }) => code);
    await job.chunk(async (ctx) => {
      await ctx.sql`update copy_job_item set progress = 'processing' where job_id = ${jobId} and target_code = any(${codes}::text[])`;
      ctx.audit(`copy_job ${jobId}`, null, { processing: codes.length });
    });
    await job.chunk(async (ctx, tally) => {
      const results = await copyTo(ctx, copy, codes);
      await storeResults(ctx, copy.id, results);
      tally.failed += results.filter(({ progress }) => progress === "failed").length;
      tally.done += results.filter(({ progress }) => progress === "completed").length;
      ctx.audit(`copy_job ${jobId}`, null, { results: results.map(({ targetCode, progress, code }) => ({ targetCode, progress, code })) });
    });
    job.progress(Math.min(waiting.length, at + copyChunk), waiting.length);
  }
  return { result: { jobId } };
}

async function copyTo(ctx: Ctx, copy: Job, codes: readonly string[]): Promise<CopyResult[]> {
  const targets = await readTargets(ctx, codes);
  const failed = new Map<string, CopyResult>();
  for (const code of codes) if (!targets.has(code)) failed.set(code, failedTarget(code, null, copyCodes.duMissing));
  const associated = copy.alsoBind ? await bindTargets(ctx, copy, targets, failed) : new Set<number>();
  const open = new Map([...targets].filter(([code]) => !failed.has(code)));
  const skipped = await copyAttributes(ctx, copy, [...open.values()]);
  return codes.map(
    (code) =>
      failed.get(code) ?? completedTarget(code, open.get(code)!, associated.has(open.get(code)!), skipped.get(open.get(code)!) ?? []),
  );
}

/** Binds what may be bound as the source is; what may not joins the failed ones. Gives the DUs that follow the flow of the source now. */
async function bindTargets(
  ctx: Ctx,
  copy: Job,
  targets: ReadonlyMap<string, number>,
  failed: Map<string, CopyResult>,
): Promise<Set<number>> {
  const flowId = await findUsableFlow(ctx, copy.sourceDuId);
  const present = await readBindings(ctx, [...targets.values()]);
  const codes = new Map([...targets].map(([code, id]) => [id, code]));
  const associated = new Set<number>();
  const free: number[] = [];
  for (const [code, id] of targets) {
    const problem = bindingCode(flowId !== null, present.get(id), flowId);
    if (problem !== null) failed.set(code, failedTarget(code, id, problem));
    else if (present.has(id)) associated.add(id);
    else free.push(id);
  }
  if (flowId === null || free.length === 0) return associated;
  const { bound, refused } = await bindDus(ctx, { duIds: free, flowId, source: "copy" });
  for (const id of bound) associated.add(id);
  for (const { duId, code } of refused) {
    const target = codes.get(duId)!;
    failed.set(target, failedTarget(target, duId, copyCodes.bindingFailed, code));
  }
  return associated;
}

/** Writes the values of the source to the targets and tells which attributes each of them had to skip. */
async function copyAttributes(ctx: Ctx, copy: Job, duIds: readonly number[]): Promise<Map<number, string[]>> {
  if (duIds.length === 0 || copy.attributeIds.length === 0) return new Map();
  const attributes = (await listPlanAttributes(ctx)).filter(({ id }) => copy.attributeIds.includes(id));
  const block = await readPlanRows(ctx, duIds, { lock: true });
  const rows = rowIndex(block);
  const values = await readValues(ctx, [copy.sourceDuId, ...duIds]);
  const source = values.get(copy.sourceDuId)?.ext ?? {};
  const patches: DuPatch[] = [];
  const skipped = new Map<number, string[]>();
  for (const duId of duIds) {
    const target = values.get(duId)!;
    const row = rows.get(duId);
    const takesSlot = (slot: number) => {
      if (row === undefined || slot >= block.width) return false;
      const state = block.state[row * block.width + slot]!;
      return stateValue(state, "inFlow") === 1 && stateValue(state, "toolLocked") === 0;
    };
    const found = copyValues(source, target.ext, attributes, copy.overwrite, takesSlot);
    skipped.set(duId, found.skipped);
    if (Object.keys(found.ext).length > 0) patches.push({ duId, duVersion: target.version, ext: found.ext });
  }
  const names = new Map(attributes.map(({ id, name }) => [`a${id}`, name]));
  for (const { duId, field } of await dropUnmet(ctx, block, patches)) skipped.get(duId)?.push(names.get(field) ?? field);
  const open = patches.filter(({ ext }) => Object.keys(ext ?? {}).length > 0);
  if (open.length > 0) await writePlanRows(ctx, block, { source: "flow", origin: { kind: "copy", id: copy.id }, patches: open });
  return skipped;
}

/** Takes values out of patches that dependency rules do not let be filled in yet, until none is left that waits for another. @returns what was taken out */
async function dropUnmet(ctx: Ctx, block: PlanBlock, patches: readonly DuPatch[]): Promise<Refusal[]> {
  const byDu = new Map(patches.map((patch) => [patch.duId, patch]));
  const dropped: Refusal[] = [];
  for (;;) {
    const refused = (await listRefusals(ctx, block, new Map(), { source: "rule", byPerson: false, patches })).filter(({ duId, field }) => {
      const ext = byDu.get(duId)?.ext;
      if (!ext || !Object.hasOwn(ext, field)) return false;
      delete ext[field];
      return true;
    });
    if (refused.length === 0) return dropped;
    dropped.push(...refused);
  }
}

async function storeResults({ sql }: Ctx, jobId: number, results: readonly CopyResult[]): Promise<void> {
  await sql`
    update copy_job_item i set target_du_id = r."targetDuId", progress = r.progress, association = r.association, code = r.code, detail = r.detail
    from jsonb_to_recordset(${sql.json(results as never)}) as r("targetCode" text, "targetDuId" bigint, progress text, association text, code smallint, detail text)
    where i.job_id = ${jobId} and i.target_code = r."targetCode"`;
}
