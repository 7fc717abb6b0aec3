import { z } from "zod";
import { isIsoDay } from "#lib/core/clock.ts";
import { capacitiesMax, configKeys, configSearchChars, overridesMax, weeksMax } from "./limits.ts";
import { isSunday } from "./logic.ts";

const id = z.int().min(1);
const text = () => z.string().refine((given) => given.isWellFormed() && !given.includes("\0"), { params: { code: "VALUE_FORMAT" } });
/** A number with two decimals at most; its bounds are business rules. */
const amount = z
  .number()
  .refine((given) => Math.abs(given * 100 - Math.round(given * 100)) < 1e-6, { params: { code: "NUMBER_DECIMALS", max: 2 } });
const sunday = z.string().refine((given) => isIsoDay(given) && isSunday(given), { params: { code: "WEEK_START" } });

const Capacity = z.strictObject({
  regionId: id.nullish(),
  subconTypeId: id.nullish(),
  baseline: amount,
  upperCap: amount,
  lowerLimit: amount,
  leadTimeWeeks: z.int().max(weeksMax),
  increasePeriodWeeks: z.int().max(weeksMax),
  increasePerCycle: amount,
  redundancyRatio: amount,
  startWeek: sunday,
  weeks: z
    .array(z.strictObject({ week: sunday, value: amount }))
    .max(overridesMax)
    .default([]),
});
export type Capacity = z.output<typeof Capacity>;

/** What is set for a company, null for all others; switches not named stay, the capacities are the whole list. */
export const UpdateConfig = z
  .strictObject({
    subcontractorId: id.nullable(),
    config: z.partialRecord(z.enum(configKeys), z.boolean()).optional(),
    capacity: z.array(Capacity).max(capacitiesMax).optional(),
    rowVersion: z.int().min(0),
  })
  .superRefine(({ capacity = [] }, context) => {
    const seen = new Set<string>();
    capacity.forEach(({ regionId, subconTypeId, weeks }, index) => {
      const key = `${regionId ?? ""} ${subconTypeId ?? ""}`;
      if (seen.has(key)) context.addIssue({ code: "custom", path: ["capacity", index], params: { code: "VALUE_REPEATED" } });
      seen.add(key);
      if (new Set(weeks.map(({ week }) => week)).size < weeks.length)
        context.addIssue({ code: "custom", path: ["capacity", index, "weeks"], params: { code: "VALUE_REPEATED" } });
    });
  });
export type UpdateConfig = z.output<typeof UpdateConfig>;

export const ListConfigs = z.strictObject({
  page: z.int().min(1).max(1_000_000),
  size: z.literal([10, 20, 50, 100, 200]),
  keyword: text().trim().max(configSearchChars).optional(),
});
export type ListConfigs = z.output<typeof ListConfigs>;
export const CompareWeeks = z.strictObject({ subcontractorId: id.nullable(), regionId: id.nullish(), subconTypeId: id.nullish() });
export type CompareWeeks = z.output<typeof CompareWeeks>;
export const Nothing = z.strictObject({});
