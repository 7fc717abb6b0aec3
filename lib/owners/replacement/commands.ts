import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import type { JobCtx } from "#lib/core/job.ts";
import { brokenRules, checkRules } from "#lib/core/rule.ts";
import { countInTask, enqueueTask, type Outcome, readTaskCount } from "#lib/core/task.ts";
import { resolveOwnerSets } from "#lib/rollout-plan/owner-sets/commands.ts";
import { writePlanRows } from "#lib/rollout-plan/plan-rows/commands.ts";
import { workOrderStatus } from "#lib/rollout-plan/plan-rows/logic.ts";
import { writeOrders } from "#lib/work-orders/orders/commands.ts";
import { orderKey, readOrders } from "#lib/work-orders/orders/queries.ts";
import { everyEditor } from "../assignment/logic.ts";
import { writeDuOwners } from "../du-owners/commands.ts";
import { ownersKey } from "../du-owners/queries.ts";
import { type RuleField, ruleFields } from "../owner-rules/limits.ts";
import { getOwnerIds, ownerTexts } from "../people/queries.ts";
import { writeRegionOwners } from "../region-owners/commands.ts";
import { findRegionOwners } from "../region-owners/queries.ts";
import { directDusMax, listedOrdersMax, type ReplaceField, replaceChunkDus } from "./limits.ts";
import { replacePerson } from "./logic.ts";
import {
  type DispatchedOrder,
  findNamedActivities,
  findOwnedDus,
  findOwnedRegions,
  findReminders,
  listDispatched,
  listNamingDus,
  type NamedActivities,
  type Reminders,
} from "./queries.ts";
import { SAME_OWNER, TOO_MANY } from "./rules.ts";
import type { ReplaceOwner, ReplaceParams } from "./schema.ts";

export type Replacement = Reminders & {
  /** Places where the person is replaced: owner cells of activities, DUs, regions. */
  count: number;
  fields: Partial<Record<ReplaceField, number>>;
  /** Cells of dispatched activities; part of the count only when these are to change too. */
  dispatched: number;
  orders: DispatchedOrder[];
  /** The task that does it, where many DUs name him. */
  taskId?: string;
};

type People = { old: { id: number; account: string }; newIds: number[] };
type Wanted = Pick<ReplaceOwner, "scope" | "fields" | "includeDispatched">;

/**
 * Replaces an owner by others at his place in the lists of unfinished activities, of DUs and of regions, or counts where that would be. Where many DUs name him
 * this is a background task.
 * @throws OLD_OWNER_REQUIRED, SAME_OWNER, OWNER_NOT_RESOURCE, ACCOUNT_MISSING, TOO_MANY when a list would hold too many people
 */
export async function replaceOwner(ctx: Ctx, input: ReplaceOwner): Promise<Replacement> {
  checkRules([SAME_OWNER], input, "newOwners");
  const people = await findPeople(ctx, input);
  const duIds = await listNamingDus(ctx, { ...input, oldId: people.old.id });
  const isLong = !input.dryRun && duIds.length > directDusMax;
  const places = await findPlaces(ctx, input, people, { lock: !input.dryRun && !isLong });
  const sent = places.activities.cells.filter(({ dispatched }) => dispatched);
  const counts = countsOf(places);
  const result: Replacement = {
    count: Object.values(counts).reduce((all, count) => all + count, 0),
    fields: counts,
    dispatched: sent.length,
    orders: await listDispatched(
      ctx,
      sent.slice(0, listedOrdersMax * 3).map(({ row, slot }) => ({ duId: places.activities.block.duIds[row]!, slot })),
    ),
    ...(await findReminders(ctx, people.old)),
  };
  ctx.audit(`owner ${people.old.account}`, null, { ...input, count: result.count }, input.dryRun ? undefined : "config_changed");
  if (input.dryRun || result.count === 0) return result;
  if (!isLong) {
    await writePlaces(ctx, places, people, input);
    return result;
  }
  const { dryRun: _dryRun, ...params } = input;
  const title = ownerTexts(ctx.locale)("replace.task", { account: people.old.account });
  const total = duIds.length;
  return {
    ...result,
    taskId: await enqueueTask(ctx, { kind: "owners.replace", direction: "process", title, params: { ...params, duIds }, total }),
  };
}

/**
 * The task of a replacement: some DUs at a time, the regions at the end. What is done when it is stopped stays; the task keeps its count, so that a later attempt
 * goes on counting.
 */
