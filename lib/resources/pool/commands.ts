import "server-only";
import { deleteRoles, saveRoles } from "#lib/access/members/commands.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import { roleName } from "#lib/core/format.ts";
import { forgetRights } from "#lib/core/gate.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { brokenRules } from "#lib/core/rule.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import { roles as allRoles, type Role } from "#lib/permissions.ts";
import { dpaEnded } from "../isolation/queries.ts";
import { refreshPresence } from "../presence/commands.ts";
import { readSettings } from "../settings/queries.ts";
import { findEditable, type Resource, readResources } from "./queries.ts";
import { leavingRules } from "./rules.ts";
import {
  type DeleteResources,
  type ResourceFields,
  type ResourceInput,
  resourceFieldNames,
  type SaveResources,
  type SetResourceStatus,
} from "./schema.ts";

type Account = { id: number; account: string; active: boolean; inPool: boolean };

/** Refuses everything wrong at once; the first problem names the refusal. */
function refuseAll(problems: readonly Problem[]): void {
  const [first] = problems;
  if (first) throw new AppError(first.code, first.params, [...problems]);
}

/** Refuses everybody the caller may not edit. @throws NO_PERMISSION */
async function demandEditable(ctx: Ctx, ids: readonly number[]): Promise<void> {
  const editable = await findEditable(ctx, ids);
  if (editable !== "all" && (ids.length === 0 || ids.some((id) => !editable.has(id))))
    throw new AppError("NO_PERMISSION", { right: "resource.edit" });
}

/**
 * Adds people to the pool and changes those in it, all or none. [RES-22] [RES-44]
 * @returns the ids, in the order given
 * @throws ACCOUNT_MISSING, IN_POOL, PUBLIC_ACCOUNT_CONFIRM, KEY_ROLE_LOCKED, NO_PERMISSION, NOT_FOUND, NOTHING_MODIFIED, STALE
 */
export async function saveResources(ctx: Ctx, { rows, confirmPublic }: SaveResources): Promise<{ ids: number[] }> {
  await holdProject(ctx);
  const changed = rows.flatMap(({ id }) => id ?? []);
  const fresh = rows.filter(({ id }) => id === undefined);
  if (fresh.length > 0) await demandEditable(ctx, []);
  if (changed.length > 0) await demandEditable(ctx, changed);
  const present = new Map((await readResources(ctx, changed, { lock: true })).map((row) => [row.id, row]));
  const accounts = await readAccounts(
    ctx,
    fresh.map(({ account }) => account as string),
  );
  refuseAll(rows.flatMap((row, at) => rowProblems(row, `rows.${at}`, present, accounts, confirmPublic)));
  const stale = rows.filter(({ id, rowVersion }) => id !== undefined && present.get(id)?.rowVersion !== rowVersion);
  if (stale.length > 0) throw new AppError("STALE", {}, [], { rows: stale.map(({ id }) => present.get(id as number)) });
  refuseUnchanged(
    rows.map(({ id }) => (id === undefined ? null : storedFacts(present.get(id) as Resource))),
    rows.map((row) => ({
      ...fieldsOf(row, present.get(row.id ?? 0)),
      roles: (row.roles ?? present.get(row.id ?? 0)?.roles ?? []).toSorted(),
    })),
  );
  const ids = await writeRows(ctx, rows, present, accounts);
  await writeRoles(ctx, rows, present, accounts);
  await refreshPresence(ctx, ids);
  ctx.afterCommit(forgetRights);
  return { ids };
}

async function readAccounts({ sql, project }: Ctx, accounts: readonly string[]): Promise<Map<string, Account>> {
  const found = await sql<Account[]>`
    select u.id, u.account, u.active, exists (select 1 from resource r where r.project_id = ${project.id} and r.user_id = u.id) as "inPool"
    from app_user u where lower(u.account) = any(${accounts.map((account) => account.toLowerCase())}::text[])`;
  return new Map(found.map((one) => [one.account.toLowerCase(), one]));
}

function rowProblems(
  row: ResourceInput,
  path: string,
  present: ReadonlyMap<number, Resource>,
  accounts: ReadonlyMap<string, Account>,
  confirmPublic: boolean,
): Problem[] {
  const old = row.id === undefined ? undefined : present.get(row.id);
  if (row.id !== undefined && !old) return [{ path, code: "NOT_FOUND", params: { object: row.id } }];
  const problems: Problem[] = [];
  if (row.account !== undefined) {
    const found = accounts.get(row.account.toLowerCase());
    if (!found?.active) problems.push({ path: `${path}.account`, code: "ACCOUNT_MISSING", params: { account: row.account } });
    else if (found.inPool) problems.push({ path: `${path}.account`, code: "IN_POOL", params: { account: row.account } });
  }
  // A crew member stays with his company: he is introduced, not made one.
  if (old?.type === "SUBCONTRACT" && row.type !== undefined) problems.push({ path: `${path}.type`, code: "INTRODUCED_ONLY" });
  if (row.publicAccount && !old?.publicAccount && !confirmPublic)
    problems.push({
      path: `${path}.publicAccount`,
      code: "PUBLIC_ACCOUNT_CONFIRM",
      params: { account: old?.account ?? row.account ?? "" },
    });
  const visaStart = row.visaStart === undefined ? (old?.visaStart ?? null) : row.visaStart;
  const visaEnd = row.visaEnd === undefined ? (old?.visaEnd ?? null) : row.visaEnd;
  if (visaStart !== null && visaEnd !== null && visaStart > visaEnd) problems.push({ path: `${path}.visaEnd`, code: "VISA_ORDER" });
  return problems;
}

