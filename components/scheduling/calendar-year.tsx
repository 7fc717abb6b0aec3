"use client";
import { useLocale, useTranslations } from "next-intl";
import { type KeyboardEvent, memo, useMemo, useRef, useState } from "react";
import { dayNumber, isoDay, weekday } from "#lib/core/clock.ts";
import classes from "./calendar.module.css";
import { type CalendarDraft, monthsOf, works } from "./calendar-days.ts";

type Props = { year: number; draft: CalendarDraft; today: string; readOnly: boolean; onToggle: (day: string) => void };

const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

/** Twelve months; a click, Space or Enter switches a day, arrows go from day to day. */
export function CalendarYear({ year, draft, today, readOnly, onToggle }: Props) {
  const t = useTranslations("scheduling.calendar");
  const locale = useLocale();
  const months = useMemo(() => monthsOf(year), [year]);
  const [current, setCurrent] = useState(today);
  const frame = useRef<HTMLDivElement>(null);
  const reachable = current.startsWith(`${year}-`) ? current : `${year}-01-01`;
  const names = useMemo(() => {
    const date = (month: number, day: number) => new Date(Date.UTC(2023, month, day));
    const month = new Intl.DateTimeFormat(locale, { month: "long", timeZone: "UTC" });
    const short = new Intl.DateTimeFormat(locale, { weekday: "narrow", timeZone: "UTC" });
    return {
      months: Array.from({ length: 12 }, (_, at) => month.format(date(at, 1))),
      // 2023-01-01 was a Sunday.
      weekdays: Array.from({ length: 7 }, (_, at) => short.format(date(0, 1 + at))),
    };
  }, [locale]);

  const go = (day: string) => {
    if (!day.startsWith(`${year}-`)) return;
    setCurrent(day);
    frame.current?.querySelector<HTMLButtonElement>(`[data-day="${day}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    go(isoDay(dayNumber(reachable) + step)!);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrows move between the buttons inside
    <div className={classes.year} ref={frame} onKeyDown={onKeyDown}>
      {months.map(({ first, days }, month) => (
        <section key={month} className={classes.month} aria-label={`${names.months[month]} ${year}`}>
          <h3>{names.months[month]}</h3>
          <div className={classes.week} aria-hidden="true">
            {names.weekdays.map((name, at) => (
              <span key={at}>{name}</span>
            ))}
          </div>
          <div className={classes.days}>
            {days.map((day, at) => {
              const exception = draft.days.get(day);
              return (
                <Day
                  key={day}
                  day={day}
                  column={at === 0 ? first + 1 : undefined}
                  working={works(draft, day)}
                  exception={exception !== undefined && exception.working !== draft.weekdays.has(weekday(dayNumber(day)))}
                  name={exception?.name ?? ""}
                  today={day === today}
                  focusable={day === reachable}
                  readOnly={readOnly}
                  onToggle={onToggle}
                  onFocus={setCurrent}
                  texts={t}
                />
              );
            })}
          </div>
        </section>
      ))}
    </div>
  );
}

type DayProps = {
  day: string;
  column: number | undefined;
  working: boolean;
  exception: boolean;
  name: string;
  today: boolean;
  focusable: boolean;
  readOnly: boolean;
  onToggle: (day: string) => void;
  onFocus: (day: string) => void;
  texts: ReturnType<typeof useTranslations<"scheduling.calendar">>;
};

const Day = memo(function Day({ day, column, working, exception, name, today, focusable, readOnly, onToggle, onFocus, texts }: DayProps) {
  const state = exception ? (working ? "extra" : "holiday") : working ? "working" : "free";
  const label = texts(`dayState.${state}`, { day, name }).trim();
  return (
    <button
      type="button"
      className={classes.day}
      style={column ? { gridColumnStart: column } : undefined}
      data-day={day}
      data-state={state}
      // The name begins with what is seen, so that it can be spoken to.
      aria-label={`${Number(day.slice(8))}, ${label}`}
      aria-pressed={working}
      aria-current={today ? "date" : undefined}
      aria-disabled={readOnly || undefined}
      title={name || undefined}
      tabIndex={focusable ? 0 : -1}
      onFocus={() => onFocus(day)}
      onClick={readOnly ? undefined : () => onToggle(day)}
    >
      {Number(day.slice(8))}
    </button>
  );
});
