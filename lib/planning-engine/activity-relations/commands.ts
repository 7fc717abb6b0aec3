import "server-only";
import { findCycle, loopText } from "#lib/activity-flows/graph/logic.ts";
import { readFlowGraph } from "#lib/activity-flows/queries.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import { editVersion } from "../versions/commands.ts";
import type { Relation } from "./limits.ts";

/** An activity as a caller gives it, as far as it speaks of others. */
export type GivenActivity = {
  workflowName: string;
  activityName: string;
  predecessors?: readonly { activityName: string; relation: Relation; offsetDays: number }[];
  coResource?: readonly string[];
  coTeam?: readonly string[];
};

/**
 * Puts the relations and links of saved activities in place of those they had, and looks at their workflows as a whole. [ENG-11]
 * @param rows with the places they were given at
 * @throws VALUE_UNKNOWN, LOOP, CO_TEAM_SKILL, WORKFLOW_MIXED
 */
export async function writeRelations(
  ctx: Ctx,
  versionId: number,
  rows: readonly (GivenActivity & { id: number; place: number })[],
): Promise<void> {
  const { sql, project } = ctx;
  const ids = rows.map(({ id }) => id);
  const known = await sql<{ id: number; workflow: string; name: string }[]>`
    select id, workflow_name as workflow, activity_name as name from engine_activity where version_id = ${versionId}`;
  const idOf = new Map(known.map(({ id, workflow, name }) => [`${workflow}\n${name}`, id]));
  const problems: Problem[] = [];
  const find = (row: (typeof rows)[number], name: string, path: string): number[] => {
    const found = idOf.get(`${row.workflowName}\n${name}`);
    if (found === undefined || (found === row.id && path.startsWith("co"))) {
      const field = `rows.${row.place}.${path}`;
      problems.push({ path: field, code: "VALUE_UNKNOWN", params: { field, value: name } });
      return [];
    }
    return [found];
  };
  const pres = rows.flatMap((row) =>
    (row.predecessors ?? []).flatMap(({ activityName, relation, offsetDays }, at) =>
      find(row, activityName, `predecessors.${at}.activityName`).map((pre) => ({ id: row.id, pre, relation, offset: offsetDays })),
    ),
  );
  const links = rows.flatMap((row) =>
    (["coResource", "coTeam"] as const).flatMap((field) =>
      (row[field] ?? []).flatMap((name) =>
        find(row, name, field).map((other) => ({
          id: Math.min(row.id, other),
          other: Math.max(row.id, other),
          kind: field === "coTeam" ? "co_team" : "co_resource",
        })),
      ),
    ),
  );
  if (problems[0]) throw new AppError(problems[0].code, problems[0].params, problems);
  await sql`delete from engine_activity_pre where engine_activity_id = any(${ids}::bigint[])`;
  await sql`delete from engine_activity_link where engine_activity_id = any(${ids}::bigint[]) or other_engine_activity_id = any(${ids}::bigint[])`;
  await sql`
    insert into engine_activity_pre (engine_activity_id, pre_engine_activity_id, project_id, relation, offset_days)
    select id, pre, ${project.id}, relation, "offset" from jsonb_to_recordset(${sql.json(pres)}) as r(id bigint, pre bigint, relation text, "offset" int)`;
  await sql`
    insert into engine_activity_link (engine_activity_id, other_engine_activity_id, kind, project_id)
    select distinct id, other, kind, ${project.id}::bigint from jsonb_to_recordset(${sql.json(links)}) as r(id bigint, other bigint, kind text)`;
  await findSlots(ctx, versionId);
  await demandOrder(ctx, versionId);
}

/** Notes for every activity of a version which slot of the plan its dates belong to: that of the activity its flow has by this name. */
async function findSlots({ sql, project }: Ctx, versionId: number): Promise<void> {
  await sql`
    with found as (
      select e.id, min(a.slot) as slot from engine_activity e
        left join activity_flow f on f.project_id = ${project.id} and f.draft_of is null and f.name = e.workflow_name
        left join flow_activity n on n.flow_id = f.id and lower(n.name) = lower(e.activity_name)
        left join activity_library a on a.id = n.activity_id and a.project_id = ${project.id}
      where e.version_id = ${versionId} group by e.id)
    update engine_activity e set slot = found.slot from found where e.id = found.id and e.slot is distinct from found.slot`;
}

/** Relations stay inside a workflow and run in no circle; who shares a team has one skill. @throws LOOP, CO_TEAM_SKILL, WORKFLOW_MIXED */
async function demandOrder({ sql }: Ctx, versionId: number): Promise<void> {
  const rows = await sql<{ id: number; workflow: string; name: string; skill: string | null }[]>`
    select id, workflow_name as workflow, activity_name as name, skill_type as skill from engine_activity where version_id = ${versionId} order by sort, id`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  const pres = await sql<{ pre: number; node: number }[]>`
    select p.pre_engine_activity_id as pre, p.engine_activity_id as node from engine_activity_pre p join engine_activity a on a.id = p.engine_activity_id
    where a.version_id = ${versionId}`;
  const links = await sql<{ pre: number; node: number; kind: string }[]>`
    select l.engine_activity_id as pre, l.other_engine_activity_id as node, l.kind from engine_activity_link l join engine_activity a on a.id = l.engine_activity_id
    where a.version_id = ${versionId}`;
  for (const { pre, node } of [...pres, ...links]) {
    const [one, other] = [byId.get(pre)!, byId.get(node)!];
    if (one.workflow !== other.workflow) throw new AppError("WORKFLOW_MIXED", { name: one.name, other: other.name });
  }
  const loop = findCycle(
    rows.map(({ id }) => String(id)),
    pres.map(({ pre, node }) => ({ pre: String(pre), node: String(node) })),
  );
  if (loop) throw new AppError("LOOP", { loop: loopText(loop.map((key) => byId.get(Number(key))!.name)) });
  for (const { pre, node, kind } of links) {
    const [one, other] = [byId.get(pre)!, byId.get(node)!];
    if (kind === "co_team" && one.skill !== other.skill) throw new AppError("CO_TEAM_SKILL", { name: one.name, other: other.name });
  }
}

