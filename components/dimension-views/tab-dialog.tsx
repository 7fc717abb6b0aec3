"use client";
import { Checkbox, Modal, Select, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useCloseGuard, useEdited } from "#components/ui/close-guard.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { useAction } from "#components/ui/use-action.ts";
import { saveTab } from "#lib/dimension-views/actions.ts";
import { aliasChars, tabActivitiesMax } from "#lib/dimension-views/limits.ts";
import type { Tab } from "#lib/dimension-views/queries.ts";
import { ActivityOrder } from "./activity-order.tsx";
import { TabPreview } from "./tab-preview.tsx";
import { type Activity, dimensionName, useDimensions } from "./use-tabs.ts";
import classes from "./views.module.css";

type Props = {
  /** As it is, or what a new one begins with. */
  tab: Partial<Tab>;
  /** Of everybody. */
  global: boolean;
  /** Tabs the person sees: what its set uses already is not offered. */
  tabs: readonly Tab[];
  activities: readonly Activity[];
  onClose: () => void;
  onSaved: (id: number) => Promise<void>;
};

type Values = Pick<Tab, "alias" | "dimension" | "activityIds" | "showRate" | "showAmount" | "visible">;
const fields = ["alias", "dimension", "activityIds", "showRate", "visible"] as const;
type FieldName = (typeof fields)[number];

/** Makes a tab or changes one: its name, what it is cut by, what it counts and shows; the first rows beside it. [MDV-09] */
export function TabDialog({ tab, global, tabs, activities, onClose, onSaved }: Props) {
  const t = useTranslations("dimension-views.editor");
  const views = useTranslations("dimension-views");
  const common = useTranslations("common");
  const id = useId();
  const [values, setValues] = useState<Values>({
    alias: tab.alias ?? "",
    dimension: tab.dimension ?? "",
    activityIds: tab.activityIds ?? [],
    showRate: tab.showRate ?? true,
    showAmount: tab.showAmount ?? true,
    visible: tab.visible ?? true,
  });
  const [faults, setFaults] = useState<Partial<Record<FieldName, string>>>({});
  const [problem, setProblem] = useState<string>();
  const [save, saving] = useAction(saveTab);
  const { close, question } = useCloseGuard(useEdited(values), onClose);
  const found = useDimensions();
  const used = new Map(
    tabs.filter((given) => given.global === global && given.id !== tab.id).map(({ dimension, alias }) => [dimension, alias]),
  );
  const options = (found.data?.dimensions ?? []).map((dimension) => {
    const alias = used.get(dimension.key);
    const name = dimensionName(dimension, views);
    return { value: dimension.key, label: alias === undefined ? name : t("used", { name, alias }), disabled: alias !== undefined };
  });
  const change = (part: Partial<Values>) => {
    setValues((before) => ({ ...before, ...part }));
    setFaults({});
    setProblem(undefined);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (values.dimension === "") return setFaults({ dimension: t("dimensionMissing") });
    const answer = await save({ ...values, global, ...(tab.id === undefined ? {} : { id: tab.id, rowVersion: tab.rowVersion }) });
    if (answer.data) {
      await onSaved(answer.data.id);
      return onClose();
    }
    const own = (answer.problems ?? []).filter(({ path }) => (fields as readonly string[]).includes(path));
    setFaults(Object.fromEntries(own.map(({ path, msg }) => [path, msg])));
    if (own.length === 0) setProblem(answer.msg ?? answer.code);
  };
  return (
    <Modal
      opened
      onClose={close}
      title={t(tab.id === undefined ? (global ? "newGlobal" : "new") : "title", { alias: tab.alias ?? "" })}
      size={960}
      closeButtonProps={{ "aria-label": common("close") }}
    >
      <form className={classes.form} onSubmit={submit} noValidate>
        <div className={classes.columns}>
          <div>
            <Field
              id={`${id}-alias`}
              label={t("alias")}
              required
              count={{ used: [...values.alias].length, max: aliasChars }}
              error={faults.alias}
            >
              <TextInput
                id={`${id}-alias`}
                data-autofocus
                required
                maxLength={aliasChars}
                value={values.alias}
                error={faults.alias !== undefined}
                aria-describedby={fieldNoteId(`${id}-alias`)}
                onChange={(event) => change({ alias: event.currentTarget.value })}
              />
            </Field>
            <Field id={`${id}-dimension`} label={t("dimension")} required error={faults.dimension}>
              <Select
                id={`${id}-dimension`}
                searchable
                required
                allowDeselect={false}
                data={options}
                value={values.dimension || null}
                error={faults.dimension !== undefined}
                aria-describedby={fieldNoteId(`${id}-dimension`)}
                onChange={(dimension) => change({ dimension: dimension ?? "" })}
              />
            </Field>
            <fieldset className={classes.checks}>
              <legend>{t("shows")}</legend>
              <Checkbox
                size="xs"
                label={t("rate")}
                checked={values.showRate}
                onChange={(event) => change({ showRate: event.currentTarget.checked })}
              />
              <Checkbox
                size="xs"
                label={t("amount")}
                checked={values.showAmount}
                onChange={(event) => change({ showAmount: event.currentTarget.checked })}
              />
              {faults.showRate ? (
                <p className={classes.problem} role="alert">
                  {faults.showRate}
                </p>
              ) : null}
            </fieldset>
            <fieldset className={classes.checks}>
              <legend>{t("bar")}</legend>
              <Checkbox
                size="xs"
                label={t("visible")}
                checked={values.visible}
                onChange={(event) => change({ visible: event.currentTarget.checked })}
              />
              {faults.visible ? (
                <p className={classes.problem} role="alert">
                  {faults.visible}
                </p>
              ) : null}
            </fieldset>
          </div>
          <Field
            id={`${id}-activities`}
            label={t("activities")}
            required
            count={{ used: values.activityIds.length, max: tabActivitiesMax }}
            error={faults.activityIds}
          >
            <ActivityOrder
              id={`${id}-activities`}
              activities={activities}
              chosen={values.activityIds}
              onChange={(activityIds) => change({ activityIds })}
            />
          </Field>
        </div>
        <TabPreview tab={values} />
        <DialogFoot problem={problem} verb={common("save")} busy={saving} onClose={close} />
      </form>
      {question}
    </Modal>
  );
}
