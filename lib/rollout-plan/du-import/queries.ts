import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { locales } from "#lib/core/locale.ts";
import { loadMessages } from "#lib/core/messages.ts";
import { type ImportRow, nameKey } from "#lib/imports/kind/logic.ts";
import { columnOf } from "#lib/rollout-plan/dus/logic.ts";
import { duFieldNames, siteFieldNames } from "#lib/rollout-plan/dus/schema.ts";
import { listLibraryActivities } from "#lib/rollout-plan/plan-rows/queries.ts";
import type { NamedField, PlanTarget } from "./limits.ts";
import type { Account, DuFacts, FieldTexts, NamedThing, StoredDu, StoredSite } from "./logic.ts";
import type { DuImportOptions } from "./schema.ts";

type Texts = { fields: Record<string, string>; plan: Record<PlanTarget, string>; values: Record<string, Record<string, string>> };

/** Titles of the fields in the caller's language and their names in all languages. */
export function fieldTexts(ctx: Pick<Ctx, "locale">): FieldTexts {
  const all = locales.map((locale) => loadMessages(locale).dus as unknown as Texts);
  const own = loadMessages(ctx.locale).dus as unknown as Texts;
  return {
    title: (key) => own.fields[key] ?? key,
    plan: (target) => own.plan[target],
    names: (key) => all.flatMap((texts) => texts.fields[key] ?? []),
    planNames: (target) => all.map((texts) => texts.plan[target]),
    valueNames: (field, value) => all.flatMap((texts) => texts.values[field]?.[value] ?? []),
  };
}

/**
 * A list of codes as the right side of `= any(…)`. Behind a select of its own its length is not planned by: thousands of codes are looked up in their index, where
 * the planner would read a whole table and make a new plan each time.
 */
const listed = (sql: Ctx["sql"], codes: readonly string[]) => sql`(select ${[...codes]}::text[])::text[]`;

const columns = (alias: string, fields: readonly string[]): string =>
  fields.map((field) => `${alias}.${columnOf(field)} as "${field}"`).join(", ");

function given(rows: readonly ImportRow[], key: string): string[] {
  const found = new Set<string>();
  for (const { values } of rows) {
    const value = values[key];
    if (typeof value === "string" && value !== "") found.add(value);
  }
  return [...found];
}

type DuRow = Record<string, unknown> & {
  id: number;
  rowVersion: number;
  reachable: boolean;
  siteCode: string;
  flowId: number | null;
  flowName: string | null;
};

/** Codes of DUs and sites. */
export type NamedCodes = { dus: readonly string[]; sites: readonly string[] };

const namedCodes = (rows: readonly ImportRow[], siteKey: string): NamedCodes => {
  const dus = given(rows, "code");
  return { dus, sites: [...new Set([...given(rows, siteKey), ...dus])] };
};

/**
 * What the rows refer to, in a fixed number of statements.
 * @param there the DUs and sites that are known to be there, where they have been locked
 */
export async function readDuFacts(
  ctx: Ctx,
  rows: readonly ImportRow[],
  options: DuImportOptions,
  there: NamedCodes = namedCodes(rows, "siteCode"),
): Promise<DuFacts> {
  const { sql, project } = ctx;
  const dus = await sql<DuRow[]>`
    select du.id, du.row_version as "rowVersion", (${ctx.scope.where("du.edit")}) as reachable, s.code as "siteCode", r.name as region, c.name as subcontractor,
      m.code as "directMigrationSite", d.code as "decomSite", b.flow_id as "flowId", f.name as "flowName", ${sql.unsafe(columns("du", duFieldNames))}
    from du join customer_site s on s.id = du.site_id
    left join delivery_region r on r.id = du.region_id left join subcontractor c on c.id = du.subcontractor_id and ${ctx.scope.company(sql`c.id`)}
    left join du m on m.id = du.direct_migration_site_id and ${ctx.scope.du(sql`m.id`)} left join du d on d.id = du.decom_site_id and ${ctx.scope.du(sql`d.id`)}
    left join du_flow b on b.du_id = du.id and b.unbound_at is null left join activity_flow f on f.id = b.flow_id
    where du.project_id = ${project.id} and du.deleted_at is null and du.code = any(${listed(sql, there.dus)})`;
  const sites = await readSites(ctx, [...new Set([...there.sites, ...dus.map((row) => row.siteCode)])]);
  const [regions, networks, subcontractors, others, flows, accounts, library] = await Promise.all([
    sql<NamedThing[]>`select id, name from delivery_region where project_id = ${project.id} and deleted_at is null and status = 'ACTIVE'`,
    sql<(NamedThing & { regionId: number | null })[]>`
      select id, name, region_id as "regionId" from network_region where project_id = ${project.id} and lower(name) = any(${given(rows, "networkRegion").map((name) => name.toLowerCase())}::text[])`,
    sql<
      (NamedThing & { code: string })[]
    >`select id, name, code from subcontractor where project_id = ${project.id} and status = 'ACTIVE' and ${ctx.scope.company(sql`id`)}`,
    sql<NamedThing[]>`
      select o.id, o.code as name from du o where o.project_id = ${project.id} and o.deleted_at is null and ${ctx.scope.du(sql`o.id`)}
        and o.code = any(${listed(sql, [...given(rows, "directMigrationSite"), ...given(rows, "decomSite")])})`,
    sql<NamedThing[]>`select id, name from activity_flow where project_id = ${project.id} and draft_of is null and status = 'released'`,
    readAccounts(ctx, rows, options.ownerId),
    listLibraryActivities(ctx),
  ]);
  const byName = (things: readonly NamedThing[]) => new Map(things.map((thing) => [nameKey(thing.name), thing]));
  const duByCode = new Map(others.map((thing) => [thing.name, thing]));
  const regionById = new Map(regions.map((region) => [region.id, region]));
  const flowById = new Map(flows.map((flow) => [flow.id, flow]));
  if (options.flowId !== null && !flowById.has(options.flowId)) throw new AppError("FLOW_UNKNOWN", { value: options.flowId });
  const owner = options.ownerId === null ? null : (accounts.find((account) => account.id === options.ownerId) ?? null);
  if (options.ownerId !== null && !owner?.member) throw new AppError("NOT_MEMBER", { account: owner?.account ?? options.ownerId });
  return {
    dus: new Map(dus.map((row) => [row.code as string, storedDu(row)])),
    sites,
    named: {
      region: byName(regions),
      subcontractor: new Map([...subcontractors.map((one) => [nameKey(one.code), one] as const), ...byName(subcontractors)]),
      directMigrationSite: duByCode,
      decomSite: duByCode,
    },
    networkRegions: new Map(
      networks.map(({ regionId, ...network }) => [nameKey(network.name), { ...network, region: regionById.get(regionId ?? 0) ?? null }]),
    ),
    flows: byName(flows),
    flowById,
    accounts: new Map(accounts.map((account) => [account.account.toLowerCase(), account])),
    owner,
    slots: new Map(library.map((activity) => [activity.id, activity.slot])),
    dayWishes: new Map(),
  };
}

