"use client";
import { Button, Checkbox, NumberInput, Select } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toast.ts";
import { useUnsaved } from "#components/ui/unsaved.ts";
import { useAction } from "#components/ui/use-action.ts";
import { saveGlobal } from "#lib/dimension-views/actions.ts";
import { rowLimitMax, rowLimitMin, type ViewPeriod, viewPeriods } from "#lib/dimension-views/limits.ts";
import type { GlobalSettings, Tab } from "#lib/dimension-views/queries.ts";
import classes from "./views.module.css";

type Props = {
  config: GlobalSettings;
  tabs: readonly Tab[];
  readOnly: boolean;
  /** Reads the present settings; whether that went well. */
  onRefresh: () => Promise<boolean>;
};

/** Settings of all views: own tabs, the tab and the period to begin with, rows before the rest is folded. */
export function GlobalForm({ config, tabs, readOnly, onRefresh }: Props) {
  const t = useTranslations("dimension-views.settings");
  const views = useTranslations("dimension-views");
  const common = useTranslations("common");
  const plan = useTranslations("plan-grid.period");
  const id = useId();
  /** The settings as they are edited, with the revision they were edited upon. */
  const [draft, setDraft] = useState<GlobalSettings | null>(null);
  const [fault, setFault] = useState<string>();
  const [isStale, setStale] = useState(false);
  const [save, saving] = useAction(saveGlobal);
  const values = draft ?? config;
  useUnsaved(draft !== null);
  const change = (part: Partial<GlobalSettings>) => {
    setDraft((before) => ({ ...(before ?? config), ...part }));
    setFault(undefined);
    setStale(false);
  };
  const reload = async () => {
    if (!(await onRefresh())) return void toast.problem(t("notLoaded"));
    setDraft(null);
    setFault(undefined);
    setStale(false);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const answer = await save(values);
    if (answer.status < 400 && answer.data) {
      const { rowVersion } = answer.data;
      const saved = { ...values, rowVersion };
      toast.done(common("saved"));
      // What was changed while the save ran stays, upon what was saved.
      setDraft((now) => (now === draft ? saved : now && { ...now, rowVersion }));
      // Without the present settings what was saved is the best there is to show.
      if (!(await onRefresh())) return;
      return setDraft((now) => (now === saved ? null : now));
    }
    if (answer.code === "STALE") return setStale(true);
    const own = answer.problems?.find(({ path }) => path === "rowLimit");
    setFault(own?.msg);
    if (!own) toast.problem(answer.msg ?? views("failed"));
  };
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <Checkbox
        size="xs"
        disabled={readOnly}
        label={t("allowPersonal")}
        checked={values.allowPersonal}
        onChange={(event) => change({ allowPersonal: event.currentTarget.checked })}
      />
      <div className={classes.fields}>
        <Field id={`${id}-tab`} label={t("defaultTab")} width={240}>
          <Select
            id={`${id}-tab`}
            disabled={readOnly}
            clearable
            clearButtonProps={{ "aria-label": common("clear") }}
            placeholder={t("firstTab")}
            data={tabs.filter(({ visible }) => visible).map((tab) => ({ value: String(tab.id), label: tab.alias }))}
            value={values.defaultTabId === null ? null : String(values.defaultTabId)}
            onChange={(value) => change({ defaultTabId: value === null ? null : Number(value) })}
          />
        </Field>
        <Field id={`${id}-period`} label={t("period")} width={200}>
          <Select
            id={`${id}-period`}
            disabled={readOnly}
            clearable
            clearButtonProps={{ "aria-label": common("clear") }}
            placeholder={views("untilToday")}
            data={viewPeriods.map((value) => ({ value, label: plan(value) }))}
            value={values.period}
            onChange={(value) => change({ period: value as ViewPeriod | null })}
          />
        </Field>
        <Field
          id={`${id}-rows`}
          label={t("rowLimit")}
          range={{ min: rowLimitMin, max: rowLimitMax }}
          help={t("rowLimitHelp")}
          error={fault}
          width={260}
        >
          <NumberInput
            id={`${id}-rows`}
            disabled={readOnly}
            hideControls
            value={values.rowLimit}
            error={fault !== undefined}
            aria-describedby={fieldNoteId(`${id}-rows`)}
            onChange={(value) => change({ rowLimit: Number(value) })}
          />
        </Field>
      </div>
      {isStale ? (
        <p className={classes.problem} role="alert">
          {t("stale")}{" "}
          <Button variant="subtle" size="compact-xs" onClick={reload}>
            {t("reload")}
          </Button>
        </p>
      ) : null}
      {readOnly ? null : (
        <div>
          <Button type="submit" variant="filled" loading={saving}>
            {common("save")}
          </Button>
        </div>
      )}
    </form>
  );
}
