"use client";
import { IconAlertTriangle, IconCheck, IconClock, IconClockOff, IconLoader2, IconPlayerStop, IconX } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { ProgressBar } from "#components/ui/progress-bar.tsx";
import { Tag } from "#components/ui/status-tag.tsx";
import { formatNumber } from "#lib/core/format.ts";
import type { TaskRow } from "#lib/tasks/queries.ts";
import { isOpen, stateOf, toneOf } from "./task-view.ts";
import classes from "./tasks.module.css";

const icon = { size: 12, stroke: 1.7, "aria-hidden": true } as const;
const icons: Record<ReturnType<typeof stateOf>, ReactNode> = {
  queued: <IconClock {...icon} />,
  running: <IconLoader2 {...icon} />,
  stopping: <IconPlayerStop {...icon} />,
  succeeded: <IconCheck {...icon} />,
  partial: <IconAlertTriangle {...icon} />,
  failed: <IconX {...icon} />,
  cancelled: <IconPlayerStop {...icon} />,
  expired: <IconClockOff {...icon} />,
};

/** The state of a task as glyph, word and colour. */
export function TaskState({ task }: { task: TaskRow }) {
  const t = useTranslations("tasks");
  const state = stateOf(task);
  return (
    <Tag tone={toneOf(task)} icon={icons[state]}>
      {t(`status.${state}`)}
    </Tag>
  );
}

/** How far an open task is; what an ended one has done and what failed. */
export function TaskCounts({ task }: { task: TaskRow }) {
  const t = useTranslations("tasks");
  if (isOpen(task))
    return (
      <span className={classes.progress}>
        <ProgressBar
          done={task.progress}
          total={task.status === "queued" ? null : 100}
          label={t("dialog.progress", { title: task.title })}
        />
        <span className={classes.percent}>{task.status === "queued" ? "" : `${task.progress}\u00a0%`}</span>
      </span>
    );
  if (task.doneCount + task.failedCount === 0) return <span className={classes.quiet}>-</span>;
  return (
    <span className={classes.counts}>
      <span>{t("counts.done", { count: formatNumber(task.doneCount) })}</span>
      {task.failedCount > 0 ? (
        <span className={classes.failed}>{t("counts.failed", { count: formatNumber(task.failedCount) })}</span>
      ) : null}
    </span>
  );
}

/** What a task says about itself. */
export function TaskMessage({ task }: { task: TaskRow }) {
  return task.message ? <p className={task.status === "failed" ? classes.failed : classes.quiet}>{task.message}</p> : null;
}
