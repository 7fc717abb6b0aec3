import "server-only";
import type { z } from "zod";
import { takeIds } from "#db/ids.ts";
import { readDefaults } from "#lib/attributes/defaults/queries.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Params, type Problem } from "#lib/core/error.ts";
import { listText } from "#lib/core/list-text.ts";
import { brokenRules } from "#lib/core/rule.ts";
import type { ErrorCode } from "#lib/errors.ts";
import { type BatchOptions, logDuChanges } from "#lib/rollout-plan/plan-log/commands.ts";
import type { Change } from "#lib/rollout-plan/plan-log/logic.ts";
import { insertPlanRows, writePlanRows } from "#lib/rollout-plan/plan-rows/commands.ts";
import { readPlanRows } from "#lib/rollout-plan/plan-rows/queries.ts";
import { changedFields, columnOf, hasPlan } from "./logic.ts";
import { findDu } from "./queries.ts";
import { deleteDuRules, deleteSiteRules, saveDuRules, saveSiteRules } from "./rules.ts";
import {
  type DeleteDus,
  type DeleteSites,
  type duCodeFields,
  duFieldNames,
  type MigrateDus,
  type SaveDus,
  type SaveSites,
  siteFieldNames,
} from "./schema.ts";

/** A row that was left as it is: its place in the request and why. */
export type RejectedRow = { row: number; id?: number; code: ErrorCode; params: Params };
export type SaveResult = { ids: number[]; rejected: RejectedRow[] };

type CodedInput = z.output<typeof SaveDus>["rows"][number];
type DuInput = Omit<CodedInput, keyof typeof duCodeFields>;
type SiteInput = z.output<typeof SaveSites>["rows"][number];
type Stored = Record<string, unknown> & { id: number; rowVersion: number };

/**
 * Makes and changes DUs, each row whole or not at all; a refused single row refuses the call. A new DU without a site gets one of its own code and name.
 * Changes of existing DUs go into the plan log.
 */
export async function saveDus(ctx: Ctx, given: z.output<typeof SaveDus>): Promise<SaveResult> {
  const { rows, missing } = await readCodes(ctx, given.rows);
  const facts = await readDuFacts(ctx, rows);
  const taken = new Set<string>();
  const rejected: RejectedRow[] = [];
  const accepted: { row: number; input: DuInput; changes: Record<string, [unknown, unknown]> }[] = [];
  for (const [row, input] of rows.entries()) {
    const { id, rowVersion, ...fields } = input;
    const now = id === undefined ? undefined : facts.dus.get(id);
    const changes = changedFields(now ?? {}, fields);
    const code = fields.code;
    const owner = code === undefined ? undefined : facts.codes.get(code);
    const problem = brokenRules(saveDuRules, {
      found: id === undefined || now !== undefined,
      stale: now !== undefined && now.rowVersion !== rowVersion,
      codeTaken: code !== undefined && ((owner !== undefined && owner !== id) || taken.has(code)),
      unknownSite: missing.sites.get(row) ?? unknown(fields.siteId, facts.sites),
      // A DU keeps a region that is out of use by now.
      unknownRegion: "regionId" in changes ? unknown(fields.regionId, facts.regions) : null,
      unknownSubcontractor: unknown(fields.subcontractorId, facts.subcontractors),
      unknownDu:
        missing.dus.get(row) ?? unknown(fields.directMigrationSiteId, facts.others, id) ?? unknown(fields.decomSiteId, facts.others, id),
      changes: Object.keys(changes).length,
    })[0];
    if (problem) rejected.push({ row, ...(id !== undefined && { id }), code: problem.code, params: problem.params ?? {} });
    else {
      if (code !== undefined) taken.add(code);
      accepted.push({ row, input, changes });
    }
  }
  // What the others wrote is told as the caller may know it.
  refuseSingle(rows.length, rejected, rejected[0]?.code === "STALE" ? await findDu(ctx, rows[0]?.id ?? 0) : undefined);
  const ids = new Map<number, number>();
  const created = accepted.filter(({ input }) => input.id === undefined);
  const ext = created.length > 0 ? await readDefaults(ctx) : {};
  const made = await insertDus(
    ctx,
    created.map(({ input }) => input as NewDu),
    ext,
  );
  await insertPlanRows(ctx, made);
  for (const [index, { row }] of created.entries()) ids.set(row, made[index] as number);
  const changed = accepted.filter(({ input }) => input.id !== undefined);
  await updateDus(
    ctx,
    changed.map(({ input, changes }) => ({ id: input.id as number, rowVersion: input.rowVersion as number, changes })),
  );
  await logDuChanges(
    ctx,
    created.map(({ input }, index) => madeDu(made[index] as number, input, ext)),
    { source: "grid" },
  );
  for (const { row, input } of changed) ids.set(row, input.id as number);
  ctx.audit(`du ${[...ids.values()].join(" ")}`, null, {
    created: created.map(({ input }) => input.code),
    changed: changed.map(({ input, changes }) => ({ id: input.id, changes })),
  });
  return { ids: [...ids].sort((a, b) => a[0] - b[0]).map(([, id]) => id), rejected };
}

