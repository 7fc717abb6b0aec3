import "server-only";
import { addMonths, dayNumber } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Params } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { brokenRules, type Rule } from "#lib/core/rule.ts";
import { errorText } from "#lib/core/texts.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import type { ErrorCode } from "#lib/errors.ts";
import { planAheadYears } from "#lib/rollout-plan/plan-rows/limits.ts";
import { lockTempMilestones, readActuals, readPlanned, type TempMilestoneUse } from "./queries.ts";
import { type DateFacts, dateRules, deleteRules, releaseRules, type TempFacts } from "./rules.ts";
import type { LinkDus, SaveDates, SaveTempMilestone, TempMilestoneIds, UnlinkDus } from "./schema.ts";

/** Something a step was refused for. */
export type RejectedTemp = { id: number; duId: number | null; code: ErrorCode; msg: string };
/** Temporary milestones, or DUs, the step was taken for, and the others. */
export type TempAnswer = { ids: number[]; rejected: RejectedTemp[] };

const reject = (ctx: Ctx, id: number, duId: number | null, code: ErrorCode, params: Params = {}): RejectedTemp => ({
  id,
  duId,
  code,
  msg: errorText(ctx.locale, code, params),
});

/**
 * Stores a new temporary milestone as draft, or changes one. Of a released one the product stays as it is.
 * @throws NOT_FOUND, NOTHING_MODIFIED, STALE, NAME_EXISTS, WRONG_STATUS at the field that is fixed
 */
export async function saveTempMilestone(ctx: Ctx, input: SaveTempMilestone): Promise<{ id: number; rowVersion: number }> {
  const { sql, project, user, now } = ctx;
  await holdProject(ctx);
  const [before] = input.id === undefined ? [] : await lockTempMilestones(ctx, [input.id]);
  if (input.id !== undefined && !before) throw new AppError("NOT_FOUND", { object: input.id });
  if (before && before.rowVersion !== input.rowVersion) throw new AppError("STALE", {}, [], before);
  const values = {
    name: input.name,
    productCode: input.productCode || null,
    product: input.product || null,
    deliverable: input.deliverable || null,
  };
  const fixed = (["productCode", "product", "deliverable"] as const).filter((field) => before && before[field] !== values[field]);
  if (before?.status === "released" && fixed.length > 0) {
    const params = { status: "released" };
    throw new AppError(
      "WRONG_STATUS",
      params,
      fixed.map((path) => ({ path, code: "WRONG_STATUS", params })),
    );
  }
  const [taken] = await sql`
    select 1 from temp_milestone where project_id = ${project.id} and lower(name) = lower(${values.name}) and id <> ${before?.id ?? 0}`;
  if (taken) throw new AppError("NAME_EXISTS", {}, [{ path: "name", code: "NAME_EXISTS" }]);
  refuseUnchanged(before, values);
  const [written] = before
    ? await sql<{ id: number }[]>`
        update temp_milestone set name = ${values.name}, product_code = ${values.productCode}, product = ${values.product}, deliverable = ${values.deliverable},
          row_version = row_version + 1 where id = ${before.id} returning id`
    : await sql<{ id: number }[]>`
        insert into temp_milestone (project_id, name, product_code, product, deliverable, status, created_by, created_at)
        values (${project.id}, ${values.name}, ${values.productCode}, ${values.product}, ${values.deliverable}, 'draft', ${user.id}, ${now}) returning id`;
  ctx.audit(`temp_milestone ${written!.id}`, before ?? null, values);
  return { id: written!.id, rowVersion: (before?.rowVersion ?? 0) + 1 };
}

/** Sorts what a call names by rules; what is not there is rejected. */
async function judge(
  ctx: Ctx,
  ids: readonly number[],
  rules: readonly Rule<TempFacts>[],
): Promise<{ taken: TempMilestoneUse[]; rejected: RejectedTemp[] }> {
  const found = new Map((await lockTempMilestones(ctx, ids)).map((row) => [row.id, row]));
  const rejected: RejectedTemp[] = [];
  const taken = ids.flatMap((id) => {
    const row = found.get(id);
    const [problem] = row ? brokenRules(rules, row) : [{ code: "NOT_FOUND" as const, params: { object: id } }];
    if (problem) rejected.push(reject(ctx, id, null, problem.code, problem.params));
    return row && !problem ? [row] : [];
  });
  return { taken, rejected };
}

