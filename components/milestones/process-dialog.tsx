"use client";
import { ActionIcon, Button, Modal, NativeSelect, NumberInput, TextInput } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconTrash } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useCloseGuard, useEdited } from "#components/ui/close-guard.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { processNameChars, stepDaysMax, stepDaysMin, stepsMax } from "#lib/milestones/processes/limits.ts";
import type { TempProcess } from "#lib/milestones/processes/queries.ts";
import type { ProcessStep } from "#lib/milestones/processes/schema.ts";
import { roles } from "#lib/permissions.ts";
import classes from "./milestones.module.css";
import { useSave } from "./use-save.ts";

type Props = {
  process: TempProcess | null;
  flows: readonly { id: number; name: string }[];
  onSaved: () => unknown;
  onClose: () => void;
};
/** A step while it is edited; `key` tells steps apart. */
type Draft = ProcessStep & { key: number };

/** Name, flow and steps of a temporary process; a released one is shown only. */
export function ProcessDialog({ process, flows, onSaved, onClose }: Props) {
  const t = useTranslations("milestones.process");
  const common = useTranslations("common");
  const id = useId();
  const fixed = process?.status === "released";
  const [name, setName] = useState(process?.name ?? "");
  const [flowId, setFlowId] = useState(process?.flowId ?? null);
  const [steps, setSteps] = useState<Draft[]>(() => (process?.steps ?? []).map((step, key) => ({ ...step, key })));
  const { busy, faults, problem, clear, save } = useSave("tempProcess/save", (path) => path === "name" || path.startsWith("steps."));
  const { close, question } = useCloseGuard(useEdited([name, flowId, steps]), onClose);
  const change = (next: Draft[]) => {
    setSteps(next);
    clear();
  };
  const put = (at: number, given: Partial<Draft>) => change(steps.map((step, index) => (index === at ? { ...step, ...given } : step)));
  const move = (at: number, by: number) => {
    const next = [...steps];
    const [step] = next.splice(at, 1);
    next.splice(at + by, 0, step!);
    change(next);
  };
  const add = () =>
    change([...steps, { key: Math.max(0, ...steps.map(({ key }) => key)) + 1, workOrderName: "", ownerRole: "TL", days: 1 }]);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (fixed) return onClose();
    const input = {
      name,
      flowId,
      steps: steps.map(({ key: _key, ...step }) => step),
      ...(process && { id: process.id, rowVersion: process.rowVersion }),
    };
    if (!(await save(input))) return;
    await onSaved();
    onClose();
  };
  return (
    <Modal opened onClose={close} title={process ? process.name : t("new")} size={780} closeButtonProps={{ "aria-label": common("close") }}>
      <form className={classes.form} onSubmit={submit} noValidate>
        {fixed ? <p className={classes.note}>{t("fixed")}</p> : null}
        <div className={classes.pair}>
          <Field
            id={`${id}-name`}
            label={common("name")}
            required
            count={{ used: [...name.trim()].length, max: processNameChars }}
            error={faults.name}
          >
            <TextInput
              id={`${id}-name`}
              required
              readOnly={fixed}
              value={name}
              error={Boolean(faults.name)}
              aria-describedby={fieldNoteId(`${id}-name`)}
              onChange={(event) => {
                setName(event.currentTarget.value);
                clear();
              }}
            />
          </Field>
          <Field id={`${id}-flow`} label={common("flow")} help={t("flowHelp")}>
            <NativeSelect
              id={`${id}-flow`}
              disabled={fixed}
              value={flowId ?? ""}
              data={[{ value: "", label: t("allFlows") }, ...flows.map((flow) => ({ value: String(flow.id), label: flow.name }))]}
              onChange={(event) => setFlowId(Number(event.currentTarget.value) || null)}
            />
          </Field>
        </div>
        <section className={classes.infos} aria-labelledby={`${id}-steps`}>
          <h3 id={`${id}-steps`}>
            {t("steps")} {steps.length} / {stepsMax}
          </h3>
          <p className={classes.note}>{t("stepsHelp")}</p>
          {steps.length > 0 ? (
            <div className={`${classes.step} ${classes.heads}`} aria-hidden="true">
              <span />
              <span>{t("orderName")}</span>
              <span>{t("ownerRole")}</span>
              <span>{t("days")}</span>
              <span />
            </div>
          ) : null}
          {steps.map((step, at) => {
            const wrong = faults[`steps.${at}.workOrderName`] ?? faults[`steps.${at}.days`] ?? faults[`steps.${at}.ownerRole`];
            return (
              <div key={step.key}>
                <div className={classes.step}>
                  <span>{at + 1}</span>
                  <TextInput
                    aria-label={t("nameOf", { number: at + 1 })}
                    readOnly={fixed}
                    value={step.workOrderName}
                    error={Boolean(faults[`steps.${at}.workOrderName`])}
                    onChange={(event) => put(at, { workOrderName: event.currentTarget.value })}
                  />
                  <NativeSelect
                    aria-label={t("roleOf", { number: at + 1 })}
                    disabled={fixed}
                    value={step.ownerRole}
                    data={[...roles]}
                    onChange={(event) => put(at, { ownerRole: event.currentTarget.value as ProcessStep["ownerRole"] })}
                  />
                  <NumberInput
                    aria-label={t("daysOf", { number: at + 1 })}
                    readOnly={fixed}
                    min={stepDaysMin}
                    max={stepDaysMax}
                    allowDecimal={false}
                    value={step.days}
                    error={Boolean(faults[`steps.${at}.days`])}
                    onChange={(value) => put(at, { days: Number(value) || 0 })}
                  />
                  <span>
                    <ActionIcon aria-label={t("up", { number: at + 1 })} disabled={fixed || at === 0} onClick={() => move(at, -1)}>
                      <IconArrowUp size={14} stroke={1.7} />
                    </ActionIcon>
                    <ActionIcon
                      aria-label={t("down", { number: at + 1 })}
                      disabled={fixed || at === steps.length - 1}
                      onClick={() => move(at, 1)}
                    >
                      <IconArrowDown size={14} stroke={1.7} />
                    </ActionIcon>
                    <ActionIcon
                      aria-label={t("removeStep", { number: at + 1 })}
                      disabled={fixed}
                      onClick={() => change(steps.filter((_, index) => index !== at))}
                    >
                      <IconTrash size={14} stroke={1.4} />
                    </ActionIcon>
                  </span>
                </div>
                {wrong ? (
                  <p className={classes.problem} role="alert">
                    {wrong}
                  </p>
                ) : null}
              </div>
            );
          })}
          {fixed ? null : (
            <div>
              <Button size="xs" disabled={steps.length >= stepsMax} onClick={add}>
                {t("addStep")}
              </Button>
            </div>
          )}
        </section>
        <DialogFoot problem={problem} verb={fixed ? common("close") : common("save")} busy={busy} onClose={close} />
      </form>
      {question}
    </Modal>
  );
}
