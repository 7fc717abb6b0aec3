import "server-only";
import type { Sql } from "#db/client.ts";
import { AuditSheet, unattendedFrame } from "./audit.ts";
import type { Ctx, CtxProject } from "./ctx.ts";
import { projectCtx } from "./gate.ts";

/** The project of a scheduled run; null when it is gone. */
export async function findSystemProject(sql: Sql, projectId: number): Promise<CtxProject | null> {
  const [project] = await sql<CtxProject[]>`
    select id, number, name, country, hosting_country as "hostingCountry", datacenter, customer_kind as "customerKind", status, tz_offset_beijing as "tzOffset"
    from project where id = ${projectId}`;
  return project ?? null;
}

/**
 * Work of the product itself in the caller's transaction: it holds no right, and what it writes is nobody's.
 * @param frame.address what the audit log calls the work
 * @returns `settle` runs what waits for the commit
 */
export async function asSystem<T>(
  sql: Sql,
  project: CtxProject,
  { now, address }: { now: Date; address: string },
  fn: (ctx: Ctx) => Promise<T>,
): Promise<{ result: T; settle: () => Promise<void> }> {
  const sheet = new AuditSheet(unattendedFrame(address, project.id, now));
  const hooks: (() => void | Promise<void>)[] = [];
  const user = { id: 0, account: "", name: "", email: "", kind: "employee" as const, country: project.country };
  const nobody = {
    roles: [],
    overrides: new Map(),
    subcontractorId: null,
    regionIds: [],
    delegated: [],
    customerControl: false,
    isolation: null,
  };
  const frame = { now, locale: "zh" as const, requestId: "schedule", signal: undefined };
  const result = await fn(projectCtx(sql, frame, { user, sid: null }, project, nobody, sheet, hooks));
  await sheet.write(sql);
  return {
    result,
    settle: async () => {
      for (const hook of hooks) await hook();
    },
  };
}
