import "server-only";
import { dropRefs, replaceRefs } from "#lib/attributes/config-refs/commands.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { checkRules } from "#lib/core/rule.ts";
import { refuseStaleOrder } from "#lib/core/stale.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import { listLibraryActivities } from "#lib/rollout-plan/plan-rows/queries.ts";
import { attributeOf } from "./dimensions/logic.ts";
import { getDimension } from "./dimensions/queries.ts";
import { findGlobal, type GlobalSettings, readTabs, type Tab } from "./queries.ts";
import { FIELD_EXISTS, LAST_TAB, NAME_EXISTS } from "./rules.ts";
import type { DeleteTabs, SaveGlobal, SaveTab, SortTabs } from "./schema.ts";

/**
 * Stores a new tab or changes one, of everybody or of one's own.
 * @throws NAME_EXISTS, FIELD_EXISTS, LAST_TAB, NOTHING_MODIFIED, STALE, NOT_FOUND, NO_PERMISSION where own tabs are not allowed
 */
export async function saveTab(ctx: Ctx, input: SaveTab): Promise<{ id: number; rowVersion: number }> {
  const { sql, project, user } = ctx;
  // One after the other: what is judged over all tabs stays true.
  await holdProject(ctx);
  const [tabs, config] = await Promise.all([readTabs(ctx), findGlobal(ctx)]);
  const { global, alias, dimension, activityIds, showRate, showAmount, visible } = input;
  if (!global && !config.allowPersonal) throw new AppError("NO_PERMISSION", { right: "multiDim.global" });
  const before = input.id === undefined ? null : tabs.find((tab) => tab.id === input.id && tab.global === global);
  if (before === undefined) throw new AppError("NOT_FOUND", { object: input.id as number });
  if (before && before.rowVersion !== input.rowVersion) throw new AppError("STALE", {}, [], before);
  const others = tabs.filter((tab) => tab.global === global && tab.id !== before?.id);
  checkRules([NAME_EXISTS], { alias, dimension, others }, "alias");
  checkRules([FIELD_EXISTS], { alias, dimension, others }, "dimension");
  const attributeId = attributeOf(dimension);
  if (dimension !== before?.dimension) await getDimension(ctx, dimension);
  const known = new Set((await listLibraryActivities(ctx)).map(({ id }) => id));
  const unknown = activityIds.find((id) => !known.has(id));
  if (unknown !== undefined) throw new AppError("NOT_FOUND", { object: unknown });
  const after = { id: before?.id ?? 0, global, alias, dimension, visible };
  if (!visible) checkRules([LAST_TAB], { global, after: [...tabs.filter(({ id }) => id !== before?.id), after] }, "visible");
  const values = { alias, dimension, activityIds, showRate, showAmount, visible };
  refuseUnchanged(before, values);
  const id = before ? before.id : await insertTab(ctx, values, global ? null : user.id);
  if (before) {
    await sql`
      update multi_dim_tab set alias = ${alias}, dimension = ${dimension}, show_rate = ${showRate}, show_amount = ${showAmount}, visible = ${visible}, row_version = row_version + 1
      where id = ${id} and project_id = ${project.id}`;
    await sql`delete from multi_dim_tab_activity where tab_id = ${id}`;
  }
  await sql`
    insert into multi_dim_tab_activity (tab_id, activity_id, sort)
    select ${id}, a.id, a.at from unnest(${activityIds}::bigint[]) with ordinality a(id, at)`;
  await replaceRefs(ctx, "MULTI_DIM", id, [
    ...(attributeId === null ? [] : [{ kind: "ATTRIBUTE" as const, id: attributeId, usage: "FILTER" as const }]),
    ...activityIds.map((activityId) => ({ kind: "ACTIVITY" as const, id: activityId, usage: "COLUMN" as const })),
  ]);
  ctx.audit(`multi_dim_tab ${id}`, before && facts(before), { ...values, global });
  return { id, rowVersion: (before?.rowVersion ?? 0) + 1 };
}

async function insertTab(
  { sql, project }: Ctx,
  { alias, dimension, showRate, showAmount, visible }: Pick<SaveTab, "alias" | "dimension" | "showRate" | "showAmount" | "visible">,
  ownerId: number | null,
): Promise<number> {
  const [made] = await sql<{ id: number }[]>`
    insert into multi_dim_tab (project_id, owner_id, alias, dimension, show_rate, show_amount, visible, sort)
    select ${project.id}, ${ownerId}, ${alias}, ${dimension}, ${showRate}, ${showAmount}, ${visible}, coalesce(max(sort), 0) + 1
    from multi_dim_tab where project_id = ${project.id} and owner_id is not distinct from ${ownerId} returning id`;
  return made!.id;
}

