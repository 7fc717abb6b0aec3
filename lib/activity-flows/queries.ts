import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import type { RelationType } from "./graph/limits.ts";
import { readGraph, type StoredNode, type StoredRelation } from "./graph/queries.ts";
import type { ActivityKind } from "./library/limits.ts";
import { readActivities } from "./library/queries.ts";
import type { FlowStatus } from "./limits.ts";

export type FlowRow = {
  id: number;
  name: string;
  description: string | null;
  deliveryTypes: string[];
  status: FlowStatus;
  version: number;
  ownerName: string;
  activityCount: number;
  /** DUs that follow the flow and that the caller may see; null where counts are hidden from him. */
  duCount: number | null;
  workingCopyId: number | null;
  updatedByName: string;
  updatedAt: Date;
  rowVersion: number;
};

const orders: Record<string, string> = {
  name: "f.name collate natural_order",
  status: "f.status",
  version: "f.version",
  activityCount: "activity_count",
  duCount: "du_count",
  updatedAt: "f.updated_at",
};

/** The flows of the project with their counts; working copies are part of their flow, not rows of their own. */
export async function listFlows(ctx: Ctx, input: ListInput): Promise<Page<FlowRow>> {
  const { sql } = ctx;
  const hidden = ctx.can("rollout.duCountHide");
  const where = input.filters.reduce(
    (left, filter) => sql`${left} and ${condition(ctx, filter)}`,
    sql`f.project_id = ${ctx.project.id} and f.draft_of is null`,
  );
  const asked = (input.sort ?? []).filter(({ field }) => !(hidden && field === "duCount"));
  const order = asked.map(({ field, dir }) => `${orders[field]} ${dir}`).concat("f.name collate natural_order", "f.id");
  const rows = await sql<(FlowRow & { total: number; activity_count: number; du_count: number })[]>`
    select f.id, f.name, f.description, f.delivery_types as "deliveryTypes", f.status, f.version, o.name as "ownerName", w.id as "workingCopyId",
      e.name as "updatedByName", coalesce(w.updated_at, f.updated_at) as "updatedAt", f.row_version as "rowVersion", count(*) over ()::int as total,
      (select count(*)::int from flow_activity n where n.flow_id = f.id) as activity_count,
      ${countDus(ctx, sql`f.id`)} as du_count
    from activity_flow f join app_user o on o.id = f.owner_id left join activity_flow w on w.draft_of = f.id
    join app_user e on e.id = coalesce(w.updated_by, f.updated_by)
    where ${where} order by ${sql.unsafe(order.join(", "))} limit ${input.size} offset ${(input.page - 1) * input.size}`;
  const records = rows.map(({ total: _total, activity_count, du_count, ...row }) => ({
    ...row,
    activityCount: activity_count,
    duCount: hidden ? null : du_count,
  }));
  return { records, total: rows[0]?.total ?? 0, page: input.page, size: input.size };
}

/** DUs that follow a flow and that the caller sees, looked up one by one whatever the planner believes of freshly filled tables. */
function countDus(ctx: Ctx, flowId: ReturnType<Ctx["sql"]>) {
  return ctx.sql`(select count(*)::int from du_flow b
    cross join lateral (select 1 from du where du.id = b.du_id and ${ctx.scope.where("flow.view")} limit 1) d
    where b.flow_id = ${flowId} and b.unbound_at is null)`;
}

function condition({ sql }: Ctx, { field, values }: Filter) {
  if (field === "status") return sql`f.status = any(${values.map(String)}::text[])`;
  if (field === "deliveryType") return sql`f.delivery_types && ${values.map(String)}::varchar[]`;
  return sql`position(lower(${String(values[0] ?? "")}) in lower(f.name)) > 0`;
}

export type FlowNodeRow = StoredNode & {
  slot: number | null;
  code: string | null;
  /** Name in the library, which the plan shows. */
  activityName: string | null;
  kind: ActivityKind;
};
export type FlowDetail = {
  flow: {
    id: number;
    name: string;
    description: string | null;
    deliveryTypes: string[];
    status: FlowStatus;
    version: number;
    /** In a working copy the released flow it will replace. */
    draftOf: number | null;
    ownerName: string;
    updatedByName: string;
    updatedAt: Date;
    rowVersion: number;
    /** As in the list; of the released flow in a working copy. */
    duCount: number | null;
  };
  nodes: FlowNodeRow[];
  relations: StoredRelation[];
  workingCopy: { id: number; rowVersion: number; updatedByName: string; updatedAt: Date } | null;
};

/** A flow or working copy with its graph; null outside the project. */
export async function findFlow(ctx: Ctx, { id }: { id: number }): Promise<FlowDetail | null> {
  const { sql } = ctx;
  const [row] = await sql<(FlowDetail["flow"] & { workingCopy: FlowDetail["workingCopy"] })[]>`
    select f.id, f.name, f.description, f.delivery_types as "deliveryTypes", f.status, f.version, f.draft_of as "draftOf", o.name as "ownerName",
      e.name as "updatedByName", f.updated_at as "updatedAt", f.row_version as "rowVersion",
      ${countDus(ctx, sql`coalesce(f.draft_of, f.id)`)} as "duCount"
    from activity_flow f join app_user o on o.id = f.owner_id join app_user e on e.id = f.updated_by
    where f.id = ${id} and f.project_id = ${ctx.project.id}`;
  if (!row) return null;
  const [copy] = await sql<NonNullable<FlowDetail["workingCopy"]>[]>`
    select w.id, w.row_version as "rowVersion", e.name as "updatedByName", w.updated_at as "updatedAt"
    from activity_flow w join app_user e on e.id = w.updated_by where w.draft_of = ${id}`;
  const graph = await readGraph(ctx, id);
  const library = await readActivities(
    ctx,
    graph.nodes.flatMap((node) => (node.activityId === null ? [] : [node.activityId])),
  );
  const nodes = graph.nodes.map((node) => {
    const activity = node.activityId === null ? undefined : library.get(node.activityId);
    return {
      ...node,
      slot: activity?.slot ?? null,
      code: activity?.code ?? null,
      activityName: activity?.name ?? null,
      kind: activity?.kind ?? "normal",
    };
  });
  const flow = { ...row, duCount: ctx.can("rollout.duCountHide") ? null : row.duCount };
  return { flow, nodes, relations: graph.relations, workingCopy: copy ?? null };
}

