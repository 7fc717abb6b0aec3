import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import type { JobCtx } from "#lib/core/job.ts";
import { enqueueTask, type Outcome } from "#lib/core/task.ts";
import { findProject } from "#lib/session/queries.ts";
import { saveFlow } from "../commands.ts";
import { copyGraph, lockDraft, lockFlow, takeGraph } from "../graph/commands.ts";
import { readGraph, type StoredNode } from "../graph/queries.ts";
import { linkActivities } from "../library/commands.ts";
import { matchKey } from "../library/logic.ts";
import type { ReplicationStatus } from "./limits.ts";
import { type ActivityResult, type Placement, placeActivities, statusOf } from "./logic.ts";
import { getTarget, readLibraryOf, readTargetLibrary } from "./queries.ts";
import type { CopyFlow, ReplicationParams, RetryReplication } from "./schema.ts";

export type FlowCopy = { id: number; version: number; rowVersion: number };
export type StartedCopy = { taskId: string; logId: number };

/**
 * Makes a draft with the activities and relations of another flow: in this project at once, in another one in the background, where library activities
 * are matched by code, then by name, else made.
 * @throws NAME_EXISTS, NOT_FOUND, NOT_AUTHORISED_FOR_PROJECT, NO_PERMISSION
 */
export async function copyFlow(ctx: Ctx, { id, name, toProjectNumber }: CopyFlow): Promise<FlowCopy | StartedCopy> {
  if (toProjectNumber === undefined || toProjectNumber === ctx.project.number) return copyHere(ctx, id, name);
  const { sql } = ctx;
  const target = await getTarget(ctx, toProjectNumber);
  const flow = await lockFlow(ctx, id);
  const [taken] = await sql`
    select 1 from activity_flow where project_id = ${target.id} and draft_of is null and lower(name) = ${matchKey(name)}`;
  if (taken) throw new AppError("NAME_EXISTS", { name }, [{ path: "name", code: "NAME_EXISTS", params: { name } }]);
  const { nodes } = await readGraph(ctx, id);
  const logId = await insertLog(ctx, { flow, targetProjectId: target.id, targetName: name, count: nodes.length, status: "running" });
  return { logId, taskId: await enqueue(ctx, logId, `${flow.name} → ${target.number}`, nodes.length) };
}

async function copyHere(ctx: Ctx, id: number, name: string): Promise<FlowCopy> {
  if (!ctx.can("flow.edit")) throw new AppError("NO_PERMISSION", { right: "flow.edit" });
  const flow = await lockFlow(ctx, id);
  const made = await saveFlow(ctx, { name, description: flow.description, deliveryTypes: flow.deliveryTypes });
  await copyGraph(ctx, flow.id, made.id, "copy");
  ctx.audit(`activity_flow ${made.id}`, null, { name, copyOf: flow.id });
  const { nodes } = await readGraph(ctx, made.id);
  const results = nodes.map(({ name: activity }): ActivityResult => ({ activity, outcome: "matched", code: null, params: {} }));
  const logId = await insertLog(ctx, { flow, targetProjectId: null, targetName: name, count: nodes.length, status: "running" });
  await storeResults(ctx, logId, made.id, results);
  return made;
}

type NewLog = {
  flow: { id: number; name: string };
  targetProjectId: number | null;
  targetName: string;
  count: number;
  status: ReplicationStatus;
};

async function insertLog(ctx: Ctx, { flow, targetProjectId, targetName, count, status }: NewLog): Promise<number> {
  const { sql, project, user, now } = ctx;
  const [made] = await sql<{ id: number }[]>`
    insert into replication_log (project_id, at, actor_id, source_flow_id, source_name, target_project_id, target_name, activity_count, status)
    values (${project.id}, ${now}, ${user.id}, ${flow.id}, ${flow.name}, ${targetProjectId}, ${targetName}, ${count}, ${status}) returning id`;
  ctx.audit(`replication_log ${made!.id}`, null, { flow: flow.id, targetProjectId, targetName });
  return made!.id;
}

async function enqueue(ctx: Ctx, logId: number, title: string, total: number): Promise<string> {
  const taskId = await enqueueTask(ctx, {
    kind: "activityFlows.replicate",
    direction: "process",
    title,
    params: { logId } satisfies ReplicationParams,
    total,
  });
  await ctx.sql`update replication_log set task_id = ${taskId} where id = ${logId}`;
  return taskId;
}

