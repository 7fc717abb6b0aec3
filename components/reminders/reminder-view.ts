import { movedTime } from "#components/ui/time-text.ts";
import type { Frequency } from "#lib/reminders/occurrences/schema.ts";
import type { Receivers } from "#lib/reminders/recipients/schema.ts";

type T = (key: string, values?: Record<string, string | number>) => string;

/** Days of the week as a form shows them, Monday first; 0 is Sunday. */
export const weekdays = [1, 2, 3, 4, 5, 6, 0] as const;

/** How often, in words. */
export function frequencyText(frequency: Frequency, t: T): string {
  switch (frequency.kind) {
    case "WEEKLY":
      return t("frequency.weekly", {
        days: weekdays
          .filter((day) => frequency.weekdays.includes(day))
          .map((day) => t(`weekday.${day}`))
          .join(", "),
      });
    case "MONTHLY":
      return frequency.day === "LAST" ? t("frequency.monthlyLast") : t("frequency.monthly", { day: frequency.day });
    case "EVERY_N_DAYS":
      return t("frequency.everyDays", { days: frequency.days });
    default:
      return t(`frequency.${frequency.kind}`);
  }
}

/** A local moment as it is shown: `2026-10-14 08:00`. */
export const shownLocal = (text: string): string => text.replace("T", " ");

/** The time of the day in Beijing when the project's clock shows a time: `19:00`. */
export const beijingTime = (time: string, offset: number): string => movedTime(time, -offset * 60);

/** How many a rule names. */
export const receiverCount = ({ userIds, groupIds, roles, addresses }: Receivers): number =>
  userIds.length + groupIds.length + roles.length + addresses.length;
