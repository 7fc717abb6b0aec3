"use client";
import { Button } from "@mantine/core";
import { useTranslations } from "next-intl";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import type { LockAnswer } from "#lib/scheduling/locks/commands.ts";
import classes from "./locks.module.css";
import { FindingTable } from "./preview-result.tsx";

type Props = {
  answer: LockAnswer;
  codes?: ReadonlyMap<number, string> | undefined;
  activities: ReadonlyMap<number, string>;
  onClose: () => void;
};

/** What became of a batch of locks: the number done and every refused activity with its reason. */
export function RejectedLocks({ answer, codes, activities, onClose }: Props) {
  const t = useTranslations("scheduling.lock");
  const common = useTranslations("common");
  const rows = answer.rejected.map(({ duId, activityId, msg }) => ({
    duId,
    duCode: codes?.get(duId) ?? null,
    activityId,
    activityName: activities.get(activityId) ?? null,
    text: msg,
  }));
  return (
    <div className={classes.form}>
      <p role="status">{t("result", { done: answer.done, rejected: rows.length })}</p>
      <ScrollRegion className={classes.rejected} label={t("rejected")}>
        <FindingTable rows={rows} />
      </ScrollRegion>
      <div className={classes.foot}>
        <Button data-autofocus variant="filled" onClick={onClose}>
          {common("close")}
        </Button>
      </div>
    </div>
  );
}
