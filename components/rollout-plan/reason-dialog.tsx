"use client";

import { Button, Textarea } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { reasonChars } from "#lib/rollout-plan/edits/limits.ts";
import styles from "./dialogs.module.css";
import { PlanDialog } from "./plan-dialog.tsx";

type Props = { title: string; note: string; verb: string; onReason: (reason: string) => void; onClose: () => void };

/** Asks why, before facts are changed. */
export function ReasonDialog({ title, note, verb, onReason, onClose }: Props) {
  const t = useTranslations("plan-grid");
  const id = useId();
  const [reason, setReason] = useState("");
  const given = reason.trim();
  return (
    <PlanDialog onClose={onClose} title={title} size={460}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (given) onReason(given);
        }}
      >
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
          <Button onClick={onClose}>{t("reason.cancel")}</Button>
          <Button type="submit" variant="filled" disabled={!given}>
            {verb}
          </Button>
        </div>
      </form>
    </PlanDialog>
  );
}