/** The rows with ids where they named sites and DUs by code, and the codes by row that name nothing. */
async function readCodes(
  { sql, project, scope }: Ctx,
  rows: readonly CodedInput[],
): Promise<{ rows: DuInput[]; missing: { sites: Map<number, string>; dus: Map<number, string> } }> {
  const codes = (...keys: (keyof typeof duCodeFields)[]) => [...new Set(rows.flatMap((row) => keys.flatMap((key) => row[key] ?? [])))];
  const read = async (table: "customer_site" | "du", list: readonly string[]) => {
    if (list.length === 0) return new Map<string, number>();
    const told = table === "du" ? scope.du(sql`named.id`) : sql`true`;
    const found = await sql<{ id: number; code: string }[]>`
      select named.id, named.code from ${sql(table)} named
      where named.project_id = ${project.id} and named.deleted_at is null and named.code = any(${[...list]}::text[]) and ${told}`;
    return new Map(found.map(({ id, code }) => [code, id]));
  };
  const sites = await read("customer_site", codes("siteCode"));
  const dus = await read("du", codes("directMigrationSiteCode", "decomSiteCode"));
  const missing = { sites: new Map<number, string>(), dus: new Map<number, string>() };
  const named = rows.map(({ siteCode, directMigrationSiteCode, decomSiteCode, ...row }, at): DuInput => {
    const idOf = (code: string | null, known: Map<string, number>, lost: Map<number, string>) => {
      if (code !== null && !known.has(code)) lost.set(at, code);
      return code === null ? null : (known.get(code) ?? null);
    };
    return {
      ...row,
      ...(siteCode === undefined ? {} : { siteId: idOf(siteCode, sites, missing.sites) ?? undefined }),
      ...(directMigrationSiteCode === undefined ? {} : { directMigrationSiteId: idOf(directMigrationSiteCode, dus, missing.dus) }),
      ...(decomSiteCode === undefined ? {} : { decomSiteId: idOf(decomSiteCode, dus, missing.dus) }),
    };
  });
  return { rows: named, missing };
}

const unknown = (id: number | null | undefined, known: ReadonlySet<number>, self?: number): number | null =>
  id == null || (known.has(id) && id !== self) ? null : id;

function refuseSingle(count: number, rejected: readonly RejectedRow[], present: unknown): void {
  const [only] = rejected;
  if (count !== 1 || !only) return;
  const problem: Problem = { path: "rows.0", code: only.code, params: only.params };
  throw new AppError(only.code, only.params, [problem], only.code === "STALE" ? present : undefined);
}

const columnList = (alias: string, fields: readonly string[]): string =>
  fields.map((field) => `${alias}.${columnOf(field)} as "${field}"`).join(", ");

