import "server-only";
import type { z } from "zod";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { forgetRights } from "#lib/core/gate.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { checkRules } from "#lib/core/rule.ts";
import { findMembership } from "../queries.ts";
import { delegationRules } from "./rules.ts";
import type { RevokeDelegation, SaveDelegation } from "./schema.ts";

/**
 * Names a delegate for one of the caller's own roles.
 * @throws ROLE_NOT_HELD, DELEGATE_SELF, NOT_MEMBER, DATE_ORDER, END_PAST, OVER_ONE_YEAR, NOTHING_MODIFIED where the same stands already
 */
export async function saveDelegation(ctx: Ctx, input: z.output<typeof SaveDelegation>): Promise<{ id: number }> {
  const { sql, project, user, today } = ctx;
  const [delegate] = await sql<{ account: string }[]>`select account from app_user where id = ${input.delegateId} and active`;
  const { roles } = delegate ? await findMembership(sql, input.delegateId, project.id, today) : { roles: [] };
  checkRules(delegationRules, {
    role: input.role,
    ownRoles: user.roles,
    isSelf: input.delegateId === user.id,
    // An account that is off is named by its number alone: the caller learns nothing of people outside the project.
    delegate: { account: roles.length > 0 && delegate ? delegate.account : String(input.delegateId), isMember: roles.length > 0 },
    validFrom: input.validFrom,
    validTo: input.validTo,
    today,
  });
  const reason = input.reason || null;
  await holdProject(ctx);
  const [same] = await sql`
    select 1 from role_delegation where project_id = ${project.id} and role = ${input.role} and delegator_id = ${user.id} and delegate_id = ${input.delegateId}
      and valid_from = ${input.validFrom} and valid_to = ${input.validTo} and reason is not distinct from ${reason} and revoked_at is null`;
  if (same) throw new AppError("NOTHING_MODIFIED");
  const [row] = await sql<{ id: number }[]>`
    insert into role_delegation (project_id, role, delegator_id, delegate_id, valid_from, valid_to, reason)
    values (${project.id}, ${input.role}, ${user.id}, ${input.delegateId}, ${input.validFrom}, ${input.validTo}, ${reason}) returning id`;
  const id = row?.id as number;
  ctx.audit(`delegation ${id}`, null, { ...input, account: delegate?.account }, "config_changed");
  ctx.afterCommit(forgetRights);
  return { id };
}

/** Ends a delegation of one's own at once. @throws NOT_FOUND, STALE when it has been revoked already */
export async function revokeDelegation(ctx: Ctx, input: z.output<typeof RevokeDelegation>): Promise<{ id: number }> {
  const { sql, project, user, now } = ctx;
  const [row] = await sql<{ role: string; delegateId: number; revokedAt: Date | null }[]>`
    select role, delegate_id as "delegateId", revoked_at as "revokedAt" from role_delegation
    where id = ${input.id} and project_id = ${project.id} and delegator_id = ${user.id} for update`;
  if (!row) throw new AppError("NOT_FOUND", { object: String(input.id) });
  if (row.revokedAt) throw new AppError("STALE");
  await sql`update role_delegation set revoked_at = ${now} where id = ${input.id}`;
  ctx.audit(`delegation ${input.id}`, { role: row.role, delegateId: row.delegateId }, null, "config_changed");
  ctx.afterCommit(forgetRights);
  return { id: input.id };
}
