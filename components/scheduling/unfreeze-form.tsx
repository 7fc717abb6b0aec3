"use client";
import { Button } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { unfreezeActivities } from "#lib/scheduling/locks/actions.ts";
import type { FreezeRow } from "#lib/scheduling/locks/queries.ts";
import classes from "./locks.module.css";
import { ReasonField } from "./reason-field.tsx";

/** Ends the freeze of chosen rows, with one reason. */
export function UnfreezeForm({ rows, onClose, onDone }: { rows: readonly FreezeRow[]; onClose: () => void; onDone: () => Promise<void> }) {
  const t = useTranslations("scheduling.lock");
  const common = useTranslations("common");
  const id = useId();
  const [reason, setReason] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const [unfreeze, busy] = useAction(unfreezeActivities);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (reason.trim() === "") return setFault(t("reasonMissing"));
    const answer = await unfreeze({ items: rows.map(({ duId, activityId }) => ({ duId, activityId })), reason });
    if (answer.status >= 400 || !answer.data) return setFault(answer.problems?.[0]?.msg ?? answer.msg ?? t("failed"));
    const { done, unchanged, rejected } = answer.data;
    if (rejected.length > 0) return setFault(rejected[0]!.msg);
    toast.done(t("done", { done, unchanged }));
    await onDone();
    onClose();
  };
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <p className={classes.help}>{t("help.unfreeze")}</p>
      <ReasonField
        id={`${id}-reason`}
        value={reason}
        fault={fault}
        autofocus
        onChange={(next) => {
          setReason(next);
          setFault(null);
        }}
      />
      <div className={classes.foot}>
        <Button onClick={onClose}>{common("cancel")}</Button>
        <Button type="submit" variant="filled" loading={busy}>
          {t("apply.unfreeze")}
        </Button>
      </div>
    </form>
  );
}
