"use client";
import { Button, Radio } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import { useEdited } from "#components/ui/close-guard.tsx";
import type { GuardedForm } from "#components/ui/form-modal.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useTellEdited } from "#components/ui/use-tell-edited.ts";
import { requestNa, requestNaCancel } from "#lib/work-orders/na-requests/actions.ts";
import type { NaAnswer } from "#lib/work-orders/na-requests/commands.ts";
import { naMinutes } from "#lib/work-orders/na-requests/limits.ts";
import { AssigneeField } from "./assignee-field.tsx";
import classes from "./orders.module.css";
import { ReasonField } from "./reason-field.tsx";
import { type Names, RejectedOrders } from "./rejected-orders.tsx";

export type NaVerb = "setNa" | "cancelNa";

type Props = Partial<GuardedForm> & {
  verb: NaVerb;
  choice: { duIds: number[]; activityIds: number[] } | null;
  names: Names;
  children?: ReactNode;
  onSelect?: ((duIds: number[]) => void) | undefined;
  onApplied: (requested: number) => void;
  onClose: () => void;
};

/** Asks for NA or INV, or for its end, with one reason for all; the background carries it out. */
export function NaForm({ verb, choice, names, children, onSelect, onApplied, onEdited, onClose, onCancel = onClose }: Props) {
  const t = useTranslations("work-orders");
  const common = useTranslations("common");
  const id = useId();
  const [kind, setKind] = useState<"NA" | "INV">("NA");
  const [reason, setReason] = useState("");
  const [approverId, setApproverId] = useState<number | null>(null);
  const [missing, setMissing] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const [result, setResult] = useState<NaAnswer | null>(null);
  const [set, setting] = useAction(requestNa);
  const [cancel, cancelling] = useAction(requestNaCancel);
  const isEdited = useEdited([choice, kind, reason, approverId]);
  useTellEdited(isEdited && !result, onEdited);
  const note = ({ requested, approving }: NaAnswer) => t("form.naNote", { requested, approving, minutes: naMinutes });

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!choice) return;
    if (reason.trim() === "") {
      setMissing(true);
      document.getElementById(`${id}-reason`)?.focus();
      return;
    }
    const input = { ...choice, reason, ...(approverId !== null && { approverId }) };
    const answer = verb === "setNa" ? await set({ ...input, kind }) : await cancel(input);
    if (answer.status >= 400 || !answer.data) return setFault(answer.problems?.[0]?.msg ?? answer.msg ?? t("form.failed"));
    if (answer.data.requested > 0) onApplied(answer.data.requested);
    if (answer.data.rejected.length > 0) return setResult(answer.data);
    toast.done(note(answer.data));
    onClose();
  };

  if (result)
    return (
      <RejectedOrders
        title={t("result.requested", { requested: result.requested, rejected: result.rejected.length })}
        note={result.requested > 0 ? note(result) : undefined}
        rows={result.rejected}
        names={names}
        onSelect={onSelect}
        onClose={onClose}
      />
    );
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <p className={classes.help}>{t(`help.${verb}`, { minutes: naMinutes })}</p>
      {children}
      {verb === "setNa" ? (
        <Radio.Group label={t("form.kind")} value={kind} onChange={(next) => setKind(next as "NA" | "INV")}>
          <div className={classes.kinds}>
            <Radio value="NA" label={t("form.kindNa")} />
            <Radio value="INV" label={t("form.kindInv")} />
          </div>
        </Radio.Group>
      ) : null}
      <ReasonField
        id={`${id}-reason`}
        label={t("form.reason")}
        value={reason}
        fault={missing ? t("form.reasonMissing") : null}
        onChange={(next) => {
          setReason(next);
          setMissing(false);
        }}
      />
      <AssigneeField
        id={`${id}-approver`}
        label={t("form.approver")}
        address="activity/na/approvers"
        help={t("form.approverHelp")}
        value={approverId}
        onChange={setApproverId}
      />
      {fault ? (
        <p className={classes.fault} role="alert">
          {fault}
        </p>
      ) : null}
      <div className={classes.foot}>
        <Button onClick={onCancel}>{common("cancel")}</Button>
        <Button type="submit" variant="filled" disabled={!choice} loading={setting || cancelling}>
          {t(`verb.${verb}`)}
        </Button>
      </div>
    </form>
  );
}
