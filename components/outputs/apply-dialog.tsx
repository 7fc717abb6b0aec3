"use client";
import { Button, Checkbox, Modal, Radio } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { PagedRows } from "#components/ui/paged-rows.tsx";
import plain from "#components/ui/plain-table.module.css";
import { ProgressBar } from "#components/ui/progress-bar.tsx";
import { saveCsv } from "#components/ui/save-csv.ts";
import { MarkGlyph } from "#components/ui/status-glyph.tsx";
import { UndoBatch } from "#components/ui/undo-batch.tsx";
import { useHref } from "#components/ui/use-href.ts";
import { useTask } from "#components/ui/use-task.ts";
import { signalAnswer } from "#lib/core/answer-signal.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { formatNumber } from "#lib/core/format.ts";
import type { ApplyResult } from "#lib/planning-engine/outputs/schema.ts";
import type { RunHead } from "#lib/planning-engine/runs/schema.ts";
import type { TaskRow } from "#lib/tasks/queries.ts";
import classes from "./outputs.module.css";

type Props = {
  run: RunHead;
  /** DUs of the run, and those chosen in the table. */
  total: number;
  chosen: readonly number[];
  onApplied: () => void;
  onClose: () => void;
};

/** Writes the dates of a run into the rollout plan: of which DUs, with a confirmation where the inputs have changed since; then everything that was left out. */
export function ApplyDialog({ run, total, chosen, onApplied, onClose }: Props) {
  const t = useTranslations("outputs.apply");
  const [which, setWhich] = useState<"all" | "chosen">(chosen.length > 0 ? "chosen" : "all");
  const [asks, setAsks] = useState(run.inputsChanged);
  const [confirmed, setConfirmed] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [taskId, setTaskId] = useState<string | null>(null);
  const count = which === "all" ? total : chosen.length;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    const answer = signalAnswer(
      await callDoor<{ taskId: string }>("engine/output/apply", {
        runId: run.id,
        ...(which === "chosen" ? { duIds: chosen } : {}),
        ...(confirmed ? { confirm: true } : {}),
      }),
    );
    setBusy(false);
    if (answer.data) return setTaskId(answer.data.taskId);
    // Somebody changed the inputs while the page was open.
    if (answer.code === "INPUTS_CHANGED") setAsks(true);
    setProblem(answer.msg ?? t("failed"));
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("title", { count })}
      size={taskId === null ? 520 : 760}
      closeButtonProps={{ "aria-label": t("close") }}
    >
      {taskId === null ? (
        <form className={classes.form} onSubmit={submit} noValidate>
          <p className={classes.quiet}>{t("text")}</p>
          <Radio.Group label={t("which")} value={which} onChange={(value) => setWhich(value as "all")}>
            <div className={classes.radios}>
              <Radio size="xs" value="all" label={t("all", { count: total })} />
              <Radio
                size="xs"
                value="chosen"
                disabled={chosen.length === 0}
                label={chosen.length === 0 ? t("noneChosen") : t("chosen", { count: chosen.length })}
              />
            </div>
          </Radio.Group>
          {asks ? (
            <div className={classes.warnBox}>
              <p>
                <MarkGlyph mark="warning" /> {t("changed")}
              </p>
              <Checkbox
                size="xs"
                label={t("confirm")}
                checked={confirmed}
                onChange={(event) => setConfirmed(event.currentTarget.checked)}
              />
            </div>
          ) : null}
          <DialogFoot
            problem={problem}
            verb={t("verb", { count })}
            busy={busy}
            disabled={(asks && !confirmed) || count === 0}
            onClose={onClose}
          />
        </form>
      ) : (
        <Applied taskId={taskId} onApplied={onApplied} onClose={onClose} />
      )}
    </Modal>
  );
}