const facts = ({ id: _id, rowVersion: _rowVersion, ...rest }: Tab) => rest;

/** The named tabs, each of which the caller may change. @throws NOT_FOUND, NO_PERMISSION */
function chosenTabs(ctx: Ctx, tabs: readonly Tab[], ids: readonly number[]): Tab[] {
  const chosen = ids.map((id) => tabs.find((tab) => tab.id === id));
  const missing = chosen.indexOf(undefined);
  if (missing >= 0) throw new AppError("NOT_FOUND", { object: ids[missing] as number });
  const found = chosen as Tab[];
  for (const right of ["multiDim.global", "multiDim.edit"] as const)
    if (found.some(({ global }) => global === (right === "multiDim.global")) && !ctx.can(right))
      throw new AppError("NO_PERMISSION", { right });
  return found;
}

/**
 * Puts tabs in order; others of the same set follow, as do those made meanwhile.
 * @throws NOT_FOUND, NO_PERMISSION, STALE when a tab seen is gone or stands elsewhere than in the order seen
 */
export async function sortTabs(ctx: Ctx, { ids, before }: SortTabs): Promise<Record<string, never>> {
  const { sql, project } = ctx;
  await holdProject(ctx);
  const tabs = await readTabs(ctx);
  const present = tabs.map(({ id }) => id);
  refuseStaleOrder(present, before, ids);
  const sets = new Set(chosenTabs(ctx, tabs, ids).map(({ global }) => global));
  const rest = tabs.filter(({ id, global }) => sets.has(global) && !ids.includes(id)).map(({ id }) => id);
  await sql`
    update multi_dim_tab t set sort = o.at from unnest(${[...ids, ...rest]}::bigint[]) with ordinality o(id, at)
    where t.id = o.id and t.project_id = ${project.id} and t.sort <> o.at`;
  ctx.audit("multi_dim_tab", { order: present }, { order: ids });
  return {};
}

/** Deletes tabs, all or none. @throws LAST_TAB where none would be shown any more, NOT_FOUND, NO_PERMISSION */
export async function deleteTabs(ctx: Ctx, { ids }: DeleteTabs): Promise<Record<string, never>> {
  const { sql, project } = ctx;
  await holdProject(ctx);
  const tabs = await readTabs(ctx);
  const chosen = chosenTabs(ctx, tabs, ids);
  const after = tabs.filter(({ id }) => !ids.includes(id));
  for (const global of [true, false])
    if (chosen.some((tab) => tab.visible && tab.global === global)) checkRules([LAST_TAB], { global, after }, "ids");
  await sql`delete from multi_dim_tab where project_id = ${project.id} and id = any(${ids}::bigint[])`;
  await dropRefs(ctx, "MULTI_DIM", ids);
  for (const tab of chosen) ctx.audit(`multi_dim_tab ${tab.id}`, facts(tab), null);
  return {};
}

/**
 * Changes what holds for the views of the project.
 * @throws NOTHING_MODIFIED, STALE, NOT_FOUND when the tab to begin with is none of everybody that is shown, LAST_TAB where own tabs are not allowed and none of everybody is shown
 */
export async function saveGlobal(ctx: Ctx, input: SaveGlobal): Promise<GlobalSettings> {
  const { sql, project } = ctx;
  await holdProject(ctx);
  const [before, tabs] = await Promise.all([findGlobal(ctx), readTabs(ctx)]);
  if (before.rowVersion !== input.rowVersion) throw new AppError("STALE", {}, [], before);
  const { allowPersonal, defaultTabId, period, rowLimit } = input;
  refuseUnchanged(before.rowVersion > 0 ? before : null, { allowPersonal, defaultTabId, period, rowLimit });
  if (!allowPersonal) checkRules([LAST_TAB], { global: true, after: tabs }, "allowPersonal");
  if (defaultTabId !== null) {
    const [tab] = await sql`
      select 1 from multi_dim_tab where id = ${defaultTabId} and project_id = ${project.id} and owner_id is null and visible`;
    if (!tab) throw new AppError("NOT_FOUND", { object: defaultTabId });
  }
  await sql`
    insert into multi_dim_global (project_id, allow_personal, default_tab_id, period, row_limit) values (${project.id}, ${allowPersonal}, ${defaultTabId}, ${period}, ${rowLimit})
    on conflict (project_id) do update set allow_personal = excluded.allow_personal, default_tab_id = excluded.default_tab_id, period = excluded.period,
      row_limit = excluded.row_limit, row_version = multi_dim_global.row_version + 1`;
  const after = { allowPersonal, defaultTabId, period, rowLimit, rowVersion: before.rowVersion + 1 };
  ctx.audit("multi_dim_global", before, after, "config_changed");
  return after;
}
