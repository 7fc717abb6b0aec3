import "server-only";
import { type Grant, grantsFor, overrideKey } from "#lib/access/logic.ts";
import { readForms } from "#lib/attributes/forms/queries.ts";
import type { AttributeMode } from "#lib/attributes/modes/limits.ts";
import { readModes } from "#lib/attributes/modes/queries.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { Role } from "#lib/permissions.ts";
import { attributeKey, isChoice } from "#lib/rollout-plan/columns/logic.ts";
import { type FixedColumn, type filteredColumns, type KeyMode, stateCountry, type TabMode } from "./limits.ts";
import { type Choice, fixedColumnsOf, type TabForm, type TabUser, tabMode } from "./logic.ts";
import type { FindSns, TabOf } from "./schema.ts";

/** A tab with what the caller may do with it. */
export type Tab = {
  id: number;
  name: string;
  keyMode: KeyMode;
  sortNo: number;
  brazilOnly: boolean;
  rowVersion: number;
  mode: TabMode;
};

export const isBrazil = ({ project }: Pick<Ctx, "project">): boolean => project.country === stateCountry;

/** Tabs of the project in their order; those of Brazilian projects elsewhere not. */
export async function readTabs(ctx: Ctx, only?: readonly number[]): Promise<Tab[]> {
  const { sql, project, user } = ctx;
  const rows = await sql<(Omit<Tab, "mode"> & { users: TabUser[] })[]>`
    select t.id, t.name, t.key_mode as "keyMode", t.sort_no as "sortNo", t.brazil_only as "brazilOnly", t.row_version as "rowVersion",
      coalesce((select jsonb_agg(jsonb_build_object('userId', u.user_id, 'role', u.role, 'mode', u.mode)) from du_tab_user u
        where u.tab_id = t.id and (u.user_id = ${user.id} or u.role = any(${user.roles}::text[]))), '[]') as users
    from du_tab t
    where t.project_id = ${project.id} and t.deleted_at is null and (not t.brazil_only or ${isBrazil(ctx)})
      ${only ? sql`and t.id = any(${[...only]}::bigint[])` : sql``}
    order by t.sort_no, t.name collate natural_order, t.id`;
  const person = { id: user.id, roles: user.roles, mayWrite: ctx.can("duTab.edit") };
  return rows.map(({ users, ...tab }) => ({ ...tab, mode: tabMode(users, person) }));
}

/** One tab. @throws NOT_FOUND */
export async function getTab(ctx: Ctx, id: number): Promise<Tab> {
  const [tab] = await readTabs(ctx, [id]);
  if (!tab) throw new AppError("NOT_FOUND", { object: id });
  return tab;
}

/** Holds a tab until the transaction ends, for who writes its rows: until then nobody deletes it or gives it another key mode. It is read afterwards. */
export async function holdTab({ sql, project }: Pick<Ctx, "sql" | "project">, id: number): Promise<void> {
  await sql`select 1 from du_tab where id = ${id} and project_id = ${project.id} and deleted_at is null for share`;
}

/**
 * One tab whose rows are to be written, held.
 * @throws NOT_FOUND, NO_TAB_WRITE where the caller only reads it [DUT-12]
 */
export async function getWritableTab(ctx: Ctx, id: number): Promise<Tab> {
  await holdTab(ctx, id);
  const tab = await getTab(ctx, id);
  if (tab.mode !== "RW") throw new AppError("NO_TAB_WRITE", { tab: tab.name });
  return tab;
}

/** The tabs for a select box, with how many rows of DUs the caller sees each has. [DUT-21] */
export async function listTabsForSelect(ctx: Ctx): Promise<(Tab & { rows: number })[]> {
  const tabs = await readTabs(ctx);
  const { sql } = ctx;
  const counts = await sql<{ id: number; rows: number }[]>`
    select r.tab_id as id, count(*)::int as rows from du_tab_row r join du on du.id = r.du_id
    where r.tab_id = any(${tabs.map(({ id }) => id)}::bigint[]) and r.deleted_at is null and ${ctx.scope.where("duTab.view")} group by r.tab_id`;
  const rows = new Map(counts.map((count) => [count.id, count.rows]));
  return tabs.map((tab) => ({ ...tab, rows: rows.get(tab.id) ?? 0 }));
}