const columnOf: Record<keyof ResourceFields, string> = {
  type: "type",
  contractor: "contractor",
  phone: "phone",
  authStart: "auth_start",
  authEnd: "auth_end",
  visaType: "visa_type",
  visaStart: "visa_start",
  visaEnd: "visa_end",
  skills: "skills",
  longitude: "longitude",
  latitude: "latitude",
  publicAccount: "public_account",
  dataOwner: "data_owner",
};

const fieldsOf = (row: Partial<ResourceFields>, old: Resource | undefined): ResourceFields =>
  Object.fromEntries(
    resourceFieldNames.map((name) => [
      name,
      row[name] ?? (row[name] === null ? null : (old?.[name as keyof Resource] ?? emptyFields[name])),
    ]),
  ) as ResourceFields;

const storedFacts = (resource: Resource) => ({ ...fieldsOf({}, resource), roles: resource.roles.toSorted() });

const emptyFields: ResourceFields = {
  type: "OWN",
  contractor: null,
  phone: null,
  authStart: null,
  authEnd: null,
  visaType: null,
  visaStart: null,
  visaEnd: null,
  skills: [],
  longitude: null,
  latitude: null,
  publicAccount: false,
  dataOwner: false,
};

const record = `g(id bigint, "userId" bigint, type text, contractor text, phone text, "authStart" date, "authEnd" date, "visaType" text, "visaStart" date,
  "visaEnd" date, skills varchar[], longitude float8, latitude float8, "publicAccount" boolean, "dataOwner" boolean)`;

async function writeRows(
  ctx: Ctx,
  rows: readonly ResourceInput[],
  present: ReadonlyMap<number, Resource>,
  accounts: ReadonlyMap<string, Account>,
): Promise<number[]> {
  const { sql, project, user, now } = ctx;
  const given = rows.map((row) => ({
    id: row.id ?? null,
    userId: row.account === undefined ? null : (accounts.get(row.account.toLowerCase())?.id ?? null),
    ...fieldsOf(row, row.id === undefined ? undefined : present.get(row.id)),
  }));
  const values = sql`jsonb_to_recordset(${sql.json(given as never)}) as ${sql.unsafe(record)}`;
  await sql`
    update resource r set ${sql.unsafe(resourceFieldNames.map((name) => `${columnOf[name]} = g."${name}"`).join(", "))},
      updated_by = ${user.id}, updated_at = ${now}, row_version = r.row_version + 1
    from ${values} where r.id = g.id`;
  const made = await sql<{ id: number; userId: number }[]>`
    insert into resource (project_id, user_id, ${sql.unsafe(resourceFieldNames.map((name) => columnOf[name]).join(", "))}, last_activity_at, created_by, created_at, updated_by, updated_at)
    select ${project.id}, g."userId", ${sql.unsafe(resourceFieldNames.map((name) => `g."${name}"`).join(", "))}, ${now}, ${user.id}, ${now}, ${user.id}, ${now}
    from ${values} where g.id is null returning id, user_id as "userId"`;
  const idOf = new Map(made.map(({ id, userId }) => [userId, id]));
  return given.map(({ id, userId, ...fields }, at) => {
    const own = id ?? (idOf.get(userId as number) as number);
    const old = id === null ? undefined : present.get(id);
    const names = resourceFieldNames.filter((name) => rows[at]?.[name] !== undefined);
    ctx.audit(
      `resource ${own}`,
      old ? Object.fromEntries(names.map((name) => [name, old[name as keyof Resource]])) : null,
      Object.fromEntries(names.map((name) => [name, fields[name]])),
      "config_changed",
    );
    return own;
  });
}

/**
 * Roles are written by the area that owns them, one call per role. [RES-24]
 * @throws KEY_ROLE_LOCKED, NO_PERMISSION
 */
