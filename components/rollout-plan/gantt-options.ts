import { type TimeScale, timeScales } from "#components/ui/time-axis.ts";

/** What a person chose in the Gantt. */
export type GanttOptions = { scale: TimeScale; baseline: boolean; relations: boolean; free: boolean };

/** The kept choice; what this version does not know is left out. */
export function readGanttOptions(value: unknown): GanttOptions {
  const given = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  const flag = (name: string) => given[name] !== false;
  return {
    scale: timeScales.find((scale) => scale === given.scale) ?? "week",
    baseline: flag("baseline"),
    relations: flag("relations"),
    free: flag("free"),
  };
}
