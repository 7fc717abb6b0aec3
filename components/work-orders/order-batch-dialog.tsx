"use client";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { FormModal, type GuardedForm } from "#components/ui/form-modal.tsx";
import { ActivityChoice, useOrderTargets } from "./activity-choice.tsx";
import { NaForm, type NaVerb } from "./na-form.tsx";
import classes from "./orders.module.css";
import { StepForm } from "./step-form.tsx";

/** Verbs of the batch menu, in its order. */
export type OrderBatchVerb = "dispatch" | "cancel" | "redo" | NaVerb;

type Props = {
  verb: OrderBatchVerb;
  /** At most 200 DUs. */
  duIds: number[];
  opened: boolean;
  onClose: () => void;
  onApplied: (result: { batchId: number | null; cells: number }) => void;
  onSelect: (duIds: readonly number[]) => void;
  duCode: (duId: number) => string;
};

/** Dispatches, cancels or redoes chosen activities of the selected DUs, or asks for NA and INV. */
export function OrderBatchDialog(props: Props) {
  const t = useTranslations("work-orders.entries");
  return (
    <FormModal opened={props.opened} title={t(props.verb)} size={620} onClose={props.onClose}>
      {(guarded) => (props.opened ? <BatchForm key={props.verb} {...props} {...guarded} /> : null)}
    </FormModal>
  );
}

function BatchForm({ verb, duIds, onEdited, onCancel, onClose, onApplied, onSelect, duCode }: Props & GuardedForm) {
  const form = useTranslations("work-orders.form");
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const targets = useOrderTargets(duIds);
  const activities = new Map((targets.data ?? []).map(({ activityId, name }) => [activityId, name]));
  const names = { du: duCode, activity: (id: number) => activities.get(id) };
  const choice = chosen.size > 0 ? { duIds, activityIds: [...chosen] } : null;
  const fields = (
    <>
      <p className={classes.help}>{form("dus", { count: duIds.length })}</p>
      <ActivityChoice targets={targets} chosen={chosen} onChange={setChosen} />
    </>
  );
  if (verb === "setNa" || verb === "cancelNa")
    return (
      <NaForm
        verb={verb}
        choice={choice}
        names={names}
        onSelect={onSelect}
        onApplied={(requested) => onApplied({ batchId: null, cells: requested })}
        onEdited={onEdited}
        onCancel={onCancel}
        onClose={onClose}
      >
        {fields}
      </NaForm>
    );
  return (
    <StepForm
      verb={verb}
      choice={choice}
      names={names}
      onSelect={onSelect}
      onApplied={({ done }) => onApplied({ batchId: null, cells: done })}
      onEdited={onEdited}
      onCancel={onCancel}
      onClose={onClose}
    >
      {fields}
    </StepForm>
  );
}
