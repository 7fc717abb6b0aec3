import { z } from "zod";
import { resourceTypes, skillChars } from "../pool/limits.ts";
import { activitiesPerCall, distanceMax } from "./limits.ts";

export const FindAssignment = z.strictObject({});

/** Who may own activities: of which types, with which skill, how far away. Revision 0 while nothing was set. [RES-06] */
export const SaveAssignment = z.strictObject({
  rows: z
    .array(
      z.strictObject({
        activityId: z.int().min(1),
        types: z
          .array(z.enum(resourceTypes))
          .min(1)
          .transform((given) => resourceTypes.filter((type) => given.includes(type))),
        requiredSkill: z
          .string()
          .trim()
          .max(skillChars)
          .transform((given) => given || null)
          .nullable(),
        maxDistanceKm: z
          .number()
          .min(0)
          .max(distanceMax)
          .refine((given) => Math.abs(given * 10 - Math.round(given * 10)) < 1e-6, { params: { code: "NUMBER_DECIMALS", decimals: 1 } })
          .nullable(),
        rowVersion: z.int().min(0),
      }),
    )
    .min(1)
    .max(activitiesPerCall),
});
export type SaveAssignment = z.output<typeof SaveAssignment>;
