"use client";
import { Button, Drawer, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { DayInput } from "#components/ui/day-input.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { ProgressBar } from "#components/ui/progress-bar.tsx";
import { withQuestions } from "#components/ui/questions.ts";
import { Tag } from "#components/ui/status-tag.tsx";
import { useAction } from "#components/ui/use-action.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { progressOf } from "#lib/activity-flows/sub-flows/logic.ts";
import { saveSubSteps } from "#lib/activity-flows/sub-steps/actions.ts";
import type { DuStep } from "#lib/activity-flows/sub-steps/queries.ts";
import { callDoor } from "#lib/core/call-door.ts";
import classes from "./sub-flows.module.css";

type Place = { duId: number; activityId: number };
type Checklist = { duCode: string; activity: string; subFlow: string; steps: DuStep[] };
type Props = { place: Place; opened: boolean; onClose: () => void; onApplied: (cells: number) => void };

/** The steps of an activity of a DU as a checklist: each with the day it was done on, and how far all of them are by their weights. */
export function StepsDialog({ place, opened, onClose, onApplied }: Props) {
  const t = useTranslations("sub-flows");
  const common = useTranslations("common");
  const project = useProjectNumber();
  const found = useQuery({
    queryKey: ["sub-steps", project, place],
    queryFn: async ({ signal }) => dataOf(await callDoor<Checklist>("duSubStep/find", place, { signal })),
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size={460}
      title={t("steps.title")}
      closeButtonProps={{ "aria-label": common("close") }}
    >
      {found.isError ? <ErrorPanel title={t("steps.failed")} failed={found.error} onRetry={() => found.refetch()} /> : null}
      {found.isPending ? (
        <p className={classes.help} role="status">
          {common("loading")}
        </p>
      ) : null}
      {found.data ? <Steps place={place} checklist={found.data} onClose={onClose} onApplied={onApplied} /> : null}
    </Drawer>
  );
}

function Steps({ place, checklist, onClose, onApplied }: Omit<Props, "opened"> & { checklist: Checklist }) {
  const t = useTranslations("sub-flows");
  const common = useTranslations("common");
  const id = useId();
  const { can } = useSession();
  // What the days are typed upon, whatever is read meanwhile.
  const [steps] = useState(checklist.steps);
  const [days, setDays] = useState(() => new Map(steps.map(({ id: step, doneOn }) => [step, doneOn ?? ""])));
  const [reason, setReason] = useState("");
  const [problem, setProblem] = useState<string | undefined>();
  const [asked, setAsked] = useState(false);
  const [save, saving] = useAction(saveSubSteps);
  const mayEdit = can("rollout.actualEdit");
  const changed = steps.filter(({ id: step, doneOn }) => (doneOn ?? "") !== days.get(step));
  const done = steps.filter(({ id: step }) => days.get(step) !== "").length;
  const progress = progressOf(steps.map(({ id: step, weight }) => ({ weight, done: days.get(step) !== "" })));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (asked && reason.trim() === "") return;
    const given = changed.map(({ id: stepId, doneOn: base }) => ({ stepId, doneOn: days.get(stepId) || null, base }));
    const answer = await withQuestions((confirmed) => save({ ...place, steps: given, ...(reason.trim() ? { reason } : {}), confirmed }));
    if (answer.code === "REASON_REQUIRED") setAsked(true);
    if (answer.status >= 400 || !answer.data) return setProblem(answer.msg ?? t("failed"));
    onApplied(answer.data.batchId === null ? 0 : 1);
    onClose();
  };
  return (
    <form className={classes.checklist} onSubmit={submit} noValidate>
      <h2 className={classes.place}>
        {checklist.duCode} · {checklist.activity}
      </h2>
      <p className={classes.help}>{t("steps.of", { name: checklist.subFlow })}</p>
      <div className={classes.progress}>
        <ProgressBar done={progress} total={100} label={t("steps.progress")} large />
        <span>{t("steps.share", { percent: progress, done, total: steps.length })}</span>
      </div>
      <ol className={classes.steps}>
        {steps.map((step) => (
          <li key={step.id} className={classes.step} data-done={days.get(step.id) !== "" || undefined}>
            <label htmlFor={`${id}-${step.id}`} className={classes.stepName}>
              {step.name}
            </label>
            <span className={classes.weight}>
              {t("steps.weight", { weight: step.weight })} {step.needDeliverable ? <Tag>{t("form.needDeliverable")}</Tag> : null}
              {step.doneByName ? t("steps.by", { name: step.doneByName }) : null}
            </span>
            <div className={classes.day}>
              {mayEdit ? (
                <DayInput
                  id={`${id}-${step.id}`}
                  value={days.get(step.id) ?? ""}
                  clearable
                  onChange={(day) => {
                    setDays((before) => new Map(before).set(step.id, day));
                    setProblem(undefined);
                  }}
                />
              ) : (
                <output id={`${id}-${step.id}`}>{days.get(step.id) || "-"}</output>
              )}
            </div>
          </li>
        ))}
      </ol>
      {asked ? (
        <TextInput
          label={t("steps.reason")}
          data-autofocus
          required
          maxLength={2000}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      ) : null}
      {problem ? (
        <p className={classes.problem} role="alert">
          {problem}
        </p>
      ) : null}
      {mayEdit ? (
        <div className={classes.foot}>
          <Button onClick={onClose}>{common("cancel")}</Button>
          <Button type="submit" variant="filled" loading={saving} disabled={changed.length === 0 || (asked && reason.trim() === "")}>
            {common("save")}
          </Button>
        </div>
      ) : null}
    </form>
  );
}
