import { z } from "zod";
import { Country } from "#lib/core/country.ts";
import { projectOfPath } from "#lib/core/href.ts";
import { beijingHoursMax, beijingHoursMin, beijingHoursStep, datacenterChars, ownDatacenter, projectNameChars } from "./limits.ts";

/** A new project; its data lies in its own country and its clock is Beijing's, unless it is said otherwise. */
export const CreateProject = z.strictObject({
  number: z
    .string()
    .trim()
    .min(1)
    .superRefine((number, context) => {
      if (number !== "" && !projectOfPath(`/${number}`))
        context.addIssue({ code: "custom", params: { code: "PROJECT_INVALID", project: number } });
    }),
  name: z.string().trim().min(1).max(projectNameChars),
  country: Country,
  hostingCountry: Country.optional(),
  datacenter: z.string().trim().min(1).max(datacenterChars).default(ownDatacenter),
  hoursFromBeijing: z
    .string()
    .regex(/^[+-]?\d+(\.\d+)?$/)
    .transform(Number)
    .pipe(z.number().min(beijingHoursMin).max(beijingHoursMax).multipleOf(beijingHoursStep))
    .optional(),
});
