"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useEdited } from "#components/ui/close-guard.tsx";
import { ActivityChoices, BatchFrame, type BatchProps, BatchReason, useBatch } from "./batch-frame.tsx";
import styles from "./dialogs.module.css";

/** Closes completed activities of the chosen DUs, so that their dates stay as they are, or reopens closed ones with a reason. */
export function BatchCloseDialog({ verb, ...props }: BatchProps & { verb: "close" | "reopen" }) {
  const { duIds, activities, preset } = props;
  const t = useTranslations("plan-grid");
  const batch = useBatch(`rolloutPlan/${verb}`, false);
  const { outdated } = batch;
  const [chosen, setChosen] = useState<readonly number[]>(
    activities.length === 1 ? activities.map((activity) => activity.activityId) : preset,
  );
  const [reason, setReason] = useState("");
  const given = reason.trim();
  const isEdited = useEdited([chosen, reason]);
  const run = async () => {
    const answer = await batch.run({ duIds, activityIds: chosen, ...(verb === "reopen" ? { reason: given } : {}) }, false);
    if (answer) props.onApplied(answer, t("batch.note", { dus: duIds.length, activities: chosen.length, what: t(`closing.told.${verb}`) }));
  };
  return (
    <BatchFrame
      {...props}
      title={t(`closing.title.${verb}`, { count: duIds.length })}
      batch={batch}
      isEdited={isEdited}
      complete={chosen.length > 0 && (verb === "close" || given !== "")}
      onPreview={() => void run()}
      onApply={() => void run()}
      verb={t(`closing.${verb}`)}
    >
      <p className={styles.place}>{t(`closing.text.${verb}`)}</p>
      <ActivityChoices activities={activities} chosen={chosen} onChange={outdated(setChosen)} />
      {verb === "reopen" && <BatchReason value={reason} required onChange={outdated(setReason)} />}
    </BatchFrame>
  );
}
