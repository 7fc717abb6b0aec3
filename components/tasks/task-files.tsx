"use client";
import { IconDownload } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { taskFile } from "#components/ui/task-file.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { formatBytes } from "#lib/core/format.ts";
import { fileParts } from "#lib/tasks/limits.ts";
import type { TaskRow } from "#lib/tasks/queries.ts";
import classes from "./tasks.module.css";

/** Links to the files of a task: what went in, what came out, what failed. */
export function TaskFiles({ task }: { task: TaskRow }) {
  const t = useTranslations("tasks");
  const project = useProjectNumber();
  const parts = fileParts.filter((part) => task.files[part]);
  if (parts.length === 0) return <span className={classes.quiet}>-</span>;
  if (task.status === "expired") return <span className={classes.quiet}>{t("file.expired")}</span>;
  return (
    <span className={classes.files}>
      {parts.map((part) => {
        const hint = t("file.download", { name: task.files[part]?.name ?? "", size: formatBytes(task.files[part]?.size) });
        return (
          <a
            key={part}
            className={classes.file}
            href={taskFile(task.id, part, project)}
            download
            title={hint}
            aria-label={`${t(`file.${part}`)}: ${hint}`}
          >
            <IconDownload size={12} stroke={1.7} aria-hidden="true" />
            {t(`file.${part}`)}
          </a>
        );
      })}
    </span>
  );
}