/** An attribute of a tab as the caller may use it; one of level DU keeps its value with the DU. */
export type TabAttribute = TabForm & { key: string; level: "DU" | "TAB"; mode: Exclude<AttributeMode, "HIDDEN">; choices: Choice[] };
export type TabColumns = { fixed: FixedColumn[]; attributes: TabAttribute[] };

/** The columns of a tab in their order; attributes hidden from the caller are absent. */
export async function readTabColumns(ctx: Ctx, tab: Pick<Tab, "id" | "keyMode">): Promise<TabColumns> {
  const { sql, project } = ctx;
  const ids = await sql<{ id: number; key: string }[]>`
    select id, key from attribute where project_id = ${project.id} and du_tab_id = ${tab.id} and deleted_at is null
      and (level = 'TAB' or (level = 'DU' and ${tab.keyMode === "DU"})) order by sort_no, id`;
  const [forms, modes] = await Promise.all([
    readForms(
      ctx,
      ids.map(({ id }) => id),
    ),
    readModes(
      ctx,
      ids.map(({ id }) => id),
    ),
  ]);
  const choices = await readChoices(
    ctx,
    [...forms.values()].flatMap(({ id, type }) => (isChoice(type) ? [id] : [])),
  );
  const attributes = ids.flatMap(({ id, key }) => {
    const form = forms.get(id);
    const mode = modes.get(id) ?? "HIDDEN";
    if (!form || mode === "HIDDEN") return [];
    const { name, type, limit, enumIds, required, level, lookupParentId, parents } = form;
    const allowed = new Set(limit?.allowed ?? enumIds);
    const offered = new Set(enumIds.filter((choice) => allowed.has(choice)));
    const below = lookupParentId === null ? {} : { parentKey: attributeKey(lookupParentId) };
    const own = (choices.get(id) ?? []).map((choice): Choice => {
      const parent = parents?.[choice.id];
      return { ...choice, ...(parent !== undefined && { parent }), ...(!offered.has(choice.id) && { isRetired: true }) };
    });
    return [{ id, key, name, type, limit, enumIds, required, level: level as "DU" | "TAB", mode, choices: own, ...below }];
  });
  return { fixed: fixedColumnsOf(tab.keyMode, project.country), attributes };
}

/** The values of attributes, those no longer offered included, by attribute, in their order. */
async function readChoices({ sql }: Ctx, ids: readonly number[]): Promise<Map<number, { id: number; value: string }[]>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<{ id: number; value: string; attributeId: number }[]>`
    select a.id as "attributeId", c.id, c.value from attribute a cross join lateral (
      select e.id, e.value, e.sort_no from attribute_enum e where a.type = 'ENUM' and e.attribute_id = a.id
      union all select v.id, v.value, v.sort_no from lookup_value v
        where a.type = 'LOOKUP_ENUM' and v.list_id = a.lookup_list_id and (v.parent_id is null) = (a.lookup_parent_id is null)) c
    where a.id = any(${[...ids]}::bigint[]) order by a.id, c.sort_no, c.id`;
  const found = Map.groupBy(rows, ({ attributeId }) => attributeId);
  return new Map([...found].map(([id, choices]) => [id, choices.map(({ attributeId: _of, ...choice }) => choice)]));
}

/** The columns of a tab for a grid. [DUT-18] */
export async function findTabColumns(ctx: Ctx, { tabId }: TabOf): Promise<TabColumns & { mode: TabMode }> {
  const tab = await getTab(ctx, tabId);
  return { ...(await readTabColumns(ctx, tab)), mode: tab.mode };
}

/** Whether the project is a Brazilian one. [DUT-19] */
export const findBrazil = async (ctx: Ctx): Promise<{ isBz: boolean }> => ({ isBz: isBrazil(ctx) });

