"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useMemo } from "react";
import type { GroupFigures } from "#components/grid/grid-summary.tsx";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { formatNumber } from "#lib/core/format.ts";
import { groupKey } from "./plan-keys.ts";

type ActivityFigures = { activityId: number; applicable: number; planEnd: number; actualEnd: number; delayed: number };

/**
 * Figures of every activity over the whole query: the summary row, and done / total beside the names of the groups.
 * @param moved counts changes of the rows, so that the figures are read again
 */
export function usePlanFigures(queryId: string | null, activityIds: readonly number[], moved: number) {
  const t = useTranslations("plan-grid");
  const project = useProjectNumber();
  const { can } = useSession();
  const found = useQuery({
    queryKey: ["plan summary", project, queryId, activityIds, moved],
    queryFn: async ({ signal }) =>
      dataOf(await callDoor<{ activities: ActivityFigures[] }>("rolloutPlan/summary", { queryId, activityIds }, { signal })),
    // Figures of the whole query would tell how many DUs there are.
    enabled: queryId !== null && activityIds.length > 0 && !can("rollout.duCountHide"),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const read = useMemo(() => {
    const figures = new Map<string, GroupFigures>();
    const notes = new Map<string, string>();
    for (const { activityId, applicable, planEnd, actualEnd, delayed } of found.data?.activities ?? []) {
      figures.set(groupKey(activityId), { total: applicable, planned: planEnd, done: actualEnd, delayed });
      notes.set(groupKey(activityId), `${formatNumber(actualEnd)} / ${formatNumber(applicable)}`);
    }
    return { figures, notes };
  }, [found.data]);
  const { isError, refetch } = found;
  const failed = useMemo(() => (isError ? { text: t("failed.figures"), onRetry: () => void refetch() } : null), [isError, refetch, t]);
  return { ...read, failed };
}

/** Number of all DUs the person sees, asked for only while conditions hide some of them. */
export function useWholeTotal(asked: boolean): number | null {
  const project = useProjectNumber();
  const found = useQuery({
    queryKey: ["plan whole", project],
    queryFn: async ({ signal }) => dataOf(await callDoor<{ total: number | null }>("wbs/filter", { view: "grid" }, { signal })),
    enabled: asked,
  });
  return asked ? (found.data?.total ?? null) : null;
}
