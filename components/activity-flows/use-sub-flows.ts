"use client";
import { useQuery } from "@tanstack/react-query";
import type { lookup } from "#components/ui/query-client.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import type { SubFlowRow } from "#lib/activity-flows/sub-flows/queries.ts";
import { callDoor } from "#lib/core/call-door.ts";

/** Key under which the sub-flows of a project are kept in the browser. */
export const subFlowsKey = "sub-flows";

/**
 * The sub-flows of the project with their steps.
 * @param meta `lookup` where they are only chosen from
 */
export function useSubFlows(meta?: typeof lookup) {
  const project = useProjectNumber();
  return useQuery({
    queryKey: [subFlowsKey, project],
    queryFn: async ({ signal }) => dataOf(await callDoor<{ subFlows: SubFlowRow[] }>("subFlow/list", {}, { signal })).subFlows,
    retry: false,
    meta,
  });
}
