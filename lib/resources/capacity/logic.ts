import { addDays } from "#lib/core/clock.ts";

/** How the work a company can do in a week grows. */
export type CapacityPlan = {
  baseline: number;
  upperCap: number;
  lowerLimit: number;
  leadTimeWeeks: number;
  increasePeriodWeeks: number;
  increasePerCycle: number;
  redundancyRatio: number;
  startWeek: string;
};

const dayMs = 86_400_000;

/** The Sunday a day's week begins with. */
export const weekStart = (day: string): string => addDays(day, -new Date(`${day}T00:00:00Z`).getUTCDay());

/** Whether a day is a Sunday. */
export const isSunday = (day: string): boolean => weekStart(day) === day;

/** The number of a week, 0 for the one the capacity begins with. */
export const weekNumber = (startWeek: string, week: string): number => Math.round((Date.parse(week) - Date.parse(startWeek)) / (7 * dayMs));

/** What can be done in week `w`: the baseline until the lead time is over, then one increase more each period, within the limits. [RES-12] */
export function capacityAt(plan: Omit<CapacityPlan, "startWeek" | "redundancyRatio">, w: number): number {
  const { baseline, upperCap, lowerLimit, leadTimeWeeks, increasePeriodWeeks, increasePerCycle } = plan;
  const increases = w < leadTimeWeeks ? 0 : Math.floor((w - leadTimeWeeks) / increasePeriodWeeks) + 1;
  return hundredths(Math.min(upperCap, Math.max(lowerLimit, baseline + increasePerCycle * increases)));
}

/** What can be done in the week of a Sunday; nothing before the capacity begins. */
export function weekCapacity(plan: Omit<CapacityPlan, "redundancyRatio">, week: string): number {
  const w = weekNumber(plan.startWeek, week);
  return w < 0 ? 0 : capacityAt(plan, w);
}

/** Capacity added a week on average, two decimals. */
export const weeklyAdded = ({
  increasePerCycle,
  increasePeriodWeeks,
}: Pick<CapacityPlan, "increasePerCycle" | "increasePeriodWeeks">): number => hundredths(increasePerCycle / increasePeriodWeeks);

/** What is to be reserved for planned work. */
export const reserved = (planned: number, redundancyRatio: number): number => hundredths((planned * redundancyRatio) / 100);

const hundredths = (value: number): number => Math.round(value * 100) / 100;

/** A week of the comparison: what can be done, what is planned, what that needs, and whether it is too much. */
export type CapacityWeek = { week: string; capacity: number; manual: boolean; planned: number; needed: number; over: boolean };

/**
 * Weeks from `first` on with capacity against plan; before the capacity begins nothing can be done.
 * @param overrides capacity set by hand, by the week's Sunday
 * @param planned starts planned, by the week's Sunday
 */
export function compareWeeks(
  plan: CapacityPlan,
  first: string,
  count: number,
  overrides: ReadonlyMap<string, number>,
  planned: ReadonlyMap<string, number>,
): CapacityWeek[] {
  return Array.from({ length: count }, (_, at) => {
    const week = addDays(first, at * 7);
    const manual = overrides.get(week);
    const capacity = manual ?? weekCapacity(plan, week);
    const starts = planned.get(week) ?? 0;
    const needed = reserved(starts, plan.redundancyRatio);
    return { week, capacity, manual: manual !== undefined, planned: starts, needed, over: needed > capacity };
  });
}
