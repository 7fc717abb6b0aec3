"use client";
import { Modal, NativeSelect, NumberInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { lookup } from "#components/ui/query-client.ts";
import { useList } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { formatMinute } from "#lib/core/format.ts";
import { frozenDaysMax, stabilityWeightMax } from "#lib/planning-engine/runs/limits.ts";
import type { RunHead, StartRun } from "#lib/planning-engine/runs/schema.ts";
import classes from "./home.module.css";

type Plan = Pick<StartRun, "base" | "stabilityWeight" | "frozenDays">;
type Props = {
  versionId: number;
  /** Starts the run; gives what was wrong, or undefined once it runs. */
  onStart: (plan: Plan) => Promise<string | undefined>;
  onClose: () => void;
};

const rolloutPlan = "plan";
/** Earlier runs that are offered. */
const basesShown = 50;

/** A run that starts from an earlier one or from the rollout plan and moves as little as is asked for. */
export function ReplanDialog({ versionId, onStart, onClose }: Props) {
  const t = useTranslations("engine-home.replan");
  const common = useTranslations("common");
  const { offset } = useSession();
  const id = useId();
  const [base, setBase] = useState(rolloutPlan);
  const [weight, setWeight] = useState<number | string>(100);
  const [frozen, setFrozen] = useState<number | string>(0);
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const runs = useList<RunHead>({
    address: "engine/executeEngine/find/list",
    page: 1,
    size: basesShown,
    filters: [
      { field: "versionId", type: "eq", values: [versionId] },
      { field: "hasOutput", type: "eq", values: [true] },
    ],
    meta: lookup,
  });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const wrong = await onStart({
      base: base === rolloutPlan ? rolloutPlan : { runId: Number(base) },
      stabilityWeight: Number(weight),
      frozenDays: Number(frozen),
    });
    setBusy(false);
    if (wrong === undefined) onClose();
    else setProblem(wrong);
  };
  return (
    <Modal opened onClose={onClose} title={t("title")} size={480} closeButtonProps={{ "aria-label": common("close") }}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <Field id={`${id}-base`} label={t("base")} help={t("baseHelp")}>
          <NativeSelect
            id={`${id}-base`}
            data-autofocus
            value={base}
            aria-describedby={fieldNoteId(`${id}-base`)}
            data={[
              { value: rolloutPlan, label: t("plan") },
              ...(runs.data?.records ?? []).map((run) => ({
                value: String(run.id),
                label: t("run", { time: formatMinute(run.finishedAt ?? run.createdAt, offset), finish: run.incumbent?.finishDate ?? "-" }),
              })),
            ]}
            onChange={(event) => setBase(event.currentTarget.value)}
          />
        </Field>
        <div className={classes.pair}>
          <Field id={`${id}-weight`} label={t("weight")} range={{ min: 0, max: stabilityWeightMax }} help={t("weightHelp")}>
            <NumberInput
              id={`${id}-weight`}
              allowDecimal={false}
              min={0}
              max={stabilityWeightMax}
              value={weight}
              aria-describedby={fieldNoteId(`${id}-weight`)}
              onChange={setWeight}
            />
          </Field>
          <Field id={`${id}-frozen`} label={t("frozen")} range={{ min: 0, max: frozenDaysMax }} help={t("frozenHelp")}>
            <NumberInput
              id={`${id}-frozen`}
              allowDecimal={false}
              min={0}
              max={frozenDaysMax}
              value={frozen}
              aria-describedby={fieldNoteId(`${id}-frozen`)}
              onChange={setFrozen}
            />
          </Field>
        </div>
        <DialogFoot problem={problem} verb={t("verb")} busy={busy} onClose={onClose} />
      </form>
    </Modal>
  );
}
