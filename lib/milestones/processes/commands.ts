import "server-only";
import { dayNumber, isoDay } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Params } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { brokenRules, type Rule } from "#lib/core/rule.ts";
import { errorText } from "#lib/core/texts.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import type { ErrorCode } from "#lib/errors.ts";
import { calendarOf, readCalendars } from "#lib/scheduling/calendar/queries.ts";
import { makeTemporaryOrders, type NewTemporaryOrder } from "#lib/work-orders/temporary/commands.ts";
import type { ProcessStatus } from "./limits.ts";
import { stepDays, takenNames } from "./logic.ts";
import { lockOrderDus, lockProcesses, readOrderNames, type TempProcess } from "./queries.ts";
import { deleteRules, disableRules, type ProcessFacts, releaseRules } from "./rules.ts";
import type { CreateOrders, ProcessIds, SaveProcess } from "./schema.ts";

/** Something a step was refused for. */
export type RejectedProcess = { id: number; duId: number | null; code: ErrorCode; msg: string };
export type ProcessAnswer = { ids: number[]; rejected: RejectedProcess[] };

const reject = (ctx: Ctx, id: number, duId: number | null, code: ErrorCode, params: Params = {}): RejectedProcess => ({
  id,
  duId,
  code,
  msg: errorText(ctx.locale, code, params),
});

/**
 * Stores a new temporary process as draft, or changes one that is not released.
 * @throws NOT_FOUND, NOTHING_MODIFIED, STALE, WRONG_STATUS, and WORK_ORDER_NAME_EXISTS at each step whose name is used [MDV-17]
 */
export async function saveProcess(ctx: Ctx, input: SaveProcess): Promise<{ id: number; rowVersion: number }> {
  const { sql, project } = ctx;
  // Process and flow before the project, as whoever makes orders or edits flows locks them.
  const [before] = input.id === undefined ? [] : await lockProcesses(ctx, [input.id]);
  if (input.id !== undefined && !before) throw new AppError("NOT_FOUND", { object: input.id });
  if (before && before.rowVersion !== input.rowVersion) throw new AppError("STALE", {}, [], before);
  if (before?.status === "released") throw new AppError("WRONG_STATUS", { status: before.status });
  const flowId = input.flowId ?? null;
  if (flowId !== null) {
    const [flow] = await sql`
      select 1 from activity_flow where id = ${flowId} and project_id = ${project.id} and draft_of is null and version > 0 for share`;
    if (!flow) throw new AppError("NOT_FOUND", { object: flowId }, [{ path: "flowId", code: "NOT_FOUND", params: { object: flowId } }]);
  }
  // One after the other: names are judged over all processes.
  await holdProject(ctx);
  const taken = takenNames(input.steps, await readOrderNames(ctx, before?.id ?? null));
  if (taken.length > 0) {
    const problems = taken.map((index) => ({
      path: `steps.${index}.workOrderName`,
      code: "WORK_ORDER_NAME_EXISTS" as const,
      params: { name: input.steps[index]!.workOrderName },
    }));
    throw new AppError("WORK_ORDER_NAME_EXISTS", problems[0]!.params, problems);
  }
  refuseUnchanged(before, { name: input.name, flowId, steps: input.steps });
  const steps = sql.json(input.steps);
  const [written] = before
    ? await sql<{ id: number }[]>`
        update temp_process set name = ${input.name}, flow_id = ${flowId}, steps = ${steps}, row_version = row_version + 1 where id = ${before.id} returning id`
    : await sql<{ id: number }[]>`
        insert into temp_process (project_id, name, flow_id, steps, status) values (${project.id}, ${input.name}, ${flowId}, ${steps}, 'draft') returning id`;
  ctx.audit(`temp_process ${written!.id}`, before ?? null, { name: input.name, flowId, steps: input.steps });
  return { id: written!.id, rowVersion: (before?.rowVersion ?? 0) + 1 };
}

