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
 * Accounts that have done nothing for five years, and held no role and stood in no pool in use within them: no call that wrote, no session, no token or feed used,
 * no role given, no plan sent to. Roles and pools end with the closing of their project. An account that never did anything counts from when it was made, or last
 * lost a role or its place in a pool.
 */
export async function listForgotten(sql: Sql, now: Date): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`select id from forgotten_people(${personalLimit(now)}) as id order by id`;
  return rows.map(({ id }) => id);
}