async function readDuFacts(ctx: Ctx, rows: readonly DuInput[]) {
  const { sql, project } = ctx;
  const given = <Key extends keyof DuInput>(key: Key) => [...new Set(rows.flatMap((row) => row[key] ?? []))] as NonNullable<DuInput[Key]>[];
  const others = [...new Set([...given("directMigrationSiteId"), ...given("decomSiteId")])];
  const dus = await sql<Stored[]>`
    select du.id, du.row_version as "rowVersion", ${sql.unsafe(columnList("du", duFieldNames))} from du
    where ${ctx.scope.where("du.edit")} and du.id = any(${given("id")}::bigint[]) order by du.id for no key update`;
  const codes = await sql<{ id: number; code: string }[]>`
    select id, code from du where project_id = ${project.id} and deleted_at is null and code = any(${given("code")}::text[])`;
  const sites = await sql<{ id: number }[]>`
    select id from customer_site where project_id = ${project.id} and deleted_at is null and id = any(${given("siteId")}::bigint[]) for key share`;
  const regions = await sql<{ id: number }[]>`
    select id from delivery_region where project_id = ${project.id} and deleted_at is null and status = 'ACTIVE' and id = any(${given("regionId") as number[]}::bigint[])
    order by id for key share`;
  const subcontractors = await sql<{ id: number }[]>`
    select id from subcontractor where project_id = ${project.id} and ${ctx.scope.company(sql`id`)} and id = any(${given("subcontractorId") as number[]}::bigint[])`;
  const found = await sql<{ id: number }[]>`
    select o.id from du o where o.project_id = ${project.id} and o.deleted_at is null and ${ctx.scope.du(sql`o.id`)} and o.id = any(${others as number[]}::bigint[])`;
  const ids = (list: readonly { id: number }[]) => new Set(list.map(({ id }) => id));
  return {
    dus: new Map(dus.map((row) => [row.id, row])),
    codes: new Map(codes.map((row) => [row.code, row.id])),
    sites: ids(sites),
    regions: ids(regions),
    subcontractors: ids(subcontractors),
    others: ids(found),
  };
}

/** A DU that is to be made; without a site it gets one of its own. */
type NewDu = { code: string; name: string; siteId?: number | undefined } & Record<string, unknown>;

/** Makes DUs without their plan rows in a fixed number of statements and gives their ids in the order of `rows`. */
async function insertDus(ctx: Ctx, rows: readonly NewDu[], ext: Record<string, string | number>): Promise<number[]> {
  if (rows.length === 0) return [];
  const homeless = rows.filter((row) => row.siteId === undefined);
  const sites = await ensureSites(
    ctx,
    homeless.map(({ code, name }) => ({ code, name })),
  );
  const ids = await takeIds(ctx.sql, "du", rows.length);
  const placed = rows.map((row, index) => ({ ...row, id: ids[index] as number, siteId: row.siteId ?? (sites.get(row.code) as number) }));
  await ctx.sql`${duInsert(ctx, placed, ext)}`;
  return ids;
}

type PlacedSite = NewSite & { id: number };
type PlacedDu = { id: number; code: string; siteId: number } & Record<string, unknown>;

/**
 * Sends the inserts of sites and of DUs under ids taken ahead and does not wait for them: what names them comes behind them on the same connection, and
 * fails with them. A code that was taken meanwhile violates `customer_site_code_unique` or `du_code_unique`.
 * A connection asks twice for the values of a statement it does not know, and holds back all behind it, so it is told both first, without rows.
 * @param ext what each DU begins with
 */
export async function sendSitesAndDus(
  ctx: Ctx,
  sites: readonly PlacedSite[],
  dus: readonly PlacedDu[],
  ext: Record<string, string | number>,
): Promise<void> {
  await Promise.all([
    sites.length > 0 ? ctx.sql`${siteInsert(ctx, sites, [])}` : null,
    dus.length > 0 ? ctx.sql`${duInsert(ctx, dus, ext, [])}` : null,
  ]);
  if (sites.length > 0) ctx.sql`${siteInsert(ctx, sites)}`.execute();
  if (dus.length > 0) ctx.sql`${duInsert(ctx, dus, ext)}`.execute();
}

type Value = string | number | boolean | null;

