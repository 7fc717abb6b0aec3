import type { Sql } from "#db/client.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import type { Role } from "#lib/permissions.ts";
import { grantRole, makeRegion, makeResource, makeUser } from "./factories.ts";
import { makeDuOwner, makeDus } from "./plan-factories.ts";

/** A DU with its region: what somebody can own in a project. */
export type Owned = { du: number; region: number };

/** Makes rows to be owned. */
export async function makeOwned(sql: Sql, projectId: number): Promise<Owned> {
  const region = await makeRegion(sql, projectId);
  const [du] = await makeDus(sql, projectId, [{ regionId: region }]);
  return { du: du!, region };
}

/** Roles that nobody is granted: they come with a row a person owns, and go with it. */
const owning: Partial<Record<Role, (sql: Sql, userId: number, owned: Owned) => Promise<unknown>>> = {
  SITE_OWNER: (sql, userId, { du }) => makeDuOwner(sql, du, userId, "SITE_OWNER"),
  INVENTORY_OWNER: (sql, userId, { du }) => makeDuOwner(sql, du, userId, "INVENTORY_OWNER"),
  REGION_OWNER: (sql, userId, { region }) => sql`insert into region_owner (region_id, user_id) values (${region}, ${userId})`,
};

/** Whether the role comes with an owned row instead of a grant. */
export const comesWithRow = (role: Role): boolean => role in owning;

/** A new account that holds one role, in the way the role comes about. */
export async function makeHolder(sql: Sql, projectId: number, role: Role, owned: Owned, account?: string): Promise<CtxUser> {
  const kind = role.startsWith("SUBCON") ? "subcontractor" : role.startsWith("CUSTOMER") ? "customer" : "employee";
  const user = await makeUser(sql, { kind, ...(account && { account }) });
  const own = owning[role];
  if (own) await own(sql, user.id, owned);
  else await grantRole(sql, projectId, user.id, role);
  await makeResource(sql, projectId, user.id);
  return user;
}
