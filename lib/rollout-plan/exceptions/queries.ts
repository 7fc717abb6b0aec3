import "server-only";
import { dayNumber } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { getQuery, listReachable } from "#lib/rollout-plan/filters/queries.ts";
import { listLibraryActivities, readPlanRows } from "#lib/rollout-plan/plan-rows/queries.ts";
import { calendarOf, readCalendars } from "#lib/scheduling/calendar/queries.ts";
import { type ExceptionKind, exceptionKinds } from "./limits.ts";
import { findExceptions, type SlotRelation } from "./logic.ts";
import type { ExceptionInput } from "./schema.ts";

/** One exception of one DU; `detail` names the activities and, for an order, the working days each comes too early. */
export type ExceptionRow = {
  duId: number;
  code: string;
  kind: ExceptionKind;
  slots: number[];
  detail: { activityId: number; name: string; days?: number }[];
};
export type ExceptionPage = {
  counts: Record<ExceptionKind, number> | null;
  records: ExceptionRow[];
  total: number | null;
  page: number;
  size: number;
};

/**
 * Exceptions of the DUs of a kept query or of named ones: how many DUs have each kind, and a page of them.
 * @throws QUERY_EXPIRED
 */
export async function listExceptions(ctx: Ctx, input: ExceptionInput): Promise<ExceptionPage> {
  const asked = input.queryId ? (await getQuery(ctx, input.queryId)).duIds : [...new Set(input.duIds)];
  const duIds = await listReachable(ctx, asked);
  const [block, dus, relations, calendars, library] = await Promise.all([
    readPlanRows(ctx, duIds, { fields: ["planStart", "planEnd", "actualStart", "actualEnd", "planOwner"] }),
    readDus(ctx, duIds),
    readRelations(ctx),
    readCalendars(ctx),
    listLibraryActivities(ctx),
  ]);
  const activities = new Map(library.map((activity) => [activity.slot, activity]));
  const today = dayNumber(ctx.today);
  const counts = Object.fromEntries(exceptionKinds.map((kind) => [kind, 0])) as Record<ExceptionKind, number>;
  const wanted = new Set<ExceptionKind>(input.kinds ?? exceptionKinds);
  const first = (input.page - 1) * input.size;
  const records: ExceptionRow[] = [];
  let total = 0;
  for (const [row, duId] of block.duIds.entries()) {
    const du = dus.get(duId);
    if (!du) continue;
    const flowId = block.flowIds[row] as number;
    const facts = { flowId, regionId: du.regionId, located: du.located };
    for (const { kind, slots, days } of findExceptions(
      block,
      row,
      facts,
      relations.get(flowId) ?? [],
      calendarOf(calendars, du.regionId).days,
      today,
    )) {
      counts[kind]++;
      if (!wanted.has(kind)) continue;
      if (total >= first && records.length < input.size) {
        const detail = slots.map((slot, i) => ({
          activityId: activities.get(slot)?.id ?? 0,
          name: activities.get(slot)?.name ?? "",
          ...(days ? { days: days[i] as number } : {}),
        }));
        records.push({ duId, code: du.code, kind, slots, detail });
      }
      total++;
    }
  }
  const hidden = ctx.can("rollout.duCountHide");
  return { counts: hidden ? null : counts, records, total: hidden ? null : total, page: input.page, size: input.size };
}

async function readDus(
  ctx: Ctx,
  duIds: readonly number[],
): Promise<Map<number, { code: string; regionId: number | null; located: boolean }>> {
  const rows = await ctx.sql<{ id: number; code: string; regionId: number | null; located: boolean }[]>`
    select du.id, du.code, du.region_id as "regionId", s.longitude is not null and s.latitude is not null as located
    from du join customer_site s on s.id = du.site_id where du.id = any(${[...duIds]}::bigint[])`;
  return new Map(rows.map((row) => [row.id, row]));
}

/** Relations of the released flows by slot. */
async function readRelations(ctx: Ctx): Promise<Map<number, SlotRelation[]>> {
  const rows = await ctx.sql<(SlotRelation & { flowId: number })[]>`
    select r.flow_id as "flowId", lx.slot as pre, ly.slot as node, r.type, r.offset_days as "offset", y.lead_time_days = 0 as milestone
    from flow_relation r
    join activity_flow a on a.id = r.flow_id and a.draft_of is null
    join flow_activity x on x.id = r.pre_node_id join activity_library lx on lx.id = x.activity_id
    join flow_activity y on y.id = r.node_id join activity_library ly on ly.id = y.activity_id
    where a.project_id = ${ctx.project.id}`;
  const byFlow = new Map<number, SlotRelation[]>();
  for (const { flowId, ...relation } of rows) byFlow.set(flowId, [...(byFlow.get(flowId) ?? []), relation]);
  return byFlow;
}
