import "server-only";
import { dayNumber } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { readPlanRows } from "#lib/rollout-plan/plan-rows/queries.ts";
import { calendarOf, readCalendars } from "#lib/scheduling/calendar/queries.ts";
import type { ExceptionKind } from "./limits.ts";
import { type Exception, findExceptions, type SlotRelation } from "./logic.ts";

/** Exceptions of one DU. */
export type DuExceptions = { duId: number; code: string; found: Exception[] };

/** Exceptions of DUs of the project, in the order of `duIds`; a DU without any is there with none. */
export async function readExceptions(ctx: Ctx, duIds: readonly number[]): Promise<DuExceptions[]> {
  const [block, dus, relations, calendars] = await Promise.all([
    readPlanRows(ctx, duIds, { fields: ["planStart", "planEnd", "actualStart", "actualEnd", "planOwner"] }),
    readDus(ctx, duIds),
    readRelations(ctx),
    readCalendars(ctx),
  ]);
  const today = dayNumber(ctx.today);
  return block.duIds.flatMap((duId, row) => {
    const du = dus.get(duId);
    if (!du) return [];
    const flowId = block.flowIds[row] as number;
    const facts = { flowId, regionId: du.regionId, located: du.located };
    const { days } = calendarOf(calendars, du.regionId);
    return [{ duId, code: du.code, found: findExceptions(block, row, facts, relations.get(flowId) ?? [], days, today) }];
  });
}

/** Those of the DUs that have an exception of the kind, in the order of `duIds`. */
export async function listWithException(ctx: Ctx, duIds: readonly number[], kind: ExceptionKind): Promise<number[]> {
  const dus = await readExceptions(ctx, duIds);
  return dus.filter(({ found }) => found.some((exception) => exception.kind === kind)).map(({ duId }) => duId);
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
