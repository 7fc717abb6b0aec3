import "server-only";
import type { Sql } from "#db/client.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { eraseMoment, personalLimit } from "./logic.ts";

/** What is or would be deleted with the data of the project. */
export type ErasureCounts = { dus: number; sites: number; planChanges: number; tasks: number; files: number; fileBytes: number };

/** Where the project stands between closing and deletion, and what a deletion would take now: nothing is deleted by asking. */
export type ClosingState = {
  status: "active" | "closed";
  closedAt: Date | null;
  eraseAt: Date | null;
  erasedAt: Date | null;
  counts: ErasureCounts;
  /** People without activity for five years, whose personal data the next run replaces. */
  people: number;
};

export async function getClosing({ sql, project, now }: Pick<Ctx, "sql" | "project" | "now">): Promise<ClosingState> {
  const [row] = await sql<(Omit<ClosingState, "eraseAt" | "counts" | "people"> & ErasureCounts)[]>`
    select p.status, p.closed_at as "closedAt", p.erased_at as "erasedAt",
      (select count(*)::int from du where project_id = p.id) as dus, (select count(*)::int from customer_site where project_id = p.id) as sites,
      (select count(*)::int from plan_log where project_id = p.id) as "planChanges", (select count(*)::int from task where project_id = p.id) as tasks,
      (select count(*)::int from file_object where project_id = p.id) as files, (select coalesce(sum(size), 0)::bigint from file_object where project_id = p.id) as "fileBytes"
    from project p where p.id = ${project.id}`;
  const { status, closedAt, erasedAt, ...counts } = row as NonNullable<typeof row>;
  const people = await listForgotten(sql, now);
  return {
    status,
    closedAt,
    erasedAt,
    eraseAt: closedAt && erasedAt === null ? eraseMoment(closedAt) : null,
    counts,
    people: people.length,
  };
}

/**
 * Accounts without a valid role that have done nothing for five years: no call that wrote, no session, no token used, no role given.
 * An account that never did anything is new, not forgotten.
 */
export async function listForgotten(sql: Sql, now: Date): Promise<number[]> {
  const since = personalLimit(now);
  const rows = await sql<{ id: number }[]>`
    select u.id from app_user u
    where u.erased_at is null
      and not exists (select 1 from project_member m where m.user_id = u.id and (m.valid_to is null or m.valid_to >= ${since}::date or m.granted_at > ${since}))
      and not exists (select 1 from audit_log a where a.actor_id = u.id and a.at > ${since})
      and not exists (select 1 from user_session s where s.user_id = u.id and s.last_seen_at > ${since})
      and not exists (select 1 from api_token t where t.user_id = u.id and (t.created_at > ${since} or t.last_used_at > ${since}))
      and not exists (select 1 from task t where t.created_by = u.id and t.created_at > ${since})
      and (exists (select 1 from project_member m where m.user_id = u.id) or exists (select 1 from audit_log a where a.actor_id = u.id)
        or exists (select 1 from user_session s where s.user_id = u.id))
    order by u.id`;
  return rows.map(({ id }) => id);
}
