import { randomUUID } from "node:crypto";
import type { Sql } from "#db/client.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import type { Role } from "#lib/permissions.ts";
import type { LimitKey } from "#lib/settings/limits.ts";
import { forgetSettings } from "#lib/settings/queries.ts";

let count = 0;
const next = () => ++count;

/** A project on Beijing time in China with a data centre, unless told otherwise. */
export async function makeProject(
  sql: Sql,
  given: Partial<{
    number: string;
    name: string;
    hostingCountry: string;
    customerKind: string;
    datacenter: string | null;
    tzOffset: number;
    status: string;
  }> = {},
): Promise<{ id: number; number: string }> {
  const number = given.number ?? `T${next()}`;
  const [row] = await sql<{ id: number; number: string }[]>`
    insert into project (number, name, country, hosting_country, customer_kind, datacenter, tz_offset_beijing, status)
    values (${number}, ${given.name ?? `Project ${number}`}, 'CN', ${given.hostingCountry ?? "CN"}, ${given.customerKind ?? "standard"},
      ${given.datacenter === undefined ? "dc-1" : given.datacenter}, ${given.tzOffset ?? 0}, ${given.status ?? "active"})
    returning id, number`;
  await sql`insert into plan_seq (project_id) values (${row!.id})`;
  return row!;
}

/** An active account in China. */
export async function makeUser(
  sql: Sql,
  given: Partial<{ account: string; name: string; kind: CtxUser["kind"]; country: string; managerId: number; active: boolean }> = {},
): Promise<CtxUser> {
  const account = given.account ?? `user${next()}`;
  const [row] = await sql<CtxUser[]>`
    insert into app_user (account, name, email, kind, country, manager_id, active)
    values (${account}, ${given.name ?? account}, ${`${account}@example.com`}, ${given.kind ?? "employee"}, ${given.country ?? "CN"}, ${given.managerId ?? null}, ${given.active ?? true})
    returning id, account, name, email, kind, country`;
  return row!;
}

/** Gives an account a role in a project from 2026-01-01 on. */
export async function grantRole(sql: Sql, projectId: number, userId: number, role: Role, validTo: string | null = null): Promise<void> {
  await sql`
    insert into project_member (project_id, user_id, role, valid_from, valid_to, granted_at)
    values (${projectId}, ${userId}, ${role}, '2026-01-01', ${validTo}, now())`;
}

/** Puts an account into the pool of a project, or changes its place there: a crew member where a company is named, else by the kind of the account. */
export async function makeResource(
  sql: Sql,
  projectId: number,
  userId: number,
  given: { subcontractorId?: number; status?: string } = {},
): Promise<number> {
  const [row] = await sql<{ id: number }[]>`
    insert into resource (project_id, user_id, type, subcontractor_id, status)
    select ${projectId}, id, case when ${given.subcontractorId ?? null}::bigint is not null or kind = 'subcontractor' then 'SUBCONTRACT'
      when kind = 'customer' then 'CUSTOMER' else 'OWN' end, ${given.subcontractorId ?? null}, ${given.status ?? "ACTIVE"}
    from app_user where id = ${userId}
    on conflict on constraint resource_user_unique do update set type = excluded.type, subcontractor_id = excluded.subcontractor_id, status = excluded.status
    returning id`;
  return row!.id;
}

/** A new account that holds the roles in the project and stands in its pool. */
export async function makeMember(sql: Sql, projectId: number, ...roles: Role[]): Promise<CtxUser> {
  const subcontractor = roles.some((role) => role.startsWith("SUBCON"));
  const customer = roles.some((role) => role.startsWith("CUSTOMER"));
  const user = await makeUser(sql, { kind: subcontractor ? "subcontractor" : customer ? "customer" : "employee" });
  for (const role of roles) await grantRole(sql, projectId, user.id, role);
  await makeResource(sql, projectId, user.id);
  return user;
}

/** A delivery region. */
export async function makeRegion(sql: Sql, projectId: number, name = `Region ${next()}`): Promise<number> {
  const [row] = await sql<{ id: number }[]>`insert into delivery_region (project_id, name) values (${projectId}, ${name}) returning id`;
  return row!.id;
}

/** A cluster, with the DUs that are in it. */
export async function makeCluster(sql: Sql, projectId: number, name: string, duIds: number[] = []): Promise<number> {
  const [row] = await sql<{ id: number }[]>`
    insert into cluster (project_id, name, priority, color) values (${projectId}, ${name}, 1, 'c1') returning id`;
  await sql`update du set cluster_id = ${row!.id} where id = any(${duIds}::bigint[])`;
  return row!.id;
}

/** A subcontractor company, with the accounts that work for it. */
export async function makeSubcontractor(sql: Sql, projectId: number, userIds: number[] = []): Promise<number> {
  const [row] = await sql<{ id: number }[]>`
    insert into subcontractor (project_id, code, name) values (${projectId}, ${`S${next()}`}, ${`Company ${count}`}) returning id`;
  for (const userId of userIds) await makeResource(sql, projectId, userId, { subcontractorId: row!.id });
  return row!.id;
}

/** Sets a limit of a project; null takes it back, so that the installation's holds. */
export async function setLimit(sql: Sql, projectId: number, key: LimitKey, value: number | null): Promise<void> {
  await sql`delete from limit_setting where project_id = ${projectId} and key = ${key}`;
  if (value !== null)
    await sql`insert into limit_setting (project_id, key, value, min, max) values (${projectId}, ${key}, ${value}, 1, ${value})`;
  forgetSettings(projectId);
}

/** A session of an account that lasts for years. */
export async function makeSession(sql: Sql, userId: number): Promise<string> {
  const sid = randomUUID();
  await sql`
    insert into user_session (sid, user_id, csrf_token, created_at, last_seen_at, expires_at)
    values (${sid}, ${userId}, ${"c".repeat(43)}, now(), now(), now() + interval '9 years')`;
  return sid;
}

/** An API token of an account; its id. */
export async function makeToken(sql: Sql, userId: number): Promise<number> {
  const [row] = await sql<{ id: number }[]>`
    insert into api_token (user_id, name, hash, created_at, expires_at)
    values (${userId}, 'script', ${randomUUID().replaceAll("-", "").repeat(2)}, now(), now() + interval '9 years') returning id`;
  return row!.id;
}
