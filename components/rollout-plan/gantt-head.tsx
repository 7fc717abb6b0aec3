"use client";

import { useLocale, useTranslations } from "next-intl";
import { type RefObject, useEffect, useState } from "react";
import { asColumnHead, asRow, asRows } from "#components/grid/grid-roles.ts";
import { dayAt, dayLeft, type TimeAxis } from "#components/ui/time-axis.ts";
import chart from "#components/ui/time-chart.module.css";
import { TimeTicks } from "#components/ui/time-ticks.tsx";
import styles from "./gantt.module.css";

/** Months and weeks are drawn in steps of so many pixels, so that few frames of a scroll draw them anew. */
const step = 800;

/** The head of the Gantt: names of the columns, and the time in sight. */
export function GanttHead({ axis, today, scroller }: { axis: TimeAxis; today: number; scroller: RefObject<HTMLElement | null> }) {
  const t = useTranslations("plan-timeline");
  const locale = useLocale();
  const [place, setPlace] = useState({ at: 0, width: 2400 });
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const moved = () =>
      setPlace((before) => {
        const at = Math.floor(element.scrollLeft / step);
        return before.at === at && before.width === element.clientWidth ? before : { at, width: element.clientWidth };
      });
    moved();
    element.addEventListener("scroll", moved, { passive: true });
    return () => element.removeEventListener("scroll", moved);
  }, [scroller]);
  const from = dayAt(axis, (place.at - 1) * step);
  const to = dayAt(axis, (place.at + 2) * step + place.width);
  const titles = ["list", "status", "end", "slip"] as const;
  return (
    <div className={chart.head} {...asRows}>
      <div className={styles.listHead} {...asRow(1)}>
        {titles.map((name, at) => (
          <span key={name} {...asColumnHead(at + 1)} title={name === "slip" ? t("columns.slipDays") : undefined}>
            {t(`columns.${name}`)}
          </span>
        ))}
      </div>
      <div className={chart.ticks} aria-hidden="true">
        <TimeTicks axis={axis} from={from} to={to} locale={locale} today={today} />
        <span className={styles.flag} style={{ left: dayLeft(axis, today) + axis.dayWidth / 2 }}>
          {t("today")}
        </span>
      </div>
    </div>
  );
}
