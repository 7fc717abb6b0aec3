import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { planNotice } from "#lib/core/events.ts";
import { forgetModes } from "../modes/queries.ts";

/**
 * Tells open screens that the columns of the plan have changed; they hear it when the transaction commits, and read the head of the plan anew. What this
 * process keeps of anybody's modes is forgotten then.
 */
export async function tellAttributes(ctx: Pick<Ctx, "sql" | "project" | "afterCommit">): Promise<void> {
  const { sql, project } = ctx;
  await sql`
    with s as (insert into plan_seq as p (project_id, seq) values (${project.id}, 1) on conflict (project_id) do update set seq = p.seq + 1 returning seq)
    select ${planNotice(sql, { projectId: project.id, seq: sql`s.seq`, duIds: [], actorId: null })} from s`;
  ctx.afterCommit(forgetModes);
}
