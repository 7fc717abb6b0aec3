"use client";
import { Button } from "@mantine/core";
import { IconFile } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useCallback, useEffect, useRef, useState } from "react";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { LinkButton } from "#components/ui/link-button.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { useTask } from "#components/ui/use-task.ts";
import type { Answer } from "#lib/core/error.ts";
import { formatBytes, formatNumber } from "#lib/core/format.ts";
import { applyImport, previewImport } from "#lib/imports/actions.ts";
import type { OpenedFile } from "#lib/imports/file/commands.ts";
import type { DateFormat } from "#lib/imports/kind/limits.ts";
import { type ImportKindName, importKinds } from "#lib/imports/limits.ts";
import { writableRows } from "#lib/imports/logic.ts";
import type { TaskRow } from "#lib/tasks/queries.ts";
import { FileStep } from "./file-step.tsx";
import { type FileSettings, openFile, type PreviewTask, plainSettings, uploadFile } from "./import-api.ts";
import classes from "./import-wizard.module.css";
import { MappingStep, missingFields } from "./mapping-step.tsx";
import { PreviewStep } from "./preview-step.tsx";
import { ResultStep } from "./result-step.tsx";
import { useSettlement } from "./use-settlement.ts";
import { type WizardStep, WizardSteps } from "./wizard-steps.tsx";
import { WorkStep } from "./work-step.tsx";

type Props = {
  kind: ImportKindName;
  /** Where Cancel leads. */
  back: string;
  /** A check that was made before and is opened at its preview. */
  task?: string | undefined;
  /** Options that are set before the person looks at them. */
  options?: Record<string, unknown>;
  /** Where the result leads; the plan when absent. */
  result?: { href: string; label: string };
};

type Chosen = {
  fileId: string;
  opened: OpenedFile;
  settings: FileSettings;
  mapping: (string | null)[];
  dateFormat: DateFormat | null;
  options: Record<string, unknown>;
};

const isOpen = (task: { status: TaskRow["status"] } | undefined): boolean => !task || task.status === "queued" || task.status === "running";

