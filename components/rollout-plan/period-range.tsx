"use client";

import { Button } from "@mantine/core";
import { DatePickerInput } from "@mantine/dates";
import "#components/ui/dates.css";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useCalendarLocale } from "#components/ui/calendar-locale.ts";
import { useCalendarLabels } from "#components/ui/use-calendar-labels.ts";
import styles from "./menu.module.css";

/** A period from day to day. */
export function PeriodRange({ onChoose }: { onChoose: (period: { from: string; to: string }) => void }) {
  const t = useTranslations("plan-grid");
  const locale = useCalendarLocale();
  const ariaLabels = useCalendarLabels();
  const [range, setRange] = useState<[string | null, string | null]>([null, null]);
  return (
    <div className={styles.section}>
      <DatePickerInput
        type="range"
        size="sm"
        valueFormat="YYYY-MM-DD"
        label={t("period.custom")}
        placeholder="2026-09-01 – 2026-11-30"
        value={range}
        onChange={(next) => setRange(next as [string | null, string | null])}
        ariaLabels={ariaLabels}
        popoverProps={{ withinPortal: false }}
        locale={locale}
        firstDayOfWeek={0}
        weekendDays={[]}
        allowSingleDateInRange
      />
      <Button mt={8} disabled={!range[0] || !range[1]} onClick={() => range[0] && range[1] && onChoose({ from: range[0], to: range[1] })}>
        {t("period.apply")}
      </Button>
    </div>
  );
}