/** Types of the columns of DUs and sites that hold no text. */
const columnTypes: Readonly<Record<string, string>> = {
  id: "bigint",
  site_id: "bigint",
  region_id: "bigint",
  subcontractor_id: "bigint",
  direct_migration_site_id: "bigint",
  decom_site_id: "bigint",
  cluster_priority: "int",
  rfi_priority: "int",
  allow_direct_moving: "boolean",
  value_qty: "numeric",
  longitude: "numeric",
  latitude: "numeric",
};

/**
 * The insert of rows, each column as one list.
 * @param columns of each column, what a row has in it
 * @param ext what every row begins with, where the table holds it
 */
function insertOf<Row>(
  { sql, project }: Ctx,
  table: "du" | "customer_site",
  columns: ReadonlyMap<string, (row: Row) => unknown>,
  rows: readonly Row[],
  ext?: Record<string, string | number>,
) {
  const names = [...columns.keys()];
  const lists = names.map((name, at) => {
    const list = sql`${listText(rows.map(columns.get(name) as (row: Row) => Value))}::text::${sql.unsafe(columnTypes[name] ?? "text")}[]`;
    return at === 0 ? list : sql`, ${list}`;
  });
  return sql`
    insert into ${sql(table)} (project_id, ${ext ? sql`ext, ` : sql``}${sql.unsafe(names.join(", "))}) overriding system value
    select ${project.id}, ${ext ? sql`${sql.json(ext)}::jsonb, ` : sql``}r.* from unnest(${lists}) as r(${sql.unsafe(names.join(", "))})`;
}

/** Columns of the fields that any row has a value for. */
const columnsOf = <Row extends Record<string, unknown>>(fields: readonly string[], rows: readonly Row[]) =>
  fields
    .filter((field) => rows.some((row) => row[field] !== undefined && row[field] !== null))
    .map((field) => [columnOf(field), (row: Row) => row[field] ?? null] as const);

/** @param sent the rows that are inserted (default: all): the statement has the columns that any of `rows` has */
function duInsert(ctx: Ctx, rows: readonly PlacedDu[], ext: Record<string, string | number>, sent = rows) {
  const columns = new Map<string, (row: PlacedDu) => unknown>([
    ["id", (row) => row.id],
    ...columnsOf(duFieldNames, rows),
    ["allow_direct_moving", (row) => row.allowDirectMoving ?? false],
  ]);
  return insertOf(ctx, "du", columns, sent, ext);
}

const logKeys = duFieldNames.map((field) => [field, `du.${columnOf(field)}`] as const);

/** Log entry of a new DU: every field and attribute it begins with. */
export function madeDu(
  duId: number,
  fields: Record<string, unknown>,
  ext: Record<string, string | number>,
): { duId: number; attrs: Record<string, Change> } {
  const attrs: Record<string, Change> = Object.fromEntries(
    Object.entries(ext).map(([key, value]): [string, Change] => [key, [null, value]]),
  );
  for (const [field, key] of logKeys) if (fields[field] !== undefined && fields[field] !== null) attrs[key] = [null, fields[field]];
  return { duId, attrs };
}

type NewSite = { code: string; name: string } & Record<string, unknown>;

/** Ids of the sites with these codes, by code; those that are missing are made. */
export async function ensureSites(ctx: Ctx, rows: readonly NewSite[]): Promise<Map<string, number>> {
  if (rows.length === 0) return new Map();
  const { sql, project } = ctx;
  const ids = await takeIds(sql, "customer_site", rows.length);
  const placed = rows.map((row, index) => ({ ...row, id: ids[index] as number }));
  await sql`${siteInsert(ctx, placed)} on conflict (project_id, code) where deleted_at is null do nothing`;
  const found = await sql<{ id: number; code: string }[]>`
    select id, code from customer_site where project_id = ${project.id} and deleted_at is null and code = any(${rows.map((row) => row.code)}::text[])`;
  return new Map(found.map((row) => [row.code, row.id]));
}

/** @param sent as of `duInsert` */
function siteInsert(ctx: Ctx, rows: readonly PlacedSite[], sent = rows) {
  const columns = new Map<string, (row: PlacedSite) => unknown>([
    ["id", (row) => row.id],
    ...columnsOf(siteFieldNames, rows),
    ["status", (row) => row.status ?? "active"],
  ]);
  return insertOf(ctx, "customer_site", columns, sent);
}

