import "server-only";
import type { z } from "zod";
import { holderNames } from "#lib/attributes/config-refs/logic.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import { subFlowsMax } from "./limits.ts";
import type { DeleteSubFlows, SaveSubFlow } from "./schema.ts";

type StoredStep = { id: number; name: string; weight: number; needDeliverable: boolean; dus: number };

/**
 * Makes a sub-flow, or changes one with all of its steps. Dates that activities have already stay until one of their steps changes.
 * @throws NAME_EXISTS, IN_USE when a step that is done on DUs would go, NOTHING_MODIFIED, STALE, TOO_MANY
 */
export async function saveSubFlow(
  ctx: Ctx,
  { subFlow, steps }: z.output<typeof SaveSubFlow>,
): Promise<{ id: number; stepIds: number[]; rowVersion: number }> {
  const { sql, project } = ctx;
  const { name, status } = subFlow;
  await holdProject(ctx);
  const [before] =
    subFlow.id === undefined
      ? []
      : await sql<{ id: number; name: string; status: string; rowVersion: number }[]>`
    select id, name, status, row_version as "rowVersion" from sub_flow where id = ${subFlow.id} and project_id = ${project.id} for update`;
  if (subFlow.id !== undefined && !before) throw new AppError("NOT_FOUND", { object: subFlow.id });
  if (before && before.rowVersion !== subFlow.rowVersion) throw new AppError("STALE", {}, [], before);
  const [others] = await sql<{ count: number; same: number }[]>`
    select count(*)::int as count, count(*) filter (where lower(name) = lower(${name}))::int as same from sub_flow
    where project_id = ${project.id} and id <> ${before?.id ?? 0}`;
  if (others!.same > 0) throw new AppError("NAME_EXISTS", { name }, [{ path: "subFlow.name", code: "NAME_EXISTS", params: { name } }]);
  if (others!.count >= subFlowsMax) throw new AppError("TOO_MANY", { max: subFlowsMax });
  const stored = before ? await readSteps(ctx, before.id) : [];
  const facts = before && { name: before.name, status: before.status, steps: stored.map(({ dus: _dus, ...step }) => step) };
  refuseUnchanged(facts, { name, status, steps });
  const id = before ? before.id : await insertSubFlow(ctx, name, status);
  if (before) await sql`update sub_flow set name = ${name}, status = ${status}, row_version = row_version + 1 where id = ${id}`;
  const stepIds = await writeSteps(ctx, id, stored, steps);
  ctx.audit(`sub_flow ${id}`, facts ?? null, { name, status, steps: steps.map((step, at) => ({ ...step, id: stepIds[at] })) });
  return { id, stepIds, rowVersion: before ? before.rowVersion + 1 : 1 };
}

async function insertSubFlow({ sql, project }: Ctx, name: string, status: string): Promise<number> {
  const [made] = await sql<{ id: number }[]>`
    insert into sub_flow (project_id, name, status) values (${project.id}, ${name}, ${status}) returning id`;
  return made!.id;
}

async function readSteps({ sql }: Ctx, subFlowId: number): Promise<StoredStep[]> {
  await sql`select 1 from sub_flow_step where sub_flow_id = ${subFlowId} order by seq, id for update`;
  // Counted after the wait for who is doing a step just now.
  return [
    ...(await sql<StoredStep[]>`
      select t.id, t.name, t.weight, t.need_deliverable as "needDeliverable",
        (select count(distinct d.du_id)::int from du_sub_step d where d.step_id = t.id) as dus
      from sub_flow_step t where t.sub_flow_id = ${subFlowId} order by t.seq, t.id`),
  ];
}

async function writeSteps(
  { sql }: Ctx,
  subFlowId: number,
  stored: readonly StoredStep[],
  steps: z.output<typeof SaveSubFlow>["steps"],
): Promise<number[]> {
  const known = new Set(stored.map(({ id }) => id));
  const foreign = steps.findIndex((step) => step.id !== undefined && !known.has(step.id));
  if (foreign >= 0) {
    const params = { object: steps[foreign]!.id! };
    throw new AppError("NOT_FOUND", params, [{ path: `steps.${foreign}.id`, code: "NOT_FOUND", params }]);
  }
  const kept = new Set(steps.flatMap(({ id }) => id ?? []));
  const gone = stored.filter(({ id }) => !kept.has(id));
  const used = gone.filter(({ dus }) => dus > 0);
  if (used.length > 0) throw new AppError("IN_USE", { by: holderNames(used.map(({ name, dus }) => `${name} (${dus} DU)`)) });
  await sql`delete from sub_flow_step where sub_flow_id = ${subFlowId} and id = any(${gone.map(({ id }) => id)}::bigint[])`;
  // Names are unique at every moment: they step aside before they change places.
  await sql`update sub_flow_step set name = chr(1) || id where sub_flow_id = ${subFlowId}`;
  const given = sql.json(steps.map((step, at) => ({ ...step, seq: at + 1 })));
  const columns = sql`id bigint, name text, weight numeric, "needDeliverable" boolean, seq int`;
  await sql`
    update sub_flow_step t set name = n.name, weight = n.weight, need_deliverable = n."needDeliverable", seq = n.seq
    from jsonb_to_recordset(${given}) as n(${columns}) where t.id = n.id and t.sub_flow_id = ${subFlowId}`;
  await sql`
    insert into sub_flow_step (sub_flow_id, name, weight, need_deliverable, seq)
    select ${subFlowId}, n.name, n.weight, n."needDeliverable", n.seq from jsonb_to_recordset(${given}) as n(${columns})
    where n.id is null order by n.seq`;
  const rows = await sql<{ id: number }[]>`select id from sub_flow_step where sub_flow_id = ${subFlowId} order by seq`;
  return rows.map(({ id }) => id);
}

/** Deletes sub-flows, all of them or none. @throws IN_USE while an activity has one of them, naming its flow */
export async function deleteSubFlows(ctx: Ctx, { ids }: z.output<typeof DeleteSubFlows>): Promise<{ deleted: number }> {
  const { sql, project } = ctx;
  const rows = await sql<{ id: number; name: string }[]>`
    select id, name from sub_flow where project_id = ${project.id} and id = any(${ids}::bigint[]) order by id for update`;
  if (rows.length !== new Set(ids).size) throw new AppError("NOT_FOUND", { object: ids.join(", ") });
  const used = await sql<{ id: number; places: string[] }[]>`
    select n.sub_flow_id as id, array_agg(distinct f.name || ' / ' || n.name) as places from flow_activity n join activity_flow f on f.id = n.flow_id
    where n.sub_flow_id = any(${ids}::bigint[]) group by n.sub_flow_id`;
  const problems = rows.flatMap(({ id, name }): Problem[] => {
    const places = used.find((use) => use.id === id)?.places;
    return places ? [{ path: `ids.${ids.indexOf(id)}`, code: "IN_USE", params: { by: `${name}: ${holderNames(places)}` } }] : [];
  });
  if (problems.length > 0) throw new AppError("IN_USE", { by: problems.map(({ params }) => params?.by).join("; ") }, problems);
  // Steps done under an earlier version of a flow have nothing left to tell.
  await sql`delete from du_sub_step d using sub_flow_step t where t.id = d.step_id and t.sub_flow_id = any(${ids}::bigint[])`;
  await sql`delete from sub_flow where project_id = ${project.id} and id = any(${ids}::bigint[])`;
  for (const { id, name } of rows) ctx.audit(`sub_flow ${id}`, { name }, null);
  return { deleted: rows.length };
}
