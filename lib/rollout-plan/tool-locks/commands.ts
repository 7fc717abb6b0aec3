import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { errorText } from "#lib/core/texts.ts";
import type { ErrorCode } from "#lib/errors.ts";
import { applyStatePatches, writePlanRows } from "#lib/rollout-plan/plan-rows/commands.ts";
import { getCell, rowIndex, stateValue } from "#lib/rollout-plan/plan-rows/logic.ts";
import { listLibraryActivities, readPlanRows } from "#lib/rollout-plan/plan-rows/queries.ts";
import { findLockableDus } from "./queries.ts";
import type { SetToolLocks, ToolLock } from "./schema.ts";

export type RejectedToolLock = Pick<ToolLock, "duCode" | "activityCode"> & { code: ErrorCode; msg: string };
/** Items that changed something, those that were so already, and those refused. */
export type ToolLockAnswer = { done: number; unchanged: number; rejected: RejectedToolLock[]; batchId: number | null };

/**
 * Says for activities whether another system maintains their actual dates, and the sign or verify date of their site. An item whose DU or activity is not found
 * is left with its code; of several about one activity the last holds.
 */
export async function setToolLocks(ctx: Ctx, { items }: SetToolLocks): Promise<ToolLockAnswer> {
  const [dus, library] = await Promise.all([
    findLockableDus(
      ctx,
      items.map(({ duCode }) => duCode),
    ),
    listLibraryActivities(ctx),
  ]);
  const slots = new Map(library.map(({ code, slot }) => [code, slot]));
  const block = await readPlanRows(ctx, [...dus.values()], { lock: true });
  const rows = rowIndex(block);
  const stateAt = (duId: number, slot: number) => getCell(block, rows.get(duId) as number, slot, "state");
  const find = ({ duCode, activityCode }: ToolLock): { duId: number; slot: number } | "DU_NOT_FOUND" | "NO_ACTIVITY" => {
    const duId = dus.get(duCode);
    if (duId === undefined || !rows.has(duId)) return "DU_NOT_FOUND";
    const slot = slots.get(activityCode);
    return slot === undefined || stateValue(stateAt(duId, slot), "inFlow") === 0 ? "NO_ACTIVITY" : { duId, slot };
  };
  const rejected: RejectedToolLock[] = [];
  let done = 0;
  for (const item of items) {
    const { duCode, activityCode, locked, signVerify } = item;
    const place = find(item);
    if (typeof place === "string") {
      rejected.push({ duCode, activityCode, code: place, msg: errorText(ctx.locale, place, { code: duCode }) });
      continue;
    }
    const before = stateAt(place.duId, place.slot);
    const set = {
      ...(locked !== undefined && { toolLocked: Number(locked) }),
      ...(signVerify !== undefined && { signVerify: Number(signVerify) }),
    };
    applyStatePatches(block, [{ ...place, set }], "tool-lock");
    if (stateAt(place.duId, place.slot) !== before) done++;
  }
  const { batchId } = await writePlanRows(ctx, block, { source: "api", origin: { kind: "toolLock" } });
  const answer = { done, unchanged: items.length - done - rejected.length, rejected, batchId };
  ctx.audit("plan tool lock", null, { items, done, rejected: rejected.length, batchId });
  return answer;
}
