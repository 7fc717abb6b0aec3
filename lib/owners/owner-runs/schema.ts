import { z } from "zod";
import { listInput } from "#lib/core/paging.ts";
import { runRulesMax } from "#lib/plan-rules/runs/limits.ts";
import { SaveOwnerRule } from "../owner-rules/schema.ts";

const id = z.int().min(1);
const ruleIds = z
  .array(id)
  .min(1)
  .refine((given) => given.length <= runRulesMax, { params: { code: "TOO_MANY_RULES", max: runRulesMax } })
  .transform((given) => [...new Set(given)]);

export const RunOwnerRules = z.strictObject({ ruleIds });

/** A dry run of stored rules as if they were in force, or of one that is being typed; its `id` names the stored one it stands for. */
export const PreviewOwnerRules = z
  .strictObject({ ruleIds: ruleIds.optional(), rule: SaveOwnerRule.optional() })
  .refine((given) => (given.ruleIds === undefined) !== (given.rule === undefined), {
    path: ["ruleIds"],
    params: { code: "VALUE_MISSING" },
  });
export type PreviewOwnerRules = z.output<typeof PreviewOwnerRules>;

export const ListOwnerRuns = listInput(
  { runId: ["eq", "in"], rule: ["eq", "in"], mode: ["eq", "in"], status: ["eq", "in"] },
  { sortable: [] },
);
export const ListOwnerChanges = listInput(
  { runId: ["eq"], rule: ["eq", "in"], du: ["like"], outcome: ["eq", "in"], reason: ["eq", "in"] },
  { sortable: [] },
);

/** What the task keeps: the run, and a rule that is not stored as it was typed. */
export const OwnerRunParams = z.strictObject({ runId: id, typed: SaveOwnerRule.optional() });
export type OwnerRunParams = z.output<typeof OwnerRunParams>;
