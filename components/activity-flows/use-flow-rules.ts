"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import type { FlowRuleRow } from "#lib/activity-flows/flow-rules/queries.ts";
import { callDoor } from "#lib/core/call-door.ts";
import type { Operator } from "#lib/plan-rules/conditions/limits.ts";
import {
  type ConditionObject,
  type ConditionRow,
  parseConditions,
  refKey,
  sentenceOf,
  structureFaults,
} from "#lib/plan-rules/conditions/logic.ts";

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

/** Conditions as a sentence with all its parentheses; null while they cannot be read as one. */
export function useConditionText(objects: readonly ConditionObject[]): (rows: readonly ConditionRow[]) => string | null {
  const t = useTranslations("flow-rules");
  const known = new Map(objects.map((object) => [object.key, object]));
  const row = ({ object, operator, values }: ConditionRow): string => {
    const found = known.get(refKey(object));
    const shown = values.map((value) => found?.choices?.find((choice) => choice.value === String(value))?.title ?? String(value));
    const text = operator === "between" ? shown.join(" – ") : shown.join(", ");
    return [found?.title ?? t("conditions.gone"), t(`operator.${operator as Operator}`), text].filter(Boolean).join(" ");
  };
  return (rows) => {
    if (rows.length === 0) return t("conditions.everyDu");
    if (structureFaults(rows).length > 0) return null;
    const tree = parseConditions(rows);
    if (tree === null) return null;
    return sentenceOf(tree, { row: (at) => row(rows[at] as ConditionRow), AND: t("conditions.AND"), OR: t("conditions.OR") });
  };
}
