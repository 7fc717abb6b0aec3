"use client";
import { Button, Checkbox, SegmentedControl, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId, useRef, useState } from "react";
import { useEdited } from "#components/ui/close-guard.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { FormModal, type GuardedForm } from "#components/ui/form-modal.tsx";
import { Kbd } from "#components/ui/kbd.tsx";
import { ProgressBar } from "#components/ui/progress-bar.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useDelayed } from "#components/ui/use-delayed.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useTellEdited } from "#components/ui/use-tell-edited.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { formatNumber } from "#lib/core/format.ts";
import { releasePlan } from "#lib/scheduling/releases/actions.ts";
import type { ReleasePreview, ReleaseResult } from "#lib/scheduling/releases/commands.ts";
import { releaseNameChars } from "#lib/scheduling/releases/limits.ts";
import { RefusedRows } from "./refused-rows.tsx";
import { ReleaseOutcome, ReleaseProgress } from "./release-outcome.tsx";
import classes from "./schedule.module.css";
import { type Selection, selectionCount, selectionInput } from "./selection.ts";
import { useDialogShortcut } from "./use-dialog-shortcut.ts";

type Props = {
  selection: Selection;
  opened: boolean;
  onClose: () => void;
  /** Called once DUs have been released. */
  onReleased: (released: number) => void;
  /** Closes the dialog and selects DUs in the plan. */
  onSelect: (duIds: readonly number[]) => void;
};

/** Releases DUs: look at what can be and what is refused, name the version, release; above some number in the background. */
export function ReleaseDialog({ selection, opened, ...rest }: Props) {
  const t = useTranslations("scheduling.release");
  const count = selectionCount(selection);
  return (
    <FormModal
      opened={opened}
      onClose={rest.onClose}
      title={count === null ? t("titleOpen") : t("title", { count })}
      size={1040}
      yOffset="4vh"
      classNames={{ body: classes.release ?? "" }}
    >
      {(guarded) => (opened ? <ReleaseSteps selection={selection} {...guarded} {...rest} /> : null)}
    </FormModal>
  );
}

type Options = { saveBaseline: boolean; skipSchedule: boolean };

