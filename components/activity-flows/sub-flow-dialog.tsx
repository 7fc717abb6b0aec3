"use client";
import { ActionIcon, Button, Checkbox, NumberInput, TextInput } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconPlus, IconX } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useEdited } from "#components/ui/close-guard.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { FormModal, type GuardedForm } from "#components/ui/form-modal.tsx";
import { useAction } from "#components/ui/use-action.ts";
import { useTellEdited } from "#components/ui/use-tell-edited.ts";
import { saveSubFlow } from "#lib/activity-flows/sub-flows/actions.ts";
import { stepNameChars, stepsMax, subFlowNameChars, weightDecimals, weightMax } from "#lib/activity-flows/sub-flows/limits.ts";
import type { SubFlowRow } from "#lib/activity-flows/sub-flows/queries.ts";
import classes from "./sub-flows.module.css";

type Props = { row: SubFlowRow | "new" | null; readOnly: boolean; onClose: () => void; onSaved: () => unknown };

/** Name, state and steps of a sub-flow. */
export function SubFlowDialog({ row, onClose, ...rest }: Props) {
  const t = useTranslations("sub-flows");
  return (
    <FormModal opened={row !== null} title={row === "new" ? t("new") : (row?.name ?? "")} size={680} onClose={onClose}>
      {(guarded) =>
        row ? (
          <SubFlowForm key={row === "new" ? "new" : row.id} row={row === "new" ? null : row} onClose={onClose} {...guarded} {...rest} />
        ) : null
      }
    </FormModal>
  );
}

type Step = { key: number; id?: number; name: string; weight: number | string; needDeliverable: boolean };

type FormProps = Omit<Props, "row"> & GuardedForm & { row: SubFlowRow | null };

function SubFlowForm({ row, readOnly, onEdited, onCancel, onClose, onSaved }: FormProps) {
  const t = useTranslations("sub-flows");
  const common = useTranslations("common");
  const id = useId();
  const [name, setName] = useState(row?.name ?? "");
  const [active, setActive] = useState(row?.status !== "disabled");
  const [steps, setSteps] = useState<Step[]>(
    () => row?.steps.map((step) => ({ ...step, key: step.id })) ?? [{ key: -1, name: "", weight: 1, needDeliverable: false }],
  );
  const [nextKey, setNextKey] = useState(-2);
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const [save, saving] = useAction(saveSubFlow);
  useTellEdited(useEdited([name, active, steps]), onEdited);
  const patch = (key: number, part: Partial<Step>) => {
    setSteps((before) => before.map((step) => (step.key === key ? { ...step, ...part } : step)));
    setProblems(new Map());
  };
  const move = (at: number, by: number) => setSteps((before) => before.toSpliced(at, 1).toSpliced(at + by, 0, before[at] as Step));
  const add = () => {
    setSteps((before) => [...before, { key: nextKey, name: "", weight: 1, needDeliverable: false }]);
    setNextKey(nextKey - 1);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const missing = new Map<string, string>();
    if (name.trim() === "") missing.set("subFlow.name", t("form.nameMissing"));
    steps.forEach((step, at) => {
      if (step.name.trim() === "") missing.set(`steps.${at}.name`, t("form.nameMissing"));
    });
    if (missing.size > 0) return setProblems(missing);
    const answer = await save({
      subFlow: { ...(row ? { id: row.id, rowVersion: row.rowVersion } : {}), name, status: active ? "active" : "disabled" },
      steps: steps.map(({ key: _key, id: step, weight, ...rest }) => ({
        ...rest,
        weight: Number(weight),
        ...(step === undefined ? {} : { id: step }),
      })),
    });
    if (answer.status >= 400) {
      const told = new Map((answer.problems ?? []).map(({ path, msg }) => [path, msg]));
      return setProblems(told.size > 0 ? told : new Map([["", answer.msg ?? t("failed")]]));
    }
    await onSaved();
    onClose();
  };
  const shown = new Set(["subFlow.name", ...steps.flatMap((_, at) => [`steps.${at}.name`, `steps.${at}.weight`])]);
  const whole = [...problems].find(([path]) => !shown.has(path))?.[1];
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <Field
        id={`${id}-name`}
        label={common("name")}
        required
        count={{ used: name.length, max: subFlowNameChars }}
        error={problems.get("subFlow.name")}
      >
        <TextInput
          id={`${id}-name`}
          data-autofocus
          required
          readOnly={readOnly}
          maxLength={subFlowNameChars}
          value={name}
          error={problems.has("subFlow.name")}
          aria-describedby={fieldNoteId(`${id}-name`)}
          onChange={(event) => {
            setName(event.currentTarget.value);
            setProblems(new Map());
          }}
        />
      </Field>
      <p className={classes.help}>{t("form.stepsHelp")}</p>
      <ol className={classes.rows} aria-label={t("column.steps")}>
        {steps.map((step, at) => (
          <li key={step.key} className={classes.row}>
            <span className={classes.number}>{at + 1}</span>
            <TextInput
              aria-label={t("form.stepName", { number: at + 1 })}
              readOnly={readOnly}
              maxLength={stepNameChars}
              value={step.name}
              error={problems.get(`steps.${at}.name`)}
              onChange={(event) => patch(step.key, { name: event.currentTarget.value })}
            />
            <NumberInput
              aria-label={t("form.weightOf", { number: at + 1 })}
              readOnly={readOnly}
              min={0}
              max={weightMax}
              decimalScale={weightDecimals}
              value={step.weight}
              error={problems.get(`steps.${at}.weight`)}
              onChange={(weight) => patch(step.key, { weight })}
            />
            <Checkbox
              size="xs"
              label={t("form.needDeliverable")}
              disabled={readOnly}
              checked={step.needDeliverable}
              onChange={(event) => patch(step.key, { needDeliverable: event.currentTarget.checked })}
            />
            {readOnly ? null : (
              <span className={classes.verbs}>
                <ActionIcon size={24} aria-label={t("form.up", { number: at + 1 })} disabled={at === 0} onClick={() => move(at, -1)}>
                  <IconArrowUp size={16} stroke={1.4} />
                </ActionIcon>
                <ActionIcon
                  size={24}
                  aria-label={t("form.down", { number: at + 1 })}
                  disabled={at === steps.length - 1}
                  onClick={() => move(at, 1)}
                >
                  <IconArrowDown size={16} stroke={1.4} />
                </ActionIcon>
                <ActionIcon
                  size={24}
                  aria-label={t("form.remove", { number: at + 1 })}
                  disabled={steps.length === 1}
                  onClick={() => setSteps((before) => before.filter((other) => other !== step))}
                >
                  <IconX size={16} stroke={1.4} />
                </ActionIcon>
              </span>
            )}
          </li>
        ))}
      </ol>
      {readOnly ? null : (
        <div className={classes.line}>
          <Button leftSection={<IconPlus size={16} stroke={1.4} />} disabled={steps.length >= stepsMax} onClick={add}>
            {t("form.addStep")}
          </Button>
          <span className={classes.help}>
            {steps.length} / {stepsMax}
          </span>
          <Checkbox size="xs" label={t("form.active")} checked={active} onChange={(event) => setActive(event.currentTarget.checked)} />
        </div>
      )}
      {readOnly ? null : <DialogFoot problem={whole} busy={saving} verb={row ? common("save") : common("create")} onClose={onCancel} />}
    </form>
  );
}
