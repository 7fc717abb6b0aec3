import "server-only";
import type { Pool } from "#db/client.ts";
import { asNobody } from "#lib/core/as-nobody.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { send } from "#lib/core/queue.ts";
import { findSystemProject } from "#lib/core/system-ctx.ts";
import type { PlanRule } from "#lib/plan-rules/logic.ts";
import { readRules } from "#lib/plan-rules/rule-set/queries.ts";
import { addRun } from "#lib/plan-rules/runs/commands.ts";
import { listLibraryActivities } from "#lib/rollout-plan/plan-rows/queries.ts";
import { isEvent, type LoggedDu } from "./logic.ts";

/**
 * Looks at what happened in every project since the last time: where rules wait for events of it, one run of a project takes all. Changes that rules wrote are no
 * events.
 * @param queue schedule that carries the runs out
 */
export async function takeEvents(pool: Pool, now: Date, queue: string): Promise<void> {
  const waiting = await pool<{ id: number }[]>`
    select p.id from project p join plan_seq s on s.project_id = p.id left join rule_event_cursor c on c.project_id = p.id
    where p.status = 'active' and s.seq > coalesce(c.seq, 0)
      and exists (select from plan_rule r where r.project_id = p.id and r.deleted_at is null and r.rule_type = 'EXT_EVENT' and r.status = 'EFFECTIVE') order by p.id`;
  for (const { id } of waiting) {
    const project = await findSystemProject(pool, id);
    if (project) await asNobody(pool, project, now, "tick planRules.events", (ctx) => takeProject(ctx, queue));
  }
  // Where nobody waits, what happened is past; a rule that came into force since the first look gets its events the next time.
  await pool`
    insert into rule_event_cursor (project_id, seq) select s.project_id, s.seq from plan_seq s join project p on p.id = s.project_id
    where p.status = 'active' and not exists (select from plan_rule r where r.project_id = s.project_id and r.deleted_at is null
      and r.rule_type = 'EXT_EVENT' and r.status = 'EFFECTIVE')
    on conflict (project_id) do update set seq = excluded.seq where rule_event_cursor.seq < excluded.seq`;
}

async function takeProject(ctx: Ctx, queue: string): Promise<void> {
  const { sql, project, now } = ctx;
  await sql`insert into rule_event_cursor (project_id, seq) values (${project.id}, 0) on conflict do nothing`;
  // Two workers tick: the second finds the events taken.
  const [cursor] = await sql<{ seq: number }[]>`select seq from rule_event_cursor where project_id = ${project.id} for update`;
  const rules = (await readRules(ctx, { effective: true })).filter(
    ({ ruleType, effectiveAt }) => ruleType === "EXT_EVENT" && (effectiveAt === null || effectiveAt <= now),
  );
  const [top] = await sql<{ seq: number }[]>`select seq from plan_seq where project_id = ${project.id}`;
  const logged = await sql<LoggedDu[]>`
    select b.seq, l.du_id as "duId", l.cells, l.old, l.new as now, coalesce(array(select jsonb_object_keys(l.attrs)), '{}') as keys
    from plan_batch b join plan_log l on l.batch_id = b.id
    where b.project_id = ${project.id} and b.seq > ${cursor!.seq} and b.seq <= ${top!.seq} and b.source not in ('rule', 'owner_rule')`;
  await sql`update rule_event_cursor set seq = ${top!.seq} where project_id = ${project.id}`;
  const library = await listLibraryActivities(ctx);
  const slots = new Map(library.map(({ id, slot }) => [id, slot]));
  const ruleDus = eventDus(rules, logged, slots);
  const ids = Object.keys(ruleDus).map(Number);
  if (ids.length === 0) return;
  const duIds = [...new Set(Object.values(ruleDus).flat())].sort((a, b) => a - b);
  const runId = await addRun(ctx, { mode: "EVENT", kind: "PLAN", ruleIds: ids, startedBy: null, duIds, ruleDus });
  await send(sql, "schedules", { name: queue, projectId: project.id, slot: now.toISOString() }, { key: `${queue} run ${runId}` });
}

/** The DUs of the events of each rule, by its id; events before a rule came into force are none of its. */
function eventDus(rules: readonly PlanRule[], logged: readonly LoggedDu[], slots: ReadonlyMap<number, number>): Record<number, number[]> {
  const found: Record<number, number[]> = {};
  for (const { id, events, sinceSeq } of rules) {
    const dus = new Set(logged.filter((one) => one.seq > sinceSeq && isEvent(events ?? [], one, slots)).map(({ duId }) => duId));
    if (dus.size > 0) found[id] = [...dus];
  }
  return found;
}
