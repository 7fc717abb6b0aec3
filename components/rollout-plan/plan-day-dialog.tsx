"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useCloseGuard, useEdited } from "#components/ui/close-guard.tsx";
import { DayInput } from "#components/ui/day-input.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field } from "#components/ui/field.tsx";
import { dayNumber, isoDay } from "#lib/core/clock.ts";
import { movedDates } from "#lib/rollout-plan/board/logic.ts";
import type { WorkingDays } from "#lib/scheduling/calendar/logic.ts";
import { PlanDialog } from "./plan-dialog.tsx";
import type { PlanDates } from "./plan-moves.ts";
import styles from "./timeline.module.css";

type Props = {
  title: string;
  /** The dates it has now; none where it is not planned. */
  dates: PlanDates;
  calendar: WorkingDays;
  onClose: () => void;
  onWant: (dates: PlanDates) => void;
};

/** Plans an activity on days typed or picked: a new start takes the end along by the same working days. */
export function PlanDayDialog({ title, dates, calendar, onClose, onWant }: Props) {
  const t = useTranslations("plan-timeline");
  const id = useId();
  const [start, setStart] = useState(isoDay(dates.planStart) ?? "");
  const [end, setEnd] = useState(isoDay(dates.planEnd) ?? "");
  const { close, question } = useCloseGuard(useEdited([start, end]), onClose);
  const missing = start === "" && end === "";
  const wrong = start !== "" && end !== "" && start > end;
  const begin = (day: string) => {
    setStart(day);
    if (day === "") return;
    const before = { planStart: dayNumber(start), planEnd: dayNumber(end) };
    const moved = start === "" || end === "" ? null : movedDates(calendar, before, before.planStart, dayNumber(day));
    setEnd(moved ? (isoDay(moved.planEnd) ?? day) : end === "" ? day : end);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (missing || wrong) return;
    onWant({ planStart: dayNumber(start), planEnd: dayNumber(end) });
    onClose();
  };
  return (
    <PlanDialog title={t("planOn.title")} size={420} onClose={close}>
      <form onSubmit={submit} noValidate>
        <p className={styles.subject}>{title}</p>
        <div className={styles.days}>
          <Field id={`${id}-start`} label={t("planOn.start")}>
            <DayInput id={`${id}-start`} value={start} onChange={begin} clearable />
          </Field>
          <Field id={`${id}-end`} label={t("planOn.end")} {...(wrong ? { error: t("planOn.order") } : {})}>
            <DayInput id={`${id}-end`} value={end} onChange={setEnd} clearable error={wrong} />
          </Field>
        </div>
        <DialogFoot problem={undefined} verb={t("planOn.verb")} busy={false} disabled={missing || wrong} onClose={close} />
      </form>
      {question}
    </PlanDialog>
  );
}
