import "server-only";
import type { Sql } from "#db/client.ts";
import { type Grant, grantsFor, type Overrides, overrideKey, roleCode } from "#lib/access/logic.ts";
import { findMembership, type Membership } from "#lib/access/queries.ts";
import { readHidden } from "#lib/attributes/modes/queries.ts";
import type { CtxProject, CtxUser } from "#lib/core/ctx.ts";
import { asLocale, defaultLocale, type Locale } from "#lib/core/locale.ts";
import { makeScope } from "#lib/core/scope.ts";
import type { Role } from "#lib/permissions.ts";
import type { MailKind } from "../outbox/limits.ts";
import type { LeftOutReason } from "./limits.ts";
import type { Receivers } from "./schema.ts";

export type RecipientCtx = { sql: Sql; project: CtxProject; today: string; now: Date };

/** Whom something goes to, as its rule says. */
export type Addressing = {
  receivers: Receivers;
  mailTo: readonly string[];
  ccUserIds: readonly number[];
  /** Language of addresses outside. */
  lang: Locale | null;
  /** Addresses outside see what this person sees. */
  responsibleId: number | null;
};

type Person = CtxUser & { lang: Locale; active: boolean; roles: Role[]; membership: Membership | null };

/** The people and addresses of reminders, as they are now. */
export type Directory = {
  people: Map<number, Person>;
  byRole: Map<string, number[]>;
  byGroup: Map<number, number[]>;
  /** Language of addresses whose rule names none: that of a PM. */
  defaultLang: Locale;
  /** Kinds of mail somebody declined: `<kind> <user id or address>`. */
  declined: Set<string>;
  blocked: Set<string>;
  overrides: Overrides;
};

/** Somebody who gets a mail. `viewerId` is the person whose rights decide what it shows. */
export type Target = {
  userId: number | null;
  address: string;
  name: string | null;
  lang: Locale;
  cc: boolean;
  viewerId: number;
};
/** Somebody who was meant to get one and does not. */
export type LeftOut = { who: string; reason: LeftOutReason };

/**
 * Reads everybody the given rules reach, in one statement for people and a few more for what they declined.
 * @param more further people, such as the owners of what was found
 */
export async function readDirectory(ctx: RecipientCtx, given: readonly Addressing[], more: Iterable<number>): Promise<Directory> {
  const { sql, project, today } = ctx;
  const roles = [...new Set(given.flatMap(({ receivers }) => receivers.roles))];
  const groups = await readGroups(ctx, [...new Set(given.flatMap(({ receivers }) => receivers.groupIds))]);
  const ids = new Set<number>(more);
  for (const { receivers, ccUserIds, responsibleId } of given)
    for (const id of [...receivers.userIds, ...ccUserIds, ...(responsibleId === null ? [] : [responsibleId])]) ids.add(id);
  for (const members of groups.values()) for (const id of members) ids.add(id);
  const owners = await readOwnerRoles(ctx, roles);
  for (const { userId } of owners) ids.add(userId);
  const addresses = given.flatMap(({ receivers, mailTo }) => [...receivers.addresses, ...mailTo]).map((address) => address.toLowerCase());
  const valid = sql`m.project_id = ${project.id} and m.valid_from <= ${today} and (m.valid_to is null or m.valid_to >= ${today})`;
  const [rows, [pm], optouts, blocked, overrides] = await Promise.all([
    sql<(CtxUser & { language: string | null; active: boolean; roles: string[] | null })[]>`
      select u.id, u.account, u.name, u.email, u.kind, u.country, u.language, u.active, (select array_agg(m.role) from project_member m where m.user_id = u.id and ${valid}) as roles
      from app_user u where u.id = any(${[...ids]}::bigint[])
        or u.id in (select m.user_id from project_member m where ${valid} and m.role = any(${roles}::text[]))`,
    sql<{ language: string | null }[]>`
      select u.language from project_member m join app_user u on u.id = m.user_id and u.active where ${valid} and m.role = 'PM' order by m.granted_at, m.id limit 1`,
    sql<{ kind: string; who: string }[]>`
      select kind, coalesce(user_id::text, lower(address)) as who from mail_optout where project_id = ${project.id}`,
    addresses.length === 0
      ? []
      : sql<{ address: string }[]>`select address from mail_address where blocked and address = any(${addresses}::text[])`,
    sql<{ role: string; code: string; scope: Grant }[]>`select role, code, scope from role_permission where project_id = ${project.id}`,
  ]);
  const directory: Directory = {
    people: new Map(),
    byRole: new Map(),
    byGroup: groups,
    defaultLang: asLocale(pm?.language) ?? defaultLocale,
    declined: new Set(optouts.map(({ kind, who }) => `${kind} ${who}`)),
    blocked: new Set(blocked.map(({ address }) => address)),
    overrides: new Map(overrides.map((row) => [overrideKey(row.role, row.code), row.scope])),
  };
  for (const { roles: held, language, ...row } of rows) {
    const person: Person = {
      ...row,
      lang: asLocale(language) ?? defaultLocale,
      roles: (held ?? []).map(roleCode).filter((role) => role !== null),
      membership: null,
    };
    // Whoever holds no role may still own sites or regions; whoever does not see everything sees by these.
    if (person.active && !seesAll(directory, person)) person.membership = await findMembership(sql, person.id, project.id, today);
    directory.people.set(person.id, person);
    for (const role of person.roles) directory.byRole.set(role, [...(directory.byRole.get(role) ?? []), person.id]);
  }
  for (const { role, userId } of owners) directory.byRole.set(role, [...(directory.byRole.get(role) ?? []), userId]);
  return directory;
}

