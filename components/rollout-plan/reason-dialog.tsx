"use client";

import { Button, Textarea } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useCloseGuard, useEdited } from "#components/ui/close-guard.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { reasonChars } from "#lib/rollout-plan/edits/limits.ts";
import styles from "./dialogs.module.css";
import { PlanDialog } from "./plan-dialog.tsx";

type Props = { title: string; note: string; verb: string; onReason: (reason: string) => unknown; onClose: () => void };

/** Asks why, before facts are changed; what was typed stays until the reason is taken. */
export function ReasonDialog({ title, note, verb, onReason, onClose }: Props) {
  const t = useTranslations("plan-grid");
  const id = useId();
  const [reason, setReason] = useState("");
  const [busy, setBusy] = useState(false);
  const { close, question } = useCloseGuard(useEdited(reason), onClose);
  const given = reason.trim();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!given || busy) return;
    setBusy(true);
    try {
      await onReason(given);
    } finally {
      setBusy(false);
    }
  };
  return (
    <PlanDialog onClose={() => busy || close()} title={title} size={460}>
      <form onSubmit={submit}>
        <p className={styles.place}>{note}</p>
        <Field id={id} label={t("reason.label")} required count={{ used: [...given].length, max: reasonChars }}>
          <Textarea
            id={id}
            data-autofocus
            autosize
            minRows={2}
            maxRows={6}
            maxLength={reasonChars}
            value={reason}
            aria-describedby={fieldNoteId(id)}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        </Field>
        <div className={styles.foot}>
          <span className={styles.grow} />
          <Button onClick={close} disabled={busy}>
            {t("reason.cancel")}
          </Button>
          <Button type="submit" variant="filled" disabled={!given} loading={busy}>
            {verb}
          </Button>
        </div>
      </form>
      {question}
    </PlanDialog>
  );
}
