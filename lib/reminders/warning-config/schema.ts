import { z } from "zod";
import {
  evaluateDusMax,
  warningDaysMax,
  warningDaysMin,
  warningFields,
  warningLevels,
  warningMessageChars,
  warningOperators,
  warningStatuses,
  warningsMax,
} from "#lib/reminders/warnings/limits.ts";

const id = z.int().min(1);

export const ListWarnings = z.strictObject({});

/** A warning as it is typed: its distance runs from date A of the anchor to date B of the alert [REM-11]. */
export const SaveWarning = z
  .strictObject({
    id: id.optional(),
    rowVersion: z.int().min(1).optional(),
    flowId: id.nullable().default(null),
    anchorActivityId: id,
    fieldA: z.enum(warningFields),
    alertActivityId: id,
    fieldB: z.enum(warningFields),
    operator: z.enum(warningOperators),
    days: z.int().min(warningDaysMin).max(warningDaysMax),
    level: z.enum(warningLevels),
    message: z.string().trim().min(1).max(warningMessageChars),
    status: z.enum(warningStatuses).default("ENABLED"),
    /** Place among the warnings; without it behind the others. */
    sortNo: z.int().min(1).max(10_000).optional(),
  })
  .refine((warning) => warning.id === undefined || warning.rowVersion !== undefined, {
    path: ["rowVersion"],
    params: { code: "VALUE_MISSING" },
  })
  .refine((warning) => warning.anchorActivityId !== warning.alertActivityId || warning.fieldA !== warning.fieldB, {
    path: ["fieldB"],
    params: { code: "SAME_FIELD" },
  });
export type SaveWarning = z.output<typeof SaveWarning>;

export const DeleteWarnings = z.strictObject({
  ids: z
    .array(id)
    .min(1)
    .max(warningsMax)
    .transform((given) => [...new Set(given)]),
});

export const EvaluateWarnings = z.strictObject({ duIds: z.array(id).min(1).max(evaluateDusMax) });