/** Keeps what became of activities; those named before are replaced. */
async function storeResults({ sql }: Ctx, logId: number, flowId: number | null, results: readonly ActivityResult[]): Promise<void> {
  const failed = results.filter(({ outcome }) => outcome === "failed").length;
  await sql`
    update replication_log set detail = ${sql.json(results as never)}, success_count = ${results.length - failed}, failed_count = ${failed},
      status = ${statusOf(results)}, target_flow_id = ${flowId} where id = ${logId}`;
}

type Log = {
  id: number;
  sourceFlowId: number | null;
  sourceName: string;
  targetProjectId: number | null;
  targetNumber: string | null;
  targetFlowId: number | null;
  targetName: string;
  status: ReplicationStatus;
  /** Its task has ended without saying how: it was cancelled, or refused before it began. */
  left: boolean;
  detail: ActivityResult[];
};

async function lockLog({ sql, project }: Ctx, id: number): Promise<Log> {
  await sql`select 1 from replication_log where id = ${id} and project_id = ${project.id} for update`;
  // Read after the wait: its task may be another one by then.
  const [log] = await sql<Log[]>`
    select l.id, l.source_flow_id as "sourceFlowId", l.source_name as "sourceName", l.target_project_id as "targetProjectId", p.number as "targetNumber",
      l.target_flow_id as "targetFlowId", l.target_name as "targetName", l.status, l.detail, coalesce(t.status not in ('queued', 'running'), true) as "left"
    from replication_log l left join project p on p.id = l.target_project_id left join task t on t.id = l.task_id
    where l.id = ${id} and l.project_id = ${project.id}`;
  if (!log) throw new AppError("NOT_FOUND", { object: id });
  return log;
}

/**
 * Copies the activities that failed once more, into the draft the others went to.
 * @throws WRONG_STATUS for a copy that is under way or complete, NOT_FOUND once the flow it came from is gone
 */
export async function retryReplication(ctx: Ctx, { id }: RetryReplication): Promise<StartedCopy> {
  const log = await lockLog(ctx, id);
  const stands = log.status === "running" && log.left ? "failed" : log.status;
  if (stands !== "failed" && stands !== "partly") throw new AppError("WRONG_STATUS", { status: log.status });
  if (log.targetNumber === null || log.sourceFlowId === null) throw new AppError("NOT_FOUND", { object: log.sourceName });
  await getTarget(ctx, log.targetNumber);
  await ctx.sql`update replication_log set status = 'running' where id = ${id}`;
  ctx.audit(`replication_log ${id}`, { status: stands }, { status: "running" });
  const open = log.detail.filter(({ outcome }) => outcome === "failed").length;
  return { logId: id, taskId: await enqueue(ctx, id, `${log.sourceName} → ${log.targetNumber}`, open) };
}