async function writeRoles(
  ctx: Ctx,
  rows: readonly ResourceInput[],
  present: ReadonlyMap<number, Resource>,
  accounts: ReadonlyMap<string, Account>,
): Promise<void> {
  const given = new Map<Role, number[]>();
  const taken: { userId: number; role: string }[] = [];
  for (const { id, account, roles } of rows) {
    if (!roles) continue;
    const old = id === undefined ? undefined : present.get(id);
    const userId = old?.userId ?? (accounts.get((account ?? "").toLowerCase())?.id as number);
    const held = old?.roles ?? [];
    for (const role of allRoles) {
      if (roles.includes(role) && !held.includes(role)) given.set(role, [...(given.get(role) ?? []), userId]);
      if (!roles.includes(role) && held.includes(role)) taken.push({ userId, role });
    }
  }
  if (given.size === 0 && taken.length === 0) return;
  if (!ctx.can("role.assign")) throw new AppError("NO_PERMISSION", { right: "role.assign" });
  const { keyRoles, keyRoleSwitch } = await readSettings(ctx);
  const locked = [...given.keys(), ...taken.map(({ role }) => role)].filter((role) => !keyRoleSwitch && keyRoles.includes(role));
  if (locked.length > 0) throw new AppError("KEY_ROLE_LOCKED", { roles: [...new Set(locked)].map(roleName).join(", ") });
  for (const [role, userIds] of given) await saveRoles(ctx, { userIds, role: role as never, validFrom: ctx.today });
  if (taken.length === 0) return;
  const held = await ctx.sql<{ id: number }[]>`
    select m.id from project_member m join jsonb_to_recordset(${ctx.sql.json(taken)}) as g("userId" bigint, role text) on g."userId" = m.user_id and g.role = m.role
    where m.project_id = ${ctx.project.id}`;
  await deleteRoles(ctx, { ids: held.map(({ id }) => id) });
}

async function demandAll(ctx: Ctx, ids: readonly number[]): Promise<Resource[]> {
  await demandEditable(ctx, ids);
  const found = await readResources(ctx, ids, { lock: true });
  const missing = ids.filter((id) => !found.some((row) => row.id === id));
  if (missing.length > 0) throw new AppError("NOT_FOUND", { object: missing.join(", ") });
  return found;
}

const leavingProblems = (found: readonly Resource[]): Problem[] => found.flatMap((row, at) => brokenRules(leavingRules, row, `ids.${at}`));

/**
 * Takes people out of the pool, all or none. [RES-43]
 * @throws DATA_OWNER, HAS_OPEN_WORK, GROUP_LEADER_REQUIRED, WRONG_STATUS for who waits for approval, NOT_FOUND, NO_PERMISSION
 */
export async function deleteResources(ctx: Ctx, { ids }: DeleteResources): Promise<{ deleted: number }> {
  await holdProject(ctx);
  const { sql, project } = ctx;
  const found = await demandAll(ctx, ids);
  refuseAll(leavingProblems(found));
  if (found.some(({ status }) => status === "PENDING")) throw new AppError("WRONG_STATUS", { status: "PENDING" });
  const led = await sql<{ name: string }[]>`
    select g.name from res_group g where g.project_id = ${project.id}
      and exists (select 1 from res_group_member m where m.group_id = g.id and m.is_leader and m.resource_id = any(${ids}::bigint[]))
      and exists (select 1 from res_group_member m where m.group_id = g.id and m.resource_id <> all(${ids}::bigint[]))
      and not exists (select 1 from res_group_member m where m.group_id = g.id and m.is_leader and m.resource_id <> all(${ids}::bigint[])) order by lower(g.name)`;
  if (led.length > 0) throw new AppError("GROUP_LEADER_REQUIRED", { name: led.map(({ name }) => name).join(", ") });
  await sql`delete from res_group_member where resource_id = any(${ids}::bigint[])`;
  await sql`delete from resource where id = any(${ids}::bigint[])`;
  for (const { id, account, type, status } of found) ctx.audit(`resource ${id}`, { account, type, status }, null, "config_changed");
  ctx.afterCommit(forgetRights);
  return { deleted: found.length };
}

/**
 * Takes people out of work or back into it, all or none. [RES-43] [RES-45]
 * @throws DATA_OWNER, HAS_OPEN_WORK, ACCOUNT_MISSING, DPA_EXPIRED, WRONG_STATUS, NOT_FOUND, NO_PERMISSION
 */
export async function setStatus(ctx: Ctx, { ids, status }: SetResourceStatus): Promise<void> {
  await holdProject(ctx);
  const { sql, project, user, now, today } = ctx;
  const found = await demandAll(ctx, ids);
  const other = found.find((row) => row.status !== "ACTIVE" && row.status !== "INACTIVE");
  if (other) throw new AppError("WRONG_STATUS", { status: other.status });
  if (status === "INACTIVE") refuseAll(leavingProblems(found));
  else {
    const [blocked] = await sql<{ account: string; active: boolean }[]>`
      select u.account, u.active from resource r join app_user u on u.id = r.user_id join project home on home.id = r.project_id
      left join subcontractor c on c.id = r.subcontractor_id
      where r.id = any(${ids}::bigint[]) and (not u.active or (r.type = 'SUBCONTRACT'
        and (coalesce(u.dpa_expires_on < ${today}, false) or (c.id is not null and ${dpaEnded(sql, today)})))) order by u.active, r.id`;
    if (blocked?.active) throw new AppError("DPA_EXPIRED", { project: project.number });
    if (blocked) throw new AppError("ACCOUNT_MISSING", { account: blocked.account });
  }
  await sql`
    update resource set status = ${status}, updated_by = ${user.id}, updated_at = ${now}, row_version = row_version + 1 where id = any(${ids}::bigint[])`;
  for (const row of found) ctx.audit(`resource ${row.id}`, { status: row.status }, { status }, "config_changed");
  await refreshPresence(ctx, ids);
  ctx.afterCommit(forgetRights);
}