function Applied({ taskId, onApplied, onClose }: { taskId: string; onApplied: () => void; onClose: () => void }) {
  const t = useTranslations("outputs.apply");
  const common = useTranslations("common");
  const errors = useTranslations("errors");
  const href = useHref();
  const task = useTask<TaskRow>(taskId);
  const [code, setCode] = useState<string | null>(null);
  const close = () => {
    onApplied();
    onClose();
  };
  const foot = (
    <div className={classes.foot}>
      <Button data-autofocus variant="filled" onClick={close}>
        {common("close")}
      </Button>
    </div>
  );
  if (task.isError)
    return (
      <>
        <ErrorPanel title={t("unread")} failed={task.error} onRetry={() => void task.refetch()} />
        {foot}
      </>
    );
  const { data } = task;
  if (!data || data.status === "queued" || data.status === "running")
    return (
      <div className={classes.form}>
        <p role="status">{t("running")}</p>
        <ProgressBar large done={data?.progress ?? 0} total={data && data.status === "running" ? 100 : null} label={t("running")} />
        <p className={classes.quiet}>{t("background")}</p>
        <div className={classes.foot}>
          <Button onClick={close}>{t("leave")}</Button>
        </div>
      </div>
    );
  const result = data.result as ApplyResult | null;
  if (!result)
    return (
      <>
        <ErrorPanel title={t(data.status === "cancelled" ? "cancelled" : "failed")} text={t("kept")} />
        {foot}
      </>
    );
  const skipped = Object.values(result.counts).reduce((sum, count) => sum + count, 0);
  const rows = result.rejected.filter((row) => code === null || row.code === code);
  const named = (given: string) => (errors.has(given as never) ? t("code", { code: given }) : given);
  return (
    <div className={classes.form}>
      <p role="status" className={classes.outcome}>
        {t("result", { written: formatNumber(result.written), cells: formatNumber(result.cells), skipped: formatNumber(skipped) })}
      </p>
      {skipped > 0 ? (
        <>
          <fieldset className={classes.chips}>
            <legend>{t("skipped")}</legend>
            <button type="button" aria-pressed={code === null} onClick={() => setCode(null)}>
              {common("all")}
            </button>
            {Object.entries(result.counts).map(([name, count]) => (
              <button key={name} type="button" aria-pressed={code === name} onClick={() => setCode(code === name ? null : name)}>
                {named(name)} <b>{formatNumber(count)}</b>
              </button>
            ))}
          </fieldset>
          <PagedRows key={code} rows={rows} startSize={50} label={t("skipped")} className={classes.kept}>
            {(shown) => (
              <table className={`${plain.table} ${classes.dense}`} aria-label={t("skipped")}>
                <thead>
                  <tr>
                    <th scope="col">{common("du")}</th>
                    <th scope="col">{common("activity")}</th>
                    <th scope="col">{common("reason")}</th>
                  </tr>
                </thead>
                <tbody>
                  {shown.map((row, at) => (
                    <tr key={at}>
                      <th scope="row">
                        <Link href={href("rolloutPlan", { query: { du: row.duCode } })} prefetch={false}>
                          {row.duCode}
                        </Link>
                      </th>
                      <td>{row.activity ?? t("wholeDu")}</td>
                      <td className={classes.wrap}>
                        <MarkGlyph mark="warning" /> {row.text}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
          </PagedRows>
          {result.rejected.length < skipped ? (
            <p className={classes.quiet}>{t("listed", { listed: formatNumber(result.rejected.length), all: formatNumber(skipped) })}</p>
          ) : null}
        </>
      ) : null}
      <div className={classes.foot}>
        {skipped > 0 ? (
          <Button
            leftSection={<IconDownload size={16} stroke={1.4} />}
            onClick={() =>
              saveCsv(t("file"), [
                [common("du"), common("activity"), common("reason")],
                ...rows.map((row) => [row.duCode, row.activity ?? t("wholeDu"), row.text]),
              ])
            }
          >
            {t("download")}
          </Button>
        ) : null}
        {result.batchId === null ? null : (
          <UndoBatch batchId={result.batchId} finishedAt={data.finishedAt} verb={t("undo")} onUndone={onApplied} />
        )}
        <Button component={Link} href={href("rolloutPlan")} prefetch={false}>
          {t("toPlan")}
        </Button>
        <Button data-autofocus variant="filled" onClick={close}>
          {common("close")}
        </Button>
      </div>
    </div>
  );
}