/** As `findFlow`, but a flow that is not there is refused. */
export async function getFlow(ctx: Ctx, input: { id: number }): Promise<FlowDetail> {
  const flow = await findFlow(ctx, input);
  if (!flow) throw new AppError("NOT_FOUND", { object: input.id });
  return flow;
}

/** A step of a flow; without library activity it has no slot and cannot be planned. */
export type FlowGraphNode = {
  nodeId: number;
  slot: number | null;
  activityId: number | null;
  name: string;
  leadTimeDays: number;
  isAnchor: boolean;
  isMilestone: boolean;
  needApproval: boolean;
  subFlowId: number | null;
  kind: ActivityKind;
};
export type FlowGraphRelation = { pre: number; node: number; type: RelationType; offset: number };
/** The released graph of one flow; `pre` and `node` of relations are node ids. */
export type FlowGraph = {
  flowId: number;
  name: string;
  version: number;
  status: FlowStatus;
  nodes: FlowGraphNode[];
  relations: FlowGraphRelation[];
};

/**
 * Graphs of flows by flow id, nodes in the order of the flow. Ids that are no flow of the project are not in the answer.
 * Two statements however many flows are asked.
 */
export async function readFlowGraph(
  { sql, project }: Pick<Ctx, "sql" | "project">,
  flowIds: readonly number[],
): Promise<Map<number, FlowGraph>> {
  const ids = [...new Set(flowIds)];
  if (ids.length === 0) return new Map();
  const nodes = await sql<(Omit<FlowGraph, "nodes" | "relations"> & FlowGraphNode & { nodeId: number | null })[]>`
    select f.id as "flowId", f.name as "flowName", f.version, f.status, n.id as "nodeId", a.slot, n.activity_id as "activityId", n.name,
      n.lead_time_days as "leadTimeDays", n.is_anchor as "isAnchor", n.is_milestone as "isMilestone", n.need_approval as "needApproval",
      n.sub_flow_id as "subFlowId", coalesce(a.kind, 'normal') as kind
    from activity_flow f left join flow_activity n on n.flow_id = f.id left join activity_library a on a.id = n.activity_id
    where f.project_id = ${project.id} and f.id = any(${ids}::bigint[]) order by f.id, n.seq, n.id`;
  const relations = await sql<(FlowGraphRelation & { flowId: number })[]>`
    select r.flow_id as "flowId", r.pre_node_id as pre, r.node_id as node, r.type, r.offset_days as "offset"
    from flow_relation r join activity_flow f on f.id = r.flow_id
    where f.project_id = ${project.id} and r.flow_id = any(${ids}::bigint[]) order by r.id`;
  const graphs = new Map<number, FlowGraph>();
  for (const { flowId, flowName, version, status, ...node } of nodes as unknown as (FlowGraphNode & {
    flowId: number;
    flowName: string;
    version: number;
    status: FlowStatus;
  })[]) {
    let graph = graphs.get(flowId);
    if (!graph) {
      graph = { flowId, name: flowName, version, status, nodes: [], relations: [] };
      graphs.set(flowId, graph);
    }
    if (node.nodeId !== null) graph.nodes.push(node);
  }
  for (const { flowId, ...relation } of relations) graphs.get(flowId)!.relations.push(relation);
  return graphs;
}

/** Column groups of the grid: flows that DUs may follow with their activities in order, and every activity once in the order it first occurs. */
export type FlowColumns = {
  flows: { flowId: number; version: number; name: string; activityIds: number[] }[];
  activities: { activityId: number; slot: number; name: string; kind: ActivityKind }[];
};

/**
 * Released and disabled flows of the project with their activities.
 * @param flowIds only these flows
 */
export async function listFlowColumns({ sql, project }: Pick<Ctx, "sql" | "project">, flowIds?: readonly number[]): Promise<FlowColumns> {
  const rows = await sql<
    { flowId: number; version: number; flowName: string; activityId: number | null; slot: number; name: string; kind: ActivityKind }[]
  >`
    select f.id as "flowId", f.version, f.name as "flowName", a.id as "activityId", a.slot, a.name, a.kind
    from activity_flow f left join (flow_activity n join activity_library a on a.id = n.activity_id) on n.flow_id = f.id
    where f.project_id = ${project.id} and f.draft_of is null and f.status <> 'draft'
      and ${flowIds ? sql`f.id = any(${[...flowIds]}::bigint[])` : sql`true`}
    order by f.name collate natural_order, f.id, n.seq, n.id`;
  const flows = new Map<number, FlowColumns["flows"][number]>();
  const activities = new Map<number, FlowColumns["activities"][number]>();
  for (const { flowId, version, flowName, activityId, slot, name, kind } of rows) {
    if (!flows.has(flowId)) flows.set(flowId, { flowId, version, name: flowName, activityIds: [] });
    if (activityId === null) continue;
    flows.get(flowId)!.activityIds.push(activityId);
    if (!activities.has(activityId)) activities.set(activityId, { activityId, slot, name, kind });
  }
  return { flows: [...flows.values()], activities: [...activities.values()] };
}
