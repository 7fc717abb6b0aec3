"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { CallError, dataOf } from "#components/ui/use-list.ts";
import { callDoor } from "#lib/core/call-door.ts";
import type { PlanViewProps } from "./plan-views.ts";

/**
 * What a view reads of the kept result: `useViewData(props, "rolloutPlan/board", { from, to })`. The query's id is added; read again when the plan
 * moves. A result that is gone is asked for again; until it is there, the present data stay.
 */
export function useViewData<T>({ queryId, moved, onExpired }: PlanViewProps, address: string, input: Record<string, unknown> = {}) {
  const project = useProjectNumber();
  const found = useQuery({
    queryKey: ["plan view", project, address, queryId, input, moved],
    queryFn: async ({ signal }) => dataOf(await callDoor<T>(address, { ...input, queryId }, { signal })),
    enabled: queryId !== null,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const expired = found.error instanceof CallError && found.error.answer.code === "QUERY_EXPIRED";
  useEffect(() => {
    if (expired) onExpired();
  }, [expired, onExpired]);
  return { data: found.data, failed: expired ? null : found.error, isFetching: found.isFetching, retry: found.refetch };
}
