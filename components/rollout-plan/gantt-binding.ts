import type { GanttRelation } from "#lib/rollout-plan/gantt/queries.ts";
import { downNumber, noWorkingDay, upNumber, type WorkingDays } from "#lib/scheduling/calendar/logic.ts";
import type { BarDays } from "./gantt-model.ts";

/** The relation that holds an activity back the most, and by how many working days it comes later than that one allows; below 0 it comes too early. */
export type Binding = { pre: number; type: GanttRelation[2]; offset: number; spare: number };

/** What binds an activity: of the relations into it the one that leaves the least room; null where none has dates. Actual dates of the earlier one count before its plan. */
export function bindingOf(
  activityId: number,
  relations: readonly GanttRelation[],
  daysOf: (activityId: number) => BarDays | null,
  calendar: WorkingDays,
  isMilestone: boolean,
): Binding | null {
  const own = daysOf(activityId);
  if (!own) return null;
  const start = (day: number) => (day === 0 ? noWorkingDay : upNumber(calendar, day));
  const end = (day: number) => (day === 0 ? noWorkingDay : downNumber(calendar, day));
  let found: Binding | null = null;
  for (const [pre, next, type, offset] of relations) {
    const other = next === activityId ? daysOf(pre) : null;
    if (!other) continue;
    const from = type === "FS" || type === "FF" ? end(other.actualEnd || other.planEnd) : start(other.actualStart || other.planStart);
    const to = type === "FS" || type === "SS" ? start(own.planStart || own.planEnd) : end(own.planEnd || own.planStart);
    if (from === noWorkingDay || to === noWorkingDay) continue;
    const spare = to - (from + offset + (type === "FS" && !isMilestone ? 1 : 0));
    if (!found || spare < found.spare) found = { pre, type, offset, spare };
  }
  return found;
}
