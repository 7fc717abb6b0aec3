import "server-only";
import type { PendingQuery, Row } from "postgres";
import { dayNumber, isoDay } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import { likeText } from "#lib/rollout-plan/conditions/logic.ts";
import { type DuStatus, duStatus } from "#lib/rollout-plan/plan-rows/logic.ts";
import { type ClusterColor, missingDusMax, type RateKind } from "./limits.ts";
import { type CurvePoint, convexHull, cumulate, type LngLat, readiness } from "./logic.ts";
import type { ViewClusters } from "./schema.ts";

/** A cluster as it is configured. */
export type Cluster = {
  id: number;
  name: string;
  regionId: number | null;
  priority: number;
  completionRate: number;
  rateKind: RateKind;
  cutoverActivityId: number | null;
  maxCutoverQty: number | null;
  polygon: LngLat[] | null;
  color: ClusterColor;
  rowVersion: number;
};
/** A row of the list; the number of DUs is null for those from whom it is hidden. */
export type ClusterRow = Cluster & { region: string | null; cutoverActivity: string | null; duCount: number | null };

const columns = `c.id, c.name, c.region_id as "regionId", c.priority, c.completion_rate::float8 as "completionRate", c.rate_kind as "rateKind",
  c.cutover_activity_id as "cutoverActivityId", c.max_cutover_qty as "maxCutoverQty", c.polygon, c.color, c.row_version as "rowVersion"`;

const orders: Record<string, string> = { name: "lower(c.name)", priority: "c.priority", region: "lower(r.name)" };

function condition({ sql }: Ctx, { field, values }: Filter): PendingQuery<Row[]> {
  const ids = values.map(String);
  switch (field) {
    case "name":
      return sql`c.name ilike ${`%${likeText(ids[0] ?? "")}%`}`;
    case "region":
      return sql`c.region_id::text = any(${ids}::text[])`;
    case "id":
      return sql`c.id::text = any(${ids}::text[])`;
    default: {
      const [from, to] = values.map((value) => numberOrNull(field, value));
      return sql`c.priority >= coalesce(${from ?? null}::float8, c.priority) and c.priority <= coalesce(${to ?? null}::float8, c.priority)`;
    }
  }
}

function numberOrNull(field: string, value: unknown): number | null {
  if (value === null || (typeof value === "number" && Number.isFinite(value))) return value;
  throw new AppError("INVALID_INPUT", { field }, [{ path: "filters", code: "VALUE_FORMAT", params: { field } }]);
}

/** The clusters of the project by priority, each with how many of its DUs the caller reaches. */
export async function listClusters(ctx: Ctx, { page, size, filters, sort }: ListInput): Promise<Page<ClusterRow>> {
  const { sql, project } = ctx;
  const where = filters.reduce((all, filter) => sql`${all} and ${condition(ctx, filter)}`, sql`c.project_id = ${project.id}`);
  const order = [...(sort ?? []).map(({ field, dir }) => `${orders[field]} ${dir}`), "c.priority", "lower(c.name)"].join(", ");
  const [count, rows] = await Promise.all([
    sql<{ total: number }[]>`select count(*)::int as total from cluster c where ${where}`,
    sql<ClusterRow[]>`
      select ${sql.unsafe(columns)}, r.name as region, a.name as "cutoverActivity",
        (select count(*)::int from du where ${ctx.scope.where("cluster.view")} and du.cluster_id = c.id) as "duCount"
      from cluster c left join delivery_region r on r.id = c.region_id left join activity_library a on a.id = c.cutover_activity_id
      where ${where} order by ${sql.unsafe(order)} limit ${size} offset ${(page - 1) * size}`,
  ]);
  const hidden = ctx.can("rollout.duCountHide");
  return { records: rows.map((row) => (hidden ? { ...row, duCount: null } : row)), total: count[0]?.total ?? 0, page, size };
}

/** The clusters with these ids, locked for a change where asked, in id order. */
export async function readClusters(ctx: Ctx, ids: readonly number[], options: { lock?: boolean } = {}): Promise<Cluster[]> {
  const { sql, project } = ctx;
  return [
    ...(await sql<Cluster[]>`
      select ${sql.unsafe(columns)} from cluster c where c.project_id = ${project.id} and c.id = any(${[...ids]}::bigint[]) order by c.id
      ${options.lock ? sql`for update` : sql``}`),
  ];
}

/** A DU of a cluster whose cutover is not done. */
export type MissingDu = { duId: number; code: string; name: string; status: DuStatus; planEnd: string | null };

/**
 * How far a cluster is. Without a cutover activity nothing is done and nothing missing. Numbers of DUs are null for those from whom they are hidden;
 * the hull is the drawn outline or that of the DUs.
 */
export type ClusterView = Omit<Cluster, "polygon" | "rowVersion" | "regionId"> & {
  region: string | null;
  cutoverActivity: string | null;
  total: number | null;
  done: number | null;
  needed: number | null;
  rate: number | null;
  ready: boolean;
  missing: MissingDu[];
  missingCount: number | null;
  hull: LngLat[];
  curve: CurvePoint[];
};

