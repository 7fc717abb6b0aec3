"use client";
import { Button, Checkbox, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconDownload, IconPlayerPlay, IconUpload } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { GroupFilter } from "#components/ui/group-filter.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { useHref } from "#components/ui/use-href.ts";
import { refreshList, useList } from "#components/ui/use-list.ts";
import { useLive } from "#components/ui/use-live.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { formatMoment, formatSpan } from "#lib/core/format.ts";
import { fileDays, pollMs } from "#lib/tasks/limits.ts";
import type { TaskRow } from "#lib/tasks/queries.ts";
import { TaskActions } from "./task-actions.tsx";
import { TaskDialog } from "./task-dialog.tsx";
import { TaskFiles } from "./task-files.tsx";
import { TaskCounts, TaskState } from "./task-state.tsx";
import { filtersOf, type Group, groups, isOpen, runTime } from "./task-view.ts";
import classes from "./tasks.module.css";

const pageSize = 50;
const typingMs = 300;
const icons = { import: IconUpload, export: IconDownload, process: IconPlayerPlay };

type Props = {
  list: "all" | "import" | "export";
  /** Task whose dialog is open at first. */
  open?: string | undefined;
};

/** Background tasks of the person, with task.viewAll those of everybody; the list follows them while something runs. */
export function TasksPage({ list, open }: Props) {
  const t = useTranslations("tasks");
  const href = useHref();
  const client = useQueryClient();
  const { can, offset } = useSession();
  const [group, setGroup] = useState<Group>("any");
  const [mine, setMine] = useState(false);
  const [typed, setTyped] = useState("");
  const [title] = useDebouncedValue(typed, typingMs);
  const [shown, setShown] = useState<string | null>(open ?? null);
  const address = `task/list/${list}`;
  const filters = filtersOf(group, mine, title);
  const first = useList<TaskRow>({ address, page: 1, size: pageSize, filters });
  const running = first.data?.records.some(isOpen) ?? false;
  const refresh = () => void refreshList(client, address);
  useLive((message) => {
    if (message.kind === "open" || message.kind === "task") refresh();
  });
  const all = () => {
    setGroup("any");
    setMine(false);
    setTyped("");
  };

  const columns: Column<TaskRow>[] = [
    { key: "status", label: t("column.status"), width: 128, render: (task) => <TaskState task={task} /> },
    { key: "title", label: t("column.title"), render: (task) => <Title task={task} withIcon={list === "all"} /> },
    { key: "doneCount", label: t("column.counts"), width: 210, render: (task) => <TaskCounts task={task} /> },
    { key: "startedAt", label: t("column.started"), width: 150, render: (task) => formatMoment(task.startedAt ?? task.createdAt, offset) },
    { key: "duration", label: t("column.duration"), width: 90, align: "right", render: (task) => formatSpan(runTime(task, Date.now())) },
    ...(can("task.viewAll") ? [{ key: "createdByName", label: t("column.person"), width: 120 }] : []),
    { key: "files", label: t("column.files"), width: 230, render: (task) => <TaskFiles task={task} /> },
    { key: "may", label: t("column.actions"), width: 104, render: (task) => <TaskActions task={task} onChange={refresh} /> },
  ];
  const tabs = [
    { key: "all", label: t("tab.all"), href: href("tasks") },
    { key: "import", label: t("tab.import"), href: href("imports") },
    { key: "export", label: t("tab.export"), href: href("exports") },
  ];
  return (
    <>
      <PageBar tabs={tabs} tab={list} />
      <DataTable<TaskRow>
        label={t(`label.${list}`)}
        address={address}
        filters={filters}
        pageSize={pageSize}
        columns={columns}
        rowKey={(task) => task.id}
        onOpen={(task) => setShown(task.id)}
        refetchInterval={running ? pollMs : false}
        bar={
          <>
            <GroupFilter
              label={t("filter.label")}
              groups={(Object.keys(groups) as Group[]).map((key) => ({ key, label: t(`filter.${key}`) }))}
              value={group}
              onChange={setGroup}
            />
            <TextInput
              size="xs"
              w={200}
              type="search"
              aria-label={t("filter.title")}
              placeholder={t("filter.title")}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
            {can("task.viewAll") ? (
              <Checkbox size="sm" label={t("filter.mine")} checked={mine} onChange={(event) => setMine(event.currentTarget.checked)} />
            ) : null}
          </>
        }
        empty={
          filters.length > 0 ? (
            <EmptyState>
              <Button onClick={all}>{t("empty.show")}</Button>
            </EmptyState>
          ) : (
            <EmptyState title={t(`empty.${list}`)} text={t(`empty.${list}Text`, { days: fileDays })} />
          )
        }
      />
      <TaskDialog id={shown} onClose={() => setShown(null)} onChange={refresh} />
    </>
  );
}

function Title({ task, withIcon }: { task: TaskRow; withIcon: boolean }) {
  const t = useTranslations("tasks");
  const Icon = icons[task.direction];
  return (
    <span className={classes.title} title={task.title}>
      {withIcon ? <Icon size={16} stroke={1.4} role="img" aria-label={t(`direction.${task.direction}`)} /> : null}
      <span className={classes.ellipsis}>{task.title}</span>
    </span>
  );
}
