import "server-only";
import { createHash } from "node:crypto";
import type { Sql } from "#db/client.ts";
import { givenByDelegation, grantsFor } from "#lib/access/logic.ts";
import type { Membership } from "#lib/access/queries.ts";
import type { PermissionCode, Role } from "#lib/permissions.ts";
import { visibleDus } from "#lib/resources/isolation/queries.ts";
import type { OwnedRow, Scope } from "./ctx.ts";

/**
 * The DUs a person reaches with a code, as conditions on the alias `du`.
 * Own rows by role: owners by their ownership row, subcontractors by company, customers every DU of the project unless customer data control is on.
 * The account of a subcontractor sees the DUs of its company alone, whatever roles it holds.
 */
export function makeScope(sql: Sql, projectId: number, userId: number, membership: Membership): Scope {
  const parts = (code: PermissionCode): string[] | "all" => {
    if (givenByDelegation(membership.delegated, code, membership.overrides)) return "all";
    const { all, own } = grantsFor(membership.roles, code, membership.overrides);
    if (all) return "all";
    const conditions = [...new Set(own.map((role) => ownCondition(role, membership)).filter((part) => part !== null))];
    return conditions.includes("all") ? "all" : conditions.sort();
  };
  const { isolation, subcontractorId } = membership;
  const visible = isolation && visibleDus(sql, subcontractorId, isolation);
  const where = (code: PermissionCode) => {
    const given = parts(code);
    const live = sql`du.project_id = ${projectId} and du.deleted_at is null`;
    const base = isolation?.bound ? sql`${live} and ${visible}` : live;
    if (given === "all") return base;
    const own = given.map((part) => (part === "company" ? (visible ?? sql`false`) : fragment(sql, part, userId, membership)));
    if (own.length === 0) return sql`${base} and false`;
    return sql`${base} and (${own.reduce((left, right) => sql`${left} or ${right}`)})`;
  };
  const all = (code: PermissionCode) => !isolation?.bound && parts(code) === "all";
  const apart = isolation !== null && !all("rollout.view");
  return {
    where,
    all,
    apart,
    named: isolation?.bound && isolation.enabled && visible ? visible : sql`true`,
    company: (id) => (apart ? sql`${id} is not distinct from ${subcontractorId}::bigint` : sql`true`),
    du: (id) => (!all("rollout.view") ? sql`exists (select 1 from du where du.id = ${id} and ${where("rollout.view")})` : sql`true`),
    fingerprint: (code) => {
      const given = parts(code);
      const apart = isolation && [isolation.bound, subcontractorId, isolation.enabled, isolation.version];
      const identity = all(code) ? "all" : [given, given.length > 0 ? userId : 0, membership.regionIds, apart];
      return createHash("sha256")
        .update(JSON.stringify([projectId, identity]))
        .digest("hex");
    },
  };
}

function ownCondition(role: Role, membership: Membership): string | null {
  switch (role) {
    case "SITE_OWNER":
      return "siteOwner";
    case "INVENTORY_OWNER":
      return "inventoryOwner";
    case "REGION_OWNER":
      return "region";
    case "SUBCON":
    case "SUBCON_PM":
      return "company";
    case "CUSTOMER":
    case "CUSTOMER_PM":
      return membership.customerControl ? "siteOwner" : "all";
    default:
      return null;
  }
}

function fragment(sql: Sql, part: string, userId: number, membership: Membership) {
  switch (part) {
    case "siteOwner":
      return sql`exists (select 1 from du_owner o where o.du_id = du.id and o.user_id = ${userId} and o.owner_kind in ('SITE_OWNER', 'DU_OWNER'))`;
    case "inventoryOwner":
      return sql`exists (select 1 from du_owner o where o.du_id = du.id and o.user_id = ${userId} and o.owner_kind = 'INVENTORY_OWNER')`;
    default:
      return sql`du.region_id = any(${membership.regionIds}::bigint[])`;
  }
}

/**
 * Whether a right covers one row. DU rows are judged by region, company and ownership; records by the persons they belong to.
 * @param row.duOwner whether the person has an ownership row for the DU, read by the caller for the whole set at once
 */
export function coversRow(membership: Membership, userId: number, code: PermissionCode, row: OwnedRow): boolean {
  if (givenByDelegation(membership.delegated, code, membership.overrides)) return true;
  const { all, own } = grantsFor(membership.roles, code, membership.overrides);
  if (all) return true;
  return own.some((role) => {
    switch (role) {
      case "SITE_OWNER":
      case "INVENTORY_OWNER":
        return row.duOwner === true;
      case "REGION_OWNER":
        return row.regionId != null && membership.regionIds.includes(row.regionId);
      case "SUBCON":
      case "SUBCON_PM":
        return (
          (row.subcontractorId != null && row.subcontractorId === membership.subcontractorId) || (row.userIds?.includes(userId) ?? false)
        );
      case "CUSTOMER":
      case "CUSTOMER_PM":
        return membership.customerControl ? row.duOwner === true : row.duId != null;
      default:
        return row.userIds?.includes(userId) ?? false;
    }
  });
}
