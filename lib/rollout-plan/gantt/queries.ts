import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { type SliceRow, sliceOf } from "#lib/rollout-plan/tile-rows/queries.ts";
import { readTileRows, type Tile } from "#lib/rollout-plan/tiles/queries.ts";
import { type CalendarRule, listCalendarRules } from "#lib/scheduling/calendar/queries.ts";
import type { GanttInput } from "./schema.ts";

/** An activity of a flow: working days it takes by the flow, 0 for a point in time, and whether it counts as a milestone. */
export type GanttNode = [activityId: number, leadTime: number, milestone: boolean];
/** A relation of a flow between two activities, with its offset in working days. */
export type GanttRelation = [pre: number, next: number, type: "FS" | "SS" | "FF" | "SF", offset: number];
/** The released version of a flow that rows follow. */
export type GanttFlow = { flowId: number; version: number; nodes: GanttNode[]; relations: GanttRelation[] };

/** Rows in the order asked, as those of a tile with their released dates, and what is drawn with them. */
export type Gantt = Tile & {
  /** Region of each DU in the order of `duIds`, whose calendar it follows where there is one. */
  regions: (number | null)[];
  flows: GanttFlow[];
  calendars: CalendarRule[];
};

/** Plan rows of the named DUs the caller reaches, with their flows and calendars. */
export async function readGantt(ctx: Ctx, { duIds }: GanttInput): Promise<Gantt> {
  const { rows, seq } = await sliceOf(ctx, duIds);
  const [tile, regions, flows, rules] = await Promise.all([
    readTileRows(ctx, rows, seq),
    readRegions(ctx, rows),
    listFlows(ctx, [...new Set(rows.map(({ flowId }) => flowId))].filter(Boolean)),
    listCalendarRules(ctx),
  ]);
  const used = new Set(regions);
  return { ...tile, regions, flows, calendars: rules.filter(({ regionId }) => regionId === null || used.has(regionId)) };
}

async function readRegions(ctx: Ctx, rows: readonly SliceRow[]): Promise<(number | null)[]> {
  const found = await ctx.sql<{ id: number; regionId: number | null }[]>`
    select id, region_id as "regionId" from du where id = any(${rows.map(({ id }) => id)}::bigint[])`;
  const byId = new Map(found.map(({ id, regionId }) => [id, regionId]));
  return rows.map(({ id }) => byId.get(id) ?? null);
}

async function listFlows({ sql, project }: Ctx, flowIds: readonly number[]): Promise<GanttFlow[]> {
  return [
    ...(await sql<GanttFlow[]>`
      select a.id as "flowId", a.version,
        coalesce((select json_agg(json_build_array(n.activity_id, n.lead_time_days, n.is_milestone or n.lead_time_days = 0) order by n.seq, n.id)
          from flow_activity n where n.flow_id = a.id and n.activity_id is not null), '[]') as nodes,
        coalesce((select json_agg(json_build_array(x.activity_id, y.activity_id, r.type, r.offset_days) order by r.id) from flow_relation r
          join flow_activity x on x.id = r.pre_node_id join flow_activity y on y.id = r.node_id
          where r.flow_id = a.id and x.activity_id is not null and y.activity_id is not null), '[]') as relations
      from activity_flow a where a.project_id = ${project.id} and a.id = any(${[...flowIds]}::bigint[]) order by a.id`),
  ];
}
