import "server-only";
import { grantOf, type Overrides, overrideKey, roleCode } from "#lib/access/logic.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import type { PermissionCode } from "#lib/permissions.ts";
import { approvingRoles, firstApprovingRole } from "./limits.ts";

/** Somebody who may decide changes: a holder of PD or DPD, or the delegate of one. */
export type Approver = {
  id: number;
  account: string;
  name: string;
  role: string;
  /** Whom he stands for; null in his own right. */
  delegateOf: { id: number; name: string } | null;
};

/**
 * Everybody who may decide changes today, himself before his delegates; a person may occur more than once.
 * A role whose right the project has taken away does not count, nor a delegation once its giver has lost the role.
 */
export async function listApprovers(ctx: Ctx): Promise<Approver[]> {
  const { sql, project, today } = ctx;
  const roles = await rolesWith(ctx, "duChange.approve", approvingRoles);
  return [
    ...(await sql<Approver[]>`
      with holder as (
        select distinct u.id, u.account, u.name, m.role from project_member m join app_user u on u.id = m.user_id and u.active
        where m.project_id = ${project.id} and m.role = any(${roles}::text[]) and m.valid_from <= ${today} and (m.valid_to is null or m.valid_to >= ${today})
      )
      select id, account, name, role, null as "delegateOf" from holder
      union all
      select u.id, u.account, u.name, h.role, jsonb_build_object('id', h.id, 'name', h.name) from holder h
      join role_delegation g on g.project_id = ${project.id} and g.delegator_id = h.id and g.role = h.role and g.revoked_at is null
        and ${today} between g.valid_from and g.valid_to
      join app_user u on u.id = g.delegate_id and u.active
      where exists (select 1 from project_member m where m.project_id = ${project.id} and m.user_id = u.id and m.valid_from <= ${today}
        and (m.valid_to is null or m.valid_to >= ${today}))
      order by "delegateOf" nulls first, role desc, name, id`),
  ];
}

/** Who may be asked first: valid holders of TL. */
export async function listFirstApprovers(ctx: Ctx): Promise<Omit<Approver, "role" | "delegateOf">[]> {
  return listHolders(ctx, await rolesWith(ctx, "duChange.approve", [firstApprovingRole]));
}

/** Which of the people still hold a role that gives a right. */
export async function findHolders(ctx: Ctx, code: PermissionCode, userIds: readonly number[]): Promise<Set<number>> {
  const { sql, project, today } = ctx;
  const rows = await sql<{ id: number; role: string }[]>`
    select m.user_id as id, m.role from project_member m join app_user u on u.id = m.user_id and u.active
    where m.project_id = ${project.id} and m.user_id = any(${[...new Set(userIds)]}::bigint[])
      and m.valid_from <= ${today} and (m.valid_to is null or m.valid_to >= ${today})`;
  const giving = new Set(
    await rolesWith(
      ctx,
      code,
      rows.map(({ role }) => role),
    ),
  );
  return new Set(rows.filter(({ role }) => giving.has(role)).map(({ id }) => id));
}

async function listHolders({ sql, project, today }: Ctx, roles: readonly string[]): Promise<Omit<Approver, "role" | "delegateOf">[]> {
  return [
    ...(await sql<Omit<Approver, "role" | "delegateOf">[]>`
      select distinct u.id, u.account, u.name from project_member m join app_user u on u.id = m.user_id and u.active
      where m.project_id = ${project.id} and m.role = any(${[...roles]}::text[]) and m.valid_from <= ${today} and (m.valid_to is null or m.valid_to >= ${today})
      order by u.name, u.id`),
  ];
}

/** Those of the roles that give a right in the project. */
async function rolesWith({ sql, project }: Ctx, code: PermissionCode, roles: readonly string[]): Promise<string[]> {
  const rows = await sql<{ role: string; scope: "Y" | "O" | "" }[]>`
    select role, scope from role_permission where project_id = ${project.id} and code = ${code}`;
  const overrides: Overrides = new Map(rows.map(({ role, scope }) => [overrideKey(role, code), scope]));
  return [...new Set(roles)].filter((role) => {
    const known = roleCode(role);
    return known !== null && grantOf(known, code, overrides) !== "";
  });
}
