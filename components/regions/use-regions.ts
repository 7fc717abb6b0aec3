"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { callDoor } from "#lib/core/call-door.ts";
import type { NetworkRegion } from "#lib/regions/networks/queries.ts";
import type { RegionRow } from "#lib/regions/queries.ts";

/** How long lists that came with a page are taken for the present ones. */
const freshMs = 30_000;

export type Regions = { regions: RegionRow[]; networks: NetworkRegion[] };

/** The delivery regions and the network regions, as they came with the page until something is written; the second reads them again. */
export function useRegions(first: Regions): [Regions, () => Promise<void>] {
  const project = useProjectNumber();
  const client = useQueryClient();
  const found = useQuery({
    queryKey: ["regions", project],
    queryFn: async ({ signal }) => {
      const [regions, networks] = await Promise.all([
        callDoor<RegionRow[]>("deliveryRegion/list", {}, { signal }),
        callDoor<NetworkRegion[]>("networkRegion/list", {}, { signal }),
      ]);
      return { regions: dataOf(regions), networks: dataOf(networks) };
    },
    initialData: first,
    staleTime: freshMs,
  });
  const refresh = useCallback(() => client.invalidateQueries({ queryKey: ["regions", project] }), [client, project]);
  return [found.data, refresh];
}
