import "server-only";
import { eq } from "drizzle-orm";
import type { z } from "zod";
import { activityFlow } from "#db/schema/activity-flows.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { checkRules } from "#lib/core/rule.ts";
import { syncBoundDus } from "../binding/commands.ts";
import { type FlowHead, guardActivityUse, lockDraft, lockFlow } from "../graph/commands.ts";
import { readGraph, type StoredGraph } from "../graph/queries.ts";
import { releaseGraphRules } from "../graph/rules.ts";
import { linkActivities } from "../library/commands.ts";
import { syncDusPerBatch } from "./limits.ts";
import { planVersion, type VersionPlan } from "./logic.ts";
import type { ReleaseFlow } from "./schema.ts";

export type Released = {
  flowId: number;
  version: number;
  /** DUs whose plan rows were brought to the new version. */
  changedDus: number;
  entering: number;
  leaving: number;
};

/**
 * Releases a draft as version 1, or a working copy as the next version of its flow. All broken rules are reported together.
 * With a next version the plan rows of every bound DU follow in the same transaction: no DU is ever between two versions.
 */
export async function releaseFlow(ctx: Ctx, { id, rowVersion }: z.output<typeof ReleaseFlow>): Promise<Released> {
  // The project before flows, as rules that come into force take them.
  await holdProject(ctx);
  const parent = await findParent(ctx, id);
  const released = parent === null ? null : await lockFlow(ctx, parent);
  const draft = await lockDraft(ctx, id, rowVersion);
  await linkOpenNodes(ctx, id);
  const graph = await readGraph(ctx, id);
  const nodes = graph.nodes.map((node) => ({ ...node, key: String(node.id) }));
  const relations = graph.relations.map(({ pre, node, ...relation }) => ({ ...relation, pre: String(pre), node: String(node) }));
  checkRules(releaseGraphRules, { nodes, relations });
  return released === null ? releaseDraft(ctx, draft, graph) : releaseVersion(ctx, released, draft, graph);
}

async function releaseDraft(ctx: Ctx, draft: FlowHead, graph: StoredGraph): Promise<Released> {
  await ctx.tx
    .update(activityFlow)
    .set({ status: "released", version: 1, rowVersion: draft.rowVersion + 1, updatedBy: ctx.user.id, updatedAt: ctx.now })
    .where(eq(activityFlow.id, draft.id));
  ctx.audit(`activity_flow ${draft.id}`, { status: "draft" }, { status: "released", version: 1 });
  return { flowId: draft.id, version: 1, changedDus: 0, entering: graph.nodes.length, leaving: 0 };
}

async function releaseVersion(ctx: Ctx, released: FlowHead, copy: FlowHead, graph: StoredGraph): Promise<Released> {
  const before = await readGraph(ctx, released.id);
  const plan = planVersion(before, graph);
  // Nobody is bound meanwhile: binding takes a share of the flow's row, which is locked.
  const dus = await ctx.sql<
    { id: number }[]
  >`select du_id as id from du_flow where flow_id = ${released.id} and unbound_at is null order by du_id`;
  await guardActivityUse(ctx, released.id, plan.leaving);
  await replaceGraph(ctx, released.id, copy.id, plan);
  const version = released.version + 1;
  const { name, description, deliveryTypes } = copy;
  await ctx.tx.delete(activityFlow).where(eq(activityFlow.id, copy.id));
  await ctx.tx
    .update(activityFlow)
    .set({ name, description, deliveryTypes, version, rowVersion: released.rowVersion + 1, updatedBy: ctx.user.id, updatedAt: ctx.now })
    .where(eq(activityFlow.id, released.id));
  const ids = dus.map((du) => du.id);
  let written = 0;
  for (let at = 0; at < ids.length; at += syncDusPerBatch)
    written += (await syncBoundDus(ctx, released.id, ids.slice(at, at + syncDusPerBatch), plan.relationsChanged)).written;
  ctx.audit(
    `activity_flow ${released.id}`,
    { name: released.name, version: released.version, graph: before },
    { name, version, entering: plan.entering, leaving: plan.leaving, relationsChanged: plan.relationsChanged, changedDus: written },
  );
  return { flowId: released.id, version, changedDus: written, entering: plan.entering.length, leaving: plan.leaving.length };
}

