import { z } from "zod";
import { listInput } from "#lib/core/paging.ts";
import { FlowRuleInput } from "../flow-rules/schema.ts";
import { runRulesMax } from "./limits.ts";

const id = z.int().min(1);
const ids = z
  .array(id)
  .min(1)
  .refine((given) => given.length <= runRulesMax, { params: { code: "TOO_MANY_RULES", max: runRulesMax } })
  .transform((given) => [...new Set(given)]);

export const RunFlowRules = z.strictObject({ ids });

/** A dry run of stored rules as if they were in force, or of one that is being typed; `id` names the stored one it stands for. */
export const PreviewFlowRules = z
  .strictObject({ ids: ids.optional(), rule: FlowRuleInput.extend({ id: id.optional() }).optional() })
  .refine((given) => (given.ids === undefined) !== (given.rule === undefined), { path: ["ids"], params: { code: "VALUE_MISSING" } });

export const ListRuns = listInput({}, { sortable: [] });
export const ListUnmatched = listInput({ reason: ["eq", "in"], search: ["like"] }, { sortable: ["code", "reason"] });

/** What the task keeps. */
export const RunParams = z.strictObject({ runId: id });
export type RunParams = z.output<typeof RunParams>;
