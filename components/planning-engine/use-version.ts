"use client";
import { useQuery } from "@tanstack/react-query";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { callDoor, listAddress } from "#lib/core/call-door.ts";
import type { Page } from "#lib/core/paging.ts";
import type { EngineVersion } from "#lib/planning-engine/versions/queries.ts";

/** The version that is open, as it is now, null without one; and its reading. */
export function useVersion(id: number | null, first: EngineVersion | null) {
  const project = useProjectNumber();
  const found = useQuery({
    queryKey: ["engine version", project, id],
    enabled: id !== null,
    ...(first?.id === id && { initialData: first }),
    // The page has just read it.
    staleTime: 30_000,
    queryFn: async ({ signal }) => {
      const filters = [{ field: "id", type: "eq" as const, values: [id] }];
      return (
        dataOf(await callDoor<Page<EngineVersion>>(listAddress("engine/version/find/list", 1, 20, filters), {}, { signal })).records[0] ??
        null
      );
    },
  });
  return { version: id === null ? null : (found.data ?? null), reading: found };
}
