"use client";
import { Button, Modal } from "@mantine/core";
import { IconAlertTriangle, IconCheck, IconDownload, IconX } from "@tabler/icons-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { FileDrop } from "#components/ui/file-drop.tsx";
import listFrame from "#components/ui/list-frame.module.css";
import { PagedRows } from "#components/ui/paged-rows.tsx";
import { ProgressBar } from "#components/ui/progress-bar.tsx";
import { taskFile } from "#components/ui/task-file.ts";
import { uploadFile } from "#components/ui/upload-file.ts";
import { useHref, useProjectNumber } from "#components/ui/use-href.ts";
import { useTask } from "#components/ui/use-task.ts";
import wrapped from "#components/ui/wrap-table.module.css";
import { callDoor } from "#lib/core/call-door.ts";
import type { Answer } from "#lib/core/error.ts";
import { emptyText, formatBytes, formatNumber } from "#lib/core/format.ts";
import type { ImportResult } from "#lib/du-tabs/sheets/commands.ts";
import { errorsShown, importEndings, importFileBytes, importFilesMax } from "#lib/du-tabs/sheets/limits.ts";
import type { SentPart } from "#lib/tasks/limits.ts";
import type { TaskRow } from "#lib/tasks/queries.ts";
import classes from "./du-tabs.module.css";

type Task = Omit<TaskRow, "result"> & { result: ImportResult | null };

const endings = importEndings.map((ending) => `.${ending}`);
const largest = `${formatNumber(importFileBytes / 1_048_576)}\u00a0MB`;
const isOver = (status: TaskRow["status"]) => status !== "queued" && status !== "running";

