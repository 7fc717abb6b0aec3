import "server-only";
import { readForms } from "#lib/attributes/forms/queries.ts";
import type { AttributeMode } from "#lib/attributes/modes/limits.ts";
import { readModes } from "#lib/attributes/modes/queries.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { isChoice } from "#lib/rollout-plan/columns/logic.ts";
import { type FixedColumn, type KeyMode, stateCountry, type TabMode } from "./limits.ts";
import { fixedColumnsOf, type TabForm, type TabUser, tabMode } from "./logic.ts";
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

/**
 * One tab.
 * @throws NOT_FOUND; NO_TAB_WRITE where it is to be written and the caller only reads it [DUT-12]
 */
export async function getTab(ctx: Ctx, id: number, need: TabMode = "RO"): Promise<Tab> {
  const [tab] = await readTabs(ctx, [id]);
  if (!tab) throw new AppError("NOT_FOUND", { object: id });
  if (need === "RW" && tab.mode !== "RW") throw new AppError("NO_TAB_WRITE", { tab: tab.name });
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
export type Choice = { id: number; value: string };
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
    [...forms.values()].filter(({ type }) => isChoice(type)),
  );
  const attributes = ids.flatMap(({ id, key }) => {
    const form = forms.get(id);
    const mode = modes.get(id) ?? "HIDDEN";
    if (!form || mode === "HIDDEN") return [];
    const { name, type, limit, enumIds, required, level } = form;
    const allowed = new Set(limit?.allowed ?? enumIds);
    const own = (choices.get(id) ?? []).filter((choice) => allowed.has(choice.id));
    return [{ id, key, name, type, limit, enumIds, required, level: level as "DU" | "TAB", mode, choices: own }];
  });
  return { fixed: fixedColumnsOf(tab.keyMode, project.country), attributes };
}

/** The values people choose from, by attribute, in their order. */
async function readChoices(
  { sql }: Ctx,
  forms: readonly { id: number; type: string; enumIds: readonly number[] }[],
): Promise<Map<number, Choice[]>> {
  if (forms.length === 0) return new Map();
  const ids = forms.flatMap(({ id, enumIds }) => enumIds.map((choice) => ({ id, choice })));
  const rows = await sql<(Choice & { attributeId: number })[]>`
    select n.id as "attributeId", c.id, c.value from jsonb_to_recordset(${sql.json(ids)}) as n(id bigint, choice bigint)
    join attribute a on a.id = n.id
    cross join lateral (
      select e.id, e.value, e.sort_no from attribute_enum e where a.type = 'ENUM' and e.id = n.choice
      union all select v.id, v.value, v.sort_no from lookup_value v where a.type = 'LOOKUP_ENUM' and v.id = n.choice) c
    order by n.id, c.sort_no, c.id`;
  return Map.groupBy(rows, ({ attributeId }) => attributeId);
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

/** Somebody a tab names: an account or a role. */
export type NamedUser = { account: string | null; name: string | null; role: string | null; mode: TabMode };

/** Who is named by a tab. */
export async function listTabUsers(ctx: Ctx, { tabId }: TabOf): Promise<{ users: NamedUser[] }> {
  await getTab(ctx, tabId);
  const users = await ctx.sql<NamedUser[]>`
    select u.account, u.name, t.role, t.mode from du_tab_user t left join app_user u on u.id = t.user_id
    where t.tab_id = ${tabId} order by t.role nulls last, lower(u.account)`;
  return { users: [...users] };
}
