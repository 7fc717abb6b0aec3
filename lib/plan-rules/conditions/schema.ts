import { z } from "zod";
import { conditionRowsMax, conditionTextChars, conditionValuesMax, logics, operatorNames, parenthesesMax } from "./limits.ts";

const parentheses = z.int().min(0).max(parenthesesMax).default(0);

/** What a condition looks at: an attribute of the DU by its key, or a field of the DU by its column. */
export const ConditionRef = z.union([
  z.strictObject({ k: z.literal("ATTR"), key: z.string().regex(/^a\d{1,15}$/) }),
  z.strictObject({ k: z.literal("DU"), f: z.string().min(1).max(40) }),
]);
export type ConditionRef = z.output<typeof ConditionRef>;

/** One row: parentheses before it, what is asked, parentheses behind it, and how the next row is joined. */
export const ConditionRow = z.strictObject({
  open: parentheses,
  object: ConditionRef,
  operator: z.enum(operatorNames),
  values: z
    .array(z.union([z.number(), z.string().trim().max(conditionTextChars)]))
    .max(conditionValuesMax)
    .default([]),
  close: parentheses,
  logic: z.enum(logics).nullable().default(null),
});
export type ConditionRow = z.output<typeof ConditionRow>;

/** The conditions of a rule; none at all hold for every DU. */
export const Conditions = z.array(ConditionRow).max(conditionRowsMax);
