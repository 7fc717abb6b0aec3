import "server-only";
import type { PendingQuery, Row } from "postgres";
import { dayNumber, isoDay } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { readFlowOrders } from "#lib/rollout-plan/columns/queries.ts";
import { listReachable } from "#lib/rollout-plan/filters/queries.ts";
import { activityStatus, duStatus } from "#lib/rollout-plan/plan-rows/logic.ts";
import { listLibraryActivities, readPlanRows } from "#lib/rollout-plan/plan-rows/queries.ts";
import { childrenMax, type TreeKind } from "./limits.ts";
import type { TreeInput } from "./schema.ts";

type Condition = PendingQuery<Row[]>;

/**
 * One node of the tree. `dus` counts the DUs one level of DUs below, null where numbers of DUs are hidden and for activities; `done` of `applicable` are
 * activities of a DU; `planEnd` and `actualEnd` those of an activity.
 */
export type TreeNode = {
  key: string;
  kind: TreeKind;
  id: number;
  /** Null: DUs without a region stand under a node without name. */
  code: string | null;
  name: string | null;
  expandable: boolean;
  dus: number | null;
  siteId?: number;
  status?: string;
  done?: number;
  applicable?: number;
  planEnd?: string | null;
  actualEnd?: string | null;
};

/** Children of a node in their order, and where to go on when there are more. */
export type TreePage = { records: TreeNode[]; next: string | null };

/**
 * Regions, the customer sites in one, the DUs of a site, and below a DU its child DUs and the activities of its flow. A DU whose parent the caller reaches
 * stands under the parent only.
 * @throws NOT_FOUND for a DU the caller does not reach
 */
export async function listTree(ctx: Ctx, { parent, after }: TreeInput): Promise<TreePage> {
  const [kind, first = 0, second = 0] = (parent ?? "").split(":").map((part, at) => (at === 0 ? part : Number(part))) as [
    string,
    number?,
    number?,
  ];
  const last = after?.split(":").slice(1).map(Number) ?? [];
  switch (kind) {
    case "r":
      return pageOf(await listSites(ctx, first, last[1]));
    case "s":
      return pageOf(await listDus(ctx, ctx.sql`${isRoot(ctx)} and du.site_id = ${second} and ${inRegion(ctx, first)}`, last[0]));
    case "d":
      return pageOf(await listBelowDu(ctx, first, after ?? null));
    default:
      return pageOf(await listRegions(ctx, last[0]));
  }
}

function pageOf(found: TreeNode[]): TreePage {
  const records = found.slice(0, childrenMax);
  return { records, next: found.length > childrenMax ? (records.at(-1)?.key ?? null) : null };
}

const inRegion = ({ sql }: Ctx, id: number): Condition => sql`coalesce(du.region_id, 0) = ${id}`;
const counted = (ctx: Ctx, dus: number) => (ctx.can("rollout.duCountHide") ? null : dus);

// Where a list goes on is told by what the caller reaches: the place of anything else would give its code away.

/** DUs without a parent the caller reaches. */
function isRoot(ctx: Ctx): Condition {
  const { sql } = ctx;
  return sql`${ctx.scope.where("rollout.view")} and not exists (
    select 1 from du_relation x where x.kind = 'parent' and x.du_id = du.id
      and exists (select 1 from du where du.id = x.related_du_id and ${ctx.scope.where("rollout.view")}))`;
}

async function listRegions(ctx: Ctx, after: number | undefined): Promise<TreeNode[]> {
  const { sql, project } = ctx;
  const rest =
    after === undefined
      ? sql``
      : sql`where (g.name is null, coalesce(g.name, '') collate natural_order, g.id) > (
          select r.name is null, coalesce(r.name, '') collate natural_order, ${after}::bigint
          from (values (1)) one left join delivery_region r on r.id = ${after} and r.project_id = ${project.id}
          where exists (select 1 from du where coalesce(du.region_id, 0) = ${after} and ${ctx.scope.where("rollout.view")}))`;
  const rows = await sql<{ id: number; name: string | null; dus: number }[]>`
    select g.id, g.name, g.dus from (
      select coalesce(du.region_id, 0) as id, r.name, count(*)::int as dus
      from du left join delivery_region r on r.id = du.region_id where ${isRoot(ctx)} group by 1, 2
    ) g ${rest} order by g.name is null, g.name collate natural_order, g.id limit ${childrenMax + 1}`;
  return rows.map(({ id, name, dus }) => ({
    key: `r:${id}`,
    kind: "region",
    id,
    code: null,
    name,
    expandable: true,
    dus: counted(ctx, dus),
  }));
}

