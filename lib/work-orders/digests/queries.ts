import "server-only";
import type { Sql } from "#db/client.ts";
import { dayNumber, isoDay } from "#lib/core/clock.ts";
import { recipientSees } from "#lib/resources/isolation/queries.ts";
import { acceptDays, dueDays } from "./limits.ts";

/** Why an order is brought to mind, the most urgent first. */
export type DueCause = "overdue" | "due" | "waiting";
/** An order that is due, of whoever has to carry it out. */
export type DueOrder = {
  userId: number;
  duId: number;
  number: number;
  duCode: string;
  activity: string;
  planStart: string | null;
  planEnd: string | null;
  cause: DueCause;
};

/** Orders of the project that are due for their assignees on a day: not accepted for days, about to end, overdue. Suspended ones pause. */
export async function listDueOrders(sql: Sql, projectId: number, today: string, now: Date): Promise<DueOrder[]> {
  const day = dayNumber(today);
  const rows = await sql<(Omit<DueOrder, "planStart" | "planEnd"> & { planStart: number; planEnd: number })[]>`
    select d.* from (
      select o.assignee_id as "userId", o.du_id as "duId", o.number, du.code as "duCode", coalesce(o.name, a.name) as activity, t.start as "planStart", t."end" as "planEnd",
        case when t."end" > 0 and t."end" < ${day} then 'overdue' when t."end" between ${day} and ${day + dueDays} then 'due'
          when o.status = 'assigned' and o.assigned_at < ${new Date(now.getTime() - acceptDays * 86_400_000)} then 'waiting' end as cause
      from work_order o join du on du.id = o.du_id and du.deleted_at is null left join du_plan p on p.du_id = o.du_id
      left join activity_library a on a.project_id = o.project_id and a.slot = o.slot
      cross join lateral (
        select coalesce(o.temp_start - date '2000-01-01', p.plan_start[o.slot], 0) as start, coalesce(o.temp_end - date '2000-01-01', p.plan_end[o.slot], 0) as "end"
      ) t
      where o.project_id = ${projectId} and o.assignee_id is not null and ${recipientSees(sql, sql`o.assignee_id`)} and o.status in ('assigned', 'accepted', 'started') and (a.id is not null or o.temp)
    ) d where d.cause is not null
    order by array_position(array['overdue', 'due', 'waiting'], d.cause), nullif(d."planEnd", 0) nulls last, d."duCode" collate natural_order, d.number`;
  return rows.map(({ planStart, planEnd, ...row }) => ({ ...row, planStart: isoDay(planStart), planEnd: isoDay(planEnd) }));
}
