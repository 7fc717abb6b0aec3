import "server-only";
import type { Sql } from "#db/client.ts";
import { projectToday } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";

/**
 * Works out anew whether people can be planned with and whether they are there, from the day they were last active. [RES-17]
 * Idle as long as the setting says, without an authorisation that covers today, or not active in the pool: not available.
 * @param ids people of the pool; all of the project when absent
 */
export async function refreshPresence(
  { sql, project, today }: Pick<Ctx, "sql" | "project" | "today">,
  ids?: readonly number[],
): Promise<number> {
  const chosen = ids ? sql`and r.id = any(${[...ids]}::bigint[])` : sql``;
  const written = await sql`
    update resource r set availability = n.availability, presence = n.presence
    from (
      select r.id,
        case when r.status = 'ACTIVE' and coalesce(${today} between r.auth_start and r.auth_end, true)
          and coalesce(${today}::date - l.day < coalesce(s.availability_inactive_days, 90), true) then 'Y' else 'N' end as availability,
        case when coalesce(${today}::date - l.day < coalesce(s.presence_inactive_days, 30), true) then 'Y' else 'N' end as presence
      from resource r join project p on p.id = r.project_id left join res_setting s on s.project_id = r.project_id
      cross join lateral (select (r.last_activity_at at time zone 'UTC' + (8 + p.tz_offset_beijing) * interval '1 hour')::date as day) l
      where r.project_id = ${project.id} ${chosen}
    ) n where r.id = n.id and (r.availability, r.presence) is distinct from (n.availability, n.presence)
    returning r.id`;
  return written.length;
}

/**
 * Notes that a person was active just now, in one project or in all he works for: he is there, and available where nothing else stands against it.
 * Written at most once an hour and person. [RES-17]
 */
export async function noteActivity(sql: Sql, userId: number, now: Date, projectId?: number): Promise<void> {
  const where = projectId === undefined ? sql`` : sql`and r.project_id = ${projectId}`;
  await sql`
    update resource r set last_activity_at = ${now}, presence = 'Y', availability = case
      when r.status = 'ACTIVE' and coalesce((${now}::timestamptz at time zone 'UTC' + (8 + p.tz_offset_beijing) * interval '1 hour')::date between r.auth_start and r.auth_end, true)
      then 'Y' else r.availability end
    from project p where p.id = r.project_id and r.user_id = ${userId} ${where}
      and (r.last_activity_at is null or r.last_activity_at <= ${new Date(now.getTime() - 3_600_000)})`;
}

/** The daily look at the pool of a project: who is idle, and what ends soon. [RES-17] */
export async function runPresence(sql: Sql, projectId: number, now: Date): Promise<void> {
  const [found] = await sql<{ id: number; number: string; tzOffset: number }[]>`
    select id, number, tz_offset_beijing as "tzOffset" from project where id = ${projectId}`;
  if (!found) return;
  const { tzOffset, ...project } = found;
  const today = projectToday(now, tzOffset);
  await refreshPresence({ sql, project: project as Ctx["project"], today });
}
