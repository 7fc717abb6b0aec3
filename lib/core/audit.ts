import "server-only";
import type { Sql } from "#db/client.ts";
import type { AuditEntry } from "./ctx.ts";

/** What all lines of one call share. */
export type AuditFrame = {
  at: Date;
  actorId: number | null;
  ip: string | null;
  requestId: string | null;
  projectId: number | null;
  address: string | null;
};

/** Writes audit lines in one statement; does nothing without lines. */
export async function writeAudit(sql: Sql, entries: readonly AuditEntry[], frame: AuditFrame): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map((entry) => ({
    event: entry.event ?? "write",
    object: entry.object.slice(0, 200),
    detail: { before: entry.before ?? null, after: entry.after ?? null },
  }));
  await sql`
    insert into audit_log (at, actor_id, ip, request_id, project_id, event, address, object, detail)
    select ${frame.at}, ${frame.actorId}, ${frame.ip}, ${frame.requestId}, ${frame.projectId}, r.event, ${frame.address}, r.object, r.detail
    from jsonb_to_recordset(${sql.json(rows as never)}) as r(event text, object text, detail jsonb)`;
}