/** Who has a role because of what he owns. */
async function readOwnerRoles({ sql, project }: RecipientCtx, roles: readonly string[]): Promise<{ role: string; userId: number }[]> {
  if (!roles.some((role) => role.endsWith("_OWNER"))) return [];
  return [
    ...(await sql<{ role: string; userId: number }[]>`
      select r.* from (
        select 'REGION_OWNER' as role, o.user_id as "userId" from region_owner o join delivery_region g on g.id = o.region_id
          where g.project_id = ${project.id} and g.deleted_at is null
        union
        select case o.owner_kind when 'INVENTORY_OWNER' then 'INVENTORY_OWNER' else 'SITE_OWNER' end, o.user_id from du_owner o join du on du.id = o.du_id
          where du.project_id = ${project.id} and du.deleted_at is null
      ) r where r.role = any(${[...roles]}::text[])`),
  ];
}

/** Active members of groups at this moment. */
async function readGroups({ sql, project }: RecipientCtx, ids: readonly number[]): Promise<Map<number, number[]>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<{ id: number; userIds: number[] }[]>`
    select m.group_id as id, array_agg(r.user_id order by r.user_id) as "userIds" from res_group_member m join resource r on r.id = m.resource_id
    where m.project_id = ${project.id} and m.group_id = any(${[...ids]}::bigint[]) and r.status = 'ACTIVE' group by m.group_id`;
  return new Map(rows.map(({ id, userIds }) => [id, userIds]));
}

const viewRight = "rollout.view";
/** The account of a subcontractor sees the DUs of its company alone, whatever roles it holds. */
const seesAll = ({ overrides }: Pick<Directory, "overrides">, { roles, kind }: Pick<Person, "roles" | "kind">) =>
  kind !== "subcontractor" && grantsFor(roles, viewRight, overrides).all;

const problemOf = (directory: Directory, person: Person, kind: MailKind | null): LeftOutReason | null => {
  if (!person.active) return "INACTIVE";
  if (person.roles.length === 0 && (person.membership?.roles.length ?? 0) === 0) return "NO_ROLE";
  // Whose company may not work in the project is not let in, and hears nothing of it either.
  if (person.membership?.isolation?.dpaEnded) return "NO_ROLE";
  if (person.email.trim() === "") return "NO_ADDRESS";
  return kind !== null && directory.declined.has(`${kind} ${person.id}`) ? "DECLINED" : null;
};

/**
 * People as receivers of a kind of mail, and who of them gets none.
 * @param kind null for a mail nobody can decline
 */
