import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { likeText } from "#lib/rollout-plan/conditions/logic.ts";
import type { NetworkSource } from "./limits.ts";
import type { ListNetworkRegions } from "./schema.ts";

/** A region of the customer's network; without a delivery region it is unmapped. */
export type NetworkRegion = {
  id: number;
  name: string;
  source: NetworkSource;
  regionId: number | null;
  region: string | null;
  duCount: number;
  rowVersion: number;
};

/** The network regions of the project by name. */
export async function listNetworkRegions(
  { sql, project }: Pick<Ctx, "sql" | "project">,
  { keyword = "" }: ListNetworkRegions,
): Promise<NetworkRegion[]> {
  return [
    ...(await sql<NetworkRegion[]>`
      select n.id, n.name, n.source, n.region_id as "regionId", r.name as region, n.row_version as "rowVersion",
        (select count(*)::int from du where du.network_region_id = n.id and du.deleted_at is null) as "duCount"
      from network_region n left join delivery_region r on r.id = n.region_id
      where n.project_id = ${project.id} and n.name ilike ${`%${likeText(keyword.trim())}%`} order by n.name collate natural_order`),
  ];
}