/** What became of the activities of a version. */
export type TakenFlows = { flows: number; added: number; changed: number; removed: number };

/**
 * Fills the activities of a version with those of the flows its DUs follow: lead times, order and relations. What only the engine knows of an activity stays;
 * what a flow no longer has goes.
 * @throws NOT_FOUND, VERSION_LOCKED, NO_FLOWS where no DU of the version follows a flow
 */
export async function takeFromFlows(ctx: Ctx, { versionId }: { versionId: number }): Promise<TakenFlows> {
  await editVersion(ctx, versionId);
  const taken = await fillFromFlows(ctx, versionId);
  if (taken.flows === 0) throw new AppError("NO_FLOWS");
  return taken;
}

/** The same inside a call that has locked the version. */
export async function fillFromFlows(ctx: Ctx, versionId: number): Promise<TakenFlows> {
  const { sql, project, user, now } = ctx;
  const bound = await sql<{ id: number }[]>`
    select distinct f.flow_id as id from engine_du e join du_flow f on f.du_id = e.du_id and f.unbound_at is null where e.version_id = ${versionId}`;
  const graphs = [
    ...(
      await readFlowGraph(
        ctx,
        bound.map(({ id }) => id),
      )
    ).values(),
  ];
  if (graphs.length === 0) return { flows: 0, added: 0, changed: 0, removed: 0 };
  const nodes = graphs.flatMap(({ flowId, name, version, nodes: own }) =>
    own.map((node, at) => ({
      workflow: name,
      name: node.name,
      sort: at + 1,
      slot: node.slot,
      days: node.leadTimeDays,
      assembly: node.kind === "ic",
      disassembly: node.kind === "decom" || node.kind === "material_dismantle",
      flow: flowId,
      version,
    })),
  );
  const source = sql`jsonb_to_recordset(${sql.json(nodes)}) as n(workflow text, name text, sort int, slot smallint, days int, assembly boolean,
    disassembly boolean, flow bigint, version int)`;
  const workflows = graphs.map(({ name }) => name);
  const removed = await sql`
    delete from engine_activity e where e.version_id = ${versionId} and e.workflow_name = any(${workflows}::text[])
      and not exists (select 1 from ${source} where n.workflow = e.workflow_name and n.name = e.activity_name)`;
  const changed = await sql`
    update engine_activity e set sort = n.sort, slot = n.slot, duration_days = n.days, flow_id = n.flow, flow_version = n.version, updated_by = ${user.id},
      updated_at = ${now}, row_version = e.row_version + 1
    from ${source} where e.version_id = ${versionId} and e.workflow_name = n.workflow and e.activity_name = n.name`;
  const added = await sql`
    insert into engine_activity (project_id, version_id, workflow_name, activity_name, sort, slot, duration_days, material_related, need_subcontractor, assembly,
      disassembly, flow_id, flow_version, created_by, created_at, updated_by, updated_at)
    select ${project.id}, ${versionId}, n.workflow, n.name, n.sort, n.slot, n.days, false, false, n.assembly, n.disassembly, n.flow, n.version,
      ${user.id}, ${now}, ${user.id}, ${now}
    from ${source} where not exists (
      select 1 from engine_activity e where e.version_id = ${versionId} and e.workflow_name = n.workflow and e.activity_name = n.name)
    order by n.workflow, n.sort`;
  const names = new Map(graphs.flatMap(({ nodes: own }) => own.map(({ nodeId, name }) => [nodeId, name])));
  const relations = graphs.flatMap(({ name, relations: own }) =>
    own.map(({ pre, node, type, offset }) => ({ workflow: name, pre: names.get(pre), name: names.get(node), type, offset })),
  );
  await sql`
    delete from engine_activity_pre p using engine_activity a where a.id = p.engine_activity_id and a.version_id = ${versionId}
      and a.workflow_name = any(${workflows}::text[])`;
  // A flow may join two activities by several types; the engine keeps one relation of a pair, the first.
  await sql`
    insert into engine_activity_pre (engine_activity_id, pre_engine_activity_id, project_id, relation, offset_days)
    select a.id, b.id, ${project.id}, r.type, r."offset"
    from jsonb_to_recordset(${sql.json(relations as never)}) as r(workflow text, pre text, name text, type text, "offset" int)
      join engine_activity a on a.version_id = ${versionId} and a.workflow_name = r.workflow and a.activity_name = r.name
      join engine_activity b on b.version_id = ${versionId} and b.workflow_name = r.workflow and b.activity_name = r.pre
    on conflict do nothing`;
  await demandOrder(ctx, versionId);
  const taken = { flows: graphs.length, added: added.count, changed: changed.count, removed: removed.count };
  ctx.audit(`engine_activity ${versionId}`, null, { ...taken, workflows });
  return taken;
}
