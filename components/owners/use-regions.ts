"use client";
import { useQuery } from "@tanstack/react-query";
import { lookup } from "#components/ui/query-client.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { callDoor, listAddress } from "#lib/core/call-door.ts";
import type { Page } from "#lib/core/paging.ts";
import type { RegionOwnersRow } from "#lib/owners/region-owners/queries.ts";

const regionsShown = 200;

/** Regions of the project for choices. */
export function useRegions(): { id: number; name: string }[] {
  const project = useProjectNumber();
  const found = useQuery({
    queryKey: ["owner-regions", project],
    queryFn: async ({ signal }) =>
      dataOf(await callDoor<Page<RegionOwnersRow>>(listAddress("regionConfig/list", 1, regionsShown), {}, { signal })).records,
    meta: lookup,
  });
  return (found.data ?? []).map(({ regionId, name }) => ({ id: regionId, name }));
}
