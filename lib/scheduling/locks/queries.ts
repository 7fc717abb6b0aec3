import "server-only";
import type { z } from "zod";
import { listFlowColumns } from "#lib/activity-flows/queries.ts";
import { dayNumber, isoDay } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import type { PermissionCode } from "#lib/permissions.ts";
import { isApplicable, stateValue } from "#lib/rollout-plan/plan-rows/logic.ts";
import {
  type LibraryActivity,
  listLibraryActivities,
  listOwnSets,
  readPlanRows,
  readPlanSwitch,
  readSlotStates,
} from "#lib/rollout-plan/plan-rows/queries.ts";
import { listCalendarRegions } from "../calendar/queries.ts";
import { type LockKind, lockDusMax, lockKinds } from "./limits.ts";
import { findFreezable, findLocks, lockFields } from "./logic.ts";
import type { FindLockTargets, PreviewFreeze } from "./schema.ts";

export type FreezeRow = {
  id: number;
  duId: number;
  duCode: string;
  duName: string;
  region: string | null;
  flowName: string | null;
  activityId: number;
  activityName: string;
  planStart: string | null;
  planEnd: string | null;
  reason: string;
  frozenAt: Date;
  frozenBy: string;
  unfrozenAt: Date | null;
  unfrozenBy: string | null;
  unfreezeReason: string | null;
};

const freezeOrders: Record<string, string> = {
  code: "du.code collate natural_order",
  activity: "a.name collate natural_order",
  planStart: "p.plan_start[f.slot]",
  frozenAt: "f.frozen_at",
  unfrozenAt: "f.unfrozen_at",
};

/** Frozen activities and, with `open` false, those that were frozen once; newest first. */
export async function listFreezes(ctx: Ctx, input: ListInput): Promise<Page<FreezeRow>> {
  const { sql } = ctx;
  const where = input.filters.reduce((left, filter) => sql`${left} and ${condition(ctx, filter)}`, ctx.scope.where("plan.lockQuery"));
  const order = (input.sort ?? [])
    .map(({ field, dir }) => `${freezeOrders[field]} ${dir} nulls last`)
    .concat("f.frozen_at desc", "f.id desc");
  const rows = await sql<(FreezeRow & { total: number })[]>`
    select f.id, du.id as "duId", du.code as "duCode", du.name as "duName", g.name as region, w.name as "flowName", a.id as "activityId", a.name as "activityName",
      date '2000-01-01' + nullif(p.plan_start[f.slot], 0) as "planStart", date '2000-01-01' + nullif(p.plan_end[f.slot], 0) as "planEnd",
      f.reason, f.frozen_at as "frozenAt", u.name as "frozenBy", f.unfrozen_at as "unfrozenAt", v.name as "unfrozenBy", f.unfreeze_reason as "unfreezeReason",
      count(*) over ()::int as total
    from plan_freeze f
    join du on du.id = f.du_id
    join du_plan p on p.du_id = f.du_id
    join activity_library a on a.project_id = f.project_id and a.slot = f.slot
    join app_user u on u.id = f.frozen_by
    left join app_user v on v.id = f.unfrozen_by
    left join delivery_region g on g.id = du.region_id
    left join du_flow b on b.du_id = du.id and b.unbound_at is null
    left join activity_flow w on w.id = b.flow_id
    where ${where} and f.project_id = ${ctx.project.id}
    order by ${sql.unsafe(order.join(", "))} limit ${input.size} offset ${(input.page - 1) * input.size}`;
  return pageOf(rows, input);
}

function pageOf<Row extends { total: number }>(rows: readonly Row[], { page, size }: ListInput): Page<Omit<Row, "total">> {
  return { records: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0, page, size };
}

// Conditions on du, b (its open flow), a (the activity), p (its plan row) and f (the freeze).
function condition({ sql }: Ctx, { field, type, values }: Filter) {
  const ids = values.map(Number).filter(Number.isSafeInteger);
  const texts = values.map(String);
  switch (field) {
    case "search":
      return type === "in"
        ? sql`du.code = any(${texts}::text[])`
        : sql`(position(lower(${texts[0] ?? ""}) in lower(du.code)) > 0 or position(lower(${texts[0] ?? ""}) in lower(du.name)) > 0)`;
    case "flowId":
      return sql`b.flow_id = any(${ids}::bigint[])`;
    case "activityId":
      return sql`a.id = any(${ids}::bigint[])`;
    case "regionId":
      return type === "empty" ? sql`du.region_id is null` : sql`du.region_id = any(${ids}::bigint[])`;
    case "ownerId":
      return sql`p.plan_owner[a.slot] in (select o.id from owner_set o where o.project_id = du.project_id and ${ids[0] ?? 0} = any(o.user_ids))`;
    default:
      return values[0] === false ? sql`f.unfrozen_at is not null` : sql`f.unfrozen_at is null`;
  }
}

