import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import { brokenRules, checkRules } from "#lib/core/rule.ts";
import { resolveOwnerSets } from "#lib/rollout-plan/owner-sets/commands.ts";
import { writePlanRows } from "#lib/rollout-plan/plan-rows/commands.ts";
import { workOrderStatus } from "#lib/rollout-plan/plan-rows/logic.ts";
import { writeOrders } from "#lib/work-orders/orders/commands.ts";
import { orderKey, readOrders } from "#lib/work-orders/orders/queries.ts";
import { everyEditor } from "../assignment/logic.ts";
import { writeDuOwners } from "../du-owners/commands.ts";
import { ownersKey } from "../du-owners/queries.ts";
import { type RuleField, ruleFields } from "../owner-rules/limits.ts";
import { getOwnerIds } from "../people/queries.ts";
import { writeRegionOwners } from "../region-owners/commands.ts";
import { findRegionOwners } from "../region-owners/queries.ts";
import { listedOrdersMax, type ReplaceField } from "./limits.ts";
import { replacePerson } from "./logic.ts";
import {
  type DispatchedOrder,
  findNamedActivities,
  findOwnedDus,
  findOwnedRegions,
  findReminders,
  listDispatched,
  type NamedActivities,
  type Reminders,
} from "./queries.ts";
import { SAME_OWNER, TOO_MANY } from "./rules.ts";
import type { ReplaceOwner } from "./schema.ts";

export type Replacement = Reminders & {
  /** Places where the person is replaced: owner cells of activities, DUs, regions. */
  count: number;
  fields: Partial<Record<ReplaceField, number>>;
  /** Cells of dispatched activities; part of the count only when these are to change too. */
  dispatched: number;
  orders: DispatchedOrder[];
};

/**
 * Replaces an owner by others at his place in the lists of unfinished activities, of DUs and of regions, or counts where that would be.
 * @throws OLD_OWNER_REQUIRED, SAME_OWNER, OWNER_NOT_RESOURCE, ACCOUNT_MISSING, TOO_MANY when a list would hold too many people
 */
export async function replaceOwner(ctx: Ctx, input: ReplaceOwner): Promise<Replacement> {
  const { sql } = ctx;
  checkRules([SAME_OWNER], input, "newOwners");
  const [old] = await sql<
    { id: number; account: string }[]
  >`select id, account from app_user where lower(account) = ${input.oldOwner.toLowerCase()}`;
  if (!old) throw refusal({ path: "oldOwner", code: "ACCOUNT_MISSING", params: { account: input.oldOwner } });
  const newIds = await getOwnerIds(ctx, input.newOwners, "newOwners");
  const { scope, fields } = input;
  // Every write locks the DUs before their plan rows and the regions.
  const owned = fields.includes("DU_OWNER")
    ? await findOwnedDus(ctx, scope, old.id)
    : { codes: new Map<number, string>(), held: new Map() };
  const activities = await findNamedActivities(ctx, { scope, fields, oldId: old.id, newIds });
  const regionIds = fields.includes("REGION_OWNER") ? await findOwnedRegions(ctx, scope, old.id) : [];
  const regions = await findRegionOwners(ctx, regionIds, { lock: true });
  const changed = activities.cells.filter(({ dispatched }) => input.includeDispatched || !dispatched);
  const lists = [
    ...changed.map(({ set }) => activities.lists.get(set)!),
    ...[...owned.held.values(), ...[...regions.values()].map(({ userIds }) => userIds)].map((list) => replacePerson(list, old.id, newIds)),
  ];
  const [tooMany] = brokenRules([TOO_MANY], { longest: Math.max(0, ...lists.map((list) => list.length)) }, "newOwners");
  if (tooMany) throw refusal(tooMany);
  const sent = activities.cells.filter(({ dispatched }) => dispatched);
  const counts: Partial<Record<ReplaceField, number>> = {};
  for (const { field } of changed) counts[field] = (counts[field] ?? 0) + 1;
  if (owned.codes.size > 0) counts.DU_OWNER = owned.codes.size;
  if (regions.size > 0) counts.REGION_OWNER = regions.size;
  const result: Replacement = {
    count: Object.values(counts).reduce((all, count) => all + count, 0),
    fields: counts,
    dispatched: sent.length,
    orders: await listDispatched(
      ctx,
      sent.slice(0, listedOrdersMax * 3).map(({ row, slot }) => ({ duId: activities.block.duIds[row]!, slot })),
    ),
    ...(await findReminders(ctx, old)),
  };
  ctx.audit(`owner ${old.account}`, null, { ...input, count: result.count }, input.dryRun ? undefined : "config_changed");
  if (input.dryRun) return result;
  await writeActivities(ctx, activities, changed, { oldId: old.id, newIds, reassign: input.includeDispatched });
  if (owned.codes.size > 0)
    await writeDuOwners(
      ctx,
      [...owned.codes.keys()].map((duId) => ({
        duId,
        kind: "DU_OWNER" as const,
        userIds: replacePerson(owned.held.get(ownersKey(duId, "DU_OWNER"))!, old.id, newIds),
      })),
      owned.held,
      owned.codes,
    );
  if (regions.size > 0)
    await writeRegionOwners(
      ctx,
      [...regions].map(([regionId, { userIds }]) => ({ regionId, userIds: replacePerson(userIds, old.id, newIds) })),
      regions,
    );
  return result;
}

const refusal = (problem: Problem) => new AppError(problem.code, problem.params, [problem]);

async function writeActivities(
  ctx: Ctx,
  { block, lists }: NamedActivities,
  cells: readonly { row: number; slot: number; field: RuleField; set: number; dispatched: boolean }[],
  { oldId, newIds, reassign }: { oldId: number; newIds: readonly number[]; reassign: boolean },
): Promise<void> {
  if (cells.length === 0) return;
  const sets = await resolveOwnerSets(
    ctx,
    [...new Set(cells.map(({ set }) => set))].map((set) => lists.get(set)!),
  );
  for (const { row, slot, field, set } of cells) block[ruleFields[field]][row * block.width + slot] = sets.get(lists.get(set)!.join(","))!;
  const { batchId } = await writePlanRows(ctx, block, {
    source: "owner_rule",
    origin: { kind: "ownerReplacement", oldOwner: oldId, newOwners: newIds },
    // Who replaces owners needs no right on the plans of the DUs: the right was asked by the call.
    standing: { editors: everyEditor(block.duIds), changeControl: false, dependencies: [], warnings: [] },
  });
  if (!reassign) return;
  const orders = await readOrders(
    ctx,
    cells.flatMap(({ row, dispatched }) => (dispatched ? [block.duIds[row]!] : [])),
  );
  const his = new Map(
    cells.flatMap(({ row, slot, dispatched }) => {
      const duId = block.duIds[row]!;
      const order = orders.get(orderKey(duId, slot));
      return dispatched && order?.assigneeId === oldId
        ? [[orderKey(duId, slot), { duId, slot, at: row * block.width + slot }] as const]
        : [];
    }),
  );
  await writeOrders(
    ctx,
    [...his.values()].map(({ duId, slot, at }) => {
      const status = workOrderStatus(block.state[at]!);
      return { duId, slot, event: "reassign", from: status, to: status, assigneeId: newIds[0]! };
    }),
    { batchId },
  );
}
