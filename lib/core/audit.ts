import "server-only";
import type { PendingQuery, Row } from "postgres";
import type { Sql } from "#db/client.ts";
import type { AuditEvent } from "./audit-events.ts";
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

/** The frame of lines that no call writes: a task, or a command at the machine. */
export const unattendedFrame = (address: string, projectId: number | null, at: Date): AuditFrame => ({
  at,
  actorId: null,
  ip: null,
  requestId: null,
  projectId,
  address,
});

type Fragment = PendingQuery<Row[]>;

/** The audit lines of one transaction: most are collected and written at its end, some are written by the statement that alone knows what they tell. */
export class AuditSheet {
  readonly entries: AuditEntry[] = [];
  private hasInserted = false;
  private readonly frame: AuditFrame;

  constructor(frame: AuditFrame) {
    this.frame = { ...frame };
  }

  /** Whether no line was or will be written. */
  get isEmpty(): boolean {
    return this.entries.length === 0 && !this.hasInserted;
  }

  /** Names the project of the lines, once it is known. */
  setProject(projectId: number): void {
    this.frame.projectId = projectId;
  }

  /** Collects a line. */
  add(object: string, before: unknown, after: unknown, event?: AuditEvent): void {
    this.entries.push({ object, before, after, ...(event ? { event } : {}) });
  }

  /** An insert of the lines that `rows`, a query of the columns `object` and `after`, gives: for the `with` of a statement. */
  insert(sql: Sql, rows: Fragment): Fragment {
    this.hasInserted = true;
    const lines = sql`(select 'write' as event, object, jsonb_build_object('before', null, 'after', after) as detail from (${rows}) t) r`;
    return insertLines(sql, this.frame, lines);
  }

  /** Writes what was collected. */
  async write(sql: Sql): Promise<void> {
    await writeAudit(sql, this.entries, this.frame);
  }
}

/** Writes audit lines in one statement; does nothing without lines. */
export async function writeAudit(sql: Sql, entries: readonly AuditEntry[], frame: AuditFrame): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map((entry) => ({
    event: entry.event ?? "write",
    object: entry.object.slice(0, 200),
    detail: { before: entry.before ?? null, after: entry.after ?? null },
  }));
  await insertLines(sql, frame, sql`jsonb_to_recordset(${sql.json(rows as never)}) as r(event text, object text, detail jsonb)`);
}

const insertLines = (sql: Sql, frame: AuditFrame, lines: Fragment) => sql`
  insert into audit_log (at, actor_id, ip, request_id, project_id, event, address, object, detail)
  select ${frame.at}, ${frame.actorId}, ${frame.ip}, ${frame.requestId}, ${frame.projectId}, r.event, ${frame.address}, r.object, r.detail from ${lines}`;