export type LockRow = {
  duId: number;
  duCode: string;
  duName: string;
  flowName: string | null;
  activityId: number;
  activityName: string;
  kind: LockKind;
  /** What it keeps from being changed. */
  field: (typeof lockFields)[LockKind];
  since: Date | null;
  by: string | null;
};

type ListedDu = { id: number; code: string; name: string; flowName: string | null; owned: boolean };

/** DUs of a right that fit the conditions on the DU, in the order of their codes. */
async function listDusFor(ctx: Ctx, right: PermissionCode, filters: readonly Filter[], descending = false): Promise<ListedDu[]> {
  const { sql } = ctx;
  const where = filters
    .filter(({ field }) => field === "search" || field === "flowId" || field === "regionId")
    .reduce((left, filter) => sql`${left} and ${condition(ctx, filter)}`, ctx.scope.where(right));
  return [
    ...(await sql<ListedDu[]>`
      select du.id, du.code, du.name, w.name as "flowName", exists (select 1 from du_owner o where o.du_id = du.id and o.owner_kind = 'DU_OWNER')
        or exists (select 1 from region_owner o where o.region_id = du.region_id) as owned
      from du
      left join du_flow b on b.du_id = du.id and b.unbound_at is null
      left join activity_flow w on w.id = b.flow_id
      where ${where} order by du.code collate natural_order ${sql.unsafe(descending ? "desc" : "asc")}, du.id`),
  ];
}

/** Slots of the activities a list is narrowed to; null for all. */
function slotsOf(library: readonly LibraryActivity[], filters: readonly Filter[]): number[] | null {
  const given = filters.find(({ field }) => field === "activityId");
  if (!given) return null;
  return library.filter(({ id }) => given.values.includes(id)).map(({ slot }) => slot);
}

/**
 * Which plan data of the project is locked and by what, one row per activity and lock. Without a DU search, a flow with activity, or a lock kind
 * the answer is empty: the list would be as long as the plan. The bits are read as vectors; details are read for the page alone.
 */
export async function listLocks(ctx: Ctx, input: ListInput): Promise<Page<LockRow>> {
  const { page, size, filters } = input;
  const given = new Set(filters.map(({ field }) => field));
  if (!given.has("search") && !given.has("kind") && !(given.has("flowId") && given.has("activityId")))
    return { records: [], total: 0, page, size };
  const asked = filters.filter(({ field }) => field === "kind").flatMap(({ values }) => values.map(String));
  const [first] = input.sort ?? [];
  const [dus, library, changeControl, dataControl] = await Promise.all([
    listDusFor(ctx, "plan.lockQuery", filters, first?.field === "code" && first.dir === "desc"),
    listLibraryActivities(ctx),
    readPlanSwitch(ctx, "planChangeControl"),
    readPlanSwitch(ctx, "dataControl"),
  ]);
  const block = await readPlanRows(
    ctx,
    dus.map(({ id }) => id),
    { fields: ["state"] },
  );
  const byId = new Map(dus.map((du) => [du.id, du]));
  const duOf = (row: number) => byId.get(block.duIds[row]!)!;
  const found = findLocks(block, {
    kinds: lockKinds.filter((kind) => asked.length === 0 || asked.includes(kind)),
    slots: slotsOf(library, filters),
    changeControl,
    ownerOnly: Uint8Array.from(block.duIds, (_, row) => (dataControl && duOf(row).owned ? 1 : 0)),
  });
  const activities = new Map(library.map((activity) => [activity.slot, activity]));
  if (first?.field === "activity") {
    const names = [...library].sort((a, b) => a.name.localeCompare(b.name, "zh")).map(({ slot }) => slot);
    const ranks = new Map(names.map((slot, rank) => [slot, first.dir === "desc" ? -rank : rank]));
    found.sort((a, b) => ranks.get(a.slot)! - ranks.get(b.slot)! || a.row - b.row);
  }
  const shown = found.slice((page - 1) * size, page * size).filter(({ slot }) => activities.has(slot));
  const details = await readLockDetails(
    ctx,
    shown.map(({ row, slot, kind }) => ({ duId: block.duIds[row]!, slot, kind })),
  );
  const records = shown.map(({ row, slot, kind }): LockRow => {
    const du = duOf(row);
    const activity = activities.get(slot)!;
    const detail = details.get(`${du.id} ${slot} ${kind}`);
    return {
      duId: du.id,
      duCode: du.code,
      duName: du.name,
      flowName: du.flowName,
      activityId: activity.id,
      activityName: activity.name,
      kind,
      field: lockFields[kind],
      since: detail?.since ?? null,
      by: detail?.by ?? null,
    };
  });
  return { records, total: found.length, page, size };
}