type DuChange = { id: number; rowVersion: number; changes: Record<string, [unknown, unknown]> };

async function updateDus(ctx: Ctx, rows: readonly DuChange[]): Promise<void> {
  if (rows.length === 0) return;
  const block = await readPlanRows(
    ctx,
    rows.map((row) => row.id),
    { lock: true },
  );
  await writePlanRows(ctx, block, {
    source: "grid",
    patches: rows.map(({ id, rowVersion, changes }) => ({
      duId: id,
      duVersion: rowVersion,
      fields: Object.fromEntries(Object.entries(changes).map(([field, change]) => [columnOf(field), change])),
    })),
  });
}

/** Deletes DUs that hold no plan and that no other DU names; the others stay and are listed. */
export async function deleteDus(ctx: Ctx, { ids }: z.output<typeof DeleteDus>): Promise<SaveResult> {
  const { sql, project } = ctx;
  const reached = await sql<{ id: number; code: string }[]>`
    select du.id, du.code from du where ${ctx.scope.where("du.delete")} and du.id = any(${ids}::bigint[]) order by du.id for update`;
  const block = await readPlanRows(
    ctx,
    reached.map((row) => row.id),
    { lock: true },
  );
  const rows = new Map(block.duIds.map((duId, row) => [duId, row]));
  const naming = await sql<{ id: number; codes: string[] }[]>`
    select o.id, array_agg(du.code order by du.code) as codes from unnest(${ids}::bigint[]) as o(id)
    join du on du.project_id = ${project.id} and du.deleted_at is null and du.id <> all(${ids}::bigint[]) and (du.direct_migration_site_id = o.id or du.decom_site_id = o.id) group by o.id`;
  const namedBy = new Map(naming.map((row) => [row.id, row.codes]));
  const known = new Set(reached.map((row) => row.id));
  const rejected: RejectedRow[] = [];
  const gone: number[] = [];
  for (const [index, id] of ids.entries()) {
    const row = rows.get(id);
    const [problem] = brokenRules(deleteDuRules, {
      reachable: known.has(id),
      hasPlan: row !== undefined && hasPlan(block, row),
      namedBy: namedBy.get(id) ?? [],
    });
    if (problem) rejected.push({ row: index, id, code: problem.code, params: problem.params ?? {} });
    else gone.push(id);
  }
  refuseAll(ids.length, rejected);
  await sql`update du set deleted_at = ${ctx.now}, row_version = row_version + 1 where id = any(${gone}::bigint[])`;
  await sql`update du_flow set unbound_at = ${ctx.now} where du_id = any(${gone}::bigint[]) and unbound_at is null`;
  await sql`delete from du_owner where du_id = any(${gone}::bigint[])`;
  await logDuChanges(
    ctx,
    gone.map((duId) => ({ duId, attrs: { "du.deleted_at": [null, ctx.now.toISOString()] } })),
    { source: "grid" },
  );
  ctx.audit(`du ${gone.join(" ")}`, { codes: reached.filter((row) => gone.includes(row.id)).map((row) => row.code) }, null);
  return { ids: gone, rejected };
}

function refuseAll(count: number, rejected: readonly RejectedRow[]): void {
  const [first] = rejected;
  if (!first || rejected.length < count) return;
  throw new AppError(
    first.code,
    first.params,
    rejected.map(({ row, code, params }) => ({ path: `ids.${row}`, code, params })),
  );
}

