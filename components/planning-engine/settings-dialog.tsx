"use client";
import { Checkbox, NativeSelect, NumberInput, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import { useEdited } from "#components/ui/close-guard.tsx";
import { DayInput } from "#components/ui/day-input.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { FormModal, type GuardedForm } from "#components/ui/form-modal.tsx";
import { toast } from "#components/ui/toast.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useTellEdited } from "#components/ui/use-tell-edited.ts";
import { signalAnswer } from "#lib/core/answer-signal.ts";
import { callDoor } from "#lib/core/call-door.ts";
import {
  azimuthMax,
  clusteringRateMin,
  currencies,
  directions,
  evaluationLimitMax,
  gapPolicies,
  horizonDaysMax,
  islandsMax,
  rateMax,
  timeBudgetSecondsMax,
  wholeNumberMax,
} from "#lib/planning-engine/versions/limits.ts";
import type { EngineSetting, EngineVersion, FoundSetting } from "#lib/planning-engine/versions/queries.ts";
import classes from "./home.module.css";

type Props = {
  version: EngineVersion;
  mayEdit: boolean;
  /** Whether the exact step is installed. */
  hasExact: boolean;
  onSaved: () => void;
  onClose: () => void;
};
type FieldName = Exclude<keyof EngineSetting, "rowVersion">;
type NumberName = { [Name in FieldName]: NonNullable<EngineSetting[Name]> extends number ? Name : never }[FieldName];
type FlagName = { [Name in FieldName]: EngineSetting[Name] extends boolean ? Name : never }[FieldName];

/** Bounds of the numbers, as the save checks them. */
const ranges: Record<NumberName, { min: number; max: number }> = {
  horizonDays: { min: 1, max: horizonDaysMax },
  clusteringRate: { min: clusteringRateMin, max: rateMax },
  damageRate: { min: 0, max: rateMax },
  reuseRate: { min: 0, max: rateMax },
  bufferRate: { min: 0, max: rateMax },
  maxClusterCutover: { min: 1, max: wholeNumberMax },
  targetAzimuth: { min: 0, max: azimuthMax },
  evaluationLimit: { min: 1, max: evaluationLimitMax },
  timeBudgetS: { min: 1, max: timeBudgetSecondsMax },
  seed: { min: 0, max: wholeNumberMax },
  islands: { min: 1, max: islandsMax },
};

/** How a version is calculated: every setting with its bounds. [ENG-09] */
export function SettingsDialog(props: Props) {
  const t = useTranslations("engine-home");
  const project = useProjectNumber();
  const { version, onClose } = props;
  const found = useQuery({
    queryKey: ["engine setting", project, version.id],
    queryFn: async ({ signal }) => dataOf(await callDoor<FoundSetting>("engine/setting/find", { versionId: version.id }, { signal })),
    gcTime: 0,
  });
  return (
    <FormModal opened title={t("setting.title", { name: version.versionName })} size={760} onClose={onClose}>
      {(guarded) =>
        found.data ? (
          <SettingsForm {...props} first={found.data} {...guarded} />
        ) : found.isError ? (
          <ErrorPanel title={t("setting.failed")} failed={found.error} onRetry={() => found.refetch()} />
        ) : (
          <div className={classes.wait} aria-busy="true" />
        )
      }
    </FormModal>
  );
}

type FormProps = Props & GuardedForm & { first: FoundSetting };

function SettingsForm({ version, mayEdit, hasExact, onSaved, onEdited, onCancel, onClose, first }: FormProps) {
  const t = useTranslations("engine-home");
  const names = useTranslations("engine-inputs.sheet.setting");
  const id = useId();
  const { anchors, ...stored } = first;
  const [values, setValues] = useState<EngineSetting>(stored);
  useTellEdited(useEdited(values), onEdited);
  const [faults, setFaults] = useState<Partial<Record<string, string>>>({});
  const [problem, setProblem] = useState<string>();
  const [saving, setSaving] = useState(false);
  const change = (given: Partial<EngineSetting>) => {
    setValues((before) => ({ ...before, ...given }));
    setProblem(undefined);
    setFaults((before) => ({ ...before, ...Object.fromEntries(Object.keys(given).map((key) => [key, undefined])) }));
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setSaving(true);
    const answer = signalAnswer(await callDoor("engine/setting/save", { versionId: version.id, ...values }));
    setSaving(false);
    if (answer.status < 400) {
      toast.done(t("setting.done"));
      onSaved();
      return onClose();
    }
    const own = (answer.problems ?? []).filter(({ path }) => path in values && path !== "rowVersion");
    setFaults(Object.fromEntries(own.map(({ path, msg }) => [path, msg])));
    const [wrong] = own;
    if (wrong) document.getElementById(`${id}-${wrong.path}`)?.focus();
    else setProblem(answer.problems?.[0]?.msg ?? answer.msg ?? t("saving.failed"));
  };
  const frame = (name: FieldName, control: ReactNode, more: { required?: boolean; range?: { min: number; max: number } } = {}) => (
    <Field
      id={`${id}-${name}`}
      label={names(name)}
      help={
        name === "activityAnchor" && anchors.length === 0
          ? t("setting.help.noActivities")
          : helped.has(name)
            ? t(`setting.help.${name}` as "setting.help.seed")
            : undefined
      }
      error={faults[name]}
      {...more}
    >
      {control}
    </Field>
  );
  const own = (name: FieldName) => ({
    id: `${id}-${name}`,
    error: Boolean(faults[name]),
    "aria-describedby": fieldNoteId(`${id}-${name}`),
    disabled: !mayEdit,
  });
  const number = (name: NumberName, { required = true, decimals = 0 } = {}) =>
    frame(
      name,
      <NumberInput
        {...own(name)}
        allowDecimal={decimals > 0}
        {...(decimals > 0 && { decimalScale: decimals, step: 0.1 })}
        value={values[name] ?? ""}
        onChange={(value) => change({ [name]: value === "" ? null : Number(value) })}
      />,
      // The largest whole number is no bound anybody has to know.
      { required, ...(ranges[name].max < wholeNumberMax && { range: ranges[name] }) },
    );
  const choice = <Name extends "direction" | "gapPolicy" | "currency">(
    name: Name,
    all: readonly string[],
    word: (value: string) => string,
  ) =>
    frame(
      name,
      <NativeSelect
        {...own(name)}
        value={values[name]}
        data={all.map((value) => ({ value, label: word(value) }))}
        onChange={(event) => change({ [name]: event.currentTarget.value })}
      />,
    );
  /** @param missing why it cannot be set; what is set already can be taken back */
  const flag = (name: FlagName, missing?: string) => (
    <Checkbox
      id={`${id}-${name}`}
      label={names(name)}
      description={missing}
      disabled={!mayEdit || (missing !== undefined && !values[name])}
      checked={values[name]}
      onChange={(event) => change({ [name]: event.currentTarget.checked })}
    />
  );
  const kept = values.activityAnchor;
  const anchorChoices = [
    ...(kept && !anchors.includes(kept) ? [{ value: kept, label: t("setting.anchorGone", { name: kept }) }] : []),
    ...anchors.map((value) => ({ value, label: value })),
  ];
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <fieldset className={classes.group}>
        <legend>{t("setting.group.time")}</legend>
        {choice("direction", directions, (value) => t(`setting.direction.${value as "forward"}`))}
        {frame(
          "planStartDate",
          <DayInput
            id={`${id}-planStartDate`}
            value={values.planStartDate}
            error={Boolean(faults.planStartDate)}
            aria-describedby={fieldNoteId(`${id}-planStartDate`)}
            onChange={(day) => mayEdit && change({ planStartDate: day })}
          />,
          { required: true },
        )}
        {number("horizonDays")}
        {number("targetAzimuth", { required: false })}
        <div className={classes.flags}>
          {flag("sortByRfi")}
          {flag("enableEomonth")}
        </div>
      </fieldset>
      <fieldset className={classes.group}>
        <legend>{t("setting.group.cluster")}</legend>
        <div className={classes.flags}>{flag("enableCluster")}</div>
        {number("clusteringRate", { required: values.enableCluster, decimals: 4 })}
        {number("maxClusterCutover", { required: false })}
        {frame(
          "activityAnchor",
          <Select
            {...own("activityAnchor")}
            searchable
            clearable
            comboboxProps={{ withinPortal: true }}
            disabled={!mayEdit || anchorChoices.length === 0}
            data={anchorChoices}
            value={values.activityAnchor ?? null}
            onChange={(activityAnchor) => change({ activityAnchor })}
          />,
          { required: values.enableCluster },
        )}
      </fieldset>
      <fieldset className={classes.group}>
        <legend>{t("setting.group.material")}</legend>
        {number("damageRate", { decimals: 4 })}
        {number("reuseRate", { decimals: 4 })}
        {number("bufferRate", { decimals: 4 })}
        {choice("gapPolicy", gapPolicies, (value) => t(`setting.gapPolicy.${value as "flag"}`))}
        {choice("currency", currencies, (value) => value)}
      </fieldset>
      <fieldset className={classes.group}>
        <legend>{t("setting.group.search")}</legend>
        {number("evaluationLimit")}
        {number("timeBudgetS")}
        {number("seed")}
        {number("islands")}
        <div className={classes.flags}>{flag("useExact", hasExact ? undefined : t("setting.help.noExact"))}</div>
      </fieldset>
      {mayEdit ? (
        <div className={classes.stays}>
          <DialogFoot problem={problem} verb={t("setting.save")} busy={saving} onClose={onCancel} />
        </div>
      ) : (
        <p className={classes.quiet}>{t("rows.readOnly")}</p>
      )}
    </form>
  );
}

/** Fields that are explained below. */
const helped: ReadonlySet<FieldName> = new Set(["activityAnchor", "targetAzimuth", "maxClusterCutover", "seed", "islands", "gapPolicy"]);
