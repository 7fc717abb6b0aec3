"use client";
import { Button, Modal } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useCloseGuard, useEdited } from "#components/ui/close-guard.tsx";
import { DayInput } from "#components/ui/day-input.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { withQuestions } from "#components/ui/questions.ts";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { savePlanChange } from "#lib/scheduling/plan-changes/actions.ts";
import type { PlanChangeAnswer } from "#lib/scheduling/plan-changes/commands.ts";
import { planChangeDusMax } from "#lib/scheduling/plan-changes/limits.ts";
import classes from "./locks.module.css";
import { ReasonField } from "./reason-field.tsx";
import { RejectedLocks } from "./rejected-locks.tsx";

const fields = ["planStart", "planEnd"] as const;
type Dates = Record<(typeof fields)[number], string>;

type Props = {
  activity: { id: number; name: string };
  /** DUs with the dates they have. */
  dus: readonly { duId: number; code: string; planStart: string | null; planEnd: string | null }[];
  /** Some of them are frozen: what is changed stays so and is fixed. */
  frozen: boolean;
  /** Dates to begin with instead of those it has. */
  wanted?: { planStart: string | null; planEnd: string | null };
  onClose: () => void;
  onApplied: (answer: PlanChangeAnswer) => void;
};

/** Changes plan dates of one activity that are frozen or stand under change control, with the reason. One DU shows its dates; of several, what is left empty stays. */
export function PlanChangeDialog({ activity, dus, frozen, wanted, onClose, onApplied }: Props) {
  const t = useTranslations("scheduling.planChange");
  const lock = useTranslations("scheduling.lock");
  const common = useTranslations("common");
  const id = useId();
  const [only] = dus.length === 1 ? dus : [];
  const began: Dates = { planStart: only?.planStart ?? "", planEnd: only?.planEnd ?? "" };
  const [dates, setDates] = useState<Dates>(wanted ? { planStart: wanted.planStart ?? "", planEnd: wanted.planEnd ?? "" } : began);
  const [reason, setReason] = useState("");
  const [fault, setFault] = useState<{ field: "reason" | "dates"; text: string } | null>(null);
  const [result, setResult] = useState<PlanChangeAnswer | null>(null);
  const [save, busy] = useAction(savePlanChange);
  const isEdited = useEdited([dates, reason]);
  const { close, question } = useCloseGuard(isEdited && !result, onClose);
  const changed = fields.filter((field) => dates[field] !== began[field]);
  const tooMany = dus.length > planChangeDusMax;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (reason.trim() === "") {
      setFault({ field: "reason", text: lock("reasonMissing") });
      document.getElementById(`${id}-reason`)?.focus();
      return;
    }
    const changes = dus.flatMap((du) =>
      changed.map((field) => ({ duId: du.duId, activityId: activity.id, field, value: dates[field] || null, base: du[field] })),
    );
    const answer = await withQuestions((confirmed) => save({ changes, reason, confirmed }));
    if (answer.status >= 400 || !answer.data) {
      const problem = answer.problems?.[0];
      return setFault({ field: problem?.path === "reason" ? "reason" : "dates", text: problem?.msg ?? answer.msg ?? lock("failed") });
    }
    const { applied, rejected, number } = answer.data;
    if (applied > 0) onApplied(answer.data);
    if (rejected.length > 0 && only) return setFault({ field: "dates", text: rejected[0]!.msg });
    if (rejected.length > 0) return setResult(answer.data);
    toast.done(t("done", { applied, number }));
    onClose();
  };

  return (
    <Modal
      opened
      onClose={close}
      closeButtonProps={{ "aria-label": common("close") }}
      title={t("title", { activity: activity.name })}
      size={480}
    >
      {result ? (
        <RejectedLocks
          answer={{ done: result.applied, unchanged: 0, rejected: result.rejected, batchId: result.batchId }}
          codes={new Map(dus.map(({ duId, code }) => [duId, code]))}
          activities={new Map([[activity.id, activity.name]])}
          onClose={onClose}
        />
      ) : (
        <form className={classes.form} onSubmit={submit} noValidate>
          <p className={classes.help}>
            {only ? only.code : lock("dus", { count: dus.length })} · {t(frozen ? "helpFrozen" : "helpControl")}
          </p>
          <div className={classes.days}>
            {fields.map((field) => (
              <Field key={field} id={`${id}-${field}`} label={t(field)} {...(only ? {} : { help: t("emptyStays") })}>
                <DayInput
                  id={`${id}-${field}`}
                  value={dates[field]}
                  clearable={only !== undefined}
                  error={fault?.field === "dates"}
                  aria-describedby={fieldNoteId(`${id}-${field}`)}
                  onChange={(day) => {
                    setDates({ ...dates, [field]: day });
                    setFault(null);
                  }}
                />
              </Field>
            ))}
          </div>
          {tooMany || fault?.field === "dates" ? (
            <p className={classes.fault} role="alert">
              {tooMany ? t("tooMany", { max: planChangeDusMax }) : fault?.text}
            </p>
          ) : null}
          <ReasonField
            id={`${id}-reason`}
            value={reason}
            fault={fault?.field === "reason" ? fault.text : null}
            onChange={(next) => {
              setReason(next);
              setFault(null);
            }}
          />
          <div className={classes.foot}>
            <Button onClick={close}>{common("cancel")}</Button>
            <Button type="submit" variant="filled" disabled={changed.length === 0 || tooMany} loading={busy}>
              {t("apply", { count: dus.length })}
            </Button>
          </div>
        </form>
      )}
      {question}
    </Modal>
  );
}
