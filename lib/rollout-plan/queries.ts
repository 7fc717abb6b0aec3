import "server-only";
import { dayNumber } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { likeText } from "./conditions/logic.ts";
import { quickFindMax } from "./limits.ts";
import { duStatus } from "./plan-rows/logic.ts";
import type { QuickFind, SiteInfoInput } from "./schema.ts";

/** What a person sees who has never changed anything. */
export const defaultHomePage = {
  view: "grid",
  locked: ["code", "name", "status"],
  columns: null,
  widths: {},
  collapsed: [],
  filters: [],
  sort: [],
  period: null,
} as const;

/** The last used state of the person's roll-out plan in this project, or the product's default. */
export async function findHomePage(ctx: Ctx): Promise<Record<string, unknown>> {
  const [row] = await ctx.sql<{ state: Record<string, unknown> }[]>`
    select state from home_page_state where user_id = ${ctx.user.id} and project_id = ${ctx.project.id}`;
  return row?.state ?? { ...defaultHomePage };
}

/**
 * DU ids of a stored selection of one's own.
 * @throws SELECTION_EXPIRED when it is missing, somebody else's or too old
 */
export async function getSelection(ctx: Ctx, key: string): Promise<{ kind: string; duIds: number[] }> {
  const [row] = await ctx.sql<{ kind: string; duIds: number[] }[]>`
    select kind, du_ids as "duIds" from du_selection
    where project_id = ${ctx.project.id} and user_id = ${ctx.user.id} and key = ${key} and expires_at > ${ctx.now}`;
  if (!row) throw new AppError("SELECTION_EXPIRED");
  return row;
}

/** DUs whose code begins with the text, then those whose name contains it. */
export async function findQuickly(ctx: Ctx, input: QuickFind): Promise<{ id: number; code: string; name: string }[]> {
  const { sql } = ctx;
  const text = likeText(input.q);
  return [
    ...(await sql<{ id: number; code: string; name: string }[]>`
      select du.id, du.code, du.name from du
      where ${ctx.scope.where("rollout.view")} and (du.code ilike ${`${text}%`} or du.name ilike ${`%${text}%`})
      order by (du.code ilike ${`${text}%`}) desc, du.code collate natural_order, du.id limit ${quickFindMax}`),
  ];
}

export type Person = { id: number; name: string };
export type SiteInfo = {
  id: number;
  code: string;
  name: string;
  siteNumber: string | null;
  country: string | null;
  province: string | null;
  city: string | null;
  town: string | null;
  address: string | null;
  postCode: string | null;
  longitude: number | null;
  latitude: number | null;
  stateId: string | null;
  stateName: string | null;
  siteScenario: string | null;
  status: string;
  dus: { id: number; code: string; name: string; flow: string | null; status: string }[];
  siteOwners: Person[];
  regionOwners: Person[];
};

type SiteDu = {
  id: number;
  code: string;
  name: string;
  flow: string | null;
  flowId: number | null;
  applicableCount: number;
  doneCount: number;
  nextPlanEnd: number;
  owners: Person[];
  regionOwners: Person[];
};

/**
 * Master data of a site, named itself or by one of its DUs, with those of its DUs the caller reaches, its owners and the owners of their regions.
 * @throws NOT_FOUND when the caller reaches none of its DUs
 */
export async function getSiteInfo(ctx: Ctx, input: SiteInfoInput): Promise<SiteInfo> {
  const { sql } = ctx;
  const [of] =
    input.of === "du"
      ? await sql<{ id: number }[]>`select du.site_id as id from du where ${ctx.scope.where("rollout.view")} and du.id = ${input.id}`
      : [{ id: input.id }];
  if (!of) throw new AppError("NOT_FOUND", { object: "site" });
  const [[site], dus] = await Promise.all([
    sql<Omit<SiteInfo, "dus" | "siteOwners" | "regionOwners">[]>`
      select id, code, name, site_number as "siteNumber", country, province, city, town, address, post_code as "postCode", longitude, latitude,
        state_id as "stateId", state_name as "stateName", site_scenario as "siteScenario", status
      from customer_site where id = ${of.id} and project_id = ${ctx.project.id}`,
    sql<SiteDu[]>`
      select du.id, du.code, du.name, a.name as flow, f.flow_id as "flowId", p.applicable_count as "applicableCount", p.done_count as "doneCount", p.next_plan_end as "nextPlanEnd",
        coalesce((select json_agg(json_build_object('id', u.id, 'name', u.name) order by u.name) from du_owner o join app_user u on u.id = o.user_id
          where o.du_id = du.id and o.owner_kind in ('DU_OWNER', 'SITE_OWNER')), '[]') as owners,
        coalesce((select json_agg(json_build_object('id', u.id, 'name', u.name) order by u.name) from region_owner o join app_user u on u.id = o.user_id
          where o.region_id = du.region_id), '[]') as "regionOwners"
      from du join du_plan p on p.du_id = du.id
      left join du_flow f on f.du_id = du.id and f.unbound_at is null
      left join activity_flow a on a.id = f.flow_id
      where ${ctx.scope.where("rollout.view")} and du.site_id = ${of.id} order by du.code collate natural_order`,
  ]);
  if (!site || (dus.length === 0 && !ctx.scope.all("rollout.view"))) throw new AppError("NOT_FOUND", { object: "site" });
  const people = (lists: Person[][]) => [...new Map(lists.flat().map((person) => [person.id, person])).values()];
  const today = dayNumber(ctx.today);
  return {
    ...site,
    dus: dus.map((du) => ({ id: du.id, code: du.code, name: du.name, flow: du.flow, status: duStatus(du, today) })),
    siteOwners: people(dus.map((du) => du.owners)),
    regionOwners: people(dus.map((du) => du.regionOwners)),
  };
}