/** Since when and by whom activities are frozen or closed; other locks keep no record of it. */
async function readLockDetails({ sql }: Ctx, locks: readonly { duId: number; slot: number; kind: LockKind }[]) {
  const wanted = locks.filter(({ kind }) => kind === "FROZEN" || kind === "CLOSED");
  if (wanted.length === 0) return new Map<string, { since: Date | null; by: string | null }>();
  const rows = await sql<{ duId: number; slot: number; kind: LockKind; since: Date | null; by: string | null }[]>`
    select l."duId", l.slot, l.kind, coalesce(f.frozen_at, n.closed_at) as since, u.name as by
    from jsonb_to_recordset(${sql.json(wanted)}) as l("duId" bigint, slot smallint, kind text)
    left join plan_freeze f on l.kind = 'FROZEN' and f.du_id = l."duId" and f.slot = l.slot and f.unfrozen_at is null
    left join du_activity_note n on l.kind = 'CLOSED' and n.du_id = l."duId" and n.slot = l.slot
    left join app_user u on u.id = coalesce(f.frozen_by, n.closed_by)`;
  return new Map(rows.map((row) => [`${row.duId} ${row.slot} ${row.kind}`, row]));
}

export type FreezeCandidate = {
  duId: number;
  duCode: string;
  activityId: number;
  activityName: string;
  planStart: string;
  planEnd: string;
};
/** What a freeze by condition would take, in all; the items are those of the first DUs, as many as one call may freeze. */
export type FreezePreview = { dus: number; activities: number; items: FreezeCandidate[] };

/** Activities that could be frozen and whose plan start lies from today to `withinDays` ahead. */
export async function previewFreeze(ctx: Ctx, input: z.output<typeof PreviewFreeze>): Promise<FreezePreview> {
  const { filters } = input;
  const today = dayNumber(ctx.today);
  const owner = filters.find(({ field }) => field === "ownerId");
  const [dus, library, ownerSets] = await Promise.all([
    listDusFor(ctx, "plan.freeze", filters),
    listLibraryActivities(ctx),
    owner ? listOwnSets(ctx, owner.values[0]!) : null,
  ]);
  const block = await readPlanRows(
    ctx,
    dus.map(({ id }) => id),
    { fields: ["planStart", "planEnd", "actualEnd", "planOwner"] },
  );
  const found = findFreezable(block, { from: today, to: today + input.withinDays, slots: slotsOf(library, filters), ownerSets });
  const rows = [...new Set(found.map(({ row }) => row))];
  const taken = new Set(rows.slice(0, lockDusMax));
  const codes = new Map(dus.map(({ id, code }) => [id, code]));
  const activities = new Map(library.map((activity) => [activity.slot, activity]));
  const items = found
    .filter(({ row }) => taken.has(row))
    .map(({ row, slot }): FreezeCandidate => {
      const duId = block.duIds[row]!;
      const at = row * block.width + slot;
      const activity = activities.get(slot)!;
      return {
        duId,
        duCode: codes.get(duId)!,
        activityId: activity.id,
        activityName: activity.name,
        planStart: isoDay(block.planStart[at]!)!,
        planEnd: isoDay(block.planEnd[at]!)!,
      };
    });
  return { dus: rows.length, activities: found.length, items };
}

/** An activity of the chosen DUs: in how many it applies, and in how many of those it is fixed and frozen. */
export type LockTarget = { activityId: number; name: string; dus: number; fixed: number; frozen: number };

/** Activities that apply in the chosen DUs, in the order of the library. */
export async function listLockTargets(ctx: Ctx, { duIds }: z.output<typeof FindLockTargets>): Promise<LockTarget[]> {
  const activities = await readSlotStates(ctx, "rollout.view", duIds);
  return activities
    .map(({ id, name, states: all }) => {
      const states = all.filter(isApplicable);
      const count = (bit: "fixed" | "frozen") => states.filter((state) => stateValue(state, bit) === 1).length;
      return { activityId: id, name, dus: states.length, fixed: count("fixed"), frozen: count("frozen") };
    })
    .filter(({ dus }) => dus > 0);
}

/** Flows with their activities and regions of the project: what the lists of freezes and locks are filtered by. */
export async function listLockChoices(ctx: Ctx): Promise<{
  flows: { flowId: number; name: string; activities: { activityId: number; name: string }[] }[];
  regions: { id: number; name: string }[];
}> {
  const [{ flows, activities }, regions] = await Promise.all([listFlowColumns(ctx), listCalendarRegions(ctx)]);
  const names = new Map(activities.map(({ activityId, name }) => [activityId, name]));
  return {
    flows: flows.map(({ flowId, name, activityIds }) => ({
      flowId,
      name,
      activities: activityIds.map((activityId) => ({ activityId, name: names.get(activityId)! })),
    })),
    regions: regions.map(({ id, name }) => ({ id, name })),
  };
}
