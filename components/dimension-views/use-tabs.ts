"use client";
import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { lookup } from "#components/ui/query-client.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { callDoor } from "#lib/core/call-door.ts";
import type { Dimension, Suggestion } from "#lib/dimension-views/dimensions/queries.ts";
import type { GlobalSettings, Tab } from "#lib/dimension-views/queries.ts";

/** How long a list that came with a page is taken for the present one. */
const freshMs = 30_000;

export type TabList = { tabs: Tab[]; config: GlobalSettings };
export type Activity = { id: number; name: string };

/** The tabs a person sees and the settings, as they came with the page until something is changed; the second reads them again and answers whether that went well. */
export function useTabs(first: TabList): [TabList, () => Promise<boolean>] {
  const project = useProjectNumber();
  const { data, refetch } = useQuery({
    queryKey: ["dimension tabs", project],
    queryFn: async ({ signal }) => dataOf(await callDoor<TabList>("multiDim/tab/list", {}, { signal })),
    initialData: first,
    staleTime: freshMs,
  });
  const refresh = useCallback(async () => (await refetch()).isSuccess, [refetch]);
  return [data, refresh];
}

/** What a tab may be cut by, and the tabs an empty view suggests. */
export function useDimensions(enabled = true) {
  const project = useProjectNumber();
  return useQuery({
    queryKey: ["dimensions", project],
    queryFn: async ({ signal }) =>
      dataOf(await callDoor<{ dimensions: Dimension[]; suggestions: Suggestion[] }>("multiDim/dimensions", {}, { signal })),
    enabled,
    meta: lookup,
  });
}

/** Name of what a tab is cut by. @param t texts of the fields */
export function dimensionName({ key, name }: Pick<Dimension, "key" | "name">, t: (key: string) => string): string {
  return name ?? t(`fields.${key}`);
}
