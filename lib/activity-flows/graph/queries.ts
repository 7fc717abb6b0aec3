import "server-only";
import { listHolders } from "#lib/attributes/config-refs/queries.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import type { RelationType } from "./limits.ts";

/** An activity of a flow as stored, in the order of the flow. */
export type StoredNode = {
  id: number;
  activityId: number | null;
  name: string;
  leadTimeDays: number;
  isAnchor: boolean;
  isMilestone: boolean;
  needDeliverable: boolean;
  needApproval: boolean;
  naNeedsApproval: boolean;
  docPdMayCancelNa: boolean;
  subFlowId: number | null;
  x: number;
  y: number;
  originNodeId: number | null;
};
export type StoredRelation = { pre: number; node: number; type: RelationType; offset: number };
export type StoredGraph = { nodes: StoredNode[]; relations: StoredRelation[] };

/** Activities and relations of one flow of the project, or of its working copy. */
export async function readGraph(ctx: Ctx, flowId: number): Promise<StoredGraph> {
  return (await readGraphs(ctx, [flowId])).get(flowId)!;
}

/** As `readGraph` for many flows, in two statements; a flow without activities, or of another project, is empty. */
export async function readGraphs({ sql, project }: Ctx, flowIds: readonly number[]): Promise<Map<number, StoredGraph>> {
  const graphs = new Map<number, StoredGraph>(flowIds.map((id) => [id, { nodes: [], relations: [] }]));
  if (graphs.size === 0) return graphs;
  const nodes = await sql<(StoredNode & { flowId: number })[]>`
    select n.flow_id as "flowId", n.id, n.activity_id as "activityId", n.name, n.lead_time_days as "leadTimeDays", n.is_anchor as "isAnchor",
      n.is_milestone as "isMilestone", n.need_deliverable as "needDeliverable", n.need_approval as "needApproval",
      n.na_needs_approval as "naNeedsApproval", n.doc_pd_may_cancel_na as "docPdMayCancelNa", n.sub_flow_id as "subFlowId", n.x, n.y, n.origin_node_id as "originNodeId"
    from flow_activity n join activity_flow f on f.id = n.flow_id
    where f.id = any(${[...graphs.keys()]}::bigint[]) and f.project_id = ${project.id} order by n.seq, n.id`;
  const relations = await sql<(StoredRelation & { flowId: number })[]>`
    select r.flow_id as "flowId", r.pre_node_id as pre, r.node_id as node, r.type, r.offset_days as "offset"
    from flow_relation r join activity_flow f on f.id = r.flow_id
    where f.id = any(${[...graphs.keys()]}::bigint[]) and f.project_id = ${project.id} order by r.id`;
  for (const { flowId, ...node } of nodes) graphs.get(flowId)!.nodes.push(node);
  for (const { flowId, ...relation } of relations) graphs.get(flowId)!.relations.push(relation);
  return graphs;
}

/** An activity that leaves a flow. */
export type LeavingActivity = { flowId: number; activityId: number };
/** How many DUs bound to the flow hold facts on a library activity (dates, an order, an approval or an open request), and what configuration names it. */
export type ActivityUse = LeavingActivity & { name: string; dus: number; holders: string[] };

/** Those of the given activities on which DUs bound to the flow already hold facts, or which configuration names, so that they cannot leave it. */
export async function findActivityUse(ctx: Ctx, leaving: readonly LeavingActivity[]): Promise<ActivityUse[]> {
  if (leaving.length === 0) return [];
  const { sql, project } = ctx;
  const named = await listHolders(
    ctx,
    "ACTIVITY",
    leaving.map((one) => one.activityId),
  );
  const holders = Map.groupBy(named, ({ targetId }) => targetId);
  const rows = await sql<Omit<ActivityUse, "holders">[]>`
    select f.id as "flowId", a.id as "activityId", a.name, u.dus
    from unnest(${leaving.map((one) => one.flowId)}::bigint[], ${leaving.map((one) => one.activityId)}::bigint[]) l(flow_id, activity_id)
    join activity_flow f on f.id = l.flow_id and f.project_id = ${project.id}
    join activity_library a on a.id = l.activity_id and a.project_id = ${project.id}
    cross join lateral (
      select count(*)::int as dus from du_flow b
      cross join lateral (select * from du_plan where du_id = b.du_id limit 1) p
      where b.flow_id = f.id and b.unbound_at is null and p.state[a.slot] & 1 = 1 and (
        coalesce(p.plan_start[a.slot], 0) <> 0 or coalesce(p.plan_end[a.slot], 0) <> 0
        or coalesce(p.actual_start[a.slot], 0) <> 0 or coalesce(p.actual_end[a.slot], 0) <> 0
        or coalesce(p.baseline_start[a.slot], 0) <> 0 or coalesce(p.baseline_end[a.slot], 0) <> 0
        or coalesce(p.released_start[a.slot], 0) <> 0 or coalesce(p.released_end[a.slot], 0) <> 0
        or p.state[a.slot] >> 10 & 7 <> 0 or p.state[a.slot] >> 7 & 7 between 1 and 6 or p.state[a.slot] >> 14 & 1 = 1)
    ) u
    where u.dus > 0 or a.id = any(${[...holders.keys()]}::bigint[]) order by f.id, a.slot`;
  return rows.map((row) => ({ ...row, holders: (holders.get(row.activityId) ?? []).map(({ name }) => name) }));
}
