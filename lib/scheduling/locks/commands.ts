import "server-only";
import type { z } from "zod";
import type { Ctx } from "#lib/core/ctx.ts";
import { brokenRules, type Rule } from "#lib/core/rule.ts";
import { errorText } from "#lib/core/texts.ts";
import type { ErrorCode } from "#lib/errors.ts";
import type { PermissionCode } from "#lib/permissions.ts";
import { applyStatePatches, type StatePatch, writePlanRows } from "#lib/rollout-plan/plan-rows/commands.ts";
import { stateValue } from "#lib/rollout-plan/plan-rows/logic.ts";
import { listLibraryActivities, readPlanRows } from "#lib/rollout-plan/plan-rows/queries.ts";
import { fixRules, freezeRules, type LockFacts, unlockRules } from "./rules.ts";
import type { FreezeActivities, LockActivities } from "./schema.ts";

export type LockItem = { duId: number; activityId: number };
export type RejectedLock = LockItem & { code: ErrorCode; msg: string };
/** Activities changed, those that were so already, and those refused. */
export type LockAnswer = { done: number; unchanged: number; rejected: RejectedLock[]; batchId: number | null };

type Lock = {
  bit: "fixed" | "frozen";
  value: 0 | 1;
  /** Right that decides which DUs are reached. */
  reach: PermissionCode;
  rules: readonly Rule<LockFacts>[];
  reason: string | null;
};

const everyOne = ({ duIds, activityIds }: z.output<typeof LockActivities>): LockItem[] =>
  duIds.flatMap((duId) => activityIds.map((activityId) => ({ duId, activityId })));

/** Keeps scheduling from moving the activities; hand edits stay possible. */
export async function fixActivities(ctx: Ctx, input: z.output<typeof LockActivities>): Promise<LockAnswer> {
  return (await setLock(ctx, everyOne(input), { bit: "fixed", value: 1, reach: "plan.fixDate", rules: fixRules, reason: null })).answer;
}

/** Lets scheduling move the activities again. */
export async function unfixActivities(ctx: Ctx, input: z.output<typeof LockActivities>): Promise<LockAnswer> {
  return (await setLock(ctx, everyOne(input), { bit: "fixed", value: 0, reach: "plan.fixDate", rules: unlockRules, reason: null })).answer;
}

/** Protects the plan dates of the activities from every change. */
export async function freezeActivities(ctx: Ctx, { items, reason }: z.output<typeof FreezeActivities>): Promise<LockAnswer> {
  const { answer, changed } = await setLock(ctx, items, { bit: "frozen", value: 1, reach: "plan.freeze", rules: freezeRules, reason });
  await ctx.sql`
    insert into plan_freeze (project_id, du_id, slot, reason, frozen_at, frozen_by)
    select ${ctx.project.id}, "duId", slot, ${reason}, ${ctx.now}, ${ctx.user.id} from ${changedRows(ctx, changed)}
    on conflict (du_id, slot) where unfrozen_at is null do update set reason = excluded.reason, frozen_at = excluded.frozen_at, frozen_by = excluded.frozen_by`;
  return answer;
}

/** Ends the freeze of the activities. Reach is what the caller sees: the right itself, PD's own or delegated, covers the whole project. */
export async function unfreezeActivities(ctx: Ctx, { items, reason }: z.output<typeof FreezeActivities>): Promise<LockAnswer> {
  const { answer, changed } = await setLock(ctx, items, { bit: "frozen", value: 0, reach: "rollout.view", rules: unlockRules, reason });
  await ctx.sql`
    update plan_freeze f set unfrozen_at = ${ctx.now}, unfrozen_by = ${ctx.user.id}, unfreeze_reason = ${reason}
    from ${changedRows(ctx, changed)} where f.du_id = c."duId" and f.slot = c.slot and f.unfrozen_at is null`;
  return answer;
}

const changedRows = ({ sql }: Ctx, changed: readonly StatePatch[]) =>
  sql`jsonb_to_recordset(${sql.json(changed.map(({ duId, slot }) => ({ duId, slot })))}) as c("duId" bigint, slot smallint)`;

async function setLock(ctx: Ctx, items: readonly LockItem[], lock: Lock): Promise<{ answer: LockAnswer; changed: StatePatch[] }> {
  const asked = [...new Set(items.map(({ duId }) => duId))];
  const reached = await ctx.sql<{ id: number }[]>`
    select du.id from du where ${ctx.scope.where(lock.reach)} and du.id = any(${asked}::bigint[])`;
  const block = await readPlanRows(
    ctx,
    reached.map(({ id }) => id),
    { lock: true },
  );
  const rows = new Map(block.duIds.map((id, row) => [id, row]));
  const slots = new Map((await listLibraryActivities(ctx)).map(({ id, slot }) => [id, slot]));
  const rejected: RejectedLock[] = [];
  const changed: StatePatch[] = [];
  let unchanged = 0;
  for (const { duId, activityId } of distinctItems(items)) {
    const row = rows.get(duId);
    const slot = slots.get(activityId);
    const at = row === undefined || slot === undefined ? -1 : row * block.width + slot;
    const facts = {
      state: block.state[at] ?? 0,
      planStart: block.planStart[at] ?? 0,
      planEnd: block.planEnd[at] ?? 0,
      actualEnd: block.actualEnd[at] ?? 0,
    };
    const code = row === undefined ? "DU_NOT_FOUND" : brokenRules(lock.rules, facts)[0]?.code;
    if (code) rejected.push({ duId, activityId, code, msg: errorText(ctx.locale, code, { code: duId }) });
    else if (stateValue(facts.state, lock.bit) === lock.value) unchanged++;
    else changed.push(lock.value ? { duId, slot: slot!, set: { [lock.bit]: 1 } } : { duId, slot: slot!, clear: [lock.bit] });
  }
  applyStatePatches(block, changed, "scheduling");
  const { batchId } = await writePlanRows(ctx, block, {
    source: "batch",
    reason: lock.reason,
    origin: { kind: lock.value ? lock.bit : `un${lock.bit}` },
  });
  const answer = { done: changed.length, unchanged, rejected, batchId };
  ctx.audit(
    `plan ${lock.bit}`,
    { [lock.bit]: 1 - lock.value },
    { [lock.bit]: lock.value, reason: lock.reason, done: changed.length, rejected: rejected.length, batchId },
  );
  return { answer, changed };
}

function distinctItems(items: readonly LockItem[]): LockItem[] {
  return [...new Map(items.map((item) => [`${item.duId} ${item.activityId}`, item])).values()];
}
