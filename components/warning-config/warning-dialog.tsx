"use client";
import { Button, Checkbox, Modal, NativeSelect, NumberInput, Select, Textarea } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useRef, useState } from "react";
import { useCloseGuard, useEdited } from "#components/ui/close-guard.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toast.ts";
import { callDoor } from "#lib/core/call-door.ts";
import type { Answer } from "#lib/core/error.ts";
import type { WarningChoices, WarningEntry } from "#lib/reminders/warning-config/queries.ts";
import {
  placeholders,
  warningDaysMax,
  warningDaysMin,
  warningFields,
  warningLevels,
  warningMessageChars,
  warningOperators,
} from "#lib/reminders/warnings/limits.ts";
import { refreshWarnings } from "./use-warnings.ts";
import classes from "./warnings.module.css";

type Props = { row: WarningEntry | null; choices: WarningChoices; onClose: () => void };

/** A warning: which date is looked at, how far it may lie from which other one, what follows, and its text with placeholders. */
export function WarningDialog({ row, choices, onClose }: Props) {
  const t = useTranslations("warnings");
  const common = useTranslations("common");
  const id = useId();
  const client = useQueryClient();
  const text = useRef<HTMLTextAreaElement>(null);
  const [values, setValues] = useState({
    flowId: row?.flowId ? String(row.flowId) : "",
    anchorActivityId: row ? String(row.anchorActivityId) : "",
    fieldA: row?.fieldA ?? "actualEnd",
    alertActivityId: row ? String(row.alertActivityId) : "",
    fieldB: row?.fieldB ?? "planEnd",
    operator: row?.operator ?? "GT",
    days: (row?.days ?? 0) as number | string,
    level: row?.level ?? "DEFAULT",
    message: row?.message ?? "",
    enabled: row?.status !== "DISABLED",
  });
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Answer | null>(null);
  const { close, question } = useCloseGuard(useEdited(values), onClose);
  const change = (given: Partial<typeof values>) => {
    setRefusal(null);
    setValues((before) => ({ ...before, ...given }));
  };
  const faults = Object.fromEntries((refusal?.problems ?? []).map(({ path, msg }) => [path, msg]));
  const insert = (name: string) => {
    const at = text.current?.selectionStart ?? values.message.length;
    change({ message: `${values.message.slice(0, at)}{${name}}${values.message.slice(text.current?.selectionEnd ?? at)}` });
    text.current?.focus();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const { enabled, flowId, anchorActivityId, alertActivityId, days, ...rest } = values;
    const answer = await callDoor("warningConfig/save", {
      ...rest,
      ...(row && { id: row.id, rowVersion: row.rowVersion, sortNo: row.sortNo }),
      flowId: flowId === "" ? null : Number(flowId),
      anchorActivityId: Number(anchorActivityId),
      alertActivityId: Number(alertActivityId),
      days: typeof days === "number" ? days : Number.NaN,
      status: enabled ? "ENABLED" : "DISABLED",
    });
    if (answer.status >= 400) {
      setBusy(false);
      return setRefusal(answer);
    }
    await refreshWarnings(client);
    toast.done(t("saved"));
    onClose();
  };
  const activities = choices.activities.map((activity) => ({ value: String(activity.id), label: activity.name }));
  const fields = warningFields.map((value) => ({ value, label: t(`field.${value}`) }));
  const date = (side: "anchor" | "alert") => {
    const [activityKey, fieldKey] =
      side === "anchor" ? (["anchorActivityId", "fieldA"] as const) : (["alertActivityId", "fieldB"] as const);
    return (
      <div className={classes.date}>
        <Field id={`${id}-${activityKey}`} label={t(`form.${side}`)} required error={faults[activityKey]}>
          <Select
            id={`${id}-${activityKey}`}
            searchable
            limit={100}
            data={activities}
            value={values[activityKey] || null}
            error={Boolean(faults[activityKey])}
            aria-describedby={fieldNoteId(`${id}-${activityKey}`)}
            nothingFoundMessage={t("form.noActivity")}
            onChange={(value) => change({ [activityKey]: value ?? "" })}
          />
        </Field>
        <Field id={`${id}-${fieldKey}`} label={t(`form.${fieldKey}`)} error={faults[fieldKey]}>
          <NativeSelect
            id={`${id}-${fieldKey}`}
            data={fields}
            value={values[fieldKey]}
            error={Boolean(faults[fieldKey])}
            aria-describedby={fieldNoteId(`${id}-${fieldKey}`)}
            onChange={(event) => change({ [fieldKey]: event.currentTarget.value })}
          />
        </Field>
      </div>
    );
  };
  const known = ["flowId", "anchorActivityId", "fieldA", "alertActivityId", "fieldB", "days", "message"];
  const own = Object.keys(faults).some((path) => known.includes(path));
  return (
    <Modal opened onClose={close} title={t(row ? "form.edit" : "form.new")} size={680} closeButtonProps={{ "aria-label": common("close") }}>
      <form className={classes.form} onSubmit={submit} noValidate>
        {date("alert")}
        <div className={classes.date}>
          <Field id={`${id}-operator`} label={t("form.operator")}>
            <NativeSelect
              id={`${id}-operator`}
              value={values.operator}
              data={warningOperators.map((value) => ({ value, label: t(`operator.${value}`) }))}
              onChange={(event) => change({ operator: event.currentTarget.value as typeof values.operator })}
            />
          </Field>
          <Field id={`${id}-days`} label={t("form.days")} required range={{ min: warningDaysMin, max: warningDaysMax }} error={faults.days}>
            <NumberInput
              id={`${id}-days`}
              allowDecimal={false}
              value={values.days}
              error={Boolean(faults.days)}
              aria-describedby={fieldNoteId(`${id}-days`)}
              onChange={(days) => change({ days })}
            />
          </Field>
        </div>
        {date("anchor")}
        <div className={classes.date}>
          <Field id={`${id}-flow`} label={t("column.flow")} error={faults.flowId}>
            <NativeSelect
              id={`${id}-flow`}
              value={values.flowId}
              data={[{ value: "", label: t("everyFlow") }, ...choices.flows.map((flow) => ({ value: String(flow.id), label: flow.name }))]}
              onChange={(event) => change({ flowId: event.currentTarget.value })}
            />
          </Field>
          <Field id={`${id}-level`} label={t("column.level")} help={t(`levelHelp.${values.level}`)}>
            <NativeSelect
              id={`${id}-level`}
              value={values.level}
              aria-describedby={fieldNoteId(`${id}-level`)}
              data={warningLevels.map((value) => ({ value, label: t(`level.${value}`) }))}
              onChange={(event) => change({ level: event.currentTarget.value as typeof values.level })}
            />
          </Field>
        </div>
        <Field
          id={`${id}-message`}
          label={t("column.message")}
          required
          count={{ used: [...values.message.trim()].length, max: warningMessageChars }}
          error={faults.message}
        >
          <Textarea
            id={`${id}-message`}
            ref={text}
            autosize
            minRows={2}
            maxRows={6}
            value={values.message}
            error={Boolean(faults.message)}
            aria-describedby={fieldNoteId(`${id}-message`)}
            onChange={(event) => change({ message: event.currentTarget.value })}
          />
        </Field>
        <div className={classes.placeholders}>
          <span>{t("form.placeholders")}</span>
          {placeholders.map((name) => (
            <Button key={name} size="xs" title={t(`placeholder.${name}`)} onClick={() => insert(name)}>
              {`{${name}}`}
            </Button>
          ))}
        </div>
        <Checkbox
          label={t("form.enabled")}
          checked={values.enabled}
          onChange={(event) => change({ enabled: event.currentTarget.checked })}
        />
        <DialogFoot
          problem={refusal && !own ? (refusal.msg ?? common("failed")) : undefined}
          verb={common("save")}
          busy={busy}
          disabled={values.anchorActivityId === "" || values.alertActivityId === "" || values.message.trim() === ""}
          onClose={close}
        />
      </form>
      {question}
    </Modal>
  );
}
