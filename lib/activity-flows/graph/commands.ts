import "server-only";
import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import { activityFlow } from "#db/schema/activity-flows.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { checkRules } from "#lib/core/rule.ts";
import { linkActivities } from "../library/commands.ts";
import { readActivities } from "../library/queries.ts";
import { readSubFlowStates } from "../sub-flows/queries.ts";
import { graphDiff, useText } from "./logic.ts";
import { findActivityUse, readGraph, type StoredGraph, type StoredNode } from "./queries.ts";
import { ACTIVITY_REPEAT, saveGraphRules } from "./rules.ts";
import type { BindSubFlow, DeleteNodes, GraphInput, NodeInput, SaveGraph, SaveNode } from "./schema.ts";

export type FlowHead = typeof activityFlow.$inferSelect;
export type SavedGraph = { rowVersion: number; nodes: { key: string; id: number; activityId: number | null }[] };

/**
 * The head of a flow of the project, locked until the transaction ends.
 * @param rowVersion revision the caller read; another one is refused with the present head
 */
export async function lockFlow(ctx: Ctx, id: number, rowVersion?: number): Promise<FlowHead> {
  const mine = and(eq(activityFlow.id, id), eq(activityFlow.projectId, ctx.project.id));
  const [flow] = await ctx.tx.select().from(activityFlow).where(mine).for("update");
  if (!flow) throw new AppError("NOT_FOUND", { object: id });
  if (rowVersion !== undefined && flow.rowVersion !== rowVersion)
    throw new AppError("STALE", {}, [], { rowVersion: flow.rowVersion, updatedBy: flow.updatedBy, updatedAt: flow.updatedAt });
  return flow;
}

/** The head of a draft or working copy, locked: a released flow is edited in its working copy only. */
export async function lockDraft(ctx: Ctx, id: number, rowVersion?: number): Promise<FlowHead> {
  const flow = await lockFlow(ctx, id, rowVersion);
  if (flow.status !== "draft") throw new AppError("WRONG_STATUS", { status: flow.status });
  return flow;
}

/** As `lockDraft`, with the project held before: activities are taken out of use under it, so none is while a graph takes it in. */
async function openGraph(ctx: Ctx, id: number, rowVersion?: number): Promise<FlowHead> {
  await holdProject(ctx);
  return lockDraft(ctx, id, rowVersion);
}

/** Stores the whole graph of a draft or working copy; what is not in it is removed. */
export async function saveGraph(ctx: Ctx, { flowId, rowVersion, nodes, relations }: z.output<typeof SaveGraph>): Promise<SavedGraph> {
  const flow = await openGraph(ctx, flowId, rowVersion);
  return writeGraph(ctx, flow, await readGraph(ctx, flowId), { nodes, relations });
}

/**
 * As `saveGraph`, for a graph that came from outside: an activity whose `activityId` is null stays without library activity until somebody
 * saves or releases the flow.
 */
export async function takeGraph(ctx: Ctx, flow: FlowHead, graph: GraphInput): Promise<SavedGraph> {
  return writeGraph(ctx, flow, await readGraph(ctx, flow.id), graph, true);
}

/** Stores one activity of a draft or working copy, with its relations where they are given. */
export async function saveNode(
  ctx: Ctx,
  { flowId, rowVersion, node, relations }: z.output<typeof SaveNode>,
): Promise<{ id: number; activityId: number | null; rowVersion: number }> {
  const flow = await openGraph(ctx, flowId, rowVersion);
  const stored = await readGraph(ctx, flowId);
  const graph = asInput(stored);
  const key = node.id === undefined ? "new" : String(node.id);
  const at = graph.nodes.findIndex((known) => known.key === key);
  if (node.id !== undefined && at < 0) throw new AppError("NOT_FOUND", { object: node.id });
  if (at < 0) graph.nodes.push({ ...node, key });
  else graph.nodes[at] = { ...node, key };
  if (relations) {
    const ends = new Set(graph.nodes.map((known) => known.key));
    const problems: Problem[] = [];
    graph.relations = graph.relations.filter((relation) => relation.pre !== key && relation.node !== key);
    relations.forEach((relation, place) => {
      const other = String(relation.preNodeId ?? relation.nodeId);
      const path = `relations.${place}.${relation.preNodeId === undefined ? "nodeId" : "preNodeId"}`;
      if (!ends.has(other)) problems.push({ path, code: "VALUE_UNKNOWN", params: { field: path, value: other } });
      const { type, offset } = relation;
      graph.relations.push(
        relation.preNodeId === undefined ? { pre: key, node: other, type, offset } : { pre: other, node: key, type, offset },
      );
    });
    if (problems.length > 0) throw new AppError("INVALID_INPUT", { field: problems[0]!.path }, problems);
  }
  const saved = await writeGraph(ctx, flow, stored, graph);
  const { id, activityId } = saved.nodes.find((known) => known.key === key)!;
  return { id, activityId, rowVersion: saved.rowVersion };
}