export function targetsOfPeople(
  directory: Directory,
  userIds: Iterable<number>,
  kind: MailKind | null,
  cc = false,
): { targets: Target[]; leftOut: LeftOut[] } {
  const targets: Target[] = [];
  const leftOut: LeftOut[] = [];
  for (const id of new Set(userIds)) {
    const person = directory.people.get(id);
    if (!person) continue;
    const reason = problemOf(directory, person, kind);
    if (reason) leftOut.push({ who: person.name, reason });
    else targets.push({ userId: id, address: person.email.trim(), name: person.name, lang: person.lang, cc, viewerId: id });
  }
  return { targets, leftOut };
}

/** Everybody a rule writes to, each address once: people before addresses outside, To before Cc; and who of them gets none. */
export function targetsOf(directory: Directory, given: Addressing, kind: MailKind): { targets: Target[]; leftOut: LeftOut[] } {
  const { receivers, mailTo, ccUserIds, lang, responsibleId } = given;
  const people = targetsOfPeople(
    directory,
    [
      ...receivers.userIds,
      ...receivers.groupIds.flatMap((id) => directory.byGroup.get(id) ?? []),
      ...receivers.roles.flatMap((role) => directory.byRole.get(role) ?? []),
    ],
    kind,
  );
  const outside: Target[] = [];
  const leftOut = [...people.leftOut];
  const responsible = responsibleId === null ? undefined : directory.people.get(responsibleId);
  for (const address of [...receivers.addresses, ...mailTo]) {
    const key = address.toLowerCase();
    if (directory.blocked.has(key)) leftOut.push({ who: address, reason: "BLOCKED" });
    else if (directory.declined.has(`${kind} ${key}`)) leftOut.push({ who: address, reason: "DECLINED" });
    else if (responsible)
      outside.push({ userId: null, address, name: null, lang: lang ?? directory.defaultLang, cc: false, viewerId: responsible.id });
  }
  const copies = targetsOfPeople(directory, ccUserIds, kind, true);
  const byAddress = new Map<string, Target>();
  for (const target of [...people.targets, ...outside, ...copies.targets]) {
    const key = target.address.toLowerCase();
    if (!byAddress.has(key)) byAddress.set(key, target);
  }
  return { targets: [...byAddress.values()], leftOut: [...leftOut, ...copies.leftOut] };
}

/** What a person may see of what was found; equal keys see the same. */
export type View = { key: string; sees: (duId: number) => boolean; seesAttribute: (id: number) => boolean };

/**
 * What people see of DUs and attributes: those with a right on all see all DUs, the others by one statement for each different scope.
 * @param attributes whether values of attributes are told, which may be hidden from some
 */
export async function readViews(
  ctx: RecipientCtx,
  directory: Directory,
  userIds: Iterable<number>,
  duIds: readonly number[],
  attributes: boolean,
): Promise<Map<number, View>> {
  const { sql, project } = ctx;
  const views = new Map<number, View>();
  const byScope = new Map<string, Promise<Set<number>>>();
  for (const id of new Set(userIds)) {
    const person = directory.people.get(id);
    if (!person) continue;
    const hidden = attributes ? await hiddenFrom(ctx, person) : [];
    const seesAttribute = (attribute: number) => !hidden.includes(attribute);
    if (seesAll(directory, person)) {
      views.set(id, { key: `all ${hidden.join()}`, sees: () => true, seesAttribute });
      continue;
    }
    if (!person.membership || person.membership.isolation?.dpaEnded) continue;
    const scope = makeScope(sql, project.id, id, person.membership);
    const key = scope.fingerprint(viewRight);
    let reached = byScope.get(key);
    if (!reached) {
      reached = sql<{ id: number }[]>`select du.id from du where ${scope.where(viewRight)} and du.id = any(${[...duIds]}::bigint[])`.then(
        (rows) => new Set(rows.map((row) => row.id)),
      );
      byScope.set(key, reached);
    }
    const seen = await reached;
    views.set(id, { key: `${key} ${hidden.join()}`, sees: (duId) => seen.has(duId), seesAttribute });
  }
  return views;
}

async function hiddenFrom(ctx: RecipientCtx, person: Person): Promise<number[]> {
  const roles = person.membership?.roles ?? person.roles;
  const hidden = await readHidden({ ...ctx, user: { ...person, roles, currentRole: "", subcontractorId: null } });
  return [...hidden].sort((a, b) => a - b);
}
