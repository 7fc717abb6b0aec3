import "server-only";
import type { z } from "zod";
import { dayNumber, firstDay, isoDay } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import { refuseStaleValues } from "#lib/core/stale.ts";
import { type WriteOptions, writePlanRows } from "#lib/rollout-plan/plan-rows/commands.ts";
import { cellNumber, dateRange, type PlanBlock, type RowDiff } from "#lib/rollout-plan/plan-rows/logic.ts";
import { listRefusals, readPlanRows } from "#lib/rollout-plan/plan-rows/queries.ts";
import { progressOf, rollUp } from "../sub-flows/logic.ts";
import { type DuStep, readStepPlace, readSteps } from "./queries.ts";
import type { SaveSubSteps } from "./schema.ts";

export type SavedSteps = {
  actualStart: string | null;
  actualEnd: string | null;
  progress: number;
  /** null when the dates of the activity stayed as they were. */
  batchId: number | null;
};

/**
 * Ticks steps of an activity off, or opens them again, and brings the actual dates of the activity to them. Whoever may not write these dates
 * may not change a step either: the cell rules are asked in any case.
 * @throws STALE at each step that others have ticked off or opened since it was read, NOTHING_MODIFIED, and the refusals of the steps and of their activity
 */
export async function saveSubSteps(ctx: Ctx, input: z.output<typeof SaveSubSteps>): Promise<SavedSteps> {
  const { sql, project } = ctx;
  const { duId, steps: changes } = input;
  const reach = ctx.scope.where("rollout.view");
  const block = await readPlanRows(ctx, [duId], { lock: true, within: reach });
  const place = await readStepPlace(ctx, reach, input);
  const before = await readSteps(ctx, duId, place);
  checkSteps(ctx, before, changes);
  const days = new Map(before.map(({ id, doneOn }) => [id, doneOn]));
  refuseStaleValues(
    changes.map(({ stepId, doneOn, base }, at) => ({ path: `steps.${at}.doneOn`, present: days.get(stepId), base, wanted: doneOn })),
    { steps: before },
  );
  const wanted = new Map(changes.map(({ stepId, doneOn }) => [stepId, doneOn]));
  const after = before.map((step) => ({ ...step, doneOn: wanted.has(step.id) ? (wanted.get(step.id) ?? null) : step.doneOn }));
  const moved = after.filter((step, at) => step.doneOn !== before[at]!.doneOn);
  if (moved.length === 0) throw new AppError("NOTHING_MODIFIED");

  // The first day of the calendar stands for none in a plan, so it cannot be the day of a step either.
  if (changes.some(({ doneOn }) => doneOn !== null && dayNumber(doneOn) < firstDay)) throw new AppError("DATE_OUT_OF_RANGE", dateRange);
  const dates = rollUp(after.map(({ doneOn }) => dayNumber(doneOn)));
  const options: WriteOptions = {
    source: "grid",
    event: "subSteps",
    reason: input.reason,
    origin: { kind: "subSteps", slot: place.slot },
    ask: { confirmed: input.confirmed },
  };
  await guardStep(ctx, block, place.slot, options);
  block.actualStart[place.slot] = dates.actualStart;
  block.actualEnd[place.slot] = dates.actualEnd;
  const written = await writePlanRows(ctx, block, options);
  const refusal = written.rejected[0];
  if (refusal) throw new AppError(refusal.code, refusal.params);

  await sql`
    delete from du_sub_step where du_id = ${duId} and slot = ${place.slot} and step_id = any(${moved.map(({ id }) => id)}::bigint[])`;
  const done = moved.filter(({ doneOn }) => doneOn !== null);
  await sql`
    insert into du_sub_step (project_id, du_id, slot, step_id, done_on, done_by)
    select ${project.id}, ${duId}, ${place.slot}, n.id, n."doneOn", ${ctx.user.id}
    from jsonb_to_recordset(${sql.json(done.map(({ id, doneOn }) => ({ id, doneOn })))}) as n(id bigint, "doneOn" date) order by n.id`;
  const list = (steps: readonly DuStep[]) => moved.map(({ id }) => ({ stepId: id, doneOn: steps.find((step) => step.id === id)!.doneOn }));
  ctx.audit(`du ${duId} steps ${place.slot}`, list(before), list(after));
  return {
    actualStart: isoDay(dates.actualStart),
    actualEnd: isoDay(dates.actualEnd),
    progress: progressOf(after.map(({ weight, doneOn }) => ({ weight, done: doneOn !== null }))),
    batchId: written.batchId,
  };
}

/** Opens all steps of activities again: their days go with the actual dates that came from them, which are the caller's to clear. */
export async function openSubSteps(ctx: Ctx, places: readonly { duId: number; slot: number }[]): Promise<void> {
  const { sql, project } = ctx;
  if (places.length === 0) return;
  const opened = await sql<{ duId: number; slot: number; stepId: number; doneOn: string }[]>`
    delete from du_sub_step s using jsonb_to_recordset(${sql.json([...places])}) as g("duId" bigint, slot smallint)
    where s.project_id = ${project.id} and s.du_id = g."duId" and s.slot = g.slot
    returning s.du_id as "duId", s.slot, s.step_id as "stepId", s.done_on as "doneOn"`;
  if (opened.length > 0) ctx.audit("du steps", opened, null);
}

function checkSteps(ctx: Ctx, steps: readonly DuStep[], changes: z.output<typeof SaveSubSteps>["steps"]): void {
  const known = new Set(steps.map(({ id }) => id));
  const { min, max } = dateRange;
  const problems = changes.flatMap(({ stepId, doneOn }, at): Problem[] => {
    const path = `steps.${at}.doneOn`;
    if (!known.has(stepId)) return [{ path: `steps.${at}.stepId`, code: "NOT_FOUND", params: { object: stepId } }];
    if (doneOn === null) return [];
    if (doneOn > ctx.today) return [{ path, code: "ACTUAL_AFTER_TODAY" }];
    return doneOn < min || doneOn > max ? [{ path, code: "DATE_OUT_OF_RANGE", params: dateRange }] : [];
  });
  const [problem] = problems;
  if (problem) throw new AppError(problem.code, problem.params, problems);
}

/** Asks the cell rules about the activity's actual dates as they stand: a step may change without moving them. */
async function guardStep(ctx: Ctx, block: PlanBlock, slot: number, options: WriteOptions): Promise<void> {
  const value = block.actualStart[slot] ?? 0;
  const diff: RowDiff = { row: 0, cells: [cellNumber(slot, "actualStart")], old: [value], new: [value] };
  const [refusal] = await listRefusals(ctx, block, new Map([[0, diff]]), options);
  if (refusal) throw new AppError(refusal.code, refusal.params);
}