/** Releases drafts, so that DUs can be linked to them; there is no way back. */
export async function releaseTempMilestones(ctx: Ctx, { ids }: TempMilestoneIds): Promise<TempAnswer> {
  const { taken, rejected } = await judge(ctx, ids, releaseRules);
  const done = taken.map(({ id }) => id);
  await ctx.sql`update temp_milestone set status = 'released', row_version = row_version + 1 where id = any(${done}::bigint[])`;
  ctx.audit("temp_milestones", { status: "draft" }, { status: "released", ids: done, rejected: rejected.length });
  return { ids: done, rejected };
}

/** Deletes temporary milestones that no DU and no enabled milestone depends on. [MDV-16] */
export async function deleteTempMilestones(ctx: Ctx, { ids }: TempMilestoneIds): Promise<TempAnswer> {
  await holdProject(ctx);
  const { taken, rejected } = await judge(ctx, ids, deleteRules);
  const done = taken.map(({ id }) => id);
  // Links to DUs that were deleted keep nobody.
  await ctx.sql`delete from temp_milestone_du where temp_milestone_id = any(${done}::bigint[])`;
  await ctx.sql`delete from temp_milestone where id = any(${done}::bigint[])`;
  ctx.audit("temp_milestones", taken, { rejected: rejected.length }, "deleted");
  return { ids: done, rejected };
}

/** The released one of the project, locked. @throws NOT_FOUND, WRONG_STATUS */
async function lockReleased(ctx: Ctx, id: number): Promise<TempMilestoneUse> {
  const [found] = await lockTempMilestones(ctx, [id]);
  if (!found) throw new AppError("NOT_FOUND", { object: id });
  if (found.status !== "released") throw new AppError("WRONG_STATUS", { status: found.status });
  return found;
}

const dateFacts = (ctx: Ctx, plan: string | null | undefined, actual?: string | null): DateFacts => ({
  plan: dayNumber(plan),
  actual: dayNumber(actual),
  today: dayNumber(ctx.today),
  lastPlanDay: dayNumber(addMonths(ctx.today, 12 * planAheadYears)),
  years: planAheadYears,
});

/** The DUs the step was not taken for: those whose plan data control leaves to others, and those that are not there for the caller. */
function rejectLeft(
  ctx: Ctx,
  id: number,
  duIds: readonly number[],
  taken: readonly number[],
  planned: ReadonlyMap<number, boolean>,
): RejectedTemp[] {
  const done = new Set(taken);
  return duIds
    .filter((duId) => !done.has(duId))
    .map((duId) =>
      planned.get(duId) === false
        ? reject(ctx, id, duId, "NO_PERMISSION", { right: "rollout.edit" })
        : reject(ctx, id, duId, "DU_NOT_FOUND", { code: duId }),
    );
}

/**
 * Links DUs to a released temporary milestone; one that is linked keeps its dates.
 * @throws NOT_FOUND, WRONG_STATUS, PLAN_TOO_FAR
 */
export async function linkDus(ctx: Ctx, { id, duIds, planDate }: LinkDus): Promise<TempAnswer> {
  const { sql, project } = ctx;
  const [problem] = brokenRules(dateRules, dateFacts(ctx, planDate), "planDate");
  if (problem) throw new AppError(problem.code, problem.params, [problem]);
  await lockReleased(ctx, id);
  const planned = await readPlanned(ctx, duIds);
  const ids = duIds.filter((duId) => planned.get(duId));
  await sql`
    insert into temp_milestone_du (temp_milestone_id, du_id, project_id, plan_date)
    select ${id}, du_id, ${project.id}, ${planDate ?? null} from unnest(${ids}::bigint[]) g(du_id) order by du_id on conflict do nothing`;
  const rejected = rejectLeft(ctx, id, duIds, ids, planned);
  ctx.audit(`temp_milestone ${id}`, null, { duIds: ids, planDate: planDate ?? null, rejected: rejected.length }, "linked");
  return { ids, rejected };
}