/** Removes activities of one draft or working copy, their relations with them. */
export async function deleteNodes(
  ctx: Ctx,
  { ids, rowVersion }: z.output<typeof DeleteNodes>,
): Promise<{ deleted: number; rowVersion: number }> {
  const flows = await ctx.sql<{ id: number; nodes: number }[]>`
    select f.id, count(*)::int as nodes from flow_activity n join activity_flow f on f.id = n.flow_id
    where f.project_id = ${ctx.project.id} and n.id = any(${ids}::bigint[]) group by f.id`;
  if (flows.length !== 1 || flows[0]!.nodes !== new Set(ids).size) throw new AppError("NOT_FOUND", { object: ids.join(", ") });
  const flow = await openGraph(ctx, flows[0]!.id, rowVersion);
  const stored = await readGraph(ctx, flow.id);
  const gone = new Set(ids.map(String));
  const graph = asInput(stored);
  const saved = await writeGraph(ctx, flow, stored, {
    nodes: graph.nodes.filter((node) => !gone.has(node.key)),
    relations: graph.relations.filter((relation) => !gone.has(relation.pre) && !gone.has(relation.node)),
  });
  return { deleted: gone.size, rowVersion: saved.rowVersion };
}

/** Puts a sub-flow below an activity of a draft or working copy, or takes it away. @throws WRONG_STATUS for a sub-flow out of use */
export async function bindSubFlow(
  ctx: Ctx,
  { nodeId, subFlowId }: z.output<typeof BindSubFlow>,
): Promise<{ id: number; flowId: number; subFlowId: number | null; rowVersion: number }> {
  const [node] = await ctx.sql<{ flowId: number }[]>`
    select f.id as "flowId" from flow_activity n join activity_flow f on f.id = n.flow_id where n.id = ${nodeId} and f.project_id = ${ctx.project.id}`;
  if (!node) throw new AppError("NOT_FOUND", { object: nodeId });
  const flow = await lockDraft(ctx, node.flowId);
  const [before] = await ctx.sql<{ subFlowId: number | null }[]>`select sub_flow_id as "subFlowId" from flow_activity where id = ${nodeId}`;
  if (!before) throw new AppError("NOT_FOUND", { object: nodeId });
  if (subFlowId !== null && subFlowId !== before.subFlowId) {
    const status = (await readSubFlowStates(ctx, [subFlowId])).get(subFlowId);
    if (status === undefined) throw new AppError("NOT_FOUND", { object: subFlowId });
    if (status === "disabled") throw new AppError("WRONG_STATUS", { status });
  }
  const rowVersion = flow.rowVersion + 1;
  await ctx.sql`update flow_activity set sub_flow_id = ${subFlowId} where id = ${nodeId}`;
  await ctx.tx.update(activityFlow).set({ rowVersion, updatedBy: ctx.user.id, updatedAt: ctx.now }).where(eq(activityFlow.id, flow.id));
  ctx.audit(`activity_flow ${flow.id} graph`, { nodes: [{ id: nodeId, ...before }] }, { nodes: [{ id: nodeId, subFlowId }] });
  return { id: nodeId, flowId: flow.id, subFlowId, rowVersion };
}