/** Takes exported workbooks back: chosen or dropped, sent, checked and written, each all or nothing; then every error by file, sheet, row and column. */
export function ImportDialog({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const t = useTranslations("du-tabs.import");
  const common = useTranslations("common");
  const project = useProjectNumber();
  const [files, setFiles] = useState<readonly File[]>([]);
  const [sent, setSent] = useState<number | null>(null);
  const [taskId, setTaskId] = useState<string | null>(null);
  const [failed, setFailed] = useState<Answer | null>(null);
  const task = useTask<Task>(taskId);
  const over = task.data !== undefined && isOver(task.data.status);
  const told = useRef(false);
  useEffect(() => {
    if (!over || told.current) return;
    told.current = true;
    onDone();
  }, [over, onDone]);

  const start = async () => {
    setFailed(null);
    const fileIds: string[] = [];
    for (const [at, file] of files.entries()) {
      setSent(at);
      const answer = await uploadFile(file, project);
      if (!answer.data) {
        setSent(null);
        return setFailed({ ...answer, msg: `${file.name}: ${answer.msg ?? answer.code ?? ""}` });
      }
      fileIds.push(answer.data.fileId);
    }
    const answer = await callDoor<{ taskId: string }>("duTabAttr/import", { fileIds });
    setSent(null);
    if (answer.data) setTaskId(answer.data.taskId);
    else setFailed(answer);
  };
  const again = () => {
    told.current = false;
    setFiles([]);
    setTaskId(null);
  };
  const running = sent !== null || (taskId !== null && !over && !task.isError);
  return (
    <Modal opened onClose={onClose} title={t("title")} size={over ? 960 : 640} closeButtonProps={{ "aria-label": common("close") }}>
      {running ? (
        <div className={classes.work} aria-live="polite">
          <p>
            {sent === null ? t(task.data?.status === "running" ? "checking" : "waiting") : t("sending", { name: files[sent]?.name ?? "" })}
          </p>
          <ProgressBar done={sent ?? 0} total={sent === null ? null : files.length} label={t("title")} large />
          <p className={classes.quiet}>{t("goesOn")}</p>
        </div>
      ) : over && task.data ? (
        <Result task={task.data} onAgain={again} onClose={onClose} />
      ) : task.isError ? (
        <ErrorPanel title={t("failed")} failed={task.error} onRetry={() => task.refetch()} />
      ) : (
        <Choice files={files} failed={failed} onFiles={setFiles} onStart={() => void start()} onClose={onClose} />
      )}
    </Modal>
  );
}

type ChoiceProps = {
  files: readonly File[];
  failed: Answer | null;
  onFiles: (files: File[]) => void;
  onStart: () => void;
  onClose: () => void;
};

/** The files before they are sent; what the server would refuse is told at once. */
function Choice({ files, failed, onFiles, onStart, onClose }: ChoiceProps) {
  const t = useTranslations("du-tabs.import");
  const common = useTranslations("common");
  const add = (given: readonly File[]) => {
    const names = new Set(files.map(({ name }) => name));
    onFiles([...files, ...given.filter(({ name }) => !names.has(name))]);
  };
  const fault = ({ name, size }: File): string | null => {
    if (!endings.some((ending) => name.toLowerCase().endsWith(ending))) return t("wrongEnding", { endings: endings.join(" ") });
    return size > importFileBytes ? t("tooLarge", { max: largest }) : null;
  };
  const tooMany = files.length > importFilesMax;
  const ready = files.length > 0 && !tooMany && files.every((file) => fault(file) === null);
  return (
    <div className={classes.form}>
      <FileDrop
        text={t("drop")}
        verb={t("choose")}
        hint={t("limits", { files: importFilesMax, max: largest, endings: endings.join(" ") })}
        endings={endings}
        multiple
        onFiles={add}
      />
      {files.length > 0 ? (
        <ol className={classes.files} aria-label={t("files")}>
          {files.map((file) => (
            <li key={file.name}>
              <span>{file.name}</span>
              <span className={classes.quiet}>{formatBytes(file.size)}</span>
              {fault(file) ? (
                <span className={classes.problem} role="alert">
                  {fault(file)}
                </span>
              ) : null}
              <Button
                variant="subtle"
                color="gray"
                size="xs"
                aria-label={t("leaveOut", { name: file.name })}
                onClick={() => onFiles(files.filter((one) => one !== file))}
              >
                <IconX size={14} stroke={1.7} aria-hidden="true" />
              </Button>
            </li>
          ))}
        </ol>
      ) : null}
      {tooMany ? (
        <p className={classes.problem} role="alert">
          {t("tooMany", { max: importFilesMax })}
        </p>
      ) : null}
      {failed ? (
        <p className={classes.problem} role="alert">
          {failed.problems?.[0]?.msg ?? failed.msg ?? t("failed")}
        </p>
      ) : null}
      <p className={classes.quiet}>{t("note")}</p>
      <div className={classes.foot}>
        <Button onClick={onClose}>{common("cancel")}</Button>
        <Button variant="filled" disabled={!ready} onClick={onStart}>
          {t("verb")}
        </Button>
      </div>
    </div>
  );
}

/** What became of each file, the copies with marked cells, and the errors. */
function Result({ task, onAgain, onClose }: { task: Task; onAgain: () => void; onClose: () => void }) {
  const t = useTranslations("du-tabs.import");
  const common = useTranslations("common");
  const project = useProjectNumber();
  const href = useHref();
  const { files = [], errors = [], errorCount = 0 } = task.result ?? {};
  const address = (part: SentPart, at = 0) => `${taskFile(task.id, part, project)}&at=${at}`;
  if (files.length === 0)
    return (
      <ErrorPanel title={t("failed")} text={t("failedText")}>
        <Button onClick={onAgain}>{t("again")}</Button>
      </ErrorPanel>
    );
  return (
    <div className={classes.form} aria-live="polite">
      <ul className={classes.files} aria-label={t("files")}>
        {files.map((file, at) => (
          <li key={file.fileId}>
            {file.isWritten ? (
              <IconCheck className={classes.ok} size={16} stroke={1.7} aria-hidden="true" />
            ) : (
              <IconAlertTriangle className={classes.wrong} size={16} stroke={1.7} aria-hidden="true" />
            )}
            <span>{file.name}</span>
            <span className={classes.quiet}>
              {file.isWritten
                ? t("written", { count: file.changed })
                : t("refused", { count: errors.filter((one) => one.file === file.name).length })}
            </span>
            {file.markedFileId ? (
              <a className={classes.link} href={address("marked", at)} download aria-label={t("markedOf", { name: file.name })}>
                <IconDownload size={14} stroke={1.7} aria-hidden="true" />
                {t("marked")}
              </a>
            ) : null}
          </li>
        ))}
      </ul>
      {errors.length > 0 ? (
        <>
          <p className={classes.quiet}>
            {errorCount > errorsShown
              ? t("errorsCut", { count: errorCount, shown: formatNumber(errorsShown) })
              : t("errors", { count: errorCount })}
          </p>
          <PagedRows rows={errors} startSize={100} label={t("errors", { count: errorCount })} className={classes.errors}>
            {(shown) => (
              <table className={wrapped.table} aria-label={t("errors", { count: errorCount })}>
                <thead>
                  <tr>
                    {(["file", "sheet", "row", "column", "reason"] as const).map((key) => (
                      <th key={key} scope="col">
                        {t(`head.${key}`)}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {shown.map((error, at) => (
                    <tr key={`${error.file} ${error.row} ${error.column} ${at}`}>
                      <td>{error.file}</td>
                      <td>{error.sheet ?? emptyText}</td>
                      <td className={wrapped.figure}>{error.row ?? emptyText}</td>
                      <td>{error.column ?? emptyText}</td>
                      <td>{error.msg}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
          </PagedRows>
        </>
      ) : null}
      <div className={classes.foot}>
        {task.files.error ? (
          <a className={classes.link} href={address("error")} download>
            <IconDownload size={14} stroke={1.7} aria-hidden="true" />
            {t("allErrors")}
          </a>
        ) : null}
        <Link className={classes.link} href={href("imports")} prefetch={false}>
          {t("show")}
        </Link>
        <span className={listFrame.grow} />
        <Button onClick={onAgain}>{t("again")}</Button>
        <Button variant="filled" data-autofocus onClick={onClose}>
          {common("close")}
        </Button>
      </div>
    </div>
  );
}
