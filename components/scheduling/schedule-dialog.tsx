"use client";
import { Button, Checkbox } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { useEdited } from "#components/ui/close-guard.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { FormModal, type GuardedForm } from "#components/ui/form-modal.tsx";
import { Kbd } from "#components/ui/kbd.tsx";
import { ProgressBar } from "#components/ui/progress-bar.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useDelayed } from "#components/ui/use-delayed.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { useTellEdited } from "#components/ui/use-tell-edited.ts";
import { signalAnswer } from "#lib/core/answer-signal.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { projectToday } from "#lib/core/clock.ts";
import type { Answer } from "#lib/core/error.ts";
import { applyPreview } from "#lib/scheduling/actions.ts";
import type { ApplyAnswer, PreviewAnswer } from "#lib/scheduling/commands.ts";
import type { FlowAnchors } from "#lib/scheduling/queries.ts";
import { FindingTable, PreviewResult } from "./preview-result.tsx";
import classes from "./schedule.module.css";
import { anchorsOf, type ScheduleSettings, ScheduleSettingsForm } from "./schedule-settings.tsx";
import { type Selection, selectionCount, selectionInput } from "./selection.ts";
import { useDialogShortcut } from "./use-dialog-shortcut.ts";

type Props = {
  selection: Selection;
  /** An activity to go on from, as an anchor of this run. */
  anchor?: { activityId: number; start: string | null; end: string | null } | undefined;
  opened: boolean;
  onClose: () => void;
  /** Called once plan dates have been written; the batch can be undone for ten minutes. */
  onApplied: (result: ApplyAnswer) => void;
};

/** Schedules DUs: choose direction, day and anchors, look at every date that would move, untick DUs, apply. */
export function ScheduleDialog({ selection, anchor, opened, onClose, onApplied }: Props) {
  const t = useTranslations("scheduling.schedule");
  const count = selectionCount(selection);
  return (
    <FormModal
      opened={opened}
      onClose={onClose}
      title={count === null ? t("titleOpen") : t("title", { count })}
      size={1180}
      yOffset="4vh"
      classNames={{ body: classes.body ?? "" }}
    >
      {(guarded) =>
        opened ? <ScheduleSteps selection={selection} anchor={anchor} onClose={onClose} onApplied={onApplied} {...guarded} /> : null
      }
    </FormModal>
  );
}

