import "server-only";
import type { z } from "zod";
import type { Sql } from "#db/client.ts";
import { unattendedFrame, writeAudit } from "#lib/core/audit.ts";
import { projectToday } from "#lib/core/clock.ts";
import type { CtxProject, CtxUser } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { hashPassword, newPassword } from "#lib/core/secrets.ts";
import type { Role } from "#lib/permissions.ts";
import { isAddress } from "#lib/reminders/outbox/logic.ts";
import { findProject } from "#lib/session/queries.ts";
import { validityOf } from "../logic.ts";
import type { OpenAccount, RenewPassword } from "./schema.ts";

type Given = z.output<typeof OpenAccount>;
type Found = { id: number; account: string; active: boolean };

/** What came of opening an account. */
export type OpenedAccount = {
  account: string;
  isNew: boolean;
  active: boolean;
  /** The password of a new account; it is kept as hash only. */
  password: string | null;
  /** The role asked for, with the day it is held from. */
  role: { role: Role; project: string; validFrom: string; isNew: boolean } | null;
};

const refusal = (problems: readonly Problem[]) => new AppError(problems[0]!.code, problems[0]!.params, [...problems]);

/**
 * Makes an account for whoever works at the machine, with a password unless it signs in elsewhere, and gives it a role in a project from that project's today on.
 * An account that is there keeps all it has, and so does a role that has not ended.
 * @param sql a transaction
 * @throws VALUE_MISSING, EMAIL_INVALID, PROJECT_INVALID, NOT_FOUND for an account that is off, ACCOUNT_EXISTS when somebody else makes it in the same moment
 */
export async function openAccount(sql: Sql, given: Given, now: Date): Promise<OpenedAccount> {
  const { role, project: number } = given;
  const project = number === undefined ? null : await findProject(sql, number);
  if (number !== undefined && !project) throw refusal([{ path: "project", code: "PROJECT_INVALID", params: { project: number } }]);
  const [found] = await sql<Found[]>`select id, account, active from app_user where lower(account) = lower(${given.account})`;
  if (found && !found.active && role) throw refusal([{ path: "account", code: "NOT_FOUND", params: { object: found.account } }]);
  const password = found || !given.withPassword ? null : newPassword();
  const { id, account, active } = found ?? (await createAccount(sql, given, project, password, now));
  return {
    account,
    isNew: !found,
    active,
    password,
    role: project && role ? await grantRole(sql, { id, account }, project, role, now) : null,
  };
}

/**
 * Gives an account another password, for whoever works at the machine: the one before is lost, or known to somebody else. All its sessions end.
 * @param sql a transaction
 * @returns the password, which is kept as hash only, and how many sessions were ended
 * @throws NOT_FOUND for an account that is not there or is off
 */
export async function renewPassword(
  sql: Sql,
  given: z.output<typeof RenewPassword>,
  now: Date,
): Promise<{ account: string; password: string; sessions: number }> {
  const password = newPassword();
  const [found] = await sql<Pick<Found, "id" | "account">[]>`
    update app_user set password_hash = ${await hashPassword(password)} where lower(account) = lower(${given.account}) and active returning id, account`;
  if (!found) throw refusal([{ path: "account", code: "NOT_FOUND", params: { object: given.account } }]);
  const ended = await sql`
    update user_session set revoked_at = ${now} where user_id = ${found.id} and revoked_at is null and expires_at > ${now}`;
  const after = { password: true, sessionsEnded: ended.count };
  await writeAudit(
    sql,
    [{ object: `account ${found.account}`, before: null, after, event: "config_changed" }],
    unattendedFrame("account", null, now),
  );
  return { account: found.account, password, sessions: ended.count };
}

/** An account is of the kind its role is for, and stands in the country of its project, unless it is said otherwise. */
async function createAccount(sql: Sql, given: Given, project: CtxProject | null, password: string | null, now: Date): Promise<Found> {
  const { account, name, email, role } = given;
  const country = given.country ?? project?.country;
  const kind = given.kind ?? kindOf(role);
  const missing = Object.entries({ name, email, country }).flatMap(([path, value]): Problem[] =>
    value === undefined ? [{ path, code: "VALUE_MISSING", params: { field: path } }] : [],
  );
  if (missing.length > 0) throw refusal(missing);
  if (!isAddress(email!)) throw refusal([{ path: "email", code: "EMAIL_INVALID", params: { address: email! } }]);
  const hash = password === null ? null : await hashPassword(password);
  const [row] = await sql<Found[]>`
    insert into app_user (account, name, email, kind, country, password_hash) values (${account}, ${name!}, ${email!}, ${kind}, ${country!}, ${hash})
    on conflict ((lower(account))) do nothing returning id, account, active`;
  if (!row) throw refusal([{ path: "account", code: "ACCOUNT_EXISTS" }]);
  const after = { kind, country, password: password !== null };
  await writeAudit(
    sql,
    [{ object: `account ${account}`, before: null, after, event: "config_changed" }],
    unattendedFrame("account", null, now),
  );
  return row;
}

function kindOf(role: Role | undefined): CtxUser["kind"] {
  if (role?.startsWith("SUBCON")) return "subcontractor";
  return role?.startsWith("CUSTOMER") ? "customer" : "employee";
}

async function grantRole(sql: Sql, user: Pick<Found, "id" | "account">, project: CtxProject, role: Role, now: Date) {
  const today = projectToday(now, project.tzOffset);
  await holdProject({ sql, project });
  const [held] = await sql<{ validFrom: string; validTo: string | null }[]>`
    select valid_from as "validFrom", valid_to as "validTo" from project_member where project_id = ${project.id} and user_id = ${user.id} and role = ${role}`;
  if (held && validityOf(held, today) !== "ended") return { role, project: project.number, validFrom: held.validFrom, isNew: false };
  await sql`
    insert into project_member as m (project_id, user_id, role, valid_from, granted_at) values (${project.id}, ${user.id}, ${role}, ${today}, ${now})
    on conflict on constraint project_member_unique do update set valid_from = excluded.valid_from, valid_to = null,
      granted_by = null, granted_at = excluded.granted_at, row_version = m.row_version + 1`;
  const after = { validFrom: today, validTo: null };
  await writeAudit(
    sql,
    [{ object: `role ${role} of ${user.account}`, before: held ?? null, after, event: "config_changed" }],
    unattendedFrame("account", project.id, now),
  );
  return { role, project: project.number, validFrom: today, isNew: true };
}
