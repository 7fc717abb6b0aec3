"use client";

import type { PlanView } from "#components/rollout-plan/plan-views.ts";

const views: readonly PlanView[] = [];

/** The views of the plan beside the grid, in the order of the switch: each is read when it is first shown. */
export function useViewEntries(): readonly PlanView[] {
  return views;
}
