import "server-only";
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
  x: number;
  y: number;
  originNodeId: number | null;
};
export type StoredRelation = { pre: number; node: number; type: RelationType; offset: number };
export type StoredGraph = { nodes: StoredNode[]; relations: StoredRelation[] };

/** Activities and relations of one flow of the project, or of its working copy. */
export async function readGraph({ sql, project }: Ctx, flowId: number): Promise<StoredGraph> {
  const nodes = await sql<StoredNode[]>`
    select n.id, n.activity_id as "activityId", n.name, n.lead_time_days as "leadTimeDays", n.is_anchor as "isAnchor", n.is_milestone as "isMilestone",
      n.need_deliverable as "needDeliverable", n.need_approval as "needApproval", n.na_needs_approval as "naNeedsApproval",
      n.doc_pd_may_cancel_na as "docPdMayCancelNa", n.x, n.y, n.origin_node_id as "originNodeId"
    from flow_activity n join activity_flow f on f.id = n.flow_id where f.id = ${flowId} and f.project_id = ${project.id} order by n.seq, n.id`;
  const relations = await sql<StoredRelation[]>`
    select r.pre_node_id as pre, r.node_id as node, r.type, r.offset_days as "offset"
    from flow_relation r join activity_flow f on f.id = r.flow_id where f.id = ${flowId} and f.project_id = ${project.id} order by r.id`;
  return { nodes: [...nodes], relations: [...relations] };
}

/** How many DUs bound to the flow hold facts on a library activity: dates, an order, an approval or an open request. */
export type ActivityUse = { activityId: number; name: string; dus: number };

/** The given library activities on which DUs bound to the flow already hold facts, so that they cannot leave the flow. */
export async function findActivityUse({ sql, project }: Ctx, flowId: number, activityIds: readonly number[]): Promise<ActivityUse[]> {
  if (activityIds.length === 0) return [];
  const rows = await sql<ActivityUse[]>`
    select a.id as "activityId", a.name, u.dus
    from activity_library a
    cross join lateral (
      select count(*)::int as dus from du_flow b
      cross join lateral (select * from du_plan where du_id = b.du_id limit 1) p
      where b.flow_id = ${flowId} and b.unbound_at is null and p.state[a.slot] & 1 = 1 and (
        coalesce(p.plan_start[a.slot], 0) <> 0 or coalesce(p.plan_end[a.slot], 0) <> 0
        or coalesce(p.actual_start[a.slot], 0) <> 0 or coalesce(p.actual_end[a.slot], 0) <> 0
        or coalesce(p.baseline_start[a.slot], 0) <> 0 or coalesce(p.baseline_end[a.slot], 0) <> 0
        or coalesce(p.released_start[a.slot], 0) <> 0 or coalesce(p.released_end[a.slot], 0) <> 0
        or p.state[a.slot] >> 10 & 7 <> 0 or p.state[a.slot] >> 7 & 7 between 1 and 6 or p.state[a.slot] >> 14 & 1 = 1)
    ) u
    where a.project_id = ${project.id} and a.id = any(${[...activityIds]}::bigint[]) and u.dus > 0 order by a.slot`;
  return [...rows];
}
