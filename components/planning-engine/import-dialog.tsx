"use client";
import { Button, Modal } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconDownload } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { FileDrop } from "#components/ui/file-drop.tsx";
import listFrame from "#components/ui/list-frame.module.css";
import { ProgressBar } from "#components/ui/progress-bar.tsx";
import { taskFile } from "#components/ui/task-file.ts";
import { uploadFile } from "#components/ui/upload-file.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { useTask } from "#components/ui/use-task.ts";
import { signalAnswer } from "#lib/core/answer-signal.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { formatNumber } from "#lib/core/format.ts";
import { maxUploadBytes } from "#lib/core/workbook-limits.ts";
import type { InputBlock } from "#lib/planning-engine/input-check/limits.ts";
import { inputSheetEnding } from "#lib/planning-engine/sheets/limits.ts";
import type { TaskRow } from "#lib/tasks/queries.ts";
import classes from "./inputs.module.css";

type Props = { versionId: number; block: InputBlock; title: string; onDone: () => void; onClose: () => void };

const largest = `${formatNumber(maxUploadBytes / 1_048_576)}\u00a0MB`;
const ending = `.${inputSheetEnding}`;

/** Takes a workbook of an input: sent, checked and written whole or not at all; what is refused comes back as a workbook with its reasons. [ENG-20] */
export function ImportDialog({ versionId, block, title, onDone, onClose }: Props) {
  const t = useTranslations("engine-home.import");
  const common = useTranslations("common");
  const project = useProjectNumber();
  const [sending, setSending] = useState<string | null>(null);
  const [taskId, setTaskId] = useState<string | null>(null);
  const [problem, setProblem] = useState<string>();
  const found = useTask<TaskRow>(taskId);
  const task = found.data;
  const over = task !== undefined && task.status !== "queued" && task.status !== "running";
  const told = useRef(false);
  useEffect(() => {
    if (!over || told.current) return;
    told.current = true;
    onDone();
  }, [over, onDone]);

  const start = async (file: File | undefined) => {
    if (!file) return;
    setProblem(undefined);
    if (!file.name.toLowerCase().endsWith(ending)) return setProblem(t("wrongEnding", { ending }));
    if (file.size > maxUploadBytes) return setProblem(t("tooLarge", { max: largest }));
    setSending(file.name);
    const stored = await uploadFile(file, project);
    const answer = stored.data
      ? signalAnswer(await callDoor<{ taskId: string }>("engine/input/import", { versionId, block, fileId: stored.data.fileId }))
      : stored;
    setSending(null);
    if (answer.data && "taskId" in answer.data) setTaskId(answer.data.taskId);
    else setProblem(answer.problems?.[0]?.msg ?? answer.msg ?? t("failed"));
  };
  const again = () => {
    told.current = false;
    setTaskId(null);
  };
  const isDone = task?.status === "succeeded";
  return (
    <Modal opened onClose={onClose} title={title} size={560} closeButtonProps={{ "aria-label": common("close") }}>
      <div className={classes.form}>
        {sending !== null || (taskId !== null && !over && !found.isError) ? (
          <div aria-live="polite" className={classes.form}>
            <p>{sending === null ? t("checking") : t("sending", { name: sending })}</p>
            <ProgressBar done={0} total={null} label={title} large />
            <p className={listFrame.count}>{t("goesOn")}</p>
          </div>
        ) : over ? (
          <div role="status" className={classes.result} data-done={isDone || undefined}>
            {isDone ? (
              <IconCircleCheck size={16} stroke={1.4} aria-hidden="true" />
            ) : (
              <IconAlertTriangle size={16} stroke={1.4} aria-hidden="true" />
            )}
            <div>
              <p>{isDone ? t("done", { count: task.doneCount }) : (task.message ?? t("failed"))}</p>
              {task.files.error ? (
                <a className={classes.file} href={taskFile(task.id, "error", project)} download>
                  <IconDownload size={14} stroke={1.7} aria-hidden="true" />
                  {t("errorFile")}
                </a>
              ) : null}
            </div>
          </div>
        ) : found.isError ? (
          <ErrorPanel title={t("unread")} failed={found.error} onRetry={() => found.refetch()} />
        ) : (
          <FileDrop
            text={t("drop")}
            verb={t("choose")}
            hint={t("limits", { ending, max: largest })}
            endings={[ending]}
            onFiles={([file]) => void start(file)}
          />
        )}
        {problem ? (
          <p className={classes.problem} role="alert">
            {problem}
          </p>
        ) : null}
        <div className={classes.foot}>
          {over && !isDone ? <Button onClick={again}>{t("again")}</Button> : null}
          <Button variant={over ? "filled" : "default"} onClick={onClose}>
            {common("close")}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
