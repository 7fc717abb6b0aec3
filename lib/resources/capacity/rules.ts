import type { Rule } from "#lib/core/rule.ts";
import { capacityBelow, leadWeeksMin, periodWeeksMin, redundancyMax, redundancyMin } from "./limits.ts";
import type { CapacityPlan } from "./logic.ts";

type Facts = CapacityPlan & { weeks: readonly { week: string; value: number }[] };

/** What a capacity must obey, with its weeks set by hand. [RES-29] [RES-30] [RES-31] [RES-32] */
export const capacityRules: readonly Rule<Facts>[] = [
  {
    code: "NUMBER_RANGE",
    broken: ({ baseline, upperCap, lowerLimit, increasePerCycle }) =>
      [baseline, upperCap, lowerLimit, increasePerCycle].some((value) => value < 0 || value >= capacityBelow) && {
        min: 0,
        max: capacityBelow - 0.01,
        decimals: 2,
      },
  },
  {
    code: "LEAD_TIME",
    broken: ({ leadTimeWeeks, increasePeriodWeeks }) =>
      (leadTimeWeeks < leadWeeksMin || increasePeriodWeeks < periodWeeksMin) && { min: leadWeeksMin },
  },
  {
    code: "REDUNDANCY_RANGE",
    broken: ({ redundancyRatio }) =>
      (redundancyRatio < redundancyMin || redundancyRatio > redundancyMax) && { min: redundancyMin, max: redundancyMax },
  },
  {
    code: "CAPACITY_LIMIT",
    broken: ({ baseline, upperCap, lowerLimit }) =>
      !(lowerLimit <= baseline && baseline <= upperCap) && { lower: lowerLimit, upper: upperCap, weeks: "-" },
  },
  {
    code: "CAPACITY_LIMIT",
    broken: ({ upperCap, lowerLimit, startWeek, weeks }) => {
      const outside = weeks.filter(({ week, value }) => value < lowerLimit || value > upperCap || week < startWeek).map(({ week }) => week);
      return outside.length > 0 && { lower: lowerLimit, upper: upperCap, weeks: outside.join(", ") };
    },
  },
];