/** An import from file to result: the file, its columns, the check of every cell, the application. Nothing is written before the last step. */
export function ImportWizard({ kind, back, task, options: given, result: target }: Props) {
  const t = useTranslations("imports");
  const project = useProjectNumber();
  const [sending, setSending] = useState<{ name: string; share: number | null } | null>(null);
  const [failed, setFailed] = useState<Answer | null>(null);
  const [unread, setUnread] = useState<{ fileId: string; name: string } | null>(null);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [previewId, setPreviewId] = useState<string | null>(task ?? null);
  const [applyId, setApplyId] = useState<string | null>(null);
  const [whole, setWhole] = useState(false);
  const [reason, setReason] = useState("");
  const [reasonMissing, setReasonMissing] = useState(false);
  const settling = useSettlement();
  const [startPreview, starting] = useAction(previewImport);
  const [startApply, applying] = useAction(applyImport);
  const preview = useTask<PreviewTask>(previewId);
  const applied = useTask<Omit<TaskRow, "result"> & { result: unknown }>(applyId);
  const ending = useRef<AbortController | null>(null);
  useEffect(() => () => ending.current?.abort(), []);

  const step: WizardStep = applyId ? (isOpen(applied.data) ? "apply" : "result") : previewId ? "preview" : chosen ? "mapping" : "file";
  const result = preview.data?.status === "succeeded" ? preview.data.result : null;
  // A file of this product says what its columns are and which cell is which: nothing is left to map.
  const isExport = importKinds[kind].needsMeta;
  const isCsv = chosen?.opened.file.name.toLowerCase().endsWith(".csv") ?? false;

  const remember = (id: string | null) => {
    const url = new URL(window.location.href);
    if (id) url.searchParams.set("task", id);
    else url.searchParams.delete("task");
    window.history.replaceState(null, "", url);
  };

  const open = useCallback(
    async (fileId: string, settings: FileSettings, before: Chosen | null): Promise<Answer<OpenedFile> & { chosen?: Chosen }> => {
      const answer = await openFile(fileId, kind, settings);
      const opened = answer.data;
      if (!opened) return answer;
      const found: Chosen = {
        fileId,
        opened,
        settings,
        mapping: opened.columns.map((column) => column.field),
        dateFormat: opened.dateOrder === null ? "ymd" : opened.dateOrder.certain ? opened.dateOrder.format : null,
        options: before?.options ?? given ?? {},
      };
      setChosen(found);
      return { ...answer, chosen: found };
    },
    [kind, given],
  );

  const takeFile = async (file: File) => {
    const control = new AbortController();
    ending.current = control;
    setFailed(null);
    setSending({ name: file.name, share: 0 });
    const sent = await uploadFile(file, kind, project, (share) => setSending({ name: file.name, share }), control.signal);
    if (control.signal.aborted) return;
    if (sent.data) await readFirst(sent.data.fileId, file.name, plainSettings);
    else {
      setSending(null);
      setFailed(sent);
    }
  };

  const readFirst = async (fileId: string, name: string, settings: FileSettings) => {
    setFailed(null);
    setSending({ name, share: null });
    const answer = await open(fileId, settings, null);
    setSending(null);
    setUnread(answer.code === "ENCODING_WRONG" ? { fileId, name } : null);
    if (answer.status >= 400) setFailed(answer);
    else if (isExport && answer.chosen) await check(answer.chosen);
  };

  const readAgain = async (settings: FileSettings) => {
    if (!chosen) return;
    const answer = await open(chosen.fileId, settings, chosen);
    if (answer.status >= 400 && answer.status !== 499) toast.problem(answer.msg ?? t("file.noAnswer"));
  };

  const check = async (given: Chosen | null) => {
    if (!given?.dateFormat) return;
    const { fileId, settings, mapping, dateFormat, options } = given;
    const answer = await startPreview({ fileId, kind, ...settings, ...(isExport ? {} : { mapping }), dateFormat, options });
    if (!answer.data) return toast.problem(answer.msg ?? t("file.noAnswer"));
    setPreviewId(answer.data.taskId);
    remember(answer.data.taskId);
  };

  const apply = async () => {
    if (!previewId || !result) return;
    const missing = result.needsReason && reason.trim() === "";
    setReasonMissing(missing);
    if (missing) return;
    const answer = await startApply({
      taskId: previewId,
      mode: whole ? "all" : "valid",
      conflicts: settling.settlement,
      ...(reason.trim() && { reason: reason.trim() }),
    });
    if (answer.data) setApplyId(answer.data.taskId);
    else toast.problem(answer.msg ?? t("file.noAnswer"));
  };

  const again = () => {
    setChosen(null);
    setPreviewId(null);
    setApplyId(null);
    setReason("");
    setWhole(false);
    setFailed(null);
    settling.reset();
    remember(null);
  };
  const toMapping = () => {
    setPreviewId(null);
    settling.reset();
    setWhole(false);
    remember(null);
  };

  const file = chosen?.opened.file ?? result?.file;
  const writable = result ? writableRows(result, settling.settlement, settling.ownRows) : 0;
  const missing = chosen ? missingFields(chosen.opened, chosen.mapping) : [];
  const asksDate =
    chosen !== null &&
    chosen.dateFormat === null &&
    chosen.opened.fields.some((field) => field.type === "day" && chosen.mapping.includes(field.key));

  return (
    <>
      <PageBar record={t(`kinds.${kind}`)}>
        {file ? (
          <span className={classes.fileName}>
            <IconFile size={16} stroke={1.4} aria-hidden="true" />
            <span>{file.name}</span>
            <span className={classes.quiet}>{formatBytes(file.size)}</span>
          </span>
        ) : null}
      </PageBar>
      <WizardSteps step={step}>
        {result && step === "preview"
          ? t("steps.checked", {
              rows: formatNumber(result.rows),
              cells: formatNumber(result.cells),
              seconds: formatNumber(result.milliseconds / 1000, 1),
            })
          : null}
      </WizardSteps>
      {step === "file" ? (
        <FileStep
          kind={kind}
          sending={sending}
          failed={failed}
          onFile={takeFile}
          onEncoding={(encoding) => unread && readFirst(unread.fileId, unread.name, { ...plainSettings, encoding })}
        />
      ) : null}
      {step === "mapping" && chosen ? (
        <MappingStep
          opened={chosen.opened}
          settings={chosen.settings}
          onSettings={readAgain}
          isCsv={isCsv}
          fixed={isExport}
          mapping={chosen.mapping}
          onMapping={(mapping) => setChosen({ ...chosen, mapping })}
          dateFormat={chosen.dateFormat}
          onDateFormat={(dateFormat) => setChosen({ ...chosen, dateFormat })}
          options={chosen.options}
          onOptions={(options) => setChosen({ ...chosen, options })}
        />
      ) : null}
      {step === "preview" && previewId ? (
        <Checked task={preview.data} error={preview.error} onRetry={() => void preview.refetch()} onBack={chosen ? toMapping : again}>
          {result ? (
            <PreviewStep
              taskId={previewId}
              result={result}
              whole={whole}
              onWhole={setWhole}
              reason={reason}
              onReason={setReason}
              reasonMissing={reasonMissing}
              settling={settling}
            />
          ) : null}
        </Checked>
      ) : null}
      {step === "apply" && applied.error ? (
        <div className={classes.single}>
          <ErrorPanel title={t("work.unread")} failed={applied.error} onRetry={() => void applied.refetch()} />
        </div>
      ) : null}
      {step === "apply" && !applied.error ? <WorkStep what="apply" task={applied.data} /> : null}
      {step === "result" && applied.data ? <ResultStep task={applied.data} target={target} onAgain={again} /> : null}
      {step === "mapping" || (step === "preview" && result) || step === "file" ? (
        <footer className={classes.foot}>
          <LinkButton href={back}>{t("foot.cancel")}</LinkButton>
          <span className={classes.grow} />
          {step === "mapping" ? (
            <>
              <span className={classes.quiet}>
                {missing.length > 0
                  ? t("mapping.missing", { fields: missing.map((field) => field.title).join(", ") })
                  : t(asksDate ? "foot.dates" : "foot.check")}
              </span>
              <Button onClick={again}>{t("foot.back")}</Button>
              <Button variant="filled" loading={starting} disabled={missing.length > 0 || asksDate} onClick={() => check(chosen)}>
                {t("foot.checkVerb")}
              </Button>
            </>
          ) : null}
          {step === "preview" && result ? (
            <>
              <span className={classes.quiet}>
                {writable === 0
                  ? t("foot.none")
                  : whole && result.counts.rejected > 0
                    ? t("foot.whole", { count: result.counts.rejected })
                    : result.counts.rejected > 0
                      ? t("foot.rejected", { kind: result.kind, count: result.counts.rejected })
                      : t("foot.all", { kind: result.kind })}
              </span>
              <Button onClick={chosen ? toMapping : again}>{t("foot.back")}</Button>
              <Button
                variant="filled"
                loading={applying}
                disabled={writable === 0 || (whole && result.counts.rejected > 0)}
                onClick={apply}
              >
                {t("foot.apply", { count: writable })}
              </Button>
            </>
          ) : null}
        </footer>
      ) : null}
    </>
  );
}

type CheckedProps = {
  task: PreviewTask | undefined;
  error: Error | null;
  onRetry: () => void;
  onBack: () => void;
  children: React.ReactNode;
};

/** The preview once the check has ended; before that its progress, instead of it what went wrong. */
function Checked({ task, error, onRetry, onBack, children }: CheckedProps) {
  const t = useTranslations("imports");
  if (error) {
    return (
      <div className={classes.single}>
        <ErrorPanel title={t("preview.failed")} failed={error} onRetry={onRetry}>
          <Button onClick={onBack}>{t("foot.back")}</Button>
        </ErrorPanel>
      </div>
    );
  }
  if (isOpen(task)) return <WorkStep what="check" task={task} />;
  if (task?.status === "succeeded") return children;
  return (
    <div className={classes.single}>
      <ErrorPanel title={t(task?.status === "cancelled" ? "preview.cancelled" : "preview.refused")} text={task?.message ?? undefined}>
        <Button onClick={onBack}>{t("foot.back")}</Button>
      </ErrorPanel>
    </div>
  );
}