/** Copies activities and relations into an empty flow; a working copy remembers which released activity each one stands for. */
export async function copyGraph({ sql }: Ctx, from: number, to: number, kind: "copy" | "workingCopy"): Promise<void> {
  await sql`
    with made as (
      insert into flow_activity (flow_id, activity_id, name, seq, lead_time_days, is_anchor, is_milestone, need_deliverable, need_approval,
        na_needs_approval, doc_pd_may_cancel_na, sub_flow_id, x, y, origin_node_id)
      select ${to}, activity_id, name, seq, lead_time_days, is_anchor, is_milestone, need_deliverable, need_approval,
        na_needs_approval, doc_pd_may_cancel_na, sub_flow_id, x, y, case when ${kind === "workingCopy"} then id end
      from flow_activity where flow_id = ${from} order by seq, id returning id, name
    )
    insert into flow_relation (flow_id, pre_node_id, node_id, type, offset_days)
    select ${to}, mp.id, mn.id, r.type, r.offset_days
    from flow_relation r
    join flow_activity p on p.id = r.pre_node_id join made mp on mp.name = p.name
    join flow_activity n on n.id = r.node_id join made mn on mn.name = n.name
    where r.flow_id = ${from} order by r.id`;
}

/**
 * Brings the stored graph of a locked draft to the given one, in a fixed number of statements.
 * Refuses all broken rules together; activities without library activity are linked by code or name, or made.
 * @param keepUnlinked those whose `activityId` is null stay without
 */
async function writeGraph(ctx: Ctx, flow: FlowHead, stored: StoredGraph, graph: GraphInput, keepUnlinked = false): Promise<SavedGraph> {
  const known = new Map(stored.nodes.map((node) => [node.id, node]));
  const foreign = graph.nodes.findIndex((node) => node.id !== undefined && !known.has(node.id));
  if (foreign >= 0) {
    const params = { object: graph.nodes[foreign]!.id! };
    throw new AppError("NOT_FOUND", params, [{ path: `nodes.${foreign}.id`, code: "NOT_FOUND", params }]);
  }
  checkRules(saveGraphRules, { nodes: graph.nodes.map((node) => ({ ...node, activityId: null })), relations: graph.relations });
  const activityIds = await resolveActivities(ctx, graph.nodes, known, keepUnlinked);
  const subFlowIds = await resolveSubFlows(ctx, graph.nodes, known);
  const nodes = graph.nodes.map((node, at) => ({
    ...node,
    activityId: activityIds[at] ?? null,
    subFlowId: subFlowIds[at] ?? null,
    seq: at + 1,
  }));
  checkRules([ACTIVITY_REPEAT], { nodes, relations: [] });
  if (flow.draftOf !== null) await guardReleasedNodes(ctx, flow.draftOf, stored.nodes, nodes);

  const ids = await writeNodes(ctx, flow.id, stored.nodes, nodes);
  const relations = graph.relations.map((relation) => ({
    pre: ids.get(relation.pre)!,
    node: ids.get(relation.node)!,
    type: relation.type!,
    offset: relation.offset,
  }));
  await writeRelations(ctx, flow.id, relations);
  const rowVersion = flow.rowVersion + 1;
  await ctx.tx.update(activityFlow).set({ rowVersion, updatedBy: ctx.user.id, updatedAt: ctx.now }).where(eq(activityFlow.id, flow.id));
  const after = nodes.map(({ key, code: _code, seq: _seq, ...node }) => ({ ...node, id: ids.get(key)! }));
  const diff = graphDiff(stored, { nodes: after, relations });
  ctx.audit(`activity_flow ${flow.id} graph`, diff.before, diff.after);
  return { rowVersion, nodes: nodes.map(({ key, activityId }) => ({ key, id: ids.get(key)!, activityId })) };
}

