"use client";
import { Button } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useEffect, useEffectEvent } from "react";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { ProgressBar } from "#components/ui/progress-bar.tsx";
import { taskFile } from "#components/ui/task-file.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { useTask } from "#components/ui/use-task.ts";
import type { ReleaseResult } from "#lib/scheduling/releases/commands.ts";
import type { TaskRow } from "#lib/tasks/queries.ts";
import { RefusedRows } from "./refused-rows.tsx";
import classes from "./schedule.module.css";

type Outcome = {
  result: ReleaseResult;
  /** Of a release in the background, whose workbook has all refused DUs. */
  taskId: string | null;
  onClose: () => void;
  onSelect: (duIds: readonly number[]) => void;
};

/** What was released and the DUs that were not, with a way to select those, and to the workbook of them. */
export function ReleaseOutcome({ result, taskId, onClose, onSelect }: Outcome) {
  const t = useTranslations("scheduling.release");
  const common = useTranslations("common");
  const project = useProjectNumber();
  const { released, version, baseline, refused, refusedCount, refusedDus } = result;
  return (
    <div className={classes.done}>
      <p role="status">
        {version ? t("done", { released, code: version.code, refused: refusedDus.length }) : t("none")}
        {baseline ? ` · ${t("baselineDone", { code: baseline.code })}` : null}
      </p>
      <div className={classes.main}>
        {refused.length === refusedCount ? null : (
          <p className={classes.unwritten}>{t("warnedOf", { shown: refused.length, all: refusedCount })}</p>
        )}
        <RefusedRows rows={refused} />
      </div>
      <div className={classes.foot}>
        {taskId && refusedCount > 0 ? (
          <Button component="a" href={taskFile(taskId, "error", project)} download>
            {t("downloadRefused")}
          </Button>
        ) : null}
        {refusedDus.length > 0 ? <Button onClick={() => onSelect(refusedDus)}>{t("selectRefused")}</Button> : null}
        <Button data-autofocus variant="filled" onClick={onClose}>
          {common("close")}
        </Button>
      </div>
    </div>
  );
}

type ReleaseTask = Omit<TaskRow, "result"> & { result: ReleaseResult | null };

/** A release in the background, followed to its end. */
export function ReleaseProgress({
  taskId,
  onDone,
  onClose,
}: {
  taskId: string;
  onDone: (result: ReleaseResult) => void;
  onClose: () => void;
}) {
  const t = useTranslations("scheduling.release");
  const common = useTranslations("common");
  const task = useTask<ReleaseTask>(taskId);
  const result = task.data?.result ?? null;
  const done = useEffectEvent(onDone);
  useEffect(() => {
    if (result) done(result);
  }, [result]);
  const over = task.data && !["queued", "running"].includes(task.data.status) && !result;
  return (
    <div className={classes.done}>
      {task.isError ? (
        <ErrorPanel title={t("unread")} failed={task.error} onRetry={() => task.refetch()} />
      ) : over ? (
        <ErrorPanel title={t("failedTask")} text={task.data?.message} />
      ) : (
        <div className={classes.busy}>
          <p role="status">{t("running")}</p>
          <ProgressBar done={task.data?.progress ?? 0} total={100} label={t("running")} large />
          <p>{t("background")}</p>
        </div>
      )}
      <div className={classes.foot}>
        <Button data-autofocus onClick={onClose}>
          {common("close")}
        </Button>
      </div>
    </div>
  );
}
