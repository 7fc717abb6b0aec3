import "server-only";
import { createHash } from "node:crypto";
import type { PendingQuery, Row } from "postgres";
import type { Sql } from "#db/client.ts";
import { type PermissionCode, permissions, type Role } from "#lib/permissions.ts";
import type { Isolation } from "#lib/resources/isolation/logic.ts";
import { isolationColumn } from "#lib/resources/isolation/queries.ts";
import { type Grant, givenByDelegation, grantsFor, type Overrides, overrideKey, roleCode, wholeCodes } from "./logic.ts";

/** What a person is in a project at this moment. */
export type Membership = {
  roles: Role[];
  overrides: Overrides;
  /** The company of a subcontractor person. */
  subcontractorId: number | null;
  /** Regions the person owns. */
  regionIds: number[];
  /** Roles delegated to this person at present; a delegation ends with the delegator's own role. */
  delegated: Role[];
  /** Customer Data Control Flag of the project. */
  customerControl: boolean;
  /** What keeps the companies of the project apart; null for who works for none. */
  isolation: Isolation | null;
};

/** A person's membership as the columns of `membershipColumns` give it. */
export type MembershipRow = {
  roles: string[] | null;
  overrides: { role: string; code: string; scope: Grant }[] | null;
  subcontractorId: number | null;
  regionIds: number[] | null;
  ownerKinds: string[] | null;
  delegated: string[] | null;
  customerControl: boolean;
  isolation: Isolation | null;
};

type Value<Given> = Given | PendingQuery<Row[]>;

/** The role that follows from each way of owning a DU. */
const ownerRoles: Readonly<Record<string, Role>> = { DU_OWNER: "SITE_OWNER", SITE_OWNER: "SITE_OWNER", INVENTORY_OWNER: "INVENTORY_OWNER" };

/**
 * A row where a person owns a DU of the project in the way `k.kind`. He may own thousands: the offsets keep the way from them to the first that is of the project,
 * where all DUs of the project would be joined with all of his.
 */
const ownsOne = (sql: Sql, userId: number, projectId: Value<number>) => sql`
  select from (select du_id from du_owner where user_id = ${userId} and owner_kind = k.kind offset 0) o
  cross join lateral (select from du d where d.id = o.du_id and d.project_id = ${projectId} and d.deleted_at is null offset 0) d limit 1`;

/**
 * Columns that tell what a person is in a project, for a statement of any tables.
 * @param today the project's day: roles and delegations outside their validity do not count
 */
export const membershipColumns = (sql: Sql, userId: number, projectId: Value<number>, today: Value<string>) => sql`
  (select array_agg(role order by granted_at, id) from project_member
    where project_id = ${projectId} and user_id = ${userId} and valid_from <= ${today} and (valid_to is null or valid_to >= ${today})) as roles,
  (select json_agg(json_build_object('role', role, 'code', code, 'scope', scope)) from role_permission where project_id = ${projectId}) as overrides,
  (select subcontractor_id from resource where project_id = ${projectId} and user_id = ${userId} and status = 'ACTIVE') as "subcontractorId",
  (select array_agg(r.id) from region_owner o join delivery_region r on r.id = o.region_id
    where r.project_id = ${projectId} and r.deleted_at is null and o.user_id = ${userId}) as "regionIds",
  (select array_agg(k.kind) from unnest(${Object.keys(ownerRoles)}::text[]) k(kind) cross join lateral (${ownsOne(sql, userId, projectId)}) o) as "ownerKinds",
  (select array_agg(distinct g.role) from role_delegation g
    join project_member m on m.project_id = g.project_id and m.user_id = g.delegator_id and m.role = g.role
      and m.valid_from <= ${today} and (m.valid_to is null or m.valid_to >= ${today})
    join app_user a on a.id = g.delegator_id and a.active
    where g.project_id = ${projectId} and g.delegate_id = ${userId} and g.revoked_at is null and ${today} between g.valid_from and g.valid_to) as delegated,
  exists (select 1 from project_switch where project_id = ${projectId} and key = 'customerDataControl' and value = 'Y') as "customerControl",
  ${isolationColumn(sql, userId, projectId, today)}`;

/** The membership a row tells of. SITE_OWNER, INVENTORY_OWNER and REGION_OWNER follow from ownership rows. */
export function membershipOf(row: MembershipRow): Membership {
  const held = (row.roles ?? []).map(roleCode).filter((role) => role !== null);
  for (const kind of row.ownerKinds ?? []) held.push(ownerRoles[kind] as Role);
  if (row.regionIds?.length) held.push("REGION_OWNER");
  return {
    roles: [...new Set(held)],
    overrides: new Map((row.overrides ?? []).map((given) => [overrideKey(given.role, given.code), given.scope])),
    subcontractorId: row.subcontractorId,
    regionIds: row.regionIds ?? [],
    delegated: (row.delegated ?? []).map(roleCode).filter((role) => role !== null),
    customerControl: row.customerControl,
    isolation: row.isolation,
  };
}

/**
 * Roles, overrides and ownership of a person in a project, in one statement.
 * @param today the project's day
 */
export async function findMembership(sql: Sql, userId: number, projectId: number, today: string): Promise<Membership> {
  const [row] = await sql<MembershipRow[]>`select ${membershipColumns(sql, userId, projectId, today)}`;
  return membershipOf(row as MembershipRow);
}

/** Whether a membership gives a code at all; an active PD delegation gives plan.frozenChange and nothing else. */
export function holds(membership: Membership, code: PermissionCode): boolean {
  if (membership.isolation?.bound && wholeCodes.includes(code)) return false;
  if (givenByDelegation(membership.delegated, code, membership.overrides)) return true;
  const { all, own } = grantsFor(membership.roles, code, membership.overrides);
  return all || own.length > 0;
}

/** Every code with whether the membership gives it: what the client uses to hide what the server would refuse. */
export function listPermissions(membership: Membership): Record<string, boolean> {
  return Object.fromEntries((Object.keys(permissions) as PermissionCode[]).map((code) => [code, holds(membership, code)]));
}

/** sha256 of the sorted roles: tells whether a person's roles changed since entering. */
export function roleFingerprint(held: readonly string[]): string {
  return createHash("sha256")
    .update([...new Set(held)].sort().join(","))
    .digest("hex");
}