function storedDu({
  id,
  rowVersion,
  reachable,
  siteCode,
  flowId,
  flowName,
  region,
  subcontractor,
  directMigrationSite,
  decomSite,
  ...fields
}: DuRow): StoredDu {
  const names = { region, subcontractor, directMigrationSite, decomSite } as Record<NamedField, string | null>;
  return { id, rowVersion, reachable, siteCode, flowId, flowName, names, fields: fields as StoredDu["fields"] };
}

/** Locks the DUs and sites the rows name, each in id order, for the write that follows; gives those that are there. */
export async function lockNamed(ctx: Ctx, rows: readonly ImportRow[], siteKey: string): Promise<NamedCodes> {
  const { sql, project } = ctx;
  const named = namedCodes(rows, siteKey);
  const lock = (table: "du" | "customer_site", codes: readonly string[]) =>
    sql<{ code: string }[]>`
      select code from ${sql(table)} where project_id = ${project.id} and deleted_at is null and code = any(${listed(sql, codes)})
      order by id for no key update`.execute();
  const [dus, sites] = await Promise.all([lock("du", named.dus), lock("customer_site", named.sites)]);
  return { dus: dus.map(({ code }) => code), sites: sites.map(({ code }) => code) };
}

/** Sites of the project by code. */
export async function readSites(ctx: Ctx, codes: readonly string[]): Promise<Map<string, StoredSite>> {
  const { sql, project } = ctx;
  const rows = await sql<StoredSite[]>`
    select s.id, s.row_version as "rowVersion", ${sql.unsafe(columns("s", siteFieldNames))} from customer_site s
    where s.project_id = ${project.id} and s.deleted_at is null and s.code = any(${listed(sql, codes)})`;
  return new Map(rows.map((row) => [row.code, row]));
}

async function readAccounts(ctx: Ctx, rows: readonly ImportRow[], ownerId: number | null): Promise<Account[]> {
  const { sql, project } = ctx;
  const names = new Set<string>();
  const all = new Set<string>();
  for (const { values } of rows) for (const key in values) all.add(key);
  const keys = [...all].filter((key) => /[oO]wner$/.test(key));
  for (const { values } of rows)
    for (const key of keys) for (const account of (values[key] as string[] | null | undefined) ?? []) names.add(account.toLowerCase());
  if (names.size === 0 && ownerId === null) return [];
  return [
    ...(await sql<Account[]>`
      select u.id, u.account, exists (select 1 from project_member m where m.project_id = ${project.id} and m.user_id = u.id
        and m.valid_from <= ${ctx.today} and coalesce(m.valid_to, ${ctx.today}) >= ${ctx.today}) as member
      from app_user u where u.active and (lower(u.account) = any(${[...names]}::text[]) or u.id = ${ownerId})`),
  ];
}

/** Accounts of people by id. */
export async function readAccountNames(ctx: Pick<Ctx, "sql">, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.sql<
    { id: number; account: string }[]
  >`select id, account from app_user where id = any(${[...new Set(ids)]}::bigint[])`;
  return new Map(rows.map((row) => [row.id, row.account]));
}

type Choice = { value: number; label: string };

/** Released flows, and the members of the project who may own an activity. */
export async function readImportChoices(ctx: Ctx): Promise<{ flows: Choice[]; people: Choice[] }> {
  const { sql, project } = ctx;
  const [flows, people] = await Promise.all([
    sql<Choice[]>`
      select id as value, name as label from activity_flow where project_id = ${project.id} and draft_of is null and status = 'released' order by name collate natural_order`,
    sql<Choice[]>`
      select u.id as value, u.name || ' (' || u.account || ')' as label from app_user u
      where u.active and exists (select 1 from project_member m where m.project_id = ${project.id} and m.user_id = u.id
        and m.valid_from <= ${ctx.today} and coalesce(m.valid_to, ${ctx.today}) >= ${ctx.today}) order by u.name, u.account`,
  ]);
  return { flows: [...flows], people: [...people] };
}
