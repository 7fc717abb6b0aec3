import "server-only";
import type { z } from "zod";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import { forgetRights } from "#lib/core/gate.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { checkRules } from "#lib/core/rule.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import { validityOf } from "../logic.ts";
import { listManagers } from "./queries.ts";
import { roleRules } from "./rules.ts";
import type { DeleteMemberRoles, SaveMemberRole } from "./schema.ts";

type Save = z.output<typeof SaveMemberRole>;
type Held = { id: number; userId: number; account: string; role: string; validFrom: string; validTo: string | null; rowVersion: number };

const countManagers = async (ctx: Ctx): Promise<number> => (await listManagers(ctx)).length;

const periodOf = ({ validFrom, validTo }: { validFrom: string; validTo: string | null }) => ({ validFrom, validTo });

/**
 * Gives people a role, or changes the validity of a role somebody holds. A role that has ended is given anew; nothing is written when one of the
 * people still holds it. Whoever is concerned has to enter the project again.
 * @throws NOT_FOUND, NOTHING_MODIFIED, ROLE_EXISTS, STALE, DATE_ORDER, LAST_PM
 */
export async function saveRoles(ctx: Ctx, input: Save): Promise<{ ids: number[] }> {
  // Two managers cannot take the role from each other at once: who changes roles holds the project's row.
  await holdProject(ctx);
  const managersBefore = await countManagers(ctx);
  const period = { validFrom: input.validFrom, validTo: input.validTo ?? null };
  checkRules(roleRules, { ...period, managersBefore, managersAfter: managersBefore }, "validTo");
  const ids =
    input.id === undefined
      ? await grant(ctx, input.userIds ?? [input.userId as number], input.role as string, period, input.userIds !== undefined)
      : [await changePeriod(ctx, input.id, input.rowVersion, period)];
  checkRules(roleRules, { ...period, managersBefore, managersAfter: await countManagers(ctx) });
  ctx.afterCommit(forgetRights);
  return { ids };
}

async function grant(
  ctx: Ctx,
  userIds: readonly number[],
  role: string,
  period: { validFrom: string; validTo: string | null },
  many: boolean,
) {
  const { sql, project, user, now } = ctx;
  const people = await sql<{ id: number; account: string }[]>`
    select id, account from app_user where id = any(${userIds as number[]}::bigint[]) and active`;
  const accounts = new Map(people.map((person) => [person.id, person.account]));
  const held = await sql<Held[]>`
    select m.id, m.user_id as "userId", u.account, m.role, m.valid_from as "validFrom", m.valid_to as "validTo", m.row_version as "rowVersion"
    from project_member m join app_user u on u.id = m.user_id
    where m.project_id = ${project.id} and m.role = ${role} and m.user_id = any(${userIds as number[]}::bigint[])`;
  const before = new Map(held.map((row) => [row.userId, row]));
  const problems = userIds.flatMap((id, index): Problem[] => {
    const path = many ? `userIds.${index}` : "userId";
    const account = accounts.get(id);
    if (account === undefined) return [{ path, code: "NOT_FOUND", params: { object: String(id) } }];
    const row = before.get(id);
    return row && validityOf(row, ctx.today) !== "ended" ? [{ path, code: "ROLE_EXISTS", params: { account } }] : [];
  });
  const [first] = problems;
  if (first) throw new AppError(first.code, first.params, problems);
  const rows = await sql<{ id: number; userId: number }[]>`
    insert into project_member as m (project_id, user_id, role, valid_from, valid_to, granted_by, granted_at)
    select ${project.id}, id, ${role}, ${period.validFrom}, ${period.validTo}, ${user.id}, ${now} from unnest(${userIds as number[]}::bigint[]) as given(id)
    on conflict on constraint project_member_unique do update set valid_from = excluded.valid_from, valid_to = excluded.valid_to,
      granted_by = excluded.granted_by, granted_at = excluded.granted_at, row_version = m.row_version + 1
    returning id, user_id as "userId"`;
  for (const row of rows) {
    const old = before.get(row.userId);
    ctx.audit(`role ${role} of ${accounts.get(row.userId)}`, old ? periodOf(old) : null, period, "config_changed");
  }
  return rows.map((row) => row.id);
}

async function changePeriod(ctx: Ctx, id: number, rowVersion: number | undefined, period: { validFrom: string; validTo: string | null }) {
  const { sql } = ctx;
  const [row] = await readHeld(ctx, [id]);
  if (!row) throw new AppError("NOT_FOUND", { object: String(id) });
  if (rowVersion !== undefined && rowVersion !== row.rowVersion) throw new AppError("STALE", {}, [], { roles: [row] });
  refuseUnchanged(row, period);
  await sql`update project_member set valid_from = ${period.validFrom}, valid_to = ${period.validTo}, row_version = row_version + 1 where id = ${id}`;
  ctx.audit(`role ${row.role} of ${row.account}`, periodOf(row), period, "config_changed");
  return id;
}

function readHeld({ sql, project }: Ctx, ids: readonly number[]): Promise<Held[]> {
  return sql<Held[]>`
    select m.id, m.user_id as "userId", u.account, m.role, m.valid_from as "validFrom", m.valid_to as "validTo", m.row_version as "rowVersion"
    from project_member m join app_user u on u.id = m.user_id
    where m.project_id = ${project.id} and m.id = any(${ids as number[]}::bigint[]) order by m.id`.then((rows) => [...rows]);
}

/**
 * Takes roles from members. Whoever is concerned has to enter the project again.
 * @throws NOT_FOUND, STALE, LAST_PM
 */
export async function deleteRoles(ctx: Ctx, input: z.output<typeof DeleteMemberRoles>): Promise<{ ids: number[] }> {
  await holdProject(ctx);
  const managersBefore = await countManagers(ctx);
  const rows = await readHeld(ctx, input.ids);
  const missing = input.ids.filter((id) => !rows.some((row) => row.id === id));
  if (missing.length > 0) throw new AppError("NOT_FOUND", { object: missing.join(", ") });
  const stale = rows.filter((row) => (input.rowVersions?.[String(row.id)] ?? row.rowVersion) !== row.rowVersion);
  if (stale.length > 0) throw new AppError("STALE", {}, [], { roles: stale });
  await ctx.sql`delete from project_member where project_id = ${ctx.project.id} and id = any(${input.ids}::bigint[])`;
  checkRules(roleRules, { validFrom: null, validTo: null, managersBefore, managersAfter: await countManagers(ctx) });
  for (const row of rows) ctx.audit(`role ${row.role} of ${row.account}`, periodOf(row), null, "config_changed");
  ctx.afterCommit(forgetRights);
  return { ids: rows.map((row) => row.id) };
}