/** Moves DUs to another sub-project. */
export async function migrateDus(ctx: Ctx, { ids, subProjectCode }: z.output<typeof MigrateDus>): Promise<SaveResult> {
  const { sql } = ctx;
  const found = await sql<{ id: number; rowVersion: number; now: string | null }[]>`
    select du.id, du.row_version as "rowVersion", du.sub_project_code as now from du
    where ${ctx.scope.where("du.migrate")} and du.id = any(${ids}::bigint[]) order by du.id for no key update`;
  const byId = new Map(found.map((row) => [row.id, row]));
  const rejected: RejectedRow[] = [];
  const moving: DuChange[] = [];
  for (const [row, id] of ids.entries()) {
    const du = byId.get(id);
    if (!du) rejected.push({ row, id, code: "NOT_FOUND", params: { object: "DU" } });
    else if (du.now === subProjectCode) rejected.push({ row, id, code: "NOTHING_MODIFIED", params: {} });
    else moving.push({ id, rowVersion: du.rowVersion, changes: { subProjectCode: [du.now, subProjectCode] } });
  }
  refuseAll(ids.length, rejected);
  await updateDus(ctx, moving);
  ctx.audit(
    `du ${moving.map((du) => du.id).join(" ")}`,
    moving.map((du) => du.changes.subProjectCode?.[0]),
    { subProjectCode },
  );
  return { ids: moving.map((du) => du.id), rejected };
}

/** Makes and changes sites, each row whole or not at all; a refused single row refuses the call. */
export async function saveSites(ctx: Ctx, { rows }: z.output<typeof SaveSites>): Promise<SaveResult> {
  const { sql, project } = ctx;
  const now = new Map(
    (
      await lockSites(
        ctx,
        rows.flatMap((row) => row.id ?? []),
      )
    ).map((row) => [row.id, row]),
  );
  const codes = await sql<{ id: number; code: string }[]>`
    select id, code from customer_site where project_id = ${project.id} and deleted_at is null and code = any(${rows.flatMap((row) => row.code ?? [])}::text[])`;
  const owners = new Map(codes.map((row) => [row.code, row.id]));
  const taken = new Set<string>();
  const rejected: RejectedRow[] = [];
  const accepted: { row: number; input: SiteInput; changes: Record<string, [unknown, unknown]> }[] = [];
  for (const [row, input] of rows.entries()) {
    const { id, rowVersion, ...fields } = input;
    const site = id === undefined ? undefined : now.get(id);
    const changes = changedFields(site ?? {}, fields);
    const owner = fields.code === undefined ? undefined : owners.get(fields.code);
    const [problem] = brokenRules(saveSiteRules, {
      found: id === undefined || site !== undefined,
      stale: site !== undefined && site.rowVersion !== rowVersion,
      codeTaken: fields.code !== undefined && ((owner !== undefined && owner !== id) || taken.has(fields.code)),
      changes: Object.keys(changes).length,
    });
    if (problem) rejected.push({ row, ...(id !== undefined && { id }), code: problem.code, params: problem.params ?? {} });
    else {
      if (fields.code !== undefined) taken.add(fields.code);
      accepted.push({ row, input, changes });
    }
  }
  refuseSingle(rows.length, rejected, now.get(rows[0]?.id ?? 0));
  const created = accepted.filter(({ input }) => input.id === undefined);
  const made = await ensureSites(
    ctx,
    created.map(({ input }) => input as { code: string; name: string }),
  );
  const changed = accepted.flatMap(({ input, changes }) => (input.id === undefined ? [] : { id: input.id, changes }));
  await updateSites(ctx, changed);
  await logSiteChanges(ctx, changed, { source: "grid" });
  ctx.audit(
    "customer_site",
    accepted.map(({ changes }) => mapValues(changes, 0)),
    accepted.map(({ changes }) => mapValues(changes, 1)),
  );
  return { ids: accepted.map(({ input }) => input.id ?? (made.get(input.code as string) as number)), rejected };
}

const mapValues = (changes: Record<string, [unknown, unknown]>, side: 0 | 1): Record<string, unknown> =>
  Object.fromEntries(Object.entries(changes).map(([field, change]) => [field, change[side]]));

/** Whether the site (alias `s`) is there for the caller: one whose DUs are all of other companies is none for who works for one. */
function siteReached({ sql, scope }: Ctx) {
  if (!scope.apart) return sql`true`;
  return sql`(exists (select 1 from du where du.site_id = s.id and ${scope.where("rollout.view")})
    or not exists (select 1 from du where du.site_id = s.id and du.deleted_at is null))`;
}

