"use client";

import { DatePicker } from "@mantine/dates";
import "#components/ui/dates.css";
import { useCalendarLocale } from "#components/ui/calendar-locale.ts";
import { useCalendarLabels } from "#components/ui/use-calendar-labels.ts";
import type { CompanionProps } from "./cell-editor.tsx";
import styles from "./companion.module.css";
import { readDay } from "./date-input.ts";

/** A calendar below a date that was opened to be changed; typing goes on in the cell without it. */
export function DateCompanion({ grid, editor, query, commit }: CompanionProps) {
  const locale = useCalendarLocale();
  const ariaLabels = useCalendarLabels();
  if (editor.mode === "replace") return null;
  const present = grid.valueAt(editor.cell.row, editor.column);
  const typed = query === null ? undefined : readDay(query);
  const shown = typed ?? (typeof present === "string" ? present : null);
  return (
    <div className={styles.calendar}>
      <DatePicker
        key={shown ?? "none"}
        size="xs"
        ariaLabels={ariaLabels}
        locale={locale}
        firstDayOfWeek={0}
        weekendDays={[]}
        {...(shown ? { defaultDate: shown } : {})}
        value={shown}
        onChange={(day) => {
          commit(day);
          grid.viewport?.focus();
        }}
        getDayProps={() => ({ tabIndex: -1 })}
      />
    </div>
  );
}
