"use client";
import { Button, Select, Textarea } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { useEdited } from "#components/ui/close-guard.tsx";
import { DayInput } from "#components/ui/day-input.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { FormModal, type GuardedForm } from "#components/ui/form-modal.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { useTellEdited } from "#components/ui/use-tell-edited.ts";
import { saveDelegation } from "#lib/access/delegations/actions.ts";
import { delegableRoles, reasonChars } from "#lib/access/limits.ts";
import { projectToday } from "#lib/core/clock.ts";
import { roleName } from "#lib/core/format.ts";
import classes from "./access.module.css";
import { type Person, PersonField } from "./person-field.tsx";

type Props = { opened: boolean; onClose: () => void; onDone: () => unknown };

/** Names a delegate for a role of one's own. */
export function DelegationDialog({ opened, onClose, onDone }: Props) {
  const t = useTranslations("access.delegations");
  return (
    <FormModal opened={opened} title={t("new")} size={480} onClose={onClose}>
      {(guarded) => (opened ? <DelegationForm onClose={onClose} onDone={onDone} {...guarded} /> : null)}
    </FormModal>
  );
}

function DelegationForm({ onEdited, onCancel, onClose, onDone }: Omit<Props, "opened"> & GuardedForm) {
  const t = useTranslations("access.delegations");
  const common = useTranslations("common");
  const id = useId();
  const { roles, offset } = useSession();
  const own = delegableRoles.filter((role) => roles.includes(role));
  const [role, setRole] = useState(own[0]);
  const [delegate, setDelegate] = useState<Person | null>(null);
  const [from, setFrom] = useState(projectToday(new Date(), offset));
  const [to, setTo] = useState("");
  const [reason, setReason] = useState("");
  const [tried, setTried] = useState(false);
  const [fault, setFault] = useState<string[]>([]);
  const [save, saving] = useAction(saveDelegation);
  useTellEdited(useEdited([role, delegate, from, to, reason]), onEdited);
  const submit = async () => {
    setTried(true);
    if (!role || !delegate || !from || !to) return;
    const answer = await save({ role, delegateId: delegate.id, validFrom: from, validTo: to, reason: reason.trim() || null });
    if (answer.status >= 400) return setFault(answer.problems?.map(({ msg }) => msg) ?? [answer.msg ?? String(answer.code)]);
    toast.done(t("done", { name: delegate.name }));
    onClose();
    await onDone();
  };
  return (
    <div className={classes.form}>
      <Field label={t("role")} id={`${id}-role`} required width={240}>
        <Select
          id={`${id}-role`}
          data={own.map((name) => ({ value: name, label: roleName(name) }))}
          value={role ?? null}
          allowDeselect={false}
          onChange={(next) => setRole(own.find((name) => name === next))}
        />
      </Field>
      <Field label={t("delegate")} id={`${id}-delegate`} required error={tried && !delegate ? t("chooseDelegate") : undefined}>
        <PersonField
          id={`${id}-delegate`}
          among="members"
          value={delegate}
          placeholder={t("search")}
          error={tried && !delegate}
          aria-describedby={fieldNoteId(`${id}-delegate`)}
          onChange={setDelegate}
        />
      </Field>
      <div className={classes.line}>
        <Field label={t("validFrom")} id={`${id}-from`} required>
          <DayInput id={`${id}-from`} value={from} onChange={setFrom} error={tried && !from} />
        </Field>
        <Field label={t("validTo")} id={`${id}-to`} required error={tried && !(from && to) ? t("chooseDays") : undefined}>
          <DayInput id={`${id}-to`} value={to} onChange={setTo} error={tried && !to} aria-describedby={fieldNoteId(`${id}-to`)} />
        </Field>
      </div>
      <Field label={t("reason")} id={`${id}-reason`} count={{ used: [...reason].length, max: reasonChars }}>
        <Textarea
          id={`${id}-reason`}
          autosize
          minRows={2}
          maxRows={6}
          maxLength={reasonChars}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      </Field>
      <div role="alert">
        {fault.map((text) => (
          <p key={text} className={classes.fault}>
            {text}
          </p>
        ))}
      </div>
      <div className={classes.foot}>
        <Button onClick={onCancel}>{common("cancel")}</Button>
        <Button variant="filled" loading={saving} onClick={submit}>
          {t("verb")}
        </Button>
      </div>
    </div>
  );
}
