import { z } from "zod";
import { type Role, roles } from "#lib/permissions.ts";
import { availabilityDays, presenceDays } from "./limits.ts";

const days = ({ min, max }: { min: number; max: number }) =>
  z
    .number()
    .refine(Number.isInteger, { params: { code: "NUMBER_INTEGER" } })
    .refine((given) => given >= min && given <= max, { params: { code: "NUMBER_RANGE", min, max, decimals: 0 } });

export const FindSettings = z.strictObject({});

/** What holds for the pool of the project; what is left out stays. [RES-20] [RES-24] */
export const SaveSettings = z.strictObject({
  availabilityInactiveDays: days(availabilityDays).optional(),
  presenceInactiveDays: days(presenceDays).optional(),
  keyRoles: z
    .array(z.enum(roles as unknown as [Role, ...Role[]]))
    .transform((given) => [...new Set(given)])
    .optional(),
  keyRoleSwitch: z.boolean().optional(),
  /** Revision the settings were read at; 0 while nobody has set any. */
  rowVersion: z.int().min(0),
});
export type SaveSettings = z.output<typeof SaveSettings>;