/** Sorts what a call names by rules; what is not there is rejected. */
async function judge(
  ctx: Ctx,
  ids: readonly number[],
  rules: readonly Rule<ProcessFacts>[],
): Promise<{ taken: TempProcess[]; rejected: RejectedProcess[] }> {
  const found = new Map((await lockProcesses(ctx, ids)).map((row) => [row.id, row]));
  const rejected: RejectedProcess[] = [];
  const taken = ids.flatMap((id) => {
    const row = found.get(id);
    const [problem] = row ? brokenRules(rules, row) : [{ code: "NOT_FOUND" as const, params: { object: id } }];
    if (problem) rejected.push(reject(ctx, id, null, problem.code, problem.params));
    return row && !problem ? [row] : [];
  });
  return { taken, rejected };
}

async function moveProcesses(
  ctx: Ctx,
  ids: readonly number[],
  to: ProcessStatus,
  rules: readonly Rule<ProcessFacts>[],
): Promise<ProcessAnswer> {
  const { taken, rejected } = await judge(ctx, ids, rules);
  const done = taken.map(({ id }) => id);
  await ctx.sql`update temp_process set status = ${to}, row_version = row_version + 1 where id = any(${done}::bigint[])`;
  ctx.audit(
    "temp_processes",
    taken.map(({ id, status }) => ({ id, status })),
    { status: to, ids: done, rejected: rejected.length },
  );
  return { ids: done, rejected };
}

/** Releases processes, for the first time or again: work orders can be made from them. */
export function releaseProcesses(ctx: Ctx, { ids }: ProcessIds): Promise<ProcessAnswer> {
  return moveProcesses(ctx, ids, "released", releaseRules);
}

/** Takes processes out of use whose work orders are all completed or cancelled. */
export function disableProcesses(ctx: Ctx, { ids }: ProcessIds): Promise<ProcessAnswer> {
  return moveProcesses(ctx, ids, "disabled", disableRules);
}

/** Deletes drafts and disabled processes that no work order names. */
export async function deleteProcesses(ctx: Ctx, { ids }: ProcessIds): Promise<ProcessAnswer> {
  const { taken, rejected } = await judge(ctx, ids, deleteRules);
  const done = taken.map(({ id }) => id);
  await ctx.sql`delete from temp_process where id = any(${done}::bigint[])`;
  ctx.audit("temp_processes", taken, { rejected: rejected.length }, "deleted");
  return { ids: done, rejected };
}

export type CreatedOrders = { ids: number[]; rejected: RejectedProcess[] };

/**
 * Makes the scheduled work orders of a released process in DUs: one per DU and step, each step behind the one before by the calendar of the DU.
 * A DU with an open order of one of the names gets none.
 * @throws NOT_FOUND, WRONG_STATUS
 */
export async function createOrders(ctx: Ctx, { id, duIds, start }: CreateOrders): Promise<CreatedOrders> {
  const [process] = await lockProcesses(ctx, [id]);
  if (!process) throw new AppError("NOT_FOUND", { object: id });
  if (process.status !== "released") throw new AppError("WRONG_STATUS", { status: process.status });
  const [dus, calendars] = [await lockOrderDus(ctx, duIds), await readCalendars(ctx)];
  const rejected: RejectedProcess[] = [];
  const rows = duIds.flatMap((duId): NewTemporaryOrder[] => {
    const refuse = (code: ErrorCode, params: Params = {}) => {
      rejected.push(reject(ctx, id, duId, code, params));
      return [];
    };
    const du = dus.get(duId);
    if (!du) return refuse("DU_NOT_FOUND", { code: duId });
    if (process.flowId !== null && du.flowId !== process.flowId) return refuse("OTHER_FLOW", { code: du.code, flow: process.flow ?? "" });
    const taken = process.steps.find(({ workOrderName }) => du.open.includes(workOrderName.toLowerCase()));
    if (taken) return refuse("WORK_ORDER_NAME_EXISTS", { name: taken.workOrderName });
    const days = stepDays(calendarOf(calendars, du.regionId).days, dayNumber(start), process.steps);
    if (!days) return refuse("INVALID_CALENDAR");
    return process.steps.map(({ workOrderName }, index) => ({
      duId,
      processId: id,
      name: workOrderName,
      start: isoDay(days[index]!.start)!,
      end: isoDay(days[index]!.end)!,
    }));
  });
  const ids = await makeTemporaryOrders(ctx, rows);
  ctx.audit(`temp_process ${id}`, null, { orders: ids.length, dus: duIds.length - rejected.length, start, rejected: rejected.length });
  return { ids, rejected };
}
