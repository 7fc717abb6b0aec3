import type { Sql } from "#db/client.ts";

/** DUs that mails of a project name without saying so, as "subject: code": isolation could not keep such a mail back. */
export async function unsaidDus(sql: Sql, projectId: number): Promise<{ told: number; unsaid: string[] }> {
  const rows = await sql<{ line: string; said: boolean }[]>`
    select b.subject || ': ' || du.code as line, du.id = any(b.du_ids) as said from mail_body b join du on du.project_id = b.project_id
    where b.project_id = ${projectId} and (b.subject || E'\n' || b."text") ~ ('(^|[^[:alnum:]-])' || du.code || '($|[^[:alnum:]-])')`;
  return { told: rows.filter(({ said }) => said).length, unsaid: rows.filter(({ said }) => !said).map(({ line }) => line) };
}