/** Gives the released flow the activities and relations of its working copy; nodes that stay keep their ids. */
async function replaceGraph({ sql }: Ctx, flowId: number, copyId: number, plan: VersionPlan): Promise<void> {
  await sql`delete from flow_relation where flow_id = ${flowId}`;
  await sql`delete from flow_activity where flow_id = ${flowId} and id = any(${plan.removed}::bigint[])`;
  // Names and links are unique at every moment: they step aside before they change places.
  await sql`update flow_activity set name = chr(1) || id, activity_id = null where flow_id = ${flowId}`;
  const pairs = sql.json([...plan.kept].map(([copy, target]) => ({ copy, target })));
  await sql`
    update flow_activity n set activity_id = c.activity_id, name = c.name, seq = c.seq, lead_time_days = c.lead_time_days, is_anchor = c.is_anchor,
      is_milestone = c.is_milestone, need_deliverable = c.need_deliverable, need_approval = c.need_approval, na_needs_approval = c.na_needs_approval,
      doc_pd_may_cancel_na = c.doc_pd_may_cancel_na, sub_flow_id = c.sub_flow_id, x = c.x, y = c.y
    from jsonb_to_recordset(${pairs}) as k(copy bigint, target bigint) join flow_activity c on c.id = k.copy
    where n.id = k.target and n.flow_id = ${flowId} and c.flow_id = ${copyId}`;
  await sql`
    insert into flow_activity (flow_id, activity_id, name, seq, lead_time_days, is_anchor, is_milestone, need_deliverable, need_approval,
      na_needs_approval, doc_pd_may_cancel_na, sub_flow_id, x, y)
    select ${flowId}, activity_id, name, seq, lead_time_days, is_anchor, is_milestone, need_deliverable, need_approval, na_needs_approval,
      doc_pd_may_cancel_na, sub_flow_id, x, y
    from flow_activity where flow_id = ${copyId} and id = any(${plan.added}::bigint[]) order by seq`;
  await sql`
    insert into flow_relation (flow_id, pre_node_id, node_id, type, offset_days)
    select ${flowId}, tp.id, tn.id, r.type, r.offset_days
    from flow_relation r
    join flow_activity p on p.id = r.pre_node_id join flow_activity tp on tp.flow_id = ${flowId} and tp.name = p.name
    join flow_activity n on n.id = r.node_id join flow_activity tn on tn.flow_id = ${flowId} and tn.name = n.name
    where r.flow_id = ${copyId} order by r.id`;
}

/** Links activities that have no library activity yet, by name. */
async function linkOpenNodes(ctx: Ctx, flowId: number): Promise<void> {
  const open = await ctx.sql<{ id: number; name: string }[]>`
    select id, name from flow_activity where flow_id = ${flowId} and activity_id is null order by seq`;
  if (open.length === 0) return;
  const linked = await linkActivities(ctx, open);
  const links = ctx.sql.json(open.map((node, at) => ({ id: node.id, activity: linked[at]! })));
  await ctx.sql`
    update flow_activity n set activity_id = l.activity from jsonb_to_recordset(${links}) as l(id bigint, activity bigint) where n.id = l.id`;
}

/** The released flow a working copy belongs to, read before anything is locked so that flows are locked before their copies. */
async function findParent(ctx: Ctx, id: number): Promise<number | null> {
  const [row] = await ctx.sql<{ parent: number | null }[]>`
    select draft_of as parent from activity_flow where id = ${id} and project_id = ${ctx.project.id}`;
  if (!row) throw new AppError("NOT_FOUND", { object: id });
  return row.parent;
}
