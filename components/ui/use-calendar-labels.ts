import { useTranslations } from "next-intl";

const controls = [
  "previousMonth",
  "nextMonth",
  "previousYear",
  "nextYear",
  "previousDecade",
  "nextDecade",
  "monthLevelControl",
  "yearLevelControl",
] as const;

/** Names of the arrows and titles of a calendar that opens under a day field, for those who hear them. */
export function useCalendarLabels(): Record<(typeof controls)[number], string> {
  const t = useTranslations("ui.calendar");
  return Object.fromEntries(controls.map((control) => [control, t(control)])) as Record<(typeof controls)[number], string>;
}
