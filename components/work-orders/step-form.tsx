"use client";
import { Button } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import { useCloseGuard, useEdited } from "#components/ui/close-guard.tsx";
import { DayInput } from "#components/ui/day-input.tsx";
import { Field } from "#components/ui/field.tsx";
import type { GuardedForm } from "#components/ui/form-modal.tsx";
import { withQuestions } from "#components/ui/questions.ts";
import { isSecondPress } from "#components/ui/second-press.ts";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useTellEdited } from "#components/ui/use-tell-edited.ts";
import type { HandEvent } from "#lib/work-orders/orders/logic.ts";
import { AssigneeField } from "./assignee-field.tsx";
import classes from "./orders.module.css";
import { ReasonField } from "./reason-field.tsx";
import { type Names, RejectedOrders, RejectedTable } from "./rejected-orders.tsx";
import { asksAssignee, asksDates, asksReason, type StepChoice, type StepResult, takeStep } from "./steps.ts";

type Props = Partial<GuardedForm> & {
  verb: HandEvent;
  /** What it works on; null while nothing is chosen yet. */
  choice: StepChoice | null;
  names: Names;
  /** Fields above those of the step. */
  children?: ReactNode;
  onSelect?: ((duIds: number[]) => void) | undefined;
  onApplied: (result: StepResult) => void;
  onClose: () => void;
};

/** What a step has to be told, a second question where plans are not released, and what became of it. */
export function StepForm({ verb, choice, names, children, onSelect, onApplied, onEdited, onClose, onCancel }: Props) {
  const t = useTranslations("work-orders");
  const common = useTranslations("common");
  const id = useId();
  const [reason, setReason] = useState("");
  const [assigneeId, setAssigneeId] = useState<number | null>(null);
  const [dates, setDates] = useState({ actualStart: "", actualEnd: "" });
  const [fault, setFault] = useState<{ field: "reason" | "assignee" | "form"; text: string } | null>(null);
  const [asked, setAsked] = useState<StepResult | null>(null);
  const [result, setResult] = useState<StepResult | null>(null);
  const [take, busy] = useAction(takeStep);
  const isEdited = useEdited([choice, reason, assigneeId, dates]);
  useTellEdited(isEdited && !result, onEdited);
  // Cancel asks here where no dialog around does.
  const own = useCloseGuard(isEdited && !result && !onCancel, onClose);
  const faultOf = (field: "reason" | "assignee" | "form") => (fault?.field === field ? fault.text : null);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!choice) return;
    if (asksReason(verb) && reason.trim() === "") {
      setFault({ field: "reason", text: t("form.reasonMissing") });
      document.getElementById(`${id}-reason`)?.focus();
      return;
    }
    if (verb === "reassign" && assigneeId === null) {
      setFault({ field: "assignee", text: t("form.assigneeMissing") });
      return;
    }
    const given = { reason, assigneeId, ...dates, confirmUnreleased: asked !== null };
    const answer = await withQuestions((confirmed) => take({ verb, choice, given: { ...given, confirmed } }));
    if (answer.status >= 400 || !answer.data)
      return setFault({ field: "form", text: answer.problems?.[0]?.msg ?? answer.msg ?? t("form.failed") });
    if (answer.data.needConfirm.length > 0) return setAsked(answer.data);
    if (answer.data.done > 0) onApplied(answer.data);
    if (answer.data.rejected.length > 0) return setResult(answer.data);
    toast.done(t(`done.${verb}`, { count: answer.data.done }));
    onClose();
  };

  if (result)
    return (
      <RejectedOrders
        title={t("result.title", { done: result.done, rejected: result.rejected.length })}
        rows={result.rejected}
        names={names}
        onSelect={onSelect}
        onClose={onClose}
      />
    );
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <p className={classes.help}>{t(`help.${verb}`)}</p>
      {children}
      {asksAssignee(verb) ? (
        <AssigneeField
          id={`${id}-assignee`}
          label={t("form.assignee")}
          address="workOrder/assignees"
          required={verb === "reassign"}
          {...(verb === "dispatch" && { help: t("form.assigneeHelp") })}
          value={assigneeId}
          fault={faultOf("assignee")}
          onChange={(person) => {
            setAssigneeId(person);
            setFault(null);
          }}
        />
      ) : null}
      {asksDates(verb) ? (
        <>
          <Field id={`${id}-start`} label={t("form.actualStart")} help={t(verb === "start" ? "form.todayHelp" : "form.emptyHelp")}>
            <DayInput id={`${id}-start`} value={dates.actualStart} onChange={(actualStart) => setDates({ ...dates, actualStart })} />
          </Field>
          {verb === "complete" ? (
            <Field id={`${id}-end`} label={t("form.actualEnd")} help={t("form.todayHelp")}>
              <DayInput id={`${id}-end`} value={dates.actualEnd} onChange={(actualEnd) => setDates({ ...dates, actualEnd })} />
            </Field>
          ) : null}
        </>
      ) : null}
      {asksReason(verb) ? (
        <ReasonField
          id={`${id}-reason`}
          label={t("form.reason")}
          value={reason}
          fault={faultOf("reason")}
          onChange={(next) => {
            setReason(next);
            setFault(null);
          }}
        />
      ) : null}
      {asked ? (
        <div className={classes.warning} role="alert">
          <strong>{t("form.unreleased", { count: asked.needConfirm.length })}</strong>
          <RejectedTable rows={[...asked.needConfirm, ...asked.rejected]} names={names} />
        </div>
      ) : null}
      {faultOf("form") ? (
        <p className={classes.fault} role="alert">
          {faultOf("form")}
        </p>
      ) : null}
      <div className={classes.foot}>
        <Button onClick={onCancel ?? own.close}>{common("cancel")}</Button>
        <Button
          type="submit"
          variant="filled"
          disabled={!choice}
          loading={busy}
          onClick={(event) => isSecondPress(event) && event.preventDefault()}
        >
          {asked ? t("form.dispatchAnyway") : t(`verb.${verb}`)}
        </Button>
      </div>
      {own.question}
    </form>
  );
}
