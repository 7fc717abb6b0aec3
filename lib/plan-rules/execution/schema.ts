import { z } from "zod";
import { KeptFilter, listInput, refuseLongFilters } from "#lib/core/paging.ts";
import { PlanRuleInput } from "#lib/plan-rules/rule-set/schema.ts";
import { runRulesMax } from "#lib/plan-rules/runs/limits.ts";

const id = z.int().min(1);
const ruleIds = z
  .array(id)
  .transform((given) => [...new Set(given)])
  .superRefine((given, context) => {
    if (given.length === 0) context.addIssue({ code: "custom", params: { code: "NO_SELECTION", object: "other" } });
    if (given.length > runRulesMax) context.addIssue({ code: "custom", params: { code: "TOO_MANY_RULES", max: runRulesMax } });
  });

/** Stored rules, whether they are in force or not, or one that is being typed; `id` of the stored one it stands for. */
export const PreviewRules = z
  .strictObject({ ruleIds: ruleIds.optional(), rule: PlanRuleInput.extend({ id: id.optional() }).optional() })
  .refine((given) => (given.ruleIds === undefined) !== (given.rule === undefined), {
    path: ["ruleIds"],
    params: { code: "VALUE_MISSING" },
  });
/** Whom a rule that is being typed concerns. */
export const CountDus = PlanRuleInput.pick({ flowId: true, regionIds: true, duFilter: true, conditions: true });
export const RunRules = z.strictObject({ ruleIds, previewRunId: id.optional() });

export const ListRuns = listInput({ runId: ["eq"], rule: ["eq", "in"], mode: ["eq", "in"], status: ["eq", "in"] }, { sortable: [] });
const changeFilters = { runId: ["eq"], rule: ["eq", "in"], du: ["like"], outcome: ["eq", "in"], reason: ["eq", "in"] } as const;
export const ListChanges = listInput(changeFilters, { sortable: [] });
export const ExportChanges = z.strictObject({ filters: z.array(KeptFilter).max(10).superRefine(refuseLongFilters) });

/** What the task of a run keeps; a rule that is being typed travels with its dry run. */
export const RunParams = z.object({ runId: id, rule: z.unknown().optional() });
export type RunParams = z.output<typeof RunParams>;
export const ExportParams = z.object({ filters: z.array(KeptFilter), total: z.int() });
export type ExportParams = z.output<typeof ExportParams>;
