"use client";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { callDoor } from "#lib/core/call-door.ts";
import type { Milestone } from "#lib/milestones/queries.ts";

export type MilestoneList = { records: Milestone[]; enabled: number; max: number };

/** The milestones of the project with how many may be enabled. */
export function useMilestones() {
  const project = useProjectNumber();
  return useQuery({
    queryKey: ["milestones", project],
    queryFn: async ({ signal }) => dataOf(await callDoor<MilestoneList>("milestoneConfig/list", {}, { signal })),
  });
}

/** Reads the milestones again, after something was written. */
export const refreshMilestones = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: ["milestones"] });
