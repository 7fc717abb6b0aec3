import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import type { InvalidReason, ResourceType } from "./limits.ts";

/** A person who may be chosen where one of the pool is needed. */
export type ValidAccount = {
  account: string;
  userId: number;
  name: string;
  resourceId: number;
  type: ResourceType;
  subcontractorId: number | null;
};
/** An account that may not be chosen, as it was given, with the reason. */
export type InvalidAccount = { account: string; reason: InvalidReason };

/**
 * Divides accounts into those that may be chosen as a person of the project's pool and those that may not, in one statement. [RES-46]
 * MISSING: no such account, or not in the pool; INACTIVE: not active there, or the account is off; AUTH_EXPIRED: its authorisation does not cover
 * today; DPA_EXPIRED: its transnational agreement has ended.
 */
export async function validAccounts(
  { sql, project, today }: Pick<Ctx, "sql" | "project" | "today">,
  accounts: readonly string[],
): Promise<{ valid: ValidAccount[]; invalid: InvalidAccount[] }> {
  if (accounts.length === 0) return { valid: [], invalid: [] };
  const rows = await sql<(ValidAccount & { given: string; reason: InvalidReason | null })[]>`
    select g.given, u.account, u.id as "userId", u.name, r.id as "resourceId", r.type, r.subcontractor_id as "subcontractorId",
      case when r.id is null then 'MISSING' when r.status <> 'ACTIVE' or not u.active then 'INACTIVE'
        when ${today} not between r.auth_start and r.auth_end then 'AUTH_EXPIRED'
        when r.type = 'SUBCONTRACT' and u.dpa_expires_on < ${today} then 'DPA_EXPIRED' end as reason
    from unnest(${[...new Set(accounts)]}::text[]) with ordinality as g(given, at)
    left join app_user u on lower(u.account) = lower(trim(g.given))
    left join resource r on r.project_id = ${project.id} and r.user_id = u.id order by g.at`;
  const valid: ValidAccount[] = [];
  const invalid: InvalidAccount[] = [];
  for (const { given, reason, ...person } of rows)
    if (reason) invalid.push({ account: given, reason });
    else valid.push(person);
  return { valid, invalid };
}

/** The company the caller works for here: that of his active row of the pool; null for anybody else. The gate has read it. */
export const companyOf = ({ user }: Pick<Ctx, "user">): number | null => user.subcontractorId;
