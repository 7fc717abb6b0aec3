"use client";
import { Button, Checkbox, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useEdited } from "#components/ui/close-guard.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { FormModal, type GuardedForm } from "#components/ui/form-modal.tsx";
import { ProgressBar } from "#components/ui/progress-bar.tsx";
import { withQuestions } from "#components/ui/questions.ts";
import { taskFile } from "#components/ui/task-file.ts";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useTask } from "#components/ui/use-task.ts";
import { useTellEdited } from "#components/ui/use-tell-edited.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { formatNumber } from "#lib/core/format.ts";
import type { VersionRow } from "#lib/plan-versions/queries.ts";
import { restoreVersion } from "#lib/plan-versions/restores/actions.ts";
import type { RestoreResult } from "#lib/plan-versions/restores/commands.ts";
import { type RestoreField, restoreFields, restoreReasonMax } from "#lib/plan-versions/restores/limits.ts";
import type { TaskRow } from "#lib/tasks/queries.ts";
import { KeptRows } from "./kept-rows.tsx";
import classes from "./versions.module.css";

type Props = { version: VersionRow; onClose: () => void; onRestored: () => void };

/** Puts the plan back as a version holds it: what would change and what keeps its dates, the reason, then the result with its undo. */
export function RestoreDialog({ version, onClose, onRestored }: Props) {
  const t = useTranslations("plan-versions.restore");
  const [result, setResult] = useState<RestoreResult | null>(null);
  const [taskId, setTaskId] = useState<string | null>(null);
  const finish = (done: RestoreResult) => {
    if (done.changed > 0) onRestored();
    setResult(done);
  };
  return (
    <FormModal opened title={t("title", { code: version.code, name: version.name })} size={760} onClose={onClose}>
      {(guarded) =>
        result ? (
          <Restored result={result} taskId={taskId} onClose={onClose} onUndone={onRestored} />
        ) : taskId ? (
          <Restoring taskId={taskId} onDone={finish} onClose={onClose} />
        ) : (
          <RestoreForm version={version} onDone={finish} onStarted={setTaskId} {...guarded} />
        )
      }
    </FormModal>
  );
}

type FormProps = GuardedForm & { version: VersionRow; onDone: (result: RestoreResult) => void; onStarted: (taskId: string) => void };

function RestoreForm({ version, onDone, onStarted, onEdited, onCancel }: FormProps) {
  const t = useTranslations("plan-versions.restore");
  const common = useTranslations("common");
  const id = useId();
  const project = useProjectNumber();
  const [fields, setFields] = useState<readonly RestoreField[]>(["plan"]);
  const [reason, setReason] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const [problem, setProblem] = useState<string>();
  const [restore, restoring] = useAction(restoreVersion);
  useTellEdited(useEdited([fields, reason]), onEdited);
  const found = useQuery({
    queryKey: ["restore-preview", project, version.id, fields],
    queryFn: async ({ signal }) =>
      dataOf(await callDoor<RestoreResult>("dataVersion/restore", { id: version.id, fields, preview: true }, { signal })),
    enabled: fields.length > 0,
    retry: false,
    gcTime: 0,
  });
  const preview = found.data;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const answer = await restore({ id: version.id, fields: [...fields], reason });
    if (answer.data) return "taskId" in answer.data ? onStarted(answer.data.taskId) : onDone(answer.data);
    const own = answer.problems?.find(({ path }) => path === "reason");
    if (own) {
      document.getElementById(`${id}-reason`)?.focus();
      setFault(own.msg);
    } else setProblem(answer.problems?.[0]?.msg ?? answer.msg ?? answer.code);
  };
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <fieldset className={classes.choice}>
        <legend>{t("fields")}</legend>
        {restoreFields.map((field) => (
          <Checkbox
            key={field}
            size="xs"
            classNames={{ label: classes.check ?? "" }}
            label={t(`field.${field}`)}
            checked={fields.includes(field)}
            onChange={() => setFields(restoreFields.filter((other) => (other === field) !== fields.includes(other)))}
          />
        ))}
      </fieldset>
      {found.isError ? (
        <ErrorPanel title={t("previewFailed")} failed={found.error} onRetry={() => found.refetch()} />
      ) : preview && fields.length > 0 ? (
        <>
          <p role="status" aria-busy={found.isFetching}>
            {t("preview", { changed: preview.changed, dus: preview.dus, rejected: preview.rejectedCount })}
          </p>
          {preview.rejected.length > 0 ? <KeptRows rows={preview.rejected} count={preview.rejectedCount} /> : null}
        </>
      ) : (
        <p role="status">{fields.length > 0 ? t("checking") : t("chooseField")}</p>
      )}
      <Field
        id={`${id}-reason`}
        label={common("reason")}
        required
        count={{ used: reason.length, max: restoreReasonMax }}
        error={fault ?? undefined}
      >
        <Textarea
          id={`${id}-reason`}
          data-autofocus
          required
          autosize
          minRows={2}
          maxRows={6}
          maxLength={restoreReasonMax}
          value={reason}
          error={fault !== null}
          aria-describedby={fieldNoteId(`${id}-reason`)}
          onChange={(event) => {
            setReason(event.currentTarget.value);
            setFault(null);
          }}
        />
      </Field>
      <DialogFoot
        problem={problem}
        verb={t("verb", { count: preview?.changed ?? 0 })}
        busy={restoring}
        disabled={!preview || preview.changed === 0 || fields.length === 0}
        onClose={onCancel}
      />
    </form>
  );
}

