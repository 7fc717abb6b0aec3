"use client";

import { NativeSelect, NumberInput, SegmentedControl, Select, TextInput } from "@mantine/core";
import { DateInput } from "@mantine/dates";
import "#components/ui/dates.css";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useCalendarLocale } from "#components/ui/calendar-locale.ts";
import { useEdited } from "#components/ui/close-guard.tsx";
import { useCalendarLabels } from "#components/ui/use-calendar-labels.ts";
import { ActivityChoices, BatchFrame, type BatchProps, BatchReason, useBatch } from "./batch-frame.tsx";
import styles from "./dialogs.module.css";
import type { PlanHead } from "./plan-columns.ts";

type Attribute = PlanHead["attributes"][number];
type Value = string | number | null;
type Mode = "set" | "clear";

type Props = BatchProps & {
  attributes: readonly Attribute[];
  /** The attribute the person was at. */
  attribute?: string | undefined;
};

/** Sets or clears one attribute of the chosen DUs, or of some activities of them: says what would happen first. */
export function BatchAttributeDialog({ attributes, attribute: presetKey, ...props }: Props) {
  const { duIds, activities, preset } = props;
  const t = useTranslations("plan-grid");
  const batch = useBatch("rolloutPlan/batch/setAttribute");
  const { outdated } = batch;
  const writable = attributes.filter((attribute) => attribute.editable);
  const [key, setKey] = useState<string | null>(
    writable.find((attribute) => attribute.key === presetKey)?.key ?? (writable.length === 1 ? (writable[0]?.key ?? null) : null),
  );
  const [chosen, setChosen] = useState<readonly number[]>(preset);
  const [mode, setMode] = useState<Mode>("set");
  const [value, setValue] = useState<Value>(null);
  const [onlyEmpty, setOnlyEmpty] = useState(false);
  const [reason, setReason] = useState("");
  const attribute = writable.find((given) => given.key === key);
  const ofActivities = attribute?.level === "ACTIVITY";
  const blank = value === null || value === "";

  const isEdited = useEdited([key, chosen, mode, value, onlyEmpty, reason]);
  const run = async (asPreview: boolean) => {
    if (!attribute) return;
    const input = {
      duIds,
      ...(ofActivities ? { activityIds: chosen } : {}),
      attributeId: attribute.attributeId,
      value: mode === "clear" ? null : value,
      onlyEmpty: mode === "set" && onlyEmpty,
      ...(reason.trim() ? { reason: reason.trim() } : {}),
    };
    const answer = await batch.run(input, asPreview);
    if (!answer || asPreview) return;
    const text = attribute.choices?.find((choice) => choice.value === value)?.title ?? String(value ?? "");
    const what = t(`attributes.told.${mode}`, { field: attribute.title, value: text });
    props.onApplied(
      answer,
      ofActivities
        ? t("batch.note", { dus: duIds.length, activities: chosen.length, what })
        : t("attributes.note", { dus: duIds.length, what }),
    );
  };
  return (
    <BatchFrame
      {...props}
      title={t("attributes.title", { count: duIds.length })}
      batch={batch}
      isEdited={isEdited}
      complete={attribute !== undefined && (!ofActivities || chosen.length > 0) && (mode === "clear" || !blank)}
      onPreview={() => void run(true)}
      onApply={() => void run(false)}
    >
      <div className={styles.pair}>
        <Select
          w={280}
          label={t("attributes.attribute")}
          searchable
          value={key}
          onChange={outdated((next: string | null) => {
            setKey(next);
            setValue(null);
          })}
          data={writable.map((given) => ({ value: given.key, label: given.title }))}
          comboboxProps={{ withinPortal: false }}
        />
        <SegmentedControl
          aria-label={t("batch.mode")}
          value={mode}
          onChange={(next) => outdated(setMode)(next as Mode)}
          data={(["set", "clear"] as const).map((given) => ({ value: given, label: t(`batch.${given}`) }))}
        />
      </div>
      {attribute && ofActivities && <ActivityChoices activities={activities} chosen={chosen} onChange={outdated(setChosen)} />}
      {attribute && mode === "set" && (
        <>
          <AttributeInput key={attribute.key} attribute={attribute} value={value} onChange={outdated(setValue)} />
          <label className={styles.check}>
            <input type="checkbox" checked={onlyEmpty} onChange={(event) => outdated(setOnlyEmpty)(event.currentTarget.checked)} />
            {t("attributes.onlyEmpty")}
          </label>
        </>
      )}
      <BatchReason value={reason} onChange={outdated(setReason)} />
    </BatchFrame>
  );
}

const examples: Partial<Record<Attribute["type"], string>> = { time: "09:30", datetime: "2026-10-14T09:30:00" };

function AttributeInput({ attribute, value, onChange }: { attribute: Attribute; value: Value; onChange: (value: Value) => void }) {
  const t = useTranslations("plan-grid");
  const calendarLabels = useCalendarLabels();
  const locale = useCalendarLocale();
  const label = t("attributes.value");
  switch (attribute.type) {
    case "number":
      return (
        <NumberInput
          w={200}
          label={label}
          value={value ?? ""}
          onChange={(next) => onChange(next === "" ? null : Number(next))}
          hideControls
        />
      );
    case "date":
      return (
        <DateInput
          ariaLabels={calendarLabels}
          w={140}
          label={label}
          valueFormat="YYYY-MM-DD"
          placeholder="2026-10-14"
          value={typeof value === "string" ? value : null}
          onChange={onChange}
          popoverProps={{ withinPortal: false }}
          locale={locale}
          firstDayOfWeek={0}
          weekendDays={[]}
        />
      );
    case "choice":
      return (
        <NativeSelect
          w={280}
          label={label}
          value={String(value ?? "")}
          onChange={(event) => onChange(event.currentTarget.value || null)}
          data={[{ value: "", label: "" }, ...(attribute.choices ?? []).map((choice) => ({ value: choice.value, label: choice.title }))]}
        />
      );
    default:
      return (
        <TextInput
          label={label}
          placeholder={examples[attribute.type]}
          value={String(value ?? "")}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
  }
}
