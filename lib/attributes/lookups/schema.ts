import { z } from "zod";
import { enumChars } from "#lib/rollout-plan/columns/limits.ts";
import { nameFault } from "../logic.ts";
import { lookupCodeChars, lookupValuesMax } from "./limits.ts";

const id = z.int().min(1);
const text = (max: number) =>
  z
    .string()
    .refine((given) => given.isWellFormed() && !given.includes("\0"), { params: { code: "VALUE_FORMAT" } })
    .trim()
    .refine((given) => given !== "", { params: { code: "VALUE_MISSING" } })
    .refine((given) => [...given].length <= max, { params: { code: "VALUE_TOO_LONG", max } });

/** A value with those below it, as a list is typed. */
const Value = z.strictObject({ id: id.optional(), value: text(enumChars) });
const Values = z
  .array(Value.extend({ children: z.array(Value).max(lookupValuesMax).default([]) }))
  .max(lookupValuesMax)
  .superRefine((given, context) => {
    const refuse = (values: readonly { value: string }[], path: (string | number)[]) => {
      const seen = new Set<string>();
      values.forEach(({ value }, index) => {
        if (seen.has(value.toLowerCase()))
          context.addIssue({ code: "custom", path: [...path, index, "value"], params: { code: "ENUM_REPEAT", value } });
        seen.add(value.toLowerCase());
      });
    };
    refuse(given, []);
    given.forEach(({ children }, index) => {
      refuse(children, [index, "children"]);
    });
    const count = given.reduce((sum, { children }) => sum + 1 + children.length, 0);
    if (count > lookupValuesMax) context.addIssue({ code: "custom", params: { code: "TOO_MANY", max: lookupValuesMax } });
  });

/** A list of values in one or two levels, as it is to be. */
export const SaveList = z
  .strictObject({
    id: id.optional(),
    rowVersion: z.int().min(1).optional(),
    code: text(lookupCodeChars).superRefine((given, context) => {
      const fault = nameFault(given);
      if (fault?.code === "NAME_INVALID") context.addIssue({ code: "custom", params: { ...fault.params, code: fault.code } });
    }),
    values: Values,
  })
  .superRefine(({ id: given, rowVersion }, context) => {
    if (given !== undefined && rowVersion === undefined)
      context.addIssue({ code: "custom", path: ["rowVersion"], params: { code: "VALUE_MISSING" } });
  });
export type SaveList = z.output<typeof SaveList>;
export const NoInput = z.strictObject({});
export const ListIds = z.strictObject({
  ids: z
    .array(id)
    .min(1)
    .max(200)
    .transform((given) => [...new Set(given)]),
});
export type ListIds = z.output<typeof ListIds>;
/** Pasted text: a line a value, the second level behind a tab. */
export const ImportList = z.strictObject({ id, rowVersion: z.int().min(1), text: z.string().max(500_000) });
export type ImportList = z.output<typeof ImportList>;
