"use client";
import { Checkbox, Modal, NativeSelect, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useCloseGuard, useEdited } from "#components/ui/close-guard.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { type MilestoneFlag, milestoneColors, milestoneFlags, milestoneNameChars, milestoneNumberChars } from "#lib/milestones/limits.ts";
import type { Milestone } from "#lib/milestones/queries.ts";
import { refreshMilestones } from "./milestone-data.ts";
import { type InfoDraft, MilestoneInfos } from "./milestone-infos.tsx";
import classes from "./milestones.module.css";
import { useSave } from "./use-save.ts";

type Props = { milestone: Milestone | null; full: boolean; deliveryTypes: readonly string[]; onClose: () => void };

const texts = [
  { key: "number", max: milestoneNumberChars, required: true },
  { key: "nameZh", max: milestoneNameChars, required: true },
  { key: "nameEn", max: milestoneNameChars, required: true },
  { key: "nameJa", max: milestoneNameChars, required: false },
] as const;

/** A milestone: number, three names, flag, colour, whether it is in use, and what it means for each delivery type. */
export function MilestoneDialog({ milestone, full, deliveryTypes, onClose }: Props) {
  const t = useTranslations("milestones");
  const common = useTranslations("common");
  const id = useId();
  const client = useQueryClient();
  const [values, setValues] = useState({
    number: milestone?.number ?? "",
    nameZh: milestone?.nameZh ?? "",
    nameEn: milestone?.nameEn ?? "",
    nameJa: milestone?.nameJa ?? "",
    flag: milestone?.flag ?? "normal",
    color: milestone?.color ?? "c1",
    enabled: milestone?.enabled ?? !full,
  });
  const [infos, setInfos] = useState<InfoDraft[]>(() => (milestone?.infos ?? []).map((info, key) => ({ ...info, key })));
  const { busy, faults, problem, clear, save } = useSave("milestoneConfig/save", (path) => path !== "");
  const { close, question } = useCloseGuard(useEdited([values, infos]), onClose);
  const change = (given: Partial<typeof values>) => {
    setValues((before) => ({ ...before, ...given }));
    clear();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const rows = infos.map(({ deliveryType, target, tempMilestoneId, weight, dateField }) => ({
      deliveryType,
      target,
      tempMilestoneId,
      weight,
      dateField,
    }));
    const input = { milestone: { ...values, ...(milestone && { id: milestone.id, rowVersion: milestone.rowVersion }) }, infos: rows };
    if (!(await save(input))) return;
    await refreshMilestones(client);
    onClose();
  };
  const blocked = full && !milestone?.enabled;
  return (
    <Modal
      opened
      onClose={close}
      title={t(milestone ? "dialog.edit" : "dialog.new")}
      size={860}
      closeButtonProps={{ "aria-label": common("close") }}
    >
      <form className={classes.form} onSubmit={submit} noValidate>
        <div className={classes.pair}>
          {texts.map(({ key, max, required }) => {
            const error = faults[`milestone.${key}`];
            return (
              <Field
                key={key}
                id={`${id}-${key}`}
                label={t(`field.${key}`)}
                required={required}
                count={{ used: [...values[key].trim()].length, max }}
                error={error}
                help={key === "nameJa" ? t("field.jaHelp") : undefined}
              >
                <TextInput
                  id={`${id}-${key}`}
                  required={required}
                  data-autofocus={key === "number" || undefined}
                  value={values[key]}
                  error={Boolean(error)}
                  aria-describedby={fieldNoteId(`${id}-${key}`)}
                  onChange={(event) => change({ [key]: event.currentTarget.value })}
                />
              </Field>
            );
          })}
        </div>
        <div className={classes.pair}>
          <Field id={`${id}-flag`} label={t("column.flag")} width={160}>
            <NativeSelect
              id={`${id}-flag`}
              value={values.flag}
              data={milestoneFlags.map((value) => ({ value, label: t(`flag.${value}`) }))}
              onChange={(event) => change({ flag: event.currentTarget.value as MilestoneFlag })}
            />
          </Field>
          <fieldset className={classes.colors}>
            <legend>{t("field.color")}</legend>
            {milestoneColors.map((color, index) => (
              <label key={color} className={classes.color}>
                <input
                  type="radio"
                  name={`${id}-color`}
                  checked={values.color === color}
                  aria-label={t("field.colorNo", { number: index + 1 })}
                  onChange={() => change({ color })}
                />
                <span style={{ background: `var(--${color})` }} />
              </label>
            ))}
          </fieldset>
        </div>
        <div>
          <Checkbox
            label={t("field.enabled")}
            checked={values.enabled}
            disabled={blocked}
            onChange={(event) => change({ enabled: event.currentTarget.checked })}
          />
          {blocked ? <p className={classes.note}>{t("field.full")}</p> : null}
          {faults["milestone.enabled"] ? (
            <p className={classes.problem} role="alert">
              {faults["milestone.enabled"]}
            </p>
          ) : null}
        </div>
        <MilestoneInfos
          infos={infos}
          deliveryTypes={deliveryTypes}
          faults={faults}
          onChange={(next) => {
            setInfos(next);
            clear();
          }}
        />
        <DialogFoot problem={problem} verb={common("save")} busy={busy} onClose={close} />
      </form>
      {question}
    </Modal>
  );
}
