import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { delegationsShown } from "../limits.ts";

type Person = { id: number; account: string; name: string };

/** A delegation as the people concerned see it. */
export type Delegation = {
  id: number;
  role: string;
  delegator: Person;
  delegate: Person;
  validFrom: string;
  validTo: string;
  reason: string | null;
  revokedAt: Date | null;
  /** Given by the caller, who may revoke it; otherwise given to him. */
  isMine: boolean;
};

/** The delegations the caller has given or been given in the project, newest first. */
export async function listDelegations(ctx: Ctx): Promise<{ records: Delegation[] }> {
  const { sql, project, user } = ctx;
  const rows = await sql<Delegation[]>`
    select g.id, g.role, json_build_object('id', a.id, 'account', a.account, 'name', a.name) as delegator,
      json_build_object('id', b.id, 'account', b.account, 'name', b.name) as delegate,
      g.valid_from as "validFrom", g.valid_to as "validTo", g.reason, g.revoked_at as "revokedAt", g.delegator_id = ${user.id} as "isMine"
    from role_delegation g join app_user a on a.id = g.delegator_id join app_user b on b.id = g.delegate_id
    where g.project_id = ${project.id} and ${user.id} in (g.delegator_id, g.delegate_id)
    order by g.id desc limit ${delegationsShown}`;
  return { records: [...rows] };
}
