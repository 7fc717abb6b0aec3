import "server-only";
import { type Pool, transaction } from "#db/client.ts";
import { writeAudit } from "./audit.ts";
import type { AuditEntry, Ctx, CtxProject } from "./ctx.ts";
import { projectCtx } from "./gate.ts";

/** A project by its id, as the context of a call holds it; null when there is none. */
export async function findProjectById(pool: Pool, id: number): Promise<CtxProject | null> {
  const [project] = await pool<CtxProject[]>`
    select id, number, name, country, hosting_country as "hostingCountry", datacenter, customer_kind as "customerKind", status, tz_offset_beijing as "tzOffset"
    from project where id = ${id}`;
  return project ?? null;
}

/**
 * One transaction of the product itself: it holds no right, and what it writes is nobody's.
 * @param address said in the audit log
 */
export async function asNobody<T>(pool: Pool, project: CtxProject, now: Date, address: string, fn: (ctx: Ctx) => Promise<T>): Promise<T> {
  const hooks: (() => void | Promise<void>)[] = [];
  const result = await transaction(pool, async (sql) => {
    const entries: AuditEntry[] = [];
    const user = { id: 0, account: "", name: "", email: "", kind: "employee" as const, country: project.country };
    const nobody = { roles: [], overrides: new Map(), subcontractorId: null, regionIds: [], delegated: [], customerControl: false };
    const caller = { now, locale: "zh" as const, requestId: "schedule", signal: undefined };
    const given = await fn(projectCtx(sql, caller, { user, sid: null }, project, nobody, entries, hooks));
    await writeAudit(sql, entries, { at: now, actorId: null, ip: null, requestId: null, projectId: project.id, address });
    return given;
  });
  for (const hook of hooks) await hook();
  return result;
}