function ScheduleSteps({ selection, anchor, onEdited, onCancel, onClose, onApplied }: Omit<Props, "opened"> & GuardedForm) {
  const t = useTranslations("scheduling.schedule");
  const common = useTranslations("common");
  const project = useProjectNumber();
  const { offset } = useSession();
  const [settings, setSettings] = useState<ScheduleSettings>(() => ({
    mode: "BOTH",
    asOf: projectToday(new Date(), offset),
    extra: anchor ? [{ key: 1, activityId: anchor.activityId, start: anchor.start ?? "", end: anchor.end ?? "" }] : [],
  }));
  const [run, setRun] = useState<
    { state: "none" | "busy" } | { state: "failed"; answer: Answer } | { state: "done"; preview: PreviewAnswer; key: string }
  >({
    state: "none",
  });
  const [excluded, setExcluded] = useState<ReadonlySet<number>>(new Set());
  const [accepted, setAccepted] = useState(false);
  const [refusal, setRefusal] = useState<Answer | null>(null);
  const [result, setResult] = useState<ApplyAnswer | null>(null);
  const [apply, applying] = useAction(applyPreview);
  const steps = useRef<HTMLDivElement>(null);
  const isEdited = useEdited([settings, [...excluded]]);
  useTellEdited(isEdited && !result, onEdited);
  const control = useRef<AbortController | null>(null);
  useEffect(() => () => control.current?.abort(), []);
  const slow = useDelayed(run.state === "busy");

  const input = selectionInput(selection);
  const found = useQuery({
    queryKey: ["schedule-anchors", project, input],
    queryFn: async ({ signal }) =>
      dataOf(await callDoor<{ flows: FlowAnchors[]; withoutFlow: number }>("rollout/schedule/anchors", input, { signal })),
    retry: false,
  });
  const key = JSON.stringify([settings.mode, settings.asOf, anchorsOf(settings)]);
  const done = run.state === "done" ? run : null;
  const outdated = done !== null && done.key !== key;
  const writable = done ? done.preview.counts.moved - excluded.size : 0;
  const ready = done !== null && !outdated && writable > 0 && (done.preview.counts.warnings === 0 || accepted);

  const preview = async () => {
    if (run.state === "busy") return;
    control.current = new AbortController();
    setRun({ state: "busy" });
    setRefusal(null);
    setAccepted(false);
    const { mode, asOf } = settings;
    const answer = signalAnswer(
      await callDoor<PreviewAnswer>(
        "rollout/schedule/preview",
        { ...input, mode, anchors: anchorsOf(settings), excludeDuIds: [...excluded], ...(asOf ? { asOf } : {}) },
        { signal: control.current.signal },
      ),
    );
    if (answer.status === 499) return;
    if (answer.data) setExcluded(new Set(answer.data.excludedDuIds));
    setRun(answer.status < 400 && answer.data ? { state: "done", preview: answer.data, key } : { state: "failed", answer });
  };
  const write = async () => {
    if (!done || !ready || applying) return;
    const answer = await apply({ previewId: done.preview.previewId, excludeDuIds: [...excluded] });
    if (answer.status >= 400 || !answer.data) return setRefusal(answer);
    if (answer.data.applied > 0) {
      toast.done(t("applied", { count: answer.data.applied }));
      onApplied(answer.data);
    }
    if (answer.data.refused.length === 0) onClose();
    else setResult(answer.data);
  };
  useDialogShortcut(steps, () => {
    if (ready) void write();
    else if ((!done || outdated) && !found.isError) void preview();
  });

  if (result)
    return (
      <div className={classes.done}>
        <p role="status">{t("resultTitle", { applied: result.applied, refused: new Set(result.refused.map(({ duId }) => duId)).size })}</p>
        <ScrollRegion className={classes.rows} label={t("refusedRows")}>
          <FindingTable rows={result.refused} />
        </ScrollRegion>
        <div className={classes.foot}>
          <Button data-autofocus variant="filled" onClick={onClose}>
            {common("close")}
          </Button>
        </div>
      </div>
    );

  return (
    <div className={classes.steps} ref={steps}>
      <div className={classes.columns}>
        {found.isError ? (
          <ErrorPanel title={t("anchorsFailed")} failed={found.error} onRetry={() => found.refetch()} />
        ) : (
          <ScheduleSettingsForm settings={settings} onChange={setSettings} found={found.data} />
        )}
        <div className={classes.main} aria-busy={run.state === "busy"}>
          {run.state === "none" ? <EmptyState title={t("nothingYet")} /> : null}
          {run.state === "busy" && slow ? (
            <div className={classes.busy}>
              <p role="status">{t("computing")}</p>
              <ProgressBar done={0} total={null} label={t("computing")} large />
            </div>
          ) : null}
          {run.state === "failed" ? (
            <ErrorPanel
              title={t("failed")}
              text={run.answer.problems?.[0]?.msg ?? run.answer.msg ?? t("failedText")}
              failed={run.answer.status >= 500 ? run.answer : undefined}
              onRetry={preview}
            />
          ) : null}
          {done ? (
            <PreviewResult
              key={done.preview.previewId}
              preview={done.preview}
              outdated={outdated}
              excluded={excluded}
              onExclude={setExcluded}
            />
          ) : null}
        </div>
      </div>
      {refusal ? (
        <p className={classes.refusal} role="alert">
          {t("applyFailed")}: {refusal.msg ?? refusal.code}
        </p>
      ) : null}
      <div className={classes.foot}>
        <Button onClick={onCancel}>{common("cancel")}</Button>
        <span className={classes.consequence}>{writable > 0 && !outdated ? t("consequence", { count: writable }) : null}</span>
        {done && !outdated && writable > 0 && done.preview.counts.warnings > 0 ? (
          <Checkbox
            size="xs"
            classNames={{ label: classes.check ?? "" }}
            label={t("accept", { count: done.preview.counts.warnings })}
            checked={accepted}
            onChange={(event) => setAccepted(event.currentTarget.checked)}
          />
        ) : null}
        <Button
          variant={done && !outdated && !refusal ? "default" : "filled"}
          loading={run.state === "busy"}
          disabled={found.isError}
          onClick={preview}
          rightSection={done && !outdated ? null : <Kbd>Ctrl Enter</Kbd>}
        >
          {done ? t("again") : t("preview")}
        </Button>
        {done && !outdated && writable > 0 ? (
          <Button variant="filled" loading={applying} disabled={!ready} onClick={write} rightSection={ready ? <Kbd>Ctrl Enter</Kbd> : null}>
            {t("apply", { count: writable })}
          </Button>
        ) : null}
      </div>
    </div>
  );
}
