"use client";
import { lookup } from "#components/ui/query-client.ts";
import { useList } from "#components/ui/use-list.ts";
import type { RegionOwnersRow } from "#lib/owners/region-owners/queries.ts";

const regionsShown = 200;

/** Regions of the project for choices. */
export function useRegions(): { id: number; name: string }[] {
  const found = useList<RegionOwnersRow>({ address: "regionConfig/list", page: 1, size: regionsShown, meta: lookup });
  return (found.data?.records ?? []).map(({ regionId, name }) => ({ id: regionId, name }));
}