function ReleaseSteps({ selection, onEdited, onCancel, onClose, onReleased, onSelect }: Omit<Props, "opened"> & GuardedForm) {
  const t = useTranslations("scheduling.release");
  const common = useTranslations("common");
  const id = useId();
  const project = useProjectNumber();
  const [name, setName] = useState("");
  const [options, setOptions] = useState<Options>({ saveBaseline: false, skipSchedule: false });
  const [fault, setFault] = useState<string | null>(null);
  const [listed, setListed] = useState<"refused" | "warned">("refused");
  const [refusal, setRefusal] = useState<string | null>(null);
  const [result, setResult] = useState<ReleaseResult | null>(null);
  const [taskId, setTaskId] = useState<string | null>(null);
  const [release, releasing] = useAction(releasePlan);
  const steps = useRef<HTMLDivElement>(null);
  const isEdited = useEdited([name, options]);
  useTellEdited(isEdited && !result && taskId === null, onEdited);
  const input = selectionInput(selection);
  const found = useQuery({
    queryKey: ["release-preview", project, input, options.skipSchedule],
    queryFn: async ({ signal }) =>
      dataOf(
        await callDoor<ReleasePreview>("rollout/release", { ...input, preview: true, skipSchedule: options.skipSchedule }, { signal }),
      ),
    retry: false,
    gcTime: 0,
  });
  const slow = useDelayed(found.isPending);
  const preview = found.data;
  const ready = preview !== undefined && !found.isFetching && preview.releasable > 0;

  const finish = (outcome: ReleaseResult) => {
    if (outcome.released > 0) onReleased(outcome.released);
    if (outcome.refusedCount > 0 || !outcome.version) return setResult(outcome);
    toast.done(t("done", { released: outcome.released, code: outcome.version.code, refused: 0 }));
    onClose();
  };
  const write = async () => {
    if (!ready || releasing) return;
    setRefusal(null);
    const answer = await release({ ...input, ...options, versionName: name });
    if (answer.status >= 400 || !answer.data) {
      const problem = answer.problems?.find(({ path }) => path === "versionName" || path === "name");
      if (problem) {
        document.getElementById(`${id}-name`)?.focus();
        return setFault(problem.msg);
      }
      return setRefusal(answer.problems?.[0]?.msg ?? answer.msg ?? answer.code ?? "");
    }
    if ("taskId" in answer.data) return setTaskId(answer.data.taskId);
    finish(answer.data as ReleaseResult);
  };
  useDialogShortcut(steps, () => void write());

  if (result) return <ReleaseOutcome result={result} taskId={taskId} onClose={onClose} onSelect={onSelect} />;
  if (taskId) return <ReleaseProgress taskId={taskId} onDone={finish} onClose={onClose} />;
  return (
    <div className={classes.steps} ref={steps}>
      <div className={classes.columns}>
        <div className={classes.settings}>
          <Field
            id={`${id}-name`}
            label={t("name")}
            required
            help={t("nameHelp")}
            count={{ used: [...name].length, max: releaseNameChars }}
            error={fault ?? undefined}
          >
            <TextInput
              id={`${id}-name`}
              data-autofocus
              required
              maxLength={releaseNameChars}
              value={name}
              error={fault !== null}
              aria-describedby={fieldNoteId(`${id}-name`)}
              onChange={(event) => {
                setName(event.currentTarget.value);
                setFault(null);
              }}
            />
          </Field>
          {preview?.mayBaseline ? (
            <Checkbox
              size="xs"
              classNames={{ label: classes.check ?? "", description: classes.check ?? "" }}
              label={t("baseline")}
              description={t("baselineHelp")}
              checked={options.saveBaseline}
              onChange={(event) => setOptions({ ...options, saveBaseline: event.currentTarget.checked })}
            />
          ) : null}
          {preview?.maySkip || options.skipSchedule ? (
            <Checkbox
              size="xs"
              classNames={{ label: classes.check ?? "", description: classes.check ?? "" }}
              label={t("skip")}
              description={t("skipHelp")}
              checked={options.skipSchedule}
              onChange={(event) => setOptions({ ...options, skipSchedule: event.currentTarget.checked })}
            />
          ) : null}
        </div>
        <div className={classes.main} aria-busy={found.isFetching}>
          {found.isPending && slow ? (
            <div className={classes.busy}>
              <p role="status">{t("computing")}</p>
              <ProgressBar done={0} total={null} label={t("computing")} large />
            </div>
          ) : null}
          {found.isError ? <ErrorPanel title={t("failed")} failed={found.error} onRetry={() => found.refetch()} /> : null}
          {preview ? (
            <>
              <div className={classes.head}>
                <dl className={classes.tiles} aria-live="polite">
                  {(["releasable", "moved", "refused", "warnings"] as const).map((tile) => (
                    <div key={tile} className={classes.tile}>
                      <dt>{t(`tiles.${tile}`)}</dt>
                      <dd>{formatNumber(tile === "refused" ? preview.dus - preview.releasable : preview[tile])}</dd>
                    </div>
                  ))}
                </dl>
                <p className={classes.unwritten}>{t("unwritten")}</p>
              </div>
              {preview.warnings > 0 ? (
                <SegmentedControl
                  size="xs"
                  aria-label={t("warned")}
                  value={listed}
                  onChange={(value) => setListed(value as typeof listed)}
                  data={[
                    { value: "refused", label: t("showRefused") },
                    { value: "warned", label: t("showWarned") },
                  ]}
                />
              ) : null}
              {listed === "warned" && preview.warnings > 0 ? (
                <>
                  {preview.warnings > preview.warned.length ? (
                    <p className={classes.unwritten}>{t("warnedOf", { shown: preview.warned.length, all: preview.warnings })}</p>
                  ) : null}
                  <RefusedRows rows={preview.warned} label={t("warned")} />
                </>
              ) : (
                <>
                  {preview.refusedCount > preview.refused.length ? (
                    <p className={classes.unwritten}>{t("warnedOf", { shown: preview.refused.length, all: preview.refusedCount })}</p>
                  ) : null}
                  <RefusedRows rows={preview.refused} />
                </>
              )}
            </>
          ) : null}
        </div>
      </div>
      {refusal ? (
        <p className={classes.refusal} role="alert">
          {t("refusedTitle")}: {refusal}
        </p>
      ) : null}
      <div className={classes.foot}>
        <Button onClick={onCancel}>{common("cancel")}</Button>
        <span className={classes.consequence}>{ready ? t("consequence", { count: preview.releasable }) : null}</span>
        <Button variant="filled" loading={releasing} disabled={!ready} onClick={write} rightSection={ready ? <Kbd>Ctrl Enter</Kbd> : null}>
          {preview ? t("apply", { count: preview.releasable }) : t("titleOpen")}
        </Button>
      </div>
    </div>
  );
}