export async function runReplacement(job: JobCtx, { duIds, ...input }: ReplaceParams): Promise<Outcome> {
  const people = await findPeople(job, input);
  const chunks = Math.ceil(duIds.length / replaceChunkDus);
  const replace = (wanted: Wanted, dus: number) =>
    job.chunk(async (ctx, tally) => {
      const places = await findPlaces(ctx, wanted, people, { lock: true });
      const counts = countsOf(places);
      await writePlaces(ctx, places, people, wanted);
      ctx.audit(`owner ${people.old.account}`, null, { fields: wanted.fields, counts }, "config_changed");
      tally.done += dus;
      const replaced = Object.values(counts).reduce((all, one) => all + one, 0);
      await countInTask(ctx, job.task.id, "count", replaced);
    });
  for (let chunk = Math.min(chunks, job.task.chunksDone); chunk < chunks; chunk++) {
    const part = duIds.slice(chunk * replaceChunkDus, (chunk + 1) * replaceChunkDus);
    const fields = input.fields.filter((field) => field !== "REGION_OWNER");
    await replace({ ...input, fields, scope: { ...input.scope, duIds: part } }, part.length);
    job.progress(chunk * replaceChunkDus + part.length, duIds.length);
  }
  if (input.fields.includes("REGION_OWNER") && job.task.chunksDone <= chunks) await replace({ ...input, fields: ["REGION_OWNER"] }, 0);
  const count = await readTaskCount(job, job.task.id, "count");
  return { total: duIds.length, result: { count }, message: { key: "owners.replace.finished", args: { count } } };
}

async function findPeople(ctx: Ctx, { oldOwner, newOwners }: Pick<ReplaceOwner, "oldOwner" | "newOwners">): Promise<People> {
  const [old] = await ctx.sql<People["old"][]>`select id, account from app_user where lower(account) = ${oldOwner.toLowerCase()}`;
  if (!old) throw refusal({ path: "oldOwner", code: "ACCOUNT_MISSING", params: { account: oldOwner } });
  return { old, newIds: await getOwnerIds(ctx, newOwners, "newOwners") };
}

/** Where the old owner stands: cells to be changed, DUs and regions. */
type Places = {
  activities: NamedActivities;
  changed: NamedActivities["cells"];
  owned: Awaited<ReturnType<typeof findOwnedDus>>;
  regions: Awaited<ReturnType<typeof findRegionOwners>>;
};

/** @throws TOO_MANY when a list would hold too many people */
async function findPlaces(
  ctx: Ctx,
  { scope, fields, includeDispatched }: Wanted,
  { old, newIds }: People,
  { lock }: { lock: boolean },
): Promise<Places> {
  // Every write locks the DUs before their plan rows and the regions.
  const owned = fields.includes("DU_OWNER")
    ? await findOwnedDus(ctx, scope, old.id, { lock })
    : { codes: new Map<number, string>(), held: new Map() };
  const activities = await findNamedActivities(ctx, { scope, fields, oldId: old.id, newIds, lock });
  const regionIds = fields.includes("REGION_OWNER") ? await findOwnedRegions(ctx, scope, old.id) : [];
  const regions = await findRegionOwners(ctx, regionIds, { lock });
  const changed = activities.cells.filter(({ dispatched }) => includeDispatched || !dispatched);
  const lists = [
    ...changed.map(({ set }) => activities.lists.get(set)!),
    ...[...owned.held.values(), ...[...regions.values()].map(({ userIds }) => userIds)].map((list) => replacePerson(list, old.id, newIds)),
  ];
  const [tooMany] = brokenRules([TOO_MANY], { longest: Math.max(0, ...lists.map((list) => list.length)) }, "newOwners");
  if (tooMany) throw refusal(tooMany);
  return { activities, changed, owned, regions };
}

function countsOf({ changed, owned, regions }: Places): Replacement["fields"] {
  const counts: Replacement["fields"] = {};
  for (const { field } of changed) counts[field] = (counts[field] ?? 0) + 1;
  if (owned.codes.size > 0) counts.DU_OWNER = owned.codes.size;
  if (regions.size > 0) counts.REGION_OWNER = regions.size;
  return counts;
}

async function writePlaces(
  ctx: Ctx,
  { activities, changed, owned, regions }: Places,
  { old, newIds }: People,
  wanted: Wanted,
): Promise<void> {
  await writeActivities(ctx, activities, changed, { oldId: old.id, newIds, reassign: wanted.includeDispatched });
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