/** Takes DUs off a temporary milestone with the dates they had there. @throws NOT_FOUND */
export async function unlinkDus(ctx: Ctx, { id, duIds }: UnlinkDus): Promise<TempAnswer> {
  const { sql } = ctx;
  const [found] = await lockTempMilestones(ctx, [id]);
  if (!found) throw new AppError("NOT_FOUND", { object: id });
  const planned = await readPlanned(ctx, duIds);
  const mine = duIds.filter((duId) => planned.get(duId));
  const gone = await sql<{ duId: number; planDate: string | null; actualDate: string | null }[]>`
    delete from temp_milestone_du where temp_milestone_id = ${id} and du_id = any(${mine}::bigint[])
    returning du_id as "duId", plan_date as "planDate", actual_date as "actualDate"`;
  const ids = gone.map(({ duId }) => duId);
  const rejected = rejectLeft(ctx, id, duIds, ids, planned);
  ctx.audit(`temp_milestone ${id}`, { dus: [...gone] }, { rejected: rejected.length }, "unlinked");
  return { ids, rejected };
}

/** A date that is no longer what the editor read. */
export type DateConflict = { id: number; duId: number; field: "planDate" | "actualDate"; base: string | null; present: string | null };
export type DatesAnswer = { saved: number; rejected: RejectedTemp[]; conflicts: DateConflict[] };

/**
 * Writes plan and actual dates of linked DUs. A date that is no longer the one the editor read is a conflict and keeps its row as it is;
 * a refused row stays too, the others are saved.
 */
export async function saveDates(ctx: Ctx, { rows }: SaveDates): Promise<DatesAnswer> {
  const { sql, project } = ctx;
  const duIds = [...new Set(rows.map(({ duId }) => duId))];
  const [plans, actuals, stored] = [
    await readPlanned(ctx, duIds),
    await readActuals(ctx, duIds),
    await sql<{ id: number; duId: number; planDate: string | null; actualDate: string | null }[]>`
      select l.temp_milestone_id as id, l.du_id as "duId", l.plan_date as "planDate", l.actual_date as "actualDate"
      from temp_milestone_du l join jsonb_to_recordset(${sql.json(rows.map(({ id, duId }) => ({ id, duId })))}) as r(id bigint, "duId" bigint)
        on r.id = l.temp_milestone_id and r."duId" = l.du_id
      join du on du.id = l.du_id
      where l.project_id = ${project.id} and ${ctx.scope.where("rollout.view")} order by 1, 2 for update of l`,
  ];
  const present = new Map(stored.map((row) => [`${row.id} ${row.duId}`, row]));
  const rejected: RejectedTemp[] = [];
  const conflicts: DateConflict[] = [];
  const writes = rows.flatMap(({ id, duId, base, planDate, actualDate }) => {
    const now = present.get(`${id} ${duId}`);
    const refuse = (code: ErrorCode, params: Params = {}) => {
      rejected.push(reject(ctx, id, duId, code, params));
      return [];
    };
    if (!now) return refuse("DU_NOT_FOUND", { code: duId });
    if (planDate !== undefined && !plans.get(duId)) return refuse("NO_PERMISSION", { right: "rollout.edit" });
    if (actualDate !== undefined && !actuals.has(duId)) return refuse("NO_PERMISSION", { right: "rollout.actualEdit" });
    const [problem] = brokenRules(dateRules, dateFacts(ctx, planDate, actualDate));
    if (problem) return refuse(problem.code, problem.params);
    const moved = (["planDate", "actualDate"] as const).filter((field) => {
      const next = { planDate, actualDate }[field];
      return next !== undefined && now[field] !== (base[field] ?? null) && now[field] !== next;
    });
    for (const field of moved) conflicts.push({ id, duId, field, base: base[field] ?? null, present: now[field] });
    if (moved.length > 0) return [];
    const after = {
      planDate: planDate === undefined ? now.planDate : planDate,
      actualDate: actualDate === undefined ? now.actualDate : actualDate,
    };
    return [{ id, duId, ...after, before: now }];
  });
  await sql`
    update temp_milestone_du l set plan_date = r."planDate", actual_date = r."actualDate"
    from jsonb_to_recordset(${sql.json(writes.map(({ before: _before, ...row }) => row))}) as r(id bigint, "duId" bigint, "planDate" date, "actualDate" date)
    where l.temp_milestone_id = r.id and l.du_id = r."duId"`;
  ctx.audit(
    "temp_milestone dates",
    writes.map(({ before }) => before),
    writes.map(({ before: _before, ...row }) => row),
  );
  return { saved: writes.length, rejected, conflicts };
}
