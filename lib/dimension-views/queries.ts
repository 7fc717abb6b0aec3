import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { type Dimension, listDimensionChoices, type Suggestion } from "./dimensions/queries.ts";
import { rowLimitDefault, type ViewPeriod } from "./limits.ts";

/** A tab with its activities in their order. */
export type Tab = {
  id: number;
  /** Of everybody; else the caller's own. */
  global: boolean;
  alias: string;
  dimension: string;
  activityIds: number[];
  showRate: boolean;
  showAmount: boolean;
  visible: boolean;
  rowVersion: number;
};

/** Settings of the views of a project; revision 0 while nobody has set any. */
export type GlobalSettings = {
  allowPersonal: boolean;
  defaultTabId: number | null;
  period: ViewPeriod | null;
  rowLimit: number;
  rowVersion: number;
};

/** The settings of the project, or the product's own. */
export async function findGlobal({ sql, project }: Pick<Ctx, "sql" | "project">): Promise<GlobalSettings> {
  const [row] = await sql<GlobalSettings[]>`
    select allow_personal as "allowPersonal", default_tab_id as "defaultTabId", period, row_limit as "rowLimit", row_version as "rowVersion"
    from multi_dim_global where project_id = ${project.id}`;
  return row ?? { allowPersonal: true, defaultTabId: null, period: null, rowLimit: rowLimitDefault, rowVersion: 0 };
}

/** The tabs of everybody in their order, then the caller's own. */
export async function readTabs({ sql, project, user }: Ctx): Promise<Tab[]> {
  return [
    ...(await sql<Tab[]>`
      select t.id, t.owner_id is null as global, t.alias, t.dimension, t.show_rate as "showRate", t.show_amount as "showAmount", t.visible, t.row_version as "rowVersion",
        array(select a.activity_id from multi_dim_tab_activity a where a.tab_id = t.id order by a.sort) as "activityIds"
      from multi_dim_tab t where t.project_id = ${project.id} and (t.owner_id is null or t.owner_id = ${user.id})
      order by t.owner_id nulls first, t.sort, t.id`),
  ];
}

/** The tabs a person sees and the settings they stand under; where own tabs are not allowed, those kept from before are left out. */
export async function listTabs(ctx: Ctx): Promise<{ tabs: Tab[]; config: GlobalSettings }> {
  const [tabs, config] = await Promise.all([readTabs(ctx), findGlobal(ctx)]);
  return { tabs: tabs.filter(({ global }) => global || config.allowPersonal), config };
}

/**
 * A tab the caller sees, with the settings.
 * @throws NOT_FOUND
 */
export async function getTab(ctx: Ctx, id: number): Promise<{ tab: Tab; config: GlobalSettings }> {
  const { tabs, config } = await listTabs(ctx);
  const tab = tabs.find((given) => given.id === id);
  if (!tab) throw new AppError("NOT_FOUND", { object: id });
  return { tab, config };
}

/** What the editor of a tab offers, and what an empty view may begin with. */
export function listChoices(ctx: Ctx): Promise<{ dimensions: Dimension[]; suggestions: Suggestion[] }> {
  return listDimensionChoices(ctx);
}

/** Activities a tab may count, in the order of the library. */
export async function listActivityChoices({ sql, project }: Ctx): Promise<{ id: number; name: string }[]> {
  return [
    ...(await sql<{ id: number; name: string }[]>`
      select id, name from activity_library where project_id = ${project.id} and disabled_at is null order by slot`),
  ];
}

/** Regions a view may be narrowed to. */
export async function listRegionChoices({ sql, project }: Ctx): Promise<{ id: number; name: string }[]> {
  return [
    ...(await sql<{ id: number; name: string }[]>`
      select id, name from delivery_region where project_id = ${project.id} and deleted_at is null order by sort_no, name collate natural_order`),
  ];
}