type ViewRow = Cluster & { region: string | null; cutoverActivity: string | null; slot: number | null };
type DuRow = {
  clusterId: number;
  duId: number;
  code: string;
  name: string;
  longitude: number | null;
  latitude: number | null;
  flowId: number | null;
  applicableCount: number;
  doneCount: number;
  nextPlanEnd: number;
  planEnd: number;
  actualEnd: number;
};

/** Readiness of every cluster by priority, as the activity of its cutover stands in the plan. [MDV-08] */
export async function viewClusters(ctx: Ctx, input: ViewClusters): Promise<{ clusters: ClusterView[]; today: string }> {
  const { sql, project } = ctx;
  const chosen = sql`c.project_id = ${project.id} ${input.clusterIds ? sql`and c.id = any(${input.clusterIds}::bigint[])` : sql``}
    ${input.regionIds ? sql`and c.region_id = any(${input.regionIds}::bigint[])` : sql``}`;
  const [clusters, dus] = await Promise.all([
    sql<ViewRow[]>`
      select ${sql.unsafe(columns)}, r.name as region, a.name as "cutoverActivity", a.slot
      from cluster c left join delivery_region r on r.id = c.region_id left join activity_library a on a.id = c.cutover_activity_id
      where ${chosen} order by c.priority, lower(c.name)`,
    // An activity that is not in the flow of a DU, or not applicable there, is neither planned nor done.
    sql<DuRow[]>`
      select c.id as "clusterId", du.id as "duId", du.code, du.name, s.longitude::float8 as longitude, s.latitude::float8 as latitude, f.flow_id as "flowId",
        p.applicable_count as "applicableCount", p.done_count as "doneCount", p.next_plan_end as "nextPlanEnd",
        case when p.state[a.slot] & 7 = 1 then coalesce(p.plan_end[a.slot], 0) else 0 end as "planEnd",
        case when p.state[a.slot] & 7 = 1 then coalesce(p.actual_end[a.slot], 0) else 0 end as "actualEnd"
      from cluster c join du on du.cluster_id = c.id join du_plan p on p.du_id = du.id join customer_site s on s.id = du.site_id
      left join activity_library a on a.id = c.cutover_activity_id
      left join du_flow f on f.du_id = du.id and f.unbound_at is null
      where ${chosen} and ${ctx.scope.where("cluster.view")} order by du.cluster_priority nulls last, du.code collate natural_order`,
  ]);
  const byCluster = Map.groupBy(dus, (du) => du.clusterId);
  const hidden = ctx.can("rollout.duCountHide");
  const today = dayNumber(ctx.today);
  return {
    today: ctx.today,
    clusters: clusters.map(({ slot, polygon, rowVersion: _version, regionId: _region, ...cluster }) => {
      const own = byCluster.get(cluster.id) ?? [];
      const open = slot === null ? [] : own.filter((du) => du.actualEnd === 0);
      const done = slot === null ? 0 : own.length - open.length;
      const { needed, ...state } = readiness(own.length, done, cluster.rateKind, cluster.completionRate);
      const measured = slot === null ? { rate: null, ready: false } : state;
      const count = (value: number) => (hidden ? null : value);
      return {
        ...cluster,
        ...measured,
        total: count(own.length),
        done: slot === null ? null : count(done),
        needed: slot === null ? null : count(needed),
        missingCount: count(open.length),
        missing: hidden ? [] : open.slice(0, missingDusMax).map((du) => missingDu(du, today)),
        hull:
          polygon ??
          convexHull(own.flatMap((du): LngLat[] => (du.longitude === null || du.latitude === null ? [] : [[du.longitude, du.latitude]]))),
        curve: hidden || slot === null ? [] : curveOf(own),
      };
    }),
  };
}

const missingDu = (du: DuRow, today: number): MissingDu => ({
  duId: du.duId,
  code: du.code,
  name: du.name,
  status: duStatus(du, today),
  planEnd: isoDay(du.planEnd),
});

function curveOf(dus: readonly DuRow[]): CurvePoint[] {
  const days = new Map<number, { planned: number; actual: number }>();
  const count = (day: number, kind: "planned" | "actual") => {
    if (day === 0) return;
    const point = days.get(day) ?? { planned: 0, actual: 0 };
    point[kind]++;
    days.set(day, point);
  };
  for (const du of dus) {
    count(du.planEnd, "planned");
    count(du.actualEnd, "actual");
  }
  return cumulate([...days].sort(([a], [b]) => a - b).map(([day, point]) => ({ day: isoDay(day) as string, ...point })));
}

/** Regions and enabled activities a cluster may name, by name. */
export async function listClusterChoices(
  ctx: Pick<Ctx, "sql" | "project">,
): Promise<{ regions: { id: number; name: string }[]; activities: { id: number; name: string }[] }> {
  const { sql, project } = ctx;
  const [regions, activities] = await Promise.all([
    sql<{ id: number; name: string }[]>`
      select id, name from delivery_region where project_id = ${project.id} and deleted_at is null order by sort_no, lower(name)`,
    sql<{ id: number; name: string }[]>`
      select id, name from activity_library where project_id = ${project.id} and disabled_at is null order by slot`,
  ]);
  return { regions: [...regions], activities: [...activities] };
}
