"use client";
import { useQuery } from "@tanstack/react-query";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import type { FlowRuleRow } from "#lib/activity-flows/flow-rules/queries.ts";
import { callDoor } from "#lib/core/call-door.ts";
import type { ConditionObject } from "#lib/plan-rules/conditions/logic.ts";

/** Key under which the rules of a project are kept in the browser. */
export const flowRulesKey = "flow-rules";
/** Milliseconds between two looks while a run is under way. */
const lookMs = 2_000;

/** The rules of the project by priority, with what their conditions can look at. */
export function useFlowRules() {
  const project = useProjectNumber();
  return useQuery({
    queryKey: [flowRulesKey, project],
    queryFn: async ({ signal }) =>
      dataOf(await callDoor<{ rules: FlowRuleRow[]; objects: ConditionObject[] }>("duFlowRule/list", {}, { signal })),
    refetchInterval: ({ state }) => (state.data?.rules.some(({ executing }) => executing) ? lookMs : false),
    retry: false,
  });
}