type RestoreTask = Omit<TaskRow, "result"> & { result: RestoreResult | null };

function Restoring({ taskId, onDone, onClose }: { taskId: string; onDone: (result: RestoreResult) => void; onClose: () => void }) {
  const t = useTranslations("plan-versions.restore");
  const common = useTranslations("common");
  const task = useTask<RestoreTask>(taskId);
  const result = task.data?.result;
  const over = task.data && !["queued", "running"].includes(task.data.status);
  return (
    <div className={classes.form}>
      {over && !result ? <ErrorPanel title={t("failed")} onRetry={() => task.refetch()} /> : null}
      {task.isError && !task.data ? (
        <ErrorPanel title={t("progressFailed")} failed={task.error} onRetry={() => task.refetch()} />
      ) : over ? null : (
        <>
          <p role="status">{t("running")}</p>
          <ProgressBar done={task.data?.progress ?? 0} total={100} label={t("running")} large />
          <p className={classes.help}>{t("background")}</p>
        </>
      )}
      <div className={classes.foot}>
        <Button onClick={onClose}>{common("close")}</Button>
        {result ? (
          <Button variant="filled" onClick={() => onDone(result)}>
            {t("show")}
          </Button>
        ) : null}
      </div>
    </div>
  );
}

type RestoredProps = { result: RestoreResult; taskId: string | null; onClose: () => void; onUndone: () => void };

function Restored({ result, taskId, onClose, onUndone }: RestoredProps) {
  const t = useTranslations("plan-versions.restore");
  const common = useTranslations("common");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const project = useProjectNumber();
  const { changed, dus, rejected, rejectedCount, batchId } = result;
  const undo = async () => {
    setBusy(true);
    const answer = await withQuestions((confirmed) => callDoor<{ saved: number }>("rolloutPlan/undo", { batchId, confirmed }));
    setBusy(false);
    if (!answer.data) return setProblem(answer.msg ?? answer.code);
    toast.done(t("undone", { count: answer.data.saved }));
    onUndone();
    onClose();
  };
  return (
    <div className={classes.form}>
      <p role="status">{t("done", { changed, dus, rejected: formatNumber(rejectedCount) })}</p>
      {rejected.length > 0 ? <KeptRows rows={rejected} count={rejectedCount} /> : null}
      {problem ? (
        <p className={classes.problem} role="alert">
          {problem}
        </p>
      ) : null}
      <div className={classes.foot}>
        {taskId && rejectedCount > 0 ? (
          <Button component="a" href={taskFile(taskId, "error", project)} download>
            {t("downloadKept")}
          </Button>
        ) : null}
        {batchId === null ? null : (
          <Button loading={busy} onClick={undo}>
            {common("undo")}
          </Button>
        )}
        <Button data-autofocus variant="filled" onClick={onClose}>
          {common("close")}
        </Button>
      </div>
    </div>
  );
}
