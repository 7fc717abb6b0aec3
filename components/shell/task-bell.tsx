"use client";
import { Button } from "@mantine/core";
import { IconProgress } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { DropPanel } from "#components/ui/drop-panel.tsx";
import { asideTask } from "#components/ui/own-task.ts";
import { ProgressBar } from "#components/ui/progress-bar.tsx";
import { toast } from "#components/ui/toast.ts";
import { useHref, useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useLive } from "#components/ui/use-live.ts";
import { callDoor, listAddress } from "#lib/core/call-door.ts";
import type { Page } from "#lib/core/paging.ts";
import { pollMs } from "#lib/tasks/limits.ts";
import classes from "./header.module.css";

type Task = {
  id: string;
  title: string;
  status: string;
  progress: number;
  totalCount: number | null;
  doneCount: number;
  message: string | null;
};

/** How often the bell asks when nothing runs: what starts is told by live events. */
const idleMs = 60_000;
const shownTasks = 8;
const going = (task: Task) => task.status === "queued" || task.status === "running";

/** Running background work of the person in this project; the end of a task is told by a toast with a link. */
export function TaskBell() {
  const t = useTranslations("shell");
  const href = useHref();
  const project = useProjectNumber();
  const [opened, setOpened] = useState(false);
  const before = useRef<ReadonlyMap<string, Task>>(new Map());
  const list = useQuery({
    queryKey: ["tasks", project],
    queryFn: async ({ signal }) => {
      await asideTask();
      return dataOf(await callDoor<Page<Task>>(listAddress("task/list/all", 1, 10), {}, { signal }));
    },
    refetchInterval: ({ state }) => (opened || state.data?.records.some(going) ? pollMs : idleMs),
    retry: false,
  });
  useLive((message) => {
    if (message.kind === "open" || (message.kind === "task" && message.data.own)) void list.refetch();
  });
  const tasks = list.data?.records ?? [];
  const running = tasks.filter(going).length;
  // Asked again and again: that it failed is said until it is read.
  const hasFailed = list.isError || (list.isPending && list.errorUpdateCount > 0);

  useEffect(() => {
    for (const task of list.data?.records ?? []) {
      const earlier = before.current.get(task.id);
      if (!earlier || !going(earlier) || going(task)) continue;
      const actions = [{ label: t("tasks.show"), run: () => window.location.assign(href("tasks")) }];
      const ended = t("tasks.ended", { title: task.title, status: t(`tasks.status.${task.status}`) });
      const text = task.message ? t("tasks.endedSaying", { ended, message: task.message }) : ended;
      if (task.status === "succeeded") toast.done(text, { id: task.id, actions });
      else toast.note(text, { id: task.id, actions });
    }
    before.current = new Map((list.data?.records ?? []).map((task) => [task.id, task]));
  }, [list.data, t, href]);

  return (
    <DropPanel
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      returnFocus
      className={classes.panel}
      label={t("tasks.title")}
      trigger={
        <button
          type="button"
          className={`${classes.button} ${classes.bell}`}
          aria-haspopup="dialog"
          aria-expanded={opened}
          aria-label={t("tasks.bell", { count: running })}
          onClick={() => {
            if (!opened) void list.refetch();
            setOpened(!opened);
          }}
        >
          <IconProgress size={16} stroke={1.4} />
          {running > 0 ? (
            <span className={classes.badge} data-running>
              {running}
            </span>
          ) : null}
        </button>
      }
    >
      <div className={classes.panelTitle}>{t("tasks.title")}</div>
      {hasFailed ? (
        <p className={classes.none} role="alert">
          {t("tasks.failed")}{" "}
          <Button variant="subtle" size="compact-xs" onClick={() => list.refetch()}>
            {t("notices.again")}
          </Button>
        </p>
      ) : list.data && tasks.length === 0 ? (
        <p className={classes.none}>{t("tasks.none")}</p>
      ) : null}
      <ul aria-busy={list.isPending}>
        {tasks.slice(0, shownTasks).map((task) => (
          <li key={task.id} className={classes.line}>
            <span className={classes.lineHead}>
              <span className={classes.ellipsis} title={task.title}>
                {task.title}
              </span>
              <span className={classes.quiet}>
                {going(task) && task.progress > 0 ? `${task.progress} %` : t(`tasks.status.${task.status}`)}
              </span>
            </span>
            {going(task) ? <ProgressBar done={task.progress} total={task.status === "queued" ? null : 100} label={task.title} /> : null}
          </li>
        ))}
      </ul>
      <Link className={classes.panelFoot} href={href("tasks")} prefetch={false} onClick={() => setOpened(false)}>
        {t("tasks.all")}
      </Link>
    </DropPanel>
  );
}
