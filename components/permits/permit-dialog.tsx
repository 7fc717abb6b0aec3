"use client";
import { Select, Textarea } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useEdited } from "#components/ui/close-guard.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { FormModal, type GuardedForm } from "#components/ui/form-modal.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useTellEdited } from "#components/ui/use-tell-edited.ts";
import { submitPermit } from "#lib/rollout-plan/permits/actions.ts";
import { type PermitKind, permitDusMax, permitKinds, permitTextChars } from "#lib/rollout-plan/permits/limits.ts";
import classes from "./permits.module.css";

type Props = { opened: boolean; duIds: number[]; duCode: (duId: number) => string; onClose: () => void };

/** Applies for a permit for the chosen DUs. */
export function PermitDialog({ opened, duIds, duCode, onClose }: Props) {
  const t = useTranslations("permits");
  return (
    <FormModal opened={opened} title={t("title")} size={560} onClose={onClose}>
      {(guarded) => (opened ? <PermitForm duIds={duIds} duCode={duCode} onClose={onClose} {...guarded} /> : null)}
    </FormModal>
  );
}

function PermitForm({ duIds, duCode, onEdited, onCancel, onClose }: Omit<Props, "opened"> & GuardedForm) {
  const t = useTranslations("permits");
  const common = useTranslations("common");
  const id = useId();
  const [kind, setKind] = useState<PermitKind>("landlord");
  const [reason, setReason] = useState("");
  const [fault, setFault] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [submit, busy] = useAction(submitPermit);
  useTellEdited(useEdited([kind, reason]), onEdited);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    const answer = await submit({ duIds, kind, reason });
    if (answer.data) {
      toast.done(t("submitted", { count: duIds.length }));
      return onClose();
    }
    const own = answer.problems?.find(({ path }) => path === "reason");
    if (own) {
      document.getElementById(`${id}-reason`)?.focus();
      setFault(own.msg);
    } else setProblem(answer.problems?.[0]?.msg ?? answer.msg ?? answer.code);
  };
  return (
    <form className={classes.form} onSubmit={send} noValidate>
      <p className={classes.help}>
        {t("dus", { count: duIds.length, max: permitDusMax })} {duIds.map(duCode).join(", ")}
      </p>
      <Field id={`${id}-kind`} label={t("kindLabel")} required>
        <Select
          id={`${id}-kind`}
          allowDeselect={false}
          data={permitKinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
          value={kind}
          onChange={(value) => setKind((value ?? kind) as PermitKind)}
        />
      </Field>
      <Field id={`${id}-reason`} label={common("reason")} required count={{ used: reason.length, max: permitTextChars }} error={fault}>
        <Textarea
          id={`${id}-reason`}
          data-autofocus
          required
          autosize
          minRows={2}
          maxRows={6}
          maxLength={permitTextChars}
          value={reason}
          error={Boolean(fault)}
          aria-describedby={fieldNoteId(`${id}-reason`)}
          onChange={(event) => {
            setReason(event.currentTarget.value);
            setFault(undefined);
          }}
        />
      </Field>
      <DialogFoot problem={problem} verb={t("submit")} busy={busy} disabled={duIds.length > permitDusMax} onClose={onCancel} />
    </form>
  );
}