/** Copies what a copy still lacks into the other project, in one transaction. Safe to run twice. */
export async function runReplication(job: JobCtx, { logId }: ReplicationParams): Promise<Outcome> {
  try {
    await job.chunk(async (ctx, tally) => {
      const log = await lockLog(ctx, logId);
      if (log.status !== "running") {
        // An attempt that was killed at its end has copied and counted, or was refused as a whole.
        const refused = job.task.doneCount + job.task.failedCount === 0 ? log.detail.find(({ outcome }) => outcome === "failed") : null;
        if (refused?.code) throw new AppError(refused.code, refused.params);
        return;
      }
      const { flowId, results } = await replicate(ctx, log);
      await storeResults(ctx, logId, flowId, results);
      const before = new Set(log.detail.filter(({ outcome }) => outcome !== "failed").map(({ activity }) => activity));
      const tried = results.filter(({ activity }) => !before.has(activity));
      tally.failed += tried.filter(({ outcome }) => outcome === "failed").length;
      tally.done += tried.filter(({ outcome }) => outcome !== "failed").length;
      ctx.audit(`replication_log ${logId}`, null, { flowId, results });
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // Nothing was copied: every activity that was to come says why.
    await job.chunk(async (ctx) => {
      const log = await lockLog(ctx, logId);
      const known = log.detail.filter(({ outcome }) => outcome !== "failed");
      const names = log.sourceFlowId === null ? [] : (await readGraph(ctx, log.sourceFlowId)).nodes.map(({ name }) => name);
      const rest = names.filter((name) => !known.some(({ activity }) => activity === name));
      const failed = rest.map((activity): ActivityResult => ({ activity, outcome: "failed", code: error.code, params: error.params }));
      await storeResults(ctx, logId, log.targetFlowId, [...known, ...failed]);
      if (failed.length === 0) await ctx.sql`update replication_log set status = 'failed' where id = ${logId}`;
      ctx.audit(`replication_log ${logId}`, null, { code: error.code });
    });
    throw error;
  }
  return { result: { logId } };
}

async function replicate(ctx: Ctx, log: Log): Promise<{ flowId: number | null; results: ActivityResult[] }> {
  if (log.sourceFlowId === null || log.targetNumber === null) throw new AppError("NOT_FOUND", { object: log.sourceName });
  await getTarget(ctx, log.targetNumber, true);
  const project = await findProject(ctx.sql, log.targetNumber);
  if (!project) throw new AppError("NOT_AUTHORISED_FOR_PROJECT", { project: log.targetNumber });
  const there: Ctx = {
    ...ctx,
    project,
    audit: (object, before, after, event) => ctx.audit(`${project.number} ${object}`, before, after, event),
  };
  const source = await lockFlow(ctx, log.sourceFlowId);
  const { nodes, relations } = await readGraph(ctx, source.id);
  const library = await readLibraryOf(ctx, nodes);
  await holdProject(there);
  const draft = log.targetFlowId === null ? null : await lockDraft(there, log.targetFlowId);
  const stored = draft ? await readGraph(there, draft.id) : { nodes: [], relations: [] };
  const copied = new Set(log.detail.filter(({ outcome }) => outcome !== "failed").map(({ activity }) => activity));
  const open = nodes.filter(({ name }) => !copied.has(name));
  const placements = placeActivities(
    open.map(({ name, activityId }) => ({ name, library: activityId === null ? null : (library.get(activityId) ?? null) })),
    await readTargetLibrary(ctx, project.id),
    {
      activityIds: new Set(stored.nodes.flatMap(({ activityId }) => activityId ?? [])),
      names: new Set(stored.nodes.map(({ name }) => matchKey(name))),
    },
  );
  const made = open.flatMap((node, at) => (placements[at]?.kind === "made" ? [library.get(node.activityId as number)!] : []));
  const madeIds = await linkActivities(there, made);
  let next = 0;
  const fresh = open.flatMap((node, at) => {
    const placement = placements[at] as Placement;
    if (placement.kind === "failed") return [];
    const activityId = placement.kind === "matched" ? placement.activityId : placement.kind === "made" ? (madeIds[next++] as number) : null;
    return [{ ...fieldsOf(node), key: `new ${node.id}`, activityId }];
  });
  const results = open.map(({ name }, at): ActivityResult => {
    const placement = placements[at] as Placement;
    if (placement.kind === "failed") return { activity: name, outcome: "failed", code: placement.code, params: placement.params };
    return { activity: name, outcome: placement.kind === "made" ? "made" : "matched", code: null, params: {} };
  });
  const all = [...log.detail.filter(({ outcome }) => outcome !== "failed"), ...results];
  if (fresh.length === 0) return { flowId: draft?.id ?? null, results: all };
  const flow =
    draft ??
    (await lockDraft(
      there,
      (
        await saveFlow(there, { name: log.targetName, description: source.description, deliveryTypes: source.deliveryTypes })
      ).id,
    ));
  const kept = stored.nodes.map((node) => ({ ...fieldsOf(node), id: node.id, activityId: node.activityId, key: String(node.id) }));
  // Ends of relations by the names of their activities: those copied before have them too.
  const keys = new Map([...kept, ...fresh].map(({ name, key }) => [name, key]));
  const names = new Map(nodes.map(({ id, name }) => [id, name]));
  const present = new Set(stored.relations.map(({ pre, node, type }) => `${pre} ${node} ${type}`));
  const joined = relations.flatMap(({ pre, node, type, offset }) => {
    const [from, to] = [keys.get(names.get(pre) ?? ""), keys.get(names.get(node) ?? "")];
    return from && to && !present.has(`${from} ${to} ${type}`) ? [{ pre: from, node: to, type, offset }] : [];
  });
  const before = stored.relations.map((relation) => ({ ...relation, pre: String(relation.pre), node: String(relation.node) }));
  await takeGraph(there, flow, { nodes: [...kept, ...fresh], relations: [...before, ...joined] });
  return { flowId: flow.id, results: all };
}

/** What of an activity goes along; the steps below it belong to the project it came from. */
function fieldsOf({
  name,
  leadTimeDays,
  isAnchor,
  isMilestone,
  needDeliverable,
  needApproval,
  naNeedsApproval,
  docPdMayCancelNa,
  x,
  y,
}: StoredNode) {
  return { name, leadTimeDays, isAnchor, isMilestone, needDeliverable, needApproval, naNeedsApproval, docPdMayCancelNa, x, y };
}
