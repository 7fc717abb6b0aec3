import "server-only";
import { dayNumber } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { keepAnswer } from "#lib/core/kept-answers.ts";
import { SharedReadings } from "#lib/core/shared-readings.ts";
import { activityStatus, duStatus, stateValue } from "#lib/rollout-plan/plan-rows/logic.ts";
import { listLibraryActivities, readPlanSeq } from "#lib/rollout-plan/plan-rows/queries.ts";
import { degree, keptMapsMax, type PointStatus, pointStatuses, unlocatedMax } from "./limits.ts";
import { type PackedPoints, packPoints, readNumbers } from "./logic.ts";
import type { MapDusInput, MapInput } from "./schema.ts";

/** All DUs of a query that have coordinates as points, and those that have none; their number is null for those from whom it is hidden. */
export type PlanMap = {
  seq: number;
  points: PackedPoints;
  unlocated: { duId: number; code: string; name: string }[];
  unlocatedCount: number | null;
};

const maps = new SharedReadings<PlanMap>(keptMapsMax);

/**
 * The points of a kept query.
 * @throws QUERY_EXPIRED, and NOT_MODIFIED where the caller holds them as they are
 */
export async function readMap(ctx: Ctx, input: MapInput): Promise<PlanMap> {
  const fingerprint = ctx.scope.fingerprint("rollout.view");
  const [query] = await ctx.sql<{ id: string }[]>`
    select id from plan_query
    where id = ${input.queryId} and project_id = ${ctx.project.id} and fingerprint = ${fingerprint} and expires_at > ${ctx.now}`;
  if (!query) throw new AppError("QUERY_EXPIRED");
  const slot = input.activityId === undefined ? null : await slotOf(ctx, input.activityId);
  const hidden = ctx.can("rollout.duCountHide");
  return maps.read(
    JSON.stringify([input.queryId, fingerprint, ctx.today, slot, hidden]),
    async () => {
      const seq = await readPlanSeq(ctx);
      if (input.seq === seq) throw new AppError("NOT_MODIFIED");
      return seq;
    },
    (seq) => makeMap(ctx, input.queryId, seq, slot, hidden),
  );
}

async function slotOf(ctx: Ctx, activityId: number): Promise<number> {
  const found = (await listLibraryActivities(ctx)).find(({ id }) => id === activityId);
  if (!found) throw new AppError("NOT_FOUND", { object: activityId });
  return found.slot;
}

const columns = ["ids", "xs", "ys", "flows", "applicable", "done", "next", "states", "planEnds", "actualEnds"] as const;
type Columns = Record<(typeof columns)[number], number[]>;

async function makeMap(ctx: Ctx, queryId: string, seq: number, slot: number | null, hidden: boolean): Promise<PlanMap> {
  const { sql } = ctx;
  const place = slot ?? 0;
  // DU by DU, whatever the planner knows: with the statistics of a project whose DUs have just come, it would go through all that are asked for each of them.
  const asked = sql`(select unnest(du_ids) as id from plan_query where id = ${queryId}) q cross join lateral (
    select d.*, s.longitude, s.latitude from du d join customer_site s on s.id = d.site_id where d.id = q.id offset 0) du`;
  const located = sql`du.longitude is not null and du.latitude is not null`;
  const [[texts], unlocated] = await Promise.all([
    // One row of arrays: eighty thousand rows would take the driver longer than everything else together.
    sql<Record<keyof Columns, string>[]>`
      select array_agg(id)::text as ids, array_agg(x)::text as xs, array_agg(y)::text as ys, array_agg(flow)::text as flows, array_agg(applicable_count)::text as applicable,
        array_agg(done_count)::text as done, array_agg(next_plan_end)::text as next, array_agg(state)::text as states,
        array_agg(plan_end)::text as "planEnds", array_agg(actual_end)::text as "actualEnds"
      from (
        select du.id, (du.longitude * ${degree}::int)::int as x, (du.latitude * ${degree}::int)::int as y, (f.flow_id is not null)::int as flow,
          p.applicable_count, p.done_count, p.next_plan_end, coalesce(p.state[${place}::int], 0) as state, coalesce(p.plan_end[${place}::int], 0) as plan_end,
          coalesce(p.actual_end[${place}::int], 0) as actual_end
        from ${asked} join du_plan p on p.du_id = du.id left join du_flow f on f.du_id = du.id and f.unbound_at is null
        where ${ctx.scope.where("rollout.view")} and ${located} order by du.id
      ) t`,
    sql<{ duId: number; code: string; name: string; total: number }[]>`
      select du.id as "duId", du.code, du.name, count(*) over ()::int as total from ${asked}
      where ${ctx.scope.where("rollout.view")} and not (${located}) order by du.code collate natural_order limit ${unlocatedMax}`,
  ]);
  const read = Object.fromEntries(columns.map((name) => [name, readNumbers(texts?.[name] ?? "{}")])) as Columns;
  const today = dayNumber(ctx.today);
  const statuses = Uint8Array.from(read.ids, (_, at) => pointStatuses.indexOf(statusAt(read, at, slot, today)));
  return keepAnswer({
    seq,
    points: packPoints({ ...read, statuses }),
    unlocated: unlocated.map(({ duId, code, name }) => ({ duId, code, name })),
    unlocatedCount: hidden ? null : (unlocated[0]?.total ?? 0),
  });
}

function statusAt(read: Columns, at: number, slot: number | null, today: number): PointStatus {
  if (slot === null)
    return duStatus(
      {
        flowId: read.flows[at] as number,
        applicableCount: read.applicable[at] as number,
        doneCount: read.done[at] as number,
        nextPlanEnd: read.next[at] as number,
      },
      today,
    );
  const state = read.states[at] as number;
  if (stateValue(state, "inFlow") === 0) return read.flows[at] ? "notApplicable" : "noFlow";
  return activityStatus(state, read.planEnds[at] as number, read.actualEnds[at] as number, today);
}

/** A DU as the lists beside the map show it. */
export type MapDu = { duId: number; code: string; name: string; siteId: number; site: string; region: string | null };

/** The named DUs the caller reaches, in the order given. */
export async function listMapDus(ctx: Ctx, { duIds }: MapDusInput): Promise<MapDu[]> {
  const rows = await ctx.sql<MapDu[]>`
    select du.id as "duId", du.code, du.name, s.id as "siteId", s.name as site, r.name as region
    from du join customer_site s on s.id = du.site_id left join delivery_region r on r.id = du.region_id
    where ${ctx.scope.where("rollout.view")} and du.id = any(${duIds}::bigint[])`;
  const byId = new Map(rows.map((row) => [row.duId, row]));
  return duIds.flatMap((id) => byId.get(id) ?? []);
}
