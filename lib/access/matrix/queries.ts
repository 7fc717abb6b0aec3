import "server-only";
import type { z } from "zod";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { type PermissionCode, permissions, type Role, roles } from "#lib/permissions.ts";
import { type Screen, type ScreenKey, screenOf } from "#lib/screens.ts";
import { askedPeople } from "../limits.ts";
import { type Grant, grantsFor, type Validity, validityOf } from "../logic.ts";
import { findMembership, holds } from "../queries.ts";
import { judge, type Verdict } from "./logic.ts";
import type { AskWhy } from "./schema.ts";

/** The whole matrix: default grants by code, and the project's own words above them. */
export type Matrix = {
  roles: readonly Role[];
  rows: { code: PermissionCode; area: string; grants: Partial<Record<Role, Grant>> }[];
  overrides: { role: Role; code: PermissionCode; scope: Grant }[];
};

/** The default matrix with the overrides of the project. */
export async function getMatrix(ctx: Ctx): Promise<Matrix> {
  const overrides = await ctx.sql<Matrix["overrides"]>`
    select role, code, scope from role_permission where project_id = ${ctx.project.id} order by code, role`;
  return {
    roles,
    rows: (Object.keys(permissions) as PermissionCode[]).map((code) => ({
      code,
      area: permissions[code].area,
      grants: permissions[code].roles,
    })),
    overrides: [...overrides],
  };
}

/** Why somebody may or may not: his roles with their validity, the verdict on each code asked, and whom to ask. */
export type Why = {
  person: { id: number; account: string; name: string; active: boolean };
  roles: { role: string; state: Validity; validFrom: string | null; validTo: string | null; derived: boolean }[];
  delegations: { role: string; from: string; validTo: string }[];
  /** Null when a code was asked for. */
  screen: { key: string; opens: boolean; forMembers: boolean } | null;
  verdicts: Verdict[];
  ask: { name: string; account: string; email: string; roles: string[] }[];
};

/** Explains a right or a screen for one person. @throws NOT_FOUND for an unknown account */
export async function explain(ctx: Ctx, input: z.output<typeof AskWhy>): Promise<Why> {
  const { sql, project, today } = ctx;
  const [person] = await sql<Why["person"][]>`select id, account, name, active from app_user where id = ${input.userId}`;
  if (!person) throw new AppError("NOT_FOUND", { object: String(input.userId) });
  const membership = await findMembership(sql, person.id, project.id, today);
  const granted = await sql<{ role: string; validFrom: string; validTo: string | null }[]>`
    select role, valid_from as "validFrom", valid_to as "validTo" from project_member
    where project_id = ${project.id} and user_id = ${person.id} order by granted_at, id`;
  const delegations = await sql<Why["delegations"]>`
    select g.role, u.name as from, g.valid_to as "validTo" from role_delegation g join app_user u on u.id = g.delegator_id
    where g.project_id = ${project.id} and g.delegate_id = ${person.id} and g.revoked_at is null and ${today} between g.valid_from and g.valid_to
      and g.role = any(${membership.delegated}) order by g.id`;
  const derived = membership.roles.filter((role) => !granted.some((row) => row.role === role));
  const screen = input.screen === undefined ? null : screenOf(input.screen as ScreenKey);
  const codes = screen ? codesOf(screen) : [input.code as PermissionCode];
  const verdicts = codes
    .map((code) => judge(code, membership.roles, membership.delegated, membership.overrides, roles))
    .map((verdict) => (verdict.held && !holds(membership, verdict.code) ? { ...verdict, held: false, all: false } : verdict));
  const isMember = membership.roles.length > 0 && person.active;
  return {
    person,
    roles: [
      ...granted.map((row) => ({ ...row, state: validityOf(row, today), derived: false })),
      ...derived.map((role) => ({ role, state: "valid" as const, validFrom: null, validTo: null, derived: true })),
    ],
    delegations: [...delegations],
    screen: screen && {
      key: screen.key,
      opens: isMember && (codes.length === 0 || verdicts.some((verdict) => verdict.held)),
      forMembers: codes.length === 0,
    },
    verdicts: isMember ? verdicts : verdicts.map((verdict) => ({ ...verdict, held: false, all: false })),
    ask: await listAssigners(ctx, membership.overrides),
  };
}

function codesOf(screen: Screen): PermissionCode[] {
  if (screen.right === "member") return [];
  return typeof screen.right === "string" ? [screen.right] : [...screen.right];
}

/** People who may give roles in the project, managers first. */
async function listAssigners(ctx: Ctx, overrides: Parameters<typeof grantsFor>[2]): Promise<Why["ask"]> {
  const givers = roles.filter((role) => grantsFor([role], "role.assign", overrides).all);
  const { sql, project, today } = ctx;
  return [
    ...(await sql<Why["ask"]>`
      select u.name, u.account, u.email, array_agg(m.role order by m.role) as roles from project_member m join app_user u on u.id = m.user_id
      where m.project_id = ${project.id} and m.role = any(${givers}) and u.active and m.valid_from <= ${today} and (m.valid_to is null or m.valid_to >= ${today})
      group by u.id order by bool_or(m.role = 'PM') desc, u.name limit ${askedPeople}`),
  ];
}
