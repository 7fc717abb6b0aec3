import "server-only";
import type { Sql } from "#db/client.ts";
import { addDays } from "#lib/core/clock.ts";
import { type ExpiryKind, expiryDays } from "./limits.ts";

/** An authorisation, visa or agreement of somebody or of a company that ends on a day. */
export type Expiry = { kind: ExpiryKind; name: string; day: string };

/** What ends today or on one of the days of warning, the first end first. */
export async function listExpiries(sql: Sql, projectId: number, today: string): Promise<Expiry[]> {
  const days = expiryDays.map((ahead) => addDays(today, ahead));
  return [
    ...(await sql<Expiry[]>`
      select 'auth' as kind, u.name, r.auth_end::text as day from resource r join app_user u on u.id = r.user_id
      where r.project_id = ${projectId} and r.status = 'ACTIVE' and r.auth_end = any(${days}::date[])
      union all select 'visa', u.name, r.visa_end::text from resource r join app_user u on u.id = r.user_id
      where r.project_id = ${projectId} and r.status = 'ACTIVE' and r.visa_end = any(${days}::date[])
      union all select 'dpa', u.name, u.dpa_expires_on::text from resource r join app_user u on u.id = r.user_id
      where r.project_id = ${projectId} and r.status = 'ACTIVE' and r.type = 'SUBCONTRACT' and u.dpa_expires_on = any(${days}::date[])
      order by 3, 1, 2`),
  ];
}

/** Ids of the valid project managers of a day. */
export async function listManagerIds(sql: Sql, projectId: number, today: string): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select distinct u.id from project_member m join app_user u on u.id = m.user_id
    where m.project_id = ${projectId} and m.role = 'PM' and u.active and m.valid_from <= ${today} and (m.valid_to is null or m.valid_to >= ${today})`;
  return rows.map(({ id }) => id);
}
