"use client";
import { Button } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { LinkButton } from "#components/ui/link-button.tsx";
import { ProgressBar } from "#components/ui/progress-bar.tsx";
import { toast } from "#components/ui/toast.ts";
import { useHref } from "#components/ui/use-href.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { formatNumber, formatSpan } from "#lib/core/format.ts";
import type { TaskRow } from "#lib/tasks/queries.ts";
import classes from "./import-wizard.module.css";

type Task = Pick<TaskRow, "id" | "status" | "progress" | "totalCount" | "cancelRequested" | "startedAt">;

/** While a task of the import runs: how far it is, how long it takes, and how to stop it. */
export function WorkStep({ what, task }: { what: "check" | "apply"; task: Task | undefined }) {
  const t = useTranslations("imports");
  const href = useHref();
  const [now, setNow] = useState(() => Date.now());
  const [cancelling, setCancelling] = useState(false);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const stop = async () => {
    if (!task) return;
    setCancelling(true);
    const answer = await callDoor(`task/cancel/${task.id}`);
    setCancelling(false);
    if (answer.status >= 400) toast.problem(answer.msg ?? t("work.stopFailed"));
  };
  const waiting = !task || task.status === "queued";
  const done = task?.totalCount ? Math.round((task.totalCount * task.progress) / 100) : null;
  return (
    <div className={classes.single}>
      <div className={classes.work} aria-live="polite">
        <h2>{t(waiting ? "work.waiting" : `work.${what}`)}</h2>
        <p className={classes.hint}>
          {done === null ? "" : t("work.rows", { done: formatNumber(done), total: formatNumber(task?.totalCount) })}
          {task?.startedAt ? ` · ${formatSpan(now - new Date(task.startedAt).getTime())}` : ""}
        </p>
        <ProgressBar done={task?.progress ?? 0} total={waiting ? null : 100} label={t(`work.${what}`)} large />
        <p className={classes.hint}>{t(`work.${what}Stop`)}</p>
        <div className={classes.row}>
          <LinkButton href={href("imports")}>{t("work.background")}</LinkButton>
          <Button loading={cancelling} disabled={!task || task.cancelRequested} onClick={stop}>
            {t(task?.cancelRequested ? "work.stopping" : "work.stop")}
          </Button>
        </div>
      </div>
    </div>
  );
}
