import "server-only";
import { dayNumber, firstDay, isIsoDay, lastDay } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { errorText } from "#lib/core/texts.ts";
import type { ErrorCode } from "#lib/errors.ts";
import { demandOneRfcNumber } from "#lib/rollout-plan/batches/queries.ts";
import type { Fault } from "#lib/rollout-plan/columns/logic.ts";
import { writeEdits } from "#lib/rollout-plan/edits/commands.ts";
import type { Edit } from "#lib/rollout-plan/edits/schema.ts";
import { applyStatePatches } from "#lib/rollout-plan/plan-rows/commands.ts";
import { type PlanBlock, rowIndex, stateValue } from "#lib/rollout-plan/plan-rows/logic.ts";
import { listLibraryActivities } from "#lib/rollout-plan/plan-rows/queries.ts";
import type { SavePlanChange } from "./schema.ts";

type Change = SavePlanChange["changes"][number];
export type RejectedChange = { duId: number; activityId: number; field: Change["field"]; code: ErrorCode; msg: string };
/** The number of the change in its project, dates written, and those refused. */
export type PlanChangeAnswer = { number: number; applied: number; rejected: RejectedChange[]; batchId: number | null };

/**
 * Changes plan dates that are frozen or stand under change control, with a reason, and keeps the change under a number of the project. An activity that was frozen
 * stays so and is fixed, so that scheduling takes its new dates as given. A date somebody changed meanwhile is refused as STALE; a DU is changed whole or not at all.
 * @throws RFC_DIFFERS for DUs of several RFC numbers [RPL-26], NOTHING_MODIFIED
 */
export async function savePlanChange(ctx: Ctx, { changes, reason, confirmed }: SavePlanChange): Promise<PlanChangeAnswer> {
  const edits = [...new Map(changes.map((change) => [`${change.duId} ${change.activityId} ${change.field}`, change])).values()];
  // Numbers of changes follow each other without a gap.
  await holdProject(ctx);
  const [number, slots, duIds] = [await nextNumber(ctx), await slotsOf(ctx), await reachedDus(ctx, edits)];
  await demandOneRfcNumber(ctx, duIds);
  const changed = new Set<Edit>();
  const outcome = await writeEdits(ctx, edits, duIds, {
    source: "plan_change",
    reason,
    origin: { planChange: number },
    ask: { confirmed },
    alongside: (block, open) => {
      for (const edit of open) changed.add(edit);
      fixFrozen(block, open, slots);
    },
  });
  const faults = new Map<Edit, Fault>([
    ...outcome.conflicts.map((edit) => [edit, { code: "STALE", params: {} }] as const),
    ...outcome.rejected.map(({ edit, fault }) => [edit, fault] as const),
  ]);
  if (changed.size === 0 && faults.size === 0) throw new AppError("NOTHING_MODIFIED");
  const applied = edits.filter((edit) => changed.has(edit) && outcome.written.has(edit.duId));
  const status = applied.length > 0 ? "applied" : "refused";
  const items = edits
    .filter((edit) => (changed.has(edit) || faults.has(edit)) && slots.has(edit.activityId) && duIds.includes(edit.duId))
    .map((edit) => ({
      du_id: edit.duId,
      slot: slots.get(edit.activityId),
      field: edit.field === "planStart" ? "plan_start" : "plan_end",
      old: dayOrNone(edit.base),
      new: dayOrNone(edit.value),
      code: faults.get(edit)?.code ?? null,
    }));
  const { sql, project } = ctx;
  await sql`
    with change as (
      insert into plan_change (project_id, number, reason, status, batch_id, created_by, created_at)
      values (${project.id}, ${number}, ${reason}, ${status}, ${outcome.batchId}, ${ctx.user.id}, ${ctx.now}) returning id)
    insert into plan_change_item (change_id, project_id, du_id, slot, field, old, new, code)
    select change.id, ${project.id}, i.du_id, i.slot, i.field, i.old, i.new, i.code
    from change, jsonb_to_recordset(${sql.json(items as never)})
      as i(du_id bigint, slot smallint, field text, old smallint, new smallint, code text)`;
  ctx.audit("plan change", null, { number, reason, applied: applied.length, rejected: faults.size, batchId: outcome.batchId });
  const rejected = [...faults].map(([{ duId, activityId, field }, { code, params }]) => ({
    duId,
    activityId: activityId!,
    field: field as Change["field"],
    code,
    msg: errorText(ctx.locale, code, params),
  }));
  return { number, applied: applied.length, rejected, batchId: outcome.batchId };
}

/** A frozen activity that gets other dates is fixed with them. */
function fixFrozen(block: PlanBlock, changed: ReadonlySet<Edit>, slots: ReadonlyMap<number, number>): void {
  const rows = rowIndex(block);
  const places = [...changed].map(({ duId, activityId }) => ({ duId, slot: slots.get(activityId!)! }));
  const frozen = places.filter(
    ({ duId, slot }) => stateValue(block.before!.state[rows.get(duId)! * block.width + slot] as number, "frozen") === 1,
  );
  applyStatePatches(
    block,
    frozen.map((place) => ({ ...place, set: { fixed: 1 } })),
    "scheduling",
  );
}

/** Day number of a value, 0 for none and for what is no day of a plan. */
function dayOrNone(value: Edit["value"]): number {
  const day = typeof value === "string" && isIsoDay(value) ? dayNumber(value) : 0;
  return day >= firstDay && day <= lastDay ? day : 0;
}

async function nextNumber({ sql, project }: Ctx): Promise<number> {
  const [row] = await sql<{ number: number }[]>`
    select coalesce(max(number), 0) + 1 as number from plan_change where project_id = ${project.id}`;
  return row!.number;
}

async function slotsOf(ctx: Ctx): Promise<Map<number, number>> {
  return new Map((await listLibraryActivities(ctx)).map(({ id, slot }) => [id, slot]));
}

/** DUs of the changes the caller sees; the right to change them is asked cell by cell. */
async function reachedDus({ sql, scope }: Ctx, edits: readonly Change[]): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select du.id from du where ${scope.where("rollout.view")} and du.id = any(${[...new Set(edits.map(({ duId }) => duId))]}::bigint[])`;
  return rows.map(({ id }) => id);
}
