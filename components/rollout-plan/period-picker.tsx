"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { DropPanel } from "#components/ui/drop-panel.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import { formatRange } from "#lib/core/format.ts";
import { BarButton } from "./bar-button.tsx";
import styles from "./menu.module.css";
import { type PlanPeriod, planPeriods } from "./plan-filters.ts";

const PeriodRange = onDemand(() => import("./period-range.tsx").then((module) => module.PeriodRange));

type Props = { period: PlanPeriod | null; onChange: (period: PlanPeriod | null) => void };

/** Keeps DUs with an incomplete plan date inside a period: by name, or from day to day. */
export function PeriodPicker({ period, onChange }: Props) {
  const t = useTranslations("plan-grid");
  const [opened, setOpened] = useState(false);
  const choose = (next: PlanPeriod | null) => {
    onChange(next);
    setOpened(false);
  };
  const value = !period ? t("period.all") : "preset" in period ? t(`period.${period.preset}`) : formatRange(period.from, period.to);
  const isOn = (name: string) => period !== null && "preset" in period && period.preset === name;
  return (
    <DropPanel
      opened={opened}
      onChange={setOpened}
      position="bottom-start"
      trapFocus
      padding={4}
      label={t("period.label")}
      trigger={
        <BarButton
          label={t("period.label")}
          value={value}
          aria-haspopup="dialog"
          aria-expanded={opened}
          onClick={() => setOpened((shown) => !shown)}
        />
      }
    >
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
      <PeriodRange onChoose={choose} />
    </DropPanel>
  );
}
