"use client";
import { Modal, NumberInput, Select, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useCloseGuard, useEdited } from "#components/ui/close-guard.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { useAction } from "#components/ui/use-action.ts";
import { saveCluster } from "#lib/dimension-views/clusters/actions.ts";
import {
  type ClusterColor,
  clusterColors,
  clusterNameChars,
  percentMax,
  type RateKind,
  rateBounds,
  rateKinds,
} from "#lib/dimension-views/clusters/limits.ts";
import type { LngLat } from "#lib/dimension-views/clusters/logic.ts";
import type { Cluster } from "#lib/dimension-views/clusters/queries.ts";
import classes from "./clusters.module.css";

/** What a cluster may name: regions and activities of the project. */
export type ClusterChoices = { regions: { id: number; name: string }[]; activities: { id: number; name: string }[] };

type Props = {
  /** The cluster to change; null for a new one. */
  cluster: Cluster | null;
  /** Outline of a new one, as it was drawn. */
  polygon: readonly LngLat[] | null;
  choices: ClusterChoices;
  onClose: () => void;
  onSaved: (id: number) => void;
};

type Values = {
  name: string;
  regionId: string | null;
  priority: number | string;
  rateKind: RateKind;
  completionRate: number | string;
  cutoverActivityId: string | null;
  maxCutoverQty: number | string;
  color: ClusterColor;
};

const valuesOf = (cluster: Cluster | null): Values => ({
  name: cluster?.name ?? "",
  regionId: cluster?.regionId ? String(cluster.regionId) : null,
  priority: cluster?.priority ?? 1,
  rateKind: cluster?.rateKind ?? "integer",
  completionRate: cluster?.completionRate ?? 80,
  cutoverActivityId: cluster?.cutoverActivityId ? String(cluster.cutoverActivityId) : null,
  maxCutoverQty: cluster?.maxCutoverQty ?? "",
  color: cluster?.color ?? "c1",
});

const numberOr = <Other,>(value: number | string, other: Other) => (value === "" ? other : Number(value));

/** A cluster as a form: what it is called, when it is ready, how it is drawn. [MDV-07] */
export function ClusterDialog({ cluster, polygon, choices, onClose, onSaved }: Props) {
  const t = useTranslations("clusters");
  const common = useTranslations("common");
  const id = useId();
  const [values, setValues] = useState(() => valuesOf(cluster));
  const [faults, setFaults] = useState<Record<string, string>>({});
  const [problem, setProblem] = useState<string>();
  const [save, saving] = useAction(saveCluster);
  const { close, question } = useCloseGuard(useEdited(values), onClose);
  const set = (given: Partial<Values>) => {
    setValues((before) => ({ ...before, ...given }));
    setFaults({});
    setProblem(undefined);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const answer = await save({
      ...(cluster ? { id: cluster.id, rowVersion: cluster.rowVersion } : {}),
      name: values.name,
      regionId: values.regionId ? Number(values.regionId) : null,
      priority: numberOr(values.priority, 0),
      rateKind: values.rateKind,
      completionRate: numberOr(values.completionRate, 0),
      cutoverActivityId: values.cutoverActivityId ? Number(values.cutoverActivityId) : null,
      maxCutoverQty: numberOr(values.maxCutoverQty, null),
      polygon: polygon ? polygon.map(([x, y]): LngLat => [x, y]) : (cluster?.polygon ?? null),
      color: values.color,
    });
    if (answer.data) {
      onSaved(answer.data.id);
      return onClose();
    }
    const own = Object.fromEntries((answer.problems ?? []).filter(({ path }) => path in values).map(({ path, msg }) => [path, msg]));
    if (answer.code === "NAME_EXISTS") own.name = answer.msg ?? "";
    setFaults(own);
    if (Object.keys(own).length === 0) setProblem(answer.problems?.[0]?.msg ?? answer.msg ?? answer.code);
  };
  const field = (name: keyof Values) => ({ id: `${id}-${name}`, label: t(`field.${name}`), error: faults[name] });
  const control = (name: keyof Values) => ({
    id: `${id}-${name}`,
    error: faults[name] !== undefined,
    "aria-describedby": fieldNoteId(`${id}-${name}`),
  });
  const bounds = rateBounds[values.rateKind];
  const isCount = values.rateKind === "integer" && Number(values.completionRate) > percentMax;
  return (
    <Modal
      opened
      onClose={close}
      title={cluster ? t("change", { name: cluster.name }) : t("new")}
      size={520}
      closeButtonProps={{ "aria-label": common("close") }}
    >
      <form className={classes.form} onSubmit={submit} noValidate>
        <Field {...field("name")} required count={{ used: [...values.name].length, max: clusterNameChars }}>
          <TextInput
            {...control("name")}
            data-autofocus
            required
            maxLength={clusterNameChars}
            value={values.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
        </Field>
        <div className={classes.pair}>
          <Field {...field("regionId")}>
            <Select
              {...control("regionId")}
              clearable
              searchable
              clearButtonProps={{ "aria-label": common("clear") }}
              data={choices.regions.map((region) => ({ value: String(region.id), label: region.name }))}
              value={values.regionId}
              onChange={(regionId) => set({ regionId })}
            />
          </Field>
          <Field {...field("priority")} required>
            <NumberInput
              {...control("priority")}
              required
              min={1}
              allowDecimal={false}
              value={values.priority}
              onChange={(priority) => set({ priority })}
            />
          </Field>
        </div>
        <Field {...field("cutoverActivityId")} help={t("cutoverHelp")}>
          <Select
            {...control("cutoverActivityId")}
            clearable
            searchable
            clearButtonProps={{ "aria-label": common("clear") }}
            data={choices.activities.map((activity) => ({ value: String(activity.id), label: activity.name }))}
            value={values.cutoverActivityId}
            onChange={(cutoverActivityId) => set({ cutoverActivityId })}
          />
        </Field>
        <div className={classes.pair}>
          <Field {...field("rateKind")}>
            <Select
              {...control("rateKind")}
              allowDeselect={false}
              data={rateKinds.map((value) => ({ value, label: t(`rateKind.${value}`) }))}
              value={values.rateKind}
              onChange={(value) => set({ rateKind: rateKinds.find((kind) => kind === value) ?? "integer" })}
            />
          </Field>
          <Field {...field("completionRate")} range={bounds} help={isCount ? t("rateCounts") : t("ratePercent")}>
            <NumberInput
              {...control("completionRate")}
              decimalScale={bounds.decimals}
              value={values.completionRate}
              onChange={(completionRate) => set({ completionRate })}
            />
          </Field>
        </div>
        <div className={classes.pair}>
          <Field {...field("maxCutoverQty")} help={t("maxHelp")}>
            <NumberInput
              {...control("maxCutoverQty")}
              min={1}
              allowDecimal={false}
              value={values.maxCutoverQty}
              onChange={(maxCutoverQty) => set({ maxCutoverQty })}
            />
          </Field>
          <Field {...field("color")}>
            <Select
              {...control("color")}
              allowDeselect={false}
              leftSection={<span className={classes.swatch} style={{ background: `var(--${values.color})` }} />}
              data={clusterColors.map((value, at) => ({ value, label: t("colorNumber", { number: at + 1 }) }))}
              value={values.color}
              onChange={(value) => set({ color: clusterColors.find((color) => color === value) ?? "c1" })}
            />
          </Field>
        </div>
        {polygon ? <p className={classes.help}>{t("outlineDrawn")}</p> : null}
        <DialogFoot problem={problem} verb={common("save")} busy={saving} onClose={close} />
      </form>
      {question}
    </Modal>
  );
}
