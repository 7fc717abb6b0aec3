"use client";

import { Button, NativeSelect, SegmentedControl, TextInput } from "@mantine/core";
import { DatePickerInput } from "@mantine/dates";
import "#components/ui/dates.css";
import { useTranslations } from "next-intl";
import { useState } from "react";
import type { GridColumn } from "#components/grid/grid-model.ts";
import { useCalendarLocale } from "#components/ui/calendar-locale.ts";
import { useCalendarLabels } from "#components/ui/use-calendar-labels.ts";
import type { FilterType } from "#lib/core/filter-types.ts";
import { periodPresets, statusFilters } from "#lib/rollout-plan/conditions/limits.ts";
import { duStatuses } from "#lib/rollout-plan/plan-rows/logic.ts";
import styles from "./menu.module.css";
import type { PlanFilter, PlanQuestion } from "./plan-filters.ts";
import { columnRef } from "./plan-keys.ts";
import { CountedValues, ServerValues, StatusValues } from "./value-lists.tsx";

type Props = {
  column: GridColumn;
  filter: PlanFilter | undefined;
  question: PlanQuestion;
  onApply: (filter: PlanFilter | null) => void;
};

/** Forms that fit beside each other; more are offered as a list. */
const segmentsMax = 4;

/** Forms of a condition a column takes; the first is offered first. */
function filterModes(column: GridColumn): FilterType[] {
  switch (column.kind) {
    case "date":
      return ["preset", "range", "in", "empty", "notEmpty"];
    case "number":
      return ["range", "in", "empty", "notEmpty"];
    case "status":
      return ["in"];
    case "text":
      return ["like", "in", "empty", "notEmpty"];
    case "flag":
      return ["eq"];
    default:
      return ["in", "empty", "notEmpty"];
  }
}

/** The condition of one column: its form, its values, applied together. */
export function ColumnFilter({ column, filter, question, onApply }: Props) {
  const t = useTranslations("plan-grid");
  const modes = filterModes(column);
  const [mode, setMode] = useState<FilterType>(filter && modes.includes(filter.type) ? filter.type : (modes[0] as FilterType));
  const [draft, setDraft] = useState<PlanFilter>(filter ?? { key: column.key, type: mode, values: [] });
  const current = draft.type === mode ? draft : { key: column.key, type: mode, values: [] };
  const ready = mode === "empty" || mode === "notEmpty" || current.values.some((value) => value !== null && value !== "");
  const set = (values: PlanFilter["values"], titles?: string[]) =>
    setDraft({ key: column.key, type: mode, values, ...(titles ? { titles } : {}) });
  const apply = () => onApply(ready ? current : null);
  return (
    <form
      className={styles.section}
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      {modes.length > segmentsMax && (
        <NativeSelect
          value={mode}
          aria-label={t("filter.form")}
          onChange={(event) => setMode(event.currentTarget.value as FilterType)}
          data={modes.map((name) => ({ value: name, label: t(`filter.${name}`) }))}
        />
      )}
      {modes.length > 1 && modes.length <= segmentsMax && (
        <SegmentedControl
          fullWidth
          size="xs"
          value={mode}
          aria-label={t("filter.form")}
          onChange={(next) => setMode(next as FilterType)}
          data={modes.map((name) => ({ value: name, label: t(`filter.${name}`) }))}
        />
      )}
      <Values column={column} mode={mode} filter={current} question={question} onChange={set} />
      <div className={styles.actions}>
        {filter && <Button onClick={() => onApply(null)}>{t("filter.clear")}</Button>}
        <Button type="submit" variant="filled" disabled={!ready && !filter}>
          {t("filter.apply")}
        </Button>
      </div>
    </form>
  );
}

type ValuesProps = {
  column: GridColumn;
  mode: FilterType;
  filter: PlanFilter;
  question: PlanQuestion;
  onChange: (values: PlanFilter["values"], titles?: string[]) => void;
};

function Values({ column, mode, filter, question, onChange }: ValuesProps) {
  const t = useTranslations("plan-grid");
  const { activityId } = columnRef(column.key);
  if (mode === "empty" || mode === "notEmpty") return null;
  if (mode === "like")
    return (
      <TextInput
        mt={8}
        data-autofocus
        aria-label={t("filter.like")}
        placeholder={t("filter.textHint")}
        value={String(filter.values[0] ?? "")}
        onChange={(event) => onChange([event.currentTarget.value])}
      />
    );
  if (mode === "preset")
    return (
      <StatusValues
        single
        values={periodPresets.map((name) => ({ value: name, label: t(`period.${name}`) }))}
        chosen={filter.values}
        onChange={onChange}
      />
    );
  if (mode === "range")
    return column.kind === "date" ? <DayRange filter={filter} onChange={onChange} /> : <NumberRange filter={filter} onChange={onChange} />;
  if (column.kind === "status")
    return (
      <CountedValues
        column={column}
        question={question}
        glyphs
        values={(activityId === null ? duStatuses : statusFilters).map((name) => ({ value: name, label: t(`status.${name}`) }))}
        chosen={filter.values}
        onChange={onChange}
      />
    );
  if (column.kind === "flag")
    return (
      <CountedValues
        column={column}
        question={question}
        single
        values={[
          { value: true, label: t("yes") },
          { value: false, label: t("no") },
        ]}
        chosen={filter.values}
        onChange={onChange}
      />
    );
  return <ServerValues column={column} filter={filter} question={question} onChange={onChange} />;
}

function DayRange({ filter, onChange }: Pick<ValuesProps, "filter" | "onChange">) {
  const t = useTranslations("plan-grid");
  const common = useTranslations("common");
  const locale = useCalendarLocale();
  const ariaLabels = useCalendarLabels();
  const [from = null, to = null] = filter.values as (string | null)[];
  return (
    <DatePickerInput
      mt={8}
      type="range"
      valueFormat="YYYY-MM-DD"
      aria-label={t("filter.range")}
      placeholder="2026-09-01 – 2026-11-30"
      value={[from, to]}
      onChange={(next) => onChange([...(next as (string | null)[])])}
      ariaLabels={ariaLabels}
      popoverProps={{ withinPortal: false }}
      locale={locale}
      firstDayOfWeek={0}
      weekendDays={[]}
      allowSingleDateInRange
      clearable
      clearButtonProps={{ "aria-label": common("clear") }}
    />
  );
}

function NumberRange({ filter, onChange }: Pick<ValuesProps, "filter" | "onChange">) {
  const t = useTranslations("plan-grid");
  const [from = null, to = null] = filter.values as (number | null)[];
  const read = (text: string) => (text.trim() === "" || !Number.isFinite(Number(text)) ? null : Number(text));
  return (
    <div className={styles.pair} style={{ marginTop: 8 }}>
      <TextInput
        type="number"
        step="any"
        aria-label={t("filter.from")}
        placeholder={t("filter.from")}
        defaultValue={from ?? ""}
        onChange={(event) => onChange([read(event.currentTarget.value), to])}
      />
      –
      <TextInput
        type="number"
        step="any"
        aria-label={t("filter.to")}
        placeholder={t("filter.to")}
        defaultValue={to ?? ""}
        onChange={(event) => onChange([from, read(event.currentTarget.value)])}
      />
    </div>
  );
}