/** Library activity of every node: the one named, the one it has, else by code or name. */
async function resolveActivities(
  ctx: Ctx,
  nodes: readonly NodeInput[],
  known: ReadonlyMap<number, StoredNode>,
  keepUnlinked: boolean,
): Promise<(number | null)[]> {
  const present = (node: NodeInput) => (node.id === undefined ? undefined : known.get(node.id)?.activityId);
  const chosen = nodes.map((node) => (node.activityId === undefined ? present(node) : node.activityId));
  const library = await readActivities(
    ctx,
    chosen.filter((id) => id != null),
  );
  const problems: Problem[] = [];
  nodes.forEach((node, at) => {
    const id = chosen[at];
    if (id == null) return;
    const activity = library.get(id);
    const path = `nodes.${at}.activityId`;
    if (!activity || (activity.disabled && present(node) !== id))
      problems.push({ path, code: "VALUE_UNKNOWN", params: { field: path, value: id } });
  });
  if (problems.length > 0) throw new AppError("INVALID_INPUT", { field: problems[0]!.path }, problems);
  const open = nodes.filter((_, at) => chosen[at] === undefined || (chosen[at] === null && !keepUnlinked));
  const linked = await linkActivities(ctx, open);
  const links = new Map(open.map((node, at) => [node.key, linked[at]!]));
  return nodes.map((node, at) => chosen[at] ?? links.get(node.key) ?? null);
}

/** Sub-flow of every node: the one named, which is one of the project in use, else the one it has. */
async function resolveSubFlows(ctx: Ctx, nodes: readonly NodeInput[], known: ReadonlyMap<number, StoredNode>): Promise<(number | null)[]> {
  const present = (node: NodeInput) => (node.id === undefined ? null : (known.get(node.id)?.subFlowId ?? null));
  const chosen = nodes.map((node) => (node.subFlowId === undefined ? present(node) : node.subFlowId));
  const states = await readSubFlowStates(
    ctx,
    chosen.filter((id) => id != null),
  );
  const problems = nodes.flatMap((node, at): Problem[] => {
    const id = chosen[at];
    const path = `nodes.${at}.subFlowId`;
    return id == null || present(node) === id || states.get(id) === "active"
      ? []
      : [{ path, code: "VALUE_UNKNOWN", params: { field: path, value: id } }];
  });
  if (problems[0]) throw new AppError("INVALID_INPUT", { field: problems[0].path }, problems);
  // As by `bindSubFlow`.
  if (nodes.some((node, at) => (chosen[at] ?? null) !== present(node)) && !ctx.can("flow.edit"))
    throw new AppError("NO_PERMISSION", { right: "flow.edit" });
  return chosen.map((id) => id ?? null);
}

/** A released activity leaves its flow only by a person who may do that, and only while no DU holds facts on it. */
async function guardReleasedNodes(
  ctx: Ctx,
  releasedFlow: number,
  before: readonly StoredNode[],
  after: readonly { id?: number | undefined; activityId: number | null }[],
): Promise<void> {
  const stays = new Set(after.map((node) => node.activityId));
  const leaving = before.filter((node) => node.originNodeId !== null && node.activityId !== null && !stays.has(node.activityId));
  if (leaving.length === 0) return;
  if (!ctx.can("flow.releaseNodeDelete")) throw new AppError("NO_PERMISSION", { right: "flow.releaseNodeDelete" });
  await guardActivityUse(
    ctx,
    releasedFlow,
    leaving.map((node) => node.activityId!),
  );
}

/** Refuses when DUs bound to the flow hold facts on one of the activities, or configuration names one; tells how many DUs and which. */
export async function guardActivityUse(ctx: Ctx, flowId: number, activityIds: readonly number[]): Promise<void> {
  const used = await findActivityUse(
    ctx,
    activityIds.map((activityId) => ({ flowId, activityId })),
  );
  if (used.length === 0) return;
  const texts = used.map(useText);
  throw new AppError(
    "ACTIVITY_REFERENCED",
    { by: texts.join(", ") },
    texts.map((by) => ({ path: "nodes", code: "ACTIVITY_REFERENCED" as const, params: { by } })),
  );
}

type WrittenNode = Omit<NodeInput, "activityId" | "subFlowId"> & { activityId: number | null; subFlowId: number | null; seq: number };

