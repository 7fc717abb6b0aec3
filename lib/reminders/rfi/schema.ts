import { z } from "zod";
import { Receivers } from "../recipients/schema.ts";
import { remindTypes, rfiDaysMax, statesMax } from "./limits.ts";

const days = z.int().min(0).max(rfiDaysMax);

export const ListRfi = z.strictObject({});

/** Reminders of states; the receivers of exceptions stay as they are where they are left out. REM-13 */
export const SaveRfi = z.strictObject({
  rows: z
    .array(
      z
        .strictObject({
          id: z.int().min(1).optional(),
          rowVersion: z.int().min(1).optional(),
          stateId: z.string().trim().min(1).max(40),
          minDays: days,
          maxDays: days,
          remindTypes: z
            .array(z.enum(remindTypes))
            .min(1)
            .transform((given) => remindTypes.filter((type) => given.includes(type))),
          exceptionReceivers: Receivers.optional(),
          untilActivityId: z.int().min(1).nullable().default(null),
        })
        .refine(({ id, rowVersion }) => id === undefined || rowVersion !== undefined, {
          path: ["rowVersion"],
          params: { code: "VALUE_MISSING" },
        }),
    )
    .min(1)
    .max(statesMax),
});
export type SaveRfi = z.output<typeof SaveRfi>;
