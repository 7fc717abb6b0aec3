import type { Sql } from "#db/client.ts";
import { makeRegion, makeSubcontractor } from "./factories.ts";
import type { WholeProject } from "./whole-project.ts";

/** A DU of a project with all that hangs on it, its texts marked. `ids` are those of the project with the DU's in their place, `tried` the DU's alone. */
export type MarkedDu = {
  du: number;
  region: number;
  company: number;
  ids: Pick<WholeProject, "numbers" | "keys">;
  tried: (number | string)[];
};

/** Adds to a project a DU in a region and company of its own, with site, flow, plan, history, and the mark in every text. */
export async function makeMarkedDu(sql: Sql, project: WholeProject, mark: string): Promise<MarkedDu> {
  const region = await makeRegion(sql, project.id);
  const company = await makeSubcontractor(sql, project.id);
  const [site] = await sql<{ id: number }[]>`
    insert into customer_site (project_id, code, name, city) values (${project.id}, ${mark}, ${mark}, ${mark}) returning id`;
  const [du] = await sql<{ id: number }[]>`
    insert into du (project_id, code, name, site_id, region_id, subcontractor_id, ext)
    values (${project.id}, ${mark}, ${mark}, ${site!.id}, ${region}, ${company}, ${sql.json({ a1: mark })}) returning id`;
  await sql`
    insert into du_flow (project_id, du_id, flow_id, flow_version, source, bound_at)
    values (${project.id}, ${du!.id}, ${project.numbers.flow!}, 1, 'manual', now())`;
  await sql`
    insert into du_plan (du_id, project_id, plan_start, plan_end, state, plan_owner, applicable_count, next_plan_end, last_plan_end)
    select ${du!.id}, ${project.id}, '{9783}', '{9785}', '{3073}', array[min(id)::int], 1, 9785, 9785 from owner_set where project_id = ${project.id}`;
  const [batch] = await sql<{ id: number }[]>`
    insert into plan_batch (project_id, seq, at, actor_id, source, reason, du_count, cell_count)
    select ${project.id}, seq + 1, now(), ${project.pm.id}, 'grid', ${mark}, 1, 1 from plan_seq where project_id = ${project.id} returning id`;
  await sql`update plan_seq set seq = seq + 1 where project_id = ${project.id}`;
  await sql`
    insert into plan_log (du_id, batch_id, project_id, at, flow_id, cells, old, new)
    values (${du!.id}, ${batch!.id}, ${project.id}, now(), ${project.numbers.flow!}, '{18}', '{0}', '{9785}')`;
  const [order] = await sql<{ id: number }[]>`
    insert into work_order (project_id, number, du_id, slot, status, assignee_id)
    select ${project.id}, max(number) + 1, ${du!.id}, 1, 'accepted', ${project.pm.id} from work_order where project_id = ${project.id} returning id`;
  await sql`
    insert into work_order_event (project_id, work_order_id, number, du_id, slot, event, from_status, to_status, actor_id, reason, at)
    select project_id, id, number, du_id, slot, 'accept', 'assigned', 'accepted', ${project.pm.id}, ${mark}, now() from work_order where id = ${order!.id}`;
  const [request] = await sql<{ id: number }[]>`
    insert into na_request (project_id, number, du_id, slot, kind, reason, applicant_id, status, created_at)
    select ${project.id}, max(number) + 1, ${du!.id}, 1, 'INV', ${mark}, ${project.pm.id}, 'approving', now() from na_request where project_id = ${project.id} returning id`;
  await sql`
    insert into plan_version_row (version_id, project_id, du_id, du_code, du_name, flow_id, plan_start, plan_end, state)
    values (${project.numbers.version!}, ${project.id}, ${du!.id}, ${mark}, ${mark}, ${project.numbers.flow!}, '{9783}', '{9785}', '{1}')`;
  const [feedback] = await sql<{ id: number }[]>`
    insert into plan_feedback (project_id, distribution_id, raw_du, raw_activity, remark, du_id, slot, mapping, late, submitted_by, submitted_at)
    values (${project.id}, ${project.numbers.distribution!}, ${mark}, ${mark}, ${mark}, ${du!.id}, 1, 'mapped', false, ${project.pm.id}, now()) returning id`;
  await sql`
    insert into temp_milestone_du (temp_milestone_id, du_id, project_id, plan_date) values (${project.numbers.tempMilestone!}, ${du!.id}, ${project.id}, '2026-10-20')`;
  const [tempOrder] = await sql<{ id: number }[]>`
    insert into work_order (project_id, number, du_id, name, status, temp, temp_process_id, temp_start, temp_end)
    select ${project.id}, max(number) + 1, ${du!.id}, ${mark}, 'scheduled', true, ${project.numbers.tempProcess!}, '2026-10-20', '2026-10-20'
    from work_order where project_id = ${project.id} returning id`;
  const numbers = {
    ...project.numbers,
    tempOrder: tempOrder!.id,
    du: du!.id,
    site: site!.id,
    region,
    batch: batch!.id,
    order: order!.id,
    request: request!.id,
    feedback: feedback!.id,
  };
  return {
    du: du!.id,
    region,
    company,
    ids: { numbers, keys: project.keys },
    tried: [du!.id, site!.id, region, batch!.id, order!.id, request!.id, tempOrder!.id, feedback!.id, mark],
  };
}

/** Fingerprint of a DU and of every row that belongs to it. */
export async function duPrint(sql: Sql, du: number): Promise<Record<string, string>> {
  const tables = await sql<{ name: string }[]>`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
    where a.attname = 'du_id' and not a.attisdropped and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`;
  const prints: Record<string, string> = {};
  for (const { name, key } of [{ name: "du", key: "id" }, ...tables.map((table) => ({ ...table, key: "du_id" }))]) {
    const [row] = await sql<{ print: string }[]>`
      select coalesce(md5(string_agg(t::text, '|' order by t::text)), '-') as print from ${sql(name)} t where ${sql(key)} = ${du}`;
    prints[name] = row!.print;
  }
  return prints;
}