/** Serial numbers of DUs the caller sees: those of the named DUs, and the DUs of the named numbers. [DUT-20] */
export async function findSns(ctx: Ctx, { tabId, duIds, sns }: FindSns): Promise<{ duId: number; duCode: string; sn: string | null }[]> {
  await getTab(ctx, tabId);
  const { sql } = ctx;
  return [
    ...(await sql<{ duId: number; duCode: string; sn: string | null }[]>`
      select du.id as "duId", du.code as "duCode", r.sn from du_tab_row r join du on du.id = r.du_id
      where r.tab_id = ${tabId} and r.deleted_at is null and ${ctx.scope.where("duTab.view")}
        and (r.du_id = any(${duIds}::bigint[]) or r.sn = any(${sns}::text[]))
      order by du.code collate natural_order, r.sn collate natural_order, r.id`),
  ];
}

/** Somebody a tab names: an account or a role. `isIdle`: he is to write the tab, but has no right to write any. */
export type NamedUser = { account: string | null; name: string | null; role: string | null; mode: TabMode; isIdle: boolean };

/** Who is named by a tab. */
export async function listTabUsers(ctx: Ctx, { tabId }: TabOf): Promise<{ users: NamedUser[] }> {
  await getTab(ctx, tabId);
  const { sql, project, today } = ctx;
  const [rows, overrides] = await Promise.all([
    sql<(Omit<NamedUser, "isIdle"> & { held: Role[] })[]>`
      select u.account, u.name, t.role, t.mode, array(
        select m.role from project_member m
        where m.project_id = ${project.id} and m.user_id = t.user_id and m.valid_from <= ${today} and (m.valid_to is null or m.valid_to >= ${today})
        union select 'SITE_OWNER' from du_owner o join du on du.id = o.du_id
        where du.project_id = ${project.id} and du.deleted_at is null and o.user_id = t.user_id and o.owner_kind in ('SITE_OWNER', 'DU_OWNER')
        union select 'REGION_OWNER' from region_owner o join delivery_region r on r.id = o.region_id
        where r.project_id = ${project.id} and r.deleted_at is null and o.user_id = t.user_id
        union select t.role where t.role is not null) as held
      from du_tab_user t left join app_user u on u.id = t.user_id
      where t.tab_id = ${tabId} order by t.role nulls last, lower(u.account)`,
    sql<{ role: Role; scope: Grant }[]>`select role, scope from role_permission where project_id = ${project.id} and code = 'duTab.edit'`,
  ]);
  const given = new Map(overrides.map(({ role, scope }) => [overrideKey(role, "duTab.edit"), scope]));
  const mayWrite = (held: readonly Role[]) => {
    const { all, own } = grantsFor(held, "duTab.edit", given);
    return all || own.length > 0;
  };
  return { users: rows.map(({ held, ...user }) => ({ ...user, isIdle: user.mode === "RW" && !mayWrite(held) })) };
}

/** What the rows of tabs can be narrowed to: regions and values of the DUs the caller sees. */
export type TabFilters = { regions: { id: number; name: string }[] } & Record<(typeof filteredColumns)[number], string[]>;

/** What the rows of tabs can be narrowed to. */
export async function readTabFilters(ctx: Ctx): Promise<TabFilters> {
  const [found] = await ctx.sql<TabFilters[]>`
    with seen as (
      select du.region_id, du.delivery_type, du.product_line, du.product_type, s.site_scenario from du join customer_site s on s.id = du.site_id
      where ${ctx.scope.where("duTab.view")}
    )
    select coalesce((select json_agg(json_build_object('id', r.id, 'name', r.name) order by r.name collate natural_order) from delivery_region r
        where r.id in (select region_id from seen)), '[]') as regions,
      array(select distinct delivery_type from seen where delivery_type <> '' order by 1) as "deliveryType",
      array(select distinct product_line from seen where product_line <> '' order by 1) as "productLine",
      array(select distinct product_type from seen where product_type <> '' order by 1) as "productType",
      array(select distinct site_scenario from seen where site_scenario <> '' order by 1) as "siteScenario"`;
  return found!;
}
