"use client";
import { useQuery } from "@tanstack/react-query";
import { type MapPoints, noPoints } from "#components/ui/map-points.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { unpackPoints } from "#lib/rollout-plan/map-points/logic.ts";
import type { PlanMap } from "#lib/rollout-plan/map-points/queries.ts";

/** Points of all DUs of the project that the person sees in the plan; none for who has no right to it. */
export function useDuPoints() {
  const { can, project } = useSession();
  return useQuery({
    queryKey: ["du points", project.number],
    queryFn: async ({ signal }): Promise<MapPoints> => {
      if (!can("rollout.view")) return noPoints;
      const { queryId } = dataOf(await callDoor<{ queryId: string }>("wbs/filter", { view: "map" }, { signal }));
      return unpackPoints(dataOf(await callDoor<PlanMap>("rolloutPlan/map", { queryId }, { signal })).points);
    },
  });
}
