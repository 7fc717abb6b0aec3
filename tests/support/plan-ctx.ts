import { getSql, transaction } from "#db/client.ts";
import { findMembership } from "#lib/access/queries.ts";
import { AuditSheet } from "#lib/core/audit.ts";
import { projectToday } from "#lib/core/clock.ts";
import type { AuditEntry, Ctx, CtxUser } from "#lib/core/ctx.ts";
import { projectCtx } from "#lib/core/gate.ts";
import { findProject } from "#lib/session/queries.ts";
import { clock } from "./database.ts";

/** Runs `fn` as a person in a project, in one transaction and below the door: for commands that other areas call. */
export async function inProject<T>(
  user: CtxUser,
  number: string,
  fn: (ctx: Ctx, audited: AuditEntry[]) => Promise<T>,
  now = clock,
): Promise<T> {
  return transaction(getSql(), async (sql) => {
    const project = await findProject(sql, number);
    if (!project) throw new Error(`no project ${number}`);
    const membership = await findMembership(sql, user.id, project.id, projectToday(now, project.tzOffset));
    const caller = { now, locale: "en" as const, requestId: "test", signal: undefined };
    const sheet = new AuditSheet({ at: now, actorId: user.id, ip: null, requestId: "test", projectId: project.id, address: "test" });
    return fn(projectCtx(sql, caller, { user, sid: null }, project, membership, sheet, []), sheet.entries);
  });
}
