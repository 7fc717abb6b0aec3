import { z } from "zod";
import { isIsoDay } from "#lib/core/clock.ts";
import { cyclesPerCall, phaseCodeChars, phaseNameChars, phasesMax, projectNumberChars } from "./limits.ts";

const id = z.int().min(1);
const text = () => z.string().refine((given) => given.isWellFormed() && !given.includes("\0"), { params: { code: "VALUE_FORMAT" } });
const required = (max: number) =>
  text()
    .trim()
    .max(max)
    .refine((given) => given !== "", { params: { code: "VALUE_MISSING" } });
const day = z.string().refine(isIsoDay, { params: { code: "DATE_FORMAT" } });

/** The phases of a project number, the whole list. [RES-14] [RES-34] */
export const SaveCycle = z
  .strictObject({
    id: id.optional(),
    projectNumber: required(projectNumberChars),
    phases: z
      .array(
        z.strictObject({
          code: required(phaseCodeChars),
          name: text()
            .trim()
            .refine((given) => given !== "", { params: { code: "NAME_REQUIRED" } })
            .refine((given) => [...given].length <= phaseNameChars, { params: { code: "NAME_TOO_LONG", max: phaseNameChars } }),
          startDate: day,
          endDate: day,
        }),
      )
      .max(phasesMax),
    rowVersion: z.int().min(1).optional(),
  })
  .superRefine((given, context) => {
    if (given.id !== undefined && given.rowVersion === undefined)
      context.addIssue({ code: "custom", path: ["rowVersion"], params: { code: "VALUE_MISSING" } });
  });
export type SaveCycle = z.output<typeof SaveCycle>;
export const CycleIds = z.strictObject({
  ids: z
    .array(id)
    .min(1)
    .max(cyclesPerCall)
    .transform((ids) => [...new Set(ids)]),
});
export type CycleIds = z.output<typeof CycleIds>;
export const Nothing = z.strictObject({});
