"use client";
import { Button } from "@mantine/core";
import { IconCircleCheck, IconDownload } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useEffect } from "react";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { LinkButton } from "#components/ui/link-button.tsx";
import { taskFile } from "#components/ui/task-file.ts";
import { UndoBatch } from "#components/ui/undo-batch.tsx";
import { useHref, useProjectNumber } from "#components/ui/use-href.ts";
import { formatNumber, formatSpan } from "#lib/core/format.ts";
import type { TaskRow } from "#lib/tasks/queries.ts";
import type { ApplyResult } from "./import-api.ts";
import classes from "./import-wizard.module.css";
import { OutcomeMark } from "./preview-table.tsx";

type Props = {
  task: Omit<TaskRow, "result"> & { result: unknown };
  /** Where the result leads; the plan when absent. */
  target?: { href: string; label: string } | undefined;
  onAgain: () => void;
};

/** Last step: what was written, and the refused rows to correct. */
export function ResultStep({ task, target, onAgain }: Props) {
  const t = useTranslations("imports");
  const href = useHref();
  const project = useProjectNumber();
  const client = useQueryClient();
  // What screens have read before the import is old now, theirs that are not shown included.
  useEffect(() => void client.invalidateQueries(), [client]);
  const result = task.result as ApplyResult | null;
  const took = task.startedAt && task.finishedAt ? new Date(task.finishedAt).getTime() - new Date(task.startedAt).getTime() : null;
  if (!result)
    return (
      <div className={classes.single}>
        <ErrorPanel title={t(task.status === "cancelled" ? "result.cancelled" : "result.failed")} text={t("result.failedText")}>
          <Button onClick={onAgain}>{t("result.again")}</Button>
        </ErrorPanel>
      </div>
    );
  const figures = [
    { outcome: "changed", label: t("result.written"), value: result.written },
    { outcome: "unchanged", label: t("result.unchanged"), value: result.unchanged },
    { outcome: "rejected", label: t("result.rejected"), value: result.rejected },
  ] as const;
  return (
    <div className={classes.single}>
      <div className={classes.work}>
        <h2>
          {result.written > 0 ? <IconCircleCheck size={16} stroke={1.4} className={classes.ok} aria-hidden="true" /> : null}
          {t(result.written > 0 ? "result.title" : "result.nothing", { count: result.written })}
        </h2>
        {took === null ? null : <p className={classes.hint}>{t("result.took", { time: formatSpan(took) })}</p>}
        <dl className={classes.tiles}>
          {figures.map(({ outcome, label, value }) => (
            <div key={outcome}>
              <dd>{formatNumber(value)}</dd>
              <dt>
                <OutcomeMark outcome={outcome} word={false} />
                {label}
              </dt>
            </div>
          ))}
        </dl>
        {result.rejected > 0 ? <p>{t("result.correct")}</p> : null}
        <div className={classes.row}>
          {result.rejected > 0 && task.files.error ? (
            <a className={classes.button} href={taskFile(task.id, "error", project)} download>
              <IconDownload size={16} stroke={1.4} aria-hidden="true" />
              {t("panel.download")}
            </a>
          ) : null}
          {result.undo && task.finishedAt ? <UndoBatch batchId={result.undo} finishedAt={task.finishedAt} verb={t("result.undo")} /> : null}
          <Button onClick={onAgain}>{t("result.again")}</Button>
          <LinkButton href={target?.href ?? href("rolloutPlan")} primary>
            {target?.label ?? t("result.plan")}
          </LinkButton>
        </div>
      </div>
    </div>
  );
}
