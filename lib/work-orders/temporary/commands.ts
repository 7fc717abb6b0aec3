import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { holdProject } from "#lib/core/hold-project.ts";

/** A work order outside all flows: it has a name and days of its own instead of an activity. */
export type NewTemporaryOrder = { duId: number; processId: number; name: string; start: string; end: string };

/** Makes scheduled temporary orders with the next numbers of the project, in two statements; gives their ids in the order of the rows. */
export async function makeTemporaryOrders(ctx: Ctx, rows: readonly NewTemporaryOrder[]): Promise<number[]> {
  if (rows.length === 0) return [];
  const { sql, project, user, now } = ctx;
  await holdProject(ctx);
  const made = await sql<{ id: number }[]>`
    with made as (
      insert into work_order (project_id, number, du_id, slot, name, status, temp, temp_process_id, temp_start, temp_end)
      select ${project.id}, l.last + g.place, g."duId", null, g.name, 'scheduled', true, g."processId", g.start, g."end"
      from rows from (jsonb_to_recordset(${sql.json([...rows])}) as ("duId" bigint, "processId" bigint, name text, start date, "end" date))
        with ordinality g("duId", "processId", name, start, "end", place)
      cross join (
        select greatest((select max(number) from work_order where project_id = ${project.id}), (select max(number) from work_order_event where project_id = ${project.id}), 0) as last
      ) l
      returning id, number, du_id
    ), logged as (
      insert into work_order_event (project_id, work_order_id, number, du_id, event, from_status, to_status, actor_id, at)
      select ${project.id}, id, number, du_id, 'offer', 'none', 'scheduled', ${user.id}, ${now} from made
    )
    select id from made order by number`;
  return made.map(({ id }) => id);
}
