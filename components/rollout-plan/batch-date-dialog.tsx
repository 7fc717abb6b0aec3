"use client";

import { NativeSelect, NumberInput, SegmentedControl } from "@mantine/core";
import { DateInput } from "@mantine/dates";
import "#components/ui/dates.css";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useCalendarLocale } from "#components/ui/calendar-locale.ts";
import { useEdited } from "#components/ui/close-guard.tsx";
import { useCalendarLabels } from "#components/ui/use-calendar-labels.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { batchFields, copyFields, shiftDaysMax } from "#lib/rollout-plan/batches/limits.ts";
import { ActivityChoices, BatchFrame, type BatchProps, BatchReason, useBatch } from "./batch-frame.tsx";
import styles from "./dialogs.module.css";

const modes = ["shift", "set", "copy", "clear"] as const;
type Mode = (typeof modes)[number];
type BatchField = (typeof batchFields)[number];
type CopyField = (typeof copyFields)[number];
/** Stands for "the same activity" in the list a date is copied from. */
const sameActivity = "";

type Props = BatchProps & {
  /** The date the person was at. */
  field?: BatchField | undefined;
};

/** Sets, shifts, copies or clears one date of some activities of the chosen DUs: says what would happen first. */
export function BatchDateDialog({ field: presetField, ...props }: Props) {
  const { duIds, activities, preset } = props;
  const t = useTranslations("plan-grid");
  const { can } = useSession();
  const calendarLabels = useCalendarLabels();
  const locale = useCalendarLocale();
  const batch = useBatch("rolloutPlan/batch/setDate");
  const { outdated } = batch;
  const [chosen, setChosen] = useState<readonly number[]>(
    activities.length === 1 ? activities.map((activity) => activity.activityId) : preset,
  );
  const [field, setField] = useState<BatchField>(presetField ?? "planEnd");
  const [mode, setMode] = useState<Mode>("shift");
  const [day, setDay] = useState<string | null>(null);
  const [word, setWord] = useState<"NA" | "INV" | "">("");
  const [days, setDays] = useState<number | string>(5);
  const [copyFrom, setCopyFrom] = useState<CopyField>("baselineEnd");
  const [copyActivity, setCopyActivity] = useState(sameActivity);
  const [copyDays, setCopyDays] = useState<number | string>(0);
  const [reason, setReason] = useState("");
  const source = {
    field: copyFrom,
    ...(copyActivity === sameActivity ? {} : { activityId: Number(copyActivity) }),
    days: Number(copyDays) || 0,
  };
  // NA and INV stand for a plan end only; they are asked for with a reason and carried out in the background.
  const mayNa = field === "planEnd" && can("activity.naSet");
  const given = mayNa && word !== "" ? word : day;
  const value = { set: given, shift: days, copy: source, clear: null }[mode];
  const ready = { set: given !== null, shift: typeof days === "number" && days !== 0, copy: typeof copyDays === "number", clear: true }[
    mode
  ];
  const told = {
    set: given ?? "",
    shift: String(days),
    copy: [activities.find((activity) => String(activity.activityId) === copyActivity)?.name, t(`batch.${copyFrom}`)]
      .filter(Boolean)
      .join(" · "),
    clear: "",
  }[mode];

  const isEdited = useEdited([chosen, field, mode, day, word, days, copyFrom, copyActivity, copyDays, reason]);
  const run = async (asPreview: boolean) => {
    const input = {
      duIds,
      activityIds: chosen,
      field,
      mode,
      ...(value === null ? {} : { value }),
      ...(reason.trim() ? { reason: reason.trim() } : {}),
    };
    const answer = await batch.run(input, asPreview);
    if (!answer || asPreview) return;
    const what = t(`batch.told.${mode}`, { field: t(`batch.${field}`), value: told });
    props.onApplied(answer, t("batch.note", { dus: duIds.length, activities: chosen.length, what }));
  };
  const workingDays = (label: string, given: number | string, set: (next: number | string) => void) => (
    <NumberInput w={140} label={label} value={given} onChange={outdated(set)} min={-shiftDaysMax} max={shiftDaysMax} allowDecimal={false} />
  );
  return (
    <BatchFrame
      {...props}
      title={t("batch.title", { count: duIds.length })}
      batch={batch}
      isEdited={isEdited}
      complete={chosen.length > 0 && ready}
      onPreview={() => void run(true)}
      onApply={() => void run(false)}
    >
      <ActivityChoices activities={activities} chosen={chosen} onChange={outdated(setChosen)} />
      <div className={styles.pair}>
        <NativeSelect
          label={t("batch.field")}
          value={field}
          onChange={(event) => outdated(setField)(event.currentTarget.value as BatchField)}
          data={batchFields.map((given) => ({ value: given, label: t(`batch.${given}`) }))}
        />
        <SegmentedControl
          aria-label={t("batch.mode")}
          value={mode}
          onChange={(next) => outdated(setMode)(next as Mode)}
          data={modes.map((given) => ({ value: given, label: t(`batch.${given}`) }))}
        />
        {mode === "set" && mayNa && (
          <NativeSelect
            label={t("batch.what")}
            value={word}
            onChange={(event) => outdated(setWord)(event.currentTarget.value as typeof word)}
            data={[
              { value: "", label: t("batch.day") },
              { value: "NA", label: "NA" },
              { value: "INV", label: "INV" },
            ]}
          />
        )}
        {mode === "set" && !(mayNa && word !== "") && (
          <DateInput
            ariaLabels={calendarLabels}
            w={140}
            label={t("batch.day")}
            valueFormat="YYYY-MM-DD"
            placeholder="2026-10-14"
            value={day}
            onChange={outdated(setDay)}
            popoverProps={{ withinPortal: false }}
            locale={locale}
            firstDayOfWeek={0}
            weekendDays={[]}
          />
        )}
        {mode === "shift" && workingDays(t("batch.days"), days, setDays)}
      </div>
      {mode === "copy" && (
        <div className={styles.pair}>
          <NativeSelect
            label={t("batch.copyField")}
            value={copyFrom}
            onChange={(event) => outdated(setCopyFrom)(event.currentTarget.value as CopyField)}
            data={copyFields.map((given) => ({ value: given, label: t(`batch.${given}`) }))}
          />
          <NativeSelect
            label={t("batch.copyActivity")}
            value={copyActivity}
            onChange={(event) => outdated(setCopyActivity)(event.currentTarget.value)}
            data={[
              { value: sameActivity, label: t("batch.sameActivity") },
              ...activities.map((activity) => ({ value: String(activity.activityId), label: activity.name })),
            ]}
          />
          {workingDays(t("batch.plusDays"), copyDays, setCopyDays)}
        </div>
      )}
      <BatchReason
        value={reason}
        required={mode === "set" && mayNa && word !== ""}
        help={t("batch.reasonHelp")}
        onChange={outdated(setReason)}
      />
    </BatchFrame>
  );
}