/** Sites of the project, locked in id order. */
export async function lockSites(ctx: Ctx, ids: readonly number[]): Promise<Stored[]> {
  const { sql, project } = ctx;
  return [
    ...(await sql<Stored[]>`
      select s.id, s.row_version as "rowVersion", ${sql.unsafe(columnList("s", siteFieldNames))} from customer_site s
      where s.project_id = ${project.id} and s.deleted_at is null and s.id = any(${[...ids]}::bigint[]) and ${siteReached(ctx)} order by s.id for no key update of s`),
  ];
}

export type SiteChange = { id: number; changes: Record<string, Change> };

/** Logs changes of sites with the DUs that show them. */
export async function logSiteChanges(ctx: Ctx, rows: readonly SiteChange[], options: BatchOptions): Promise<void> {
  const attrs = new Map(
    rows.map(({ id, changes }) => [
      id,
      Object.fromEntries(Object.entries(changes).map(([field, change]) => [`site.${columnOf(field)}`, change])),
    ]),
  );
  const dus = await ctx.sql<{ duId: number; siteId: number }[]>`
    select id as "duId", site_id as "siteId" from du where project_id = ${ctx.project.id} and deleted_at is null and site_id = any(${[...attrs.keys()]}::bigint[])`;
  await logDuChanges(
    ctx,
    dus.map(({ duId, siteId }) => ({ duId, attrs: attrs.get(siteId) as Record<string, Change> })),
    options,
  );
}

/** Writes new values of sites in one statement. */
export async function updateSites(ctx: Ctx, rows: readonly SiteChange[]): Promise<void> {
  if (rows.length === 0) return;
  const { sql, project } = ctx;
  const names = [...new Set(rows.flatMap((row) => Object.keys(row.changes)))];
  const values = rows.map(({ id, changes }) => ({
    id,
    fields: Object.fromEntries(Object.entries(changes).map(([field, [, next]]) => [columnOf(field), next])),
  }));
  const sets = names
    .map(columnOf)
    .reduce((parts, name) => sql`${parts}${sql(name)} = case when n.fields ? ${name} then t.${sql(name)} else s.${sql(name)} end, `, sql``);
  await sql`
    update customer_site s set ${sets} row_version = s.row_version + 1
    from jsonb_to_recordset(${sql.json(values as never)}) as n(id bigint, fields jsonb), lateral jsonb_populate_record(null::customer_site, n.fields) t
    where s.id = n.id and s.project_id = ${project.id}`;
}

/** Deletes sites without DUs; the others stay and are listed. */
export async function deleteSites(ctx: Ctx, { ids }: z.output<typeof DeleteSites>): Promise<SaveResult> {
  const { sql, project } = ctx;
  const found = await sql<{ id: number; code: string }[]>`
    select s.id, s.code from customer_site s
    where s.project_id = ${project.id} and s.deleted_at is null and s.id = any(${ids}::bigint[]) and ${siteReached(ctx)} order by s.id for update of s`;
  const used = await sql<{ id: number; codes: string[] }[]>`
    select o.site_id as id, coalesce((array_agg(o.code order by o.code) filter (where ${ctx.scope.du(sql`o.id`)}))[1:5], array['…']) as codes from du o where o.site_id = any(${ids}::bigint[]) and o.deleted_at is null group by o.site_id`;
  const codes = new Map(used.map((row) => [row.id, row.codes]));
  const known = new Set(found.map((row) => row.id));
  const rejected: RejectedRow[] = [];
  const gone: number[] = [];
  for (const [row, id] of ids.entries()) {
    const [problem] = brokenRules(deleteSiteRules, { found: known.has(id), dus: codes.get(id) ?? [] });
    if (problem) rejected.push({ row, id, code: problem.code, params: problem.params ?? {} });
    else gone.push(id);
  }
  refuseAll(ids.length, rejected);
  await sql`update customer_site set deleted_at = ${ctx.now}, row_version = row_version + 1 where id = any(${gone}::bigint[])`;
  ctx.audit(`customer_site ${gone.join(" ")}`, { codes: found.filter((row) => gone.includes(row.id)).map((row) => row.code) }, null);
  return { ids: gone, rejected };
}