async function listSites(ctx: Ctx, region: number, after: number | undefined): Promise<TreeNode[]> {
  const { sql } = ctx;
  const rest =
    after === undefined
      ? sql``
      : sql`and (s.code collate natural_order, s.id) > (select l.code collate natural_order, l.id from customer_site l where l.id = ${after}
          and exists (select 1 from du where du.site_id = l.id and ${ctx.scope.where("rollout.view")}))`;
  const rows = await sql<{ id: number; code: string; name: string; dus: number }[]>`
    select s.id, s.code, s.name, count(*)::int as dus from du join customer_site s on s.id = du.site_id
    where ${isRoot(ctx)} and ${inRegion(ctx, region)} ${rest}
    group by s.id order by s.code collate natural_order, s.id limit ${childrenMax + 1}`;
  return rows.map(({ id, code, name, dus }) => ({
    key: `s:${region}:${id}`,
    kind: "site",
    id,
    code,
    name,
    expandable: true,
    dus: counted(ctx, dus),
    siteId: id,
  }));
}

type DuRow = {
  id: number;
  code: string;
  name: string;
  siteId: number;
  children: number;
  flowId: number | null;
  applicableCount: number;
  doneCount: number;
  nextPlanEnd: number;
};

async function listDus(ctx: Ctx, where: Condition, after: number | undefined): Promise<TreeNode[]> {
  const { sql } = ctx;
  const rest =
    after === undefined
      ? sql``
      : sql`and (du.code collate natural_order, du.id) > (
          select du.code collate natural_order, du.id from du where du.id = ${after} and ${ctx.scope.where("rollout.view")})`;
  const rows = await sql<DuRow[]>`
    select du.id, du.code, du.name, du.site_id as "siteId", f.flow_id as "flowId",
      p.applicable_count as "applicableCount", p.done_count as "doneCount", p.next_plan_end as "nextPlanEnd",
      (select count(*)::int from du_relation x where x.kind = 'parent' and x.related_du_id = du.id
        and exists (select 1 from du where du.id = x.du_id and ${ctx.scope.where("rollout.view")})) as children
    from du join du_plan p on p.du_id = du.id
    left join du_flow f on f.du_id = du.id and f.unbound_at is null
    where ${where} ${rest} order by du.code collate natural_order, du.id limit ${childrenMax + 1}`;
  const today = dayNumber(ctx.today);
  return rows.map((du) => ({
    key: `d:${du.id}`,
    kind: "du",
    id: du.id,
    code: du.code,
    name: du.name,
    expandable: du.flowId !== null || du.children > 0,
    dus: counted(ctx, du.children),
    siteId: du.siteId,
    status: duStatus(du, today),
    done: du.doneCount,
    applicable: du.applicableCount,
  }));
}

/** Child DUs first, then the activities. */
async function listBelowDu(ctx: Ctx, duId: number, after: string | null): Promise<TreeNode[]> {
  const { sql } = ctx;
  if ((await listReachable(ctx, [duId])).length === 0) throw new AppError("NOT_FOUND", { object: duId });
  const [kind, , slot] = after?.split(":") ?? [];
  const child = sql`${ctx.scope.where("rollout.view")} and exists (
    select 1 from du_relation x where x.kind = 'parent' and x.du_id = du.id and x.related_du_id = ${duId})`;
  const dus = kind === "a" ? [] : await listDus(ctx, child, kind === "d" ? Number(after?.slice(2)) : undefined);
  if (dus.length > childrenMax) return dus;
  const activities = await listActivities(ctx, duId);
  const from = kind === "a" ? activities.findIndex(({ key }) => key === `a:${duId}:${slot}`) + 1 : 0;
  return [...dus, ...activities.slice(from)];
}

/** Activities of a DU in the order of its flow. */
async function listActivities(ctx: Ctx, duId: number): Promise<TreeNode[]> {
  const [block, orders, library] = await Promise.all([
    readPlanRows(ctx, [duId], { fields: ["planEnd", "actualEnd"] }),
    readFlowOrders(ctx),
    listLibraryActivities(ctx),
  ]);
  const activities = new Map(library.map((activity) => [activity.slot, activity]));
  const today = dayNumber(ctx.today);
  return (orders.get(block.flowIds[0] ?? 0)?.slots ?? []).flatMap((slot): TreeNode[] => {
    const state = block.state[slot] ?? 0;
    const activity = activities.get(slot);
    if ((state & 1) === 0 || !activity) return [];
    const [planEnd, actualEnd] = [block.planEnd[slot] as number, block.actualEnd[slot] as number];
    return [
      {
        key: `a:${duId}:${slot}`,
        kind: "activity",
        id: activity.id,
        code: null,
        name: activity.name,
        expandable: false,
        dus: null,
        status: activityStatus(state, planEnd, actualEnd, today),
        planEnd: isoDay(planEnd),
        actualEnd: isoDay(actualEnd),
      },
    ];
  });
}
