"use client";

import { Button, Popover } from "@mantine/core";
import { DatePickerInput } from "@mantine/dates";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { formatRange } from "#lib/core/format.ts";
import { BarButton } from "./bar-button.tsx";
import { useCalendarLocale } from "./calendar-locale.ts";
import styles from "./menu.module.css";
import { type PlanPeriod, planPeriods } from "./plan-filters.ts";

type Props = { period: PlanPeriod | null; onChange: (period: PlanPeriod | null) => void };

/** Keeps DUs with an incomplete plan date inside a period: by name, or from day to day. */
export function PeriodPicker({ period, onChange }: Props) {
  const t = useTranslations("plan-grid");
  const locale = useCalendarLocale();
  const [opened, setOpened] = useState(false);
  const [range, setRange] = useState<[string | null, string | null]>([null, null]);
  const choose = (next: PlanPeriod | null) => {
    onChange(next);
    setOpened(false);
  };
  const value = !period ? t("period.all") : "preset" in period ? t(`period.${period.preset}`) : formatRange(period.from, period.to);
  const isOn = (name: string) => period !== null && "preset" in period && period.preset === name;
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" trapFocus returnFocus>
      <Popover.Target>
        <BarButton
          label={t("period.label")}
          value={value}
          aria-haspopup="dialog"
          aria-expanded={opened}
          onClick={() => setOpened((shown) => !shown)}
        />
      </Popover.Target>
      <Popover.Dropdown p={4} aria-label={t("period.label")}>
        <div className={styles.list}>
          <button type="button" className={styles.item} aria-pressed={period === null} onClick={() => choose(null)}>
            {t("period.all")}
          </button>
          {planPeriods.map((name) => (
            <button key={name} type="button" className={styles.item} aria-pressed={isOn(name)} onClick={() => choose({ preset: name })}>
              {t(`period.${name}`)}
            </button>
          ))}
        </div>
        <div className={styles.section}>
          <DatePickerInput
            type="range"
            size="sm"
            valueFormat="YYYY-MM-DD"
            label={t("period.custom")}
            placeholder="2026-09-01 – 2026-11-30"
            value={range}
            onChange={(next) => setRange(next as [string | null, string | null])}
            popoverProps={{ withinPortal: false }}
            locale={locale}
            firstDayOfWeek={0}
            weekendDays={[]}
            allowSingleDateInRange
          />
          <Button mt={8} disabled={!range[0] || !range[1]} onClick={() => range[0] && range[1] && choose({ from: range[0], to: range[1] })}>
            {t("period.apply")}
          </Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
