"use client";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf, refreshList } from "#components/ui/use-list.ts";
import { callDoor } from "#lib/core/call-door.ts";
import type { ClusterView } from "#lib/dimension-views/clusters/queries.ts";

const key = "cluster view";
/** Address of the list of clusters up to its page. */
export const clustersAddress = "cluster/list";

/** How far every cluster is; read again after a change. */
export function useClusterView() {
  const project = useProjectNumber();
  return useQuery({
    queryKey: [key, project],
    queryFn: async ({ signal }) => dataOf(await callDoor<{ clusters: ClusterView[]; today: string }>("cluster/view", {}, { signal })),
  });
}

/** Reads clusters again wherever they are shown. */
export async function refreshClusters(client: QueryClient): Promise<void> {
  await Promise.all([client.invalidateQueries({ queryKey: [key] }), refreshList(client, clustersAddress)]);
}