async function writeNodes(
  { sql }: Ctx,
  flowId: number,
  before: readonly StoredNode[],
  nodes: readonly WrittenNode[],
): Promise<Map<string, number>> {
  const kept = nodes.filter((node) => node.id !== undefined);
  const keptIds = kept.map((node) => node.id!);
  const gone = before.filter((node) => !keptIds.includes(node.id)).map((node) => node.id);
  if (gone.length > 0) await sql`delete from flow_activity where flow_id = ${flowId} and id = any(${gone}::bigint[])`;
  if (kept.length > 0) {
    // Names and links are unique at every moment: they step aside before they change places.
    await sql`update flow_activity set name = chr(1) || id, activity_id = null where flow_id = ${flowId}`;
    await sql`
      update flow_activity n set activity_id = r."activityId", name = r.name, seq = r.seq, lead_time_days = r."leadTimeDays", is_anchor = r."isAnchor",
        is_milestone = r."isMilestone", need_deliverable = r."needDeliverable", need_approval = r."needApproval", na_needs_approval = r."naNeedsApproval",
        doc_pd_may_cancel_na = r."docPdMayCancelNa", sub_flow_id = r."subFlowId", x = r.x, y = r.y
      from jsonb_to_recordset(${sql.json(kept)}) as r(id bigint, "activityId" bigint, name text, seq int, "leadTimeDays" int, "isAnchor" boolean,
        "isMilestone" boolean, "needDeliverable" boolean, "needApproval" boolean, "naNeedsApproval" boolean, "docPdMayCancelNa" boolean, "subFlowId" bigint, x int, y int)
      where n.id = r.id and n.flow_id = ${flowId}`;
  }
  const fresh = nodes.filter((node) => node.id === undefined);
  const ids = new Map(kept.map((node) => [node.key, node.id!]));
  if (fresh.length === 0) return ids;
  const made = await sql<{ id: number; seq: number }[]>`
    insert into flow_activity (flow_id, activity_id, name, seq, lead_time_days, is_anchor, is_milestone, need_deliverable, need_approval,
      na_needs_approval, doc_pd_may_cancel_na, sub_flow_id, x, y)
    select ${flowId}, r."activityId", r.name, r.seq, r."leadTimeDays", r."isAnchor", r."isMilestone", r."needDeliverable", r."needApproval",
      r."naNeedsApproval", r."docPdMayCancelNa", r."subFlowId", r.x, r.y
    from jsonb_to_recordset(${sql.json(fresh)}) as r("activityId" bigint, name text, seq int, "leadTimeDays" int, "isAnchor" boolean,
      "isMilestone" boolean, "needDeliverable" boolean, "needApproval" boolean, "naNeedsApproval" boolean, "docPdMayCancelNa" boolean, "subFlowId" bigint, x int, y int)
    order by r.seq returning id, seq`;
  const bySeq = new Map(made.map((row) => [row.seq, row.id]));
  for (const node of fresh) ids.set(node.key, bySeq.get(node.seq)!);
  return ids;
}

async function writeRelations(
  { sql }: Ctx,
  flowId: number,
  relations: readonly { pre: number; node: number; type: string; offset: number }[],
): Promise<void> {
  const rows = sql.json([...relations]);
  await sql`
    delete from flow_relation r where r.flow_id = ${flowId} and not exists (
      select 1 from jsonb_to_recordset(${rows}) as n(pre bigint, node bigint, type text)
      where n.pre = r.pre_node_id and n.node = r.node_id and n.type = r.type)`;
  if (relations.length === 0) return;
  await sql`
    insert into flow_relation (flow_id, pre_node_id, node_id, type, offset_days)
    select ${flowId}, n.pre, n.node, n.type, n."offset" from jsonb_to_recordset(${rows}) as n(pre bigint, node bigint, type text, "offset" int)
    on conflict (pre_node_id, node_id, type) do update set offset_days = excluded.offset_days`;
}

/** A stored graph in the form of a request, keyed by node id. */
function asInput(stored: StoredGraph): GraphInput {
  return {
    nodes: stored.nodes.map(({ originNodeId: _origin, ...node }) => ({ ...node, key: String(node.id) })),
    relations: stored.relations.map((relation) => ({ ...relation, pre: String(relation.pre), node: String(relation.node) })),
  };
}
