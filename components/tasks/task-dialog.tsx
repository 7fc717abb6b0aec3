"use client";
import { Button, Modal } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { ProgressBar } from "#components/ui/progress-bar.tsx";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useLive } from "#components/ui/use-live.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { formatDay, formatMoment, formatNumber, formatSpan } from "#lib/core/format.ts";
import { pollMs } from "#lib/tasks/limits.ts";
import type { TaskRow } from "#lib/tasks/queries.ts";
import { TaskActions } from "./task-actions.tsx";
import { TaskFiles } from "./task-files.tsx";
import { TaskMessage, TaskState } from "./task-state.tsx";
import { isOpen, runTime, timeLeft } from "./task-view.ts";
import classes from "./tasks.module.css";

type Props = {
  /** The task to show; null closes the dialog. */
  id: string | null;
  onClose: () => void;
  /** Something about the task was changed here. */
  onChange?: () => void;
};

/** One task: how far it is while it runs, what came of it when it has ended. Closing leaves it running. */
export function TaskDialog({ id, onClose, onChange }: Props) {
  const t = useTranslations("tasks");
  const project = useProjectNumber();
  const client = useQueryClient();
  const key = ["task", project, id];
  const reading = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => dataOf(await callDoor<TaskRow>(`task/find/${id}`, undefined, { method: "GET", signal })),
    enabled: id !== null,
    refetchInterval: ({ state }) => (state.data && isOpen(state.data) ? pollMs : false),
    retry: false,
  });
  const refresh = () => client.invalidateQueries({ queryKey: key });
  useLive((message) => {
    if (message.kind === "open" || (message.kind === "task" && message.data.id === id)) void refresh();
  });
  const task = reading.data;
  const changed = () => {
    void refresh();
    onChange?.();
  };

  return (
    <Modal
      opened={id !== null}
      onClose={onClose}
      title={task?.title ?? t("label.all")}
      size={560}
      closeButtonProps={{ "aria-label": t("action.close") }}
      attributes={{ header: { role: "presentation" } }}
    >
      {reading.isError ? (
        <ErrorPanel title={t("failed")} failed={reading.error} onRetry={() => reading.refetch()} />
      ) : task ? (
        <>
          <TaskBody task={task} />
          <div className={classes.foot}>
            <TaskActions task={task} onChange={changed} words />
            <Button data-autofocus className={classes.last} onClick={onClose}>
              {t(isOpen(task) ? "action.background" : "action.close")}
            </Button>
          </div>
        </>
      ) : (
        <div aria-busy="true" />
      )}
    </Modal>
  );
}

function TaskBody({ task }: { task: TaskRow }) {
  const t = useTranslations("tasks");
  const { offset } = useSession();
  const now = useNow(isOpen(task));
  const elapsed = runTime(task, now);
  const left = timeLeft(task, now);
  return (
    <div className={classes.body}>
      <div className={classes.line}>
        <TaskState task={task} />
        <span className={classes.quiet}>
          {t(`direction.${task.direction}`)} · {task.createdByName} · {formatMoment(task.startedAt ?? task.createdAt, offset)}
        </span>
      </div>
      {isOpen(task) ? (
        <>
          <ProgressBar
            large
            done={task.progress}
            total={task.status === "queued" ? null : 100}
            label={t("dialog.progress", { title: task.title })}
          />
          <div className={classes.line} aria-live="off">
            {task.status === "queued" ? (
              <span>{t("dialog.waiting")}</span>
            ) : (
              <>
                <span>{`${task.progress}\u00a0%`}</span>
                <span>{t("dialog.elapsed", { elapsed: formatSpan(elapsed) })}</span>
                {left === null ? null : <span>{t("dialog.left", { left: formatSpan(left) })}</span>}
              </>
            )}
            <span className={classes.quiet}>{t("dialog.leave")}</span>
          </div>
        </>
      ) : null}
      <dl className={classes.figures}>
        <Figure name={t("dialog.done")} value={formatNumber(task.doneCount)} />
        <Figure name={t("dialog.failed")} value={formatNumber(task.failedCount)} alarming={task.failedCount > 0} />
        <Figure name={t("dialog.total")} value={formatNumber(task.totalCount)} />
        {isOpen(task) ? null : <Figure name={t("column.duration")} value={formatSpan(elapsed)} />}
      </dl>
      <TaskMessage task={task} />
      {Object.keys(task.files).length > 0 ? (
        <div className={classes.line}>
          <TaskFiles task={task} />
          {task.expiresAt && task.status !== "expired" ? (
            <span className={classes.quiet}>{t("file.expires", { date: formatDay(task.expiresAt, offset) })}</span>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}

function Figure({ name, value, alarming = false }: { name: string; value: string; alarming?: boolean }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={alarming ? classes.failed : undefined}>{value}</dd>
    </div>
  );
}

/** The present moment, moving on every second while something runs. */
function useNow(moving: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    setNow(Date.now());
    if (!moving) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [moving]);
  return now;
}
