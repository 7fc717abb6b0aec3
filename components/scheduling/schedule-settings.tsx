"use client";
import { ActionIcon, Button, SegmentedControl, Select } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { DayInput } from "#components/ui/day-input.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { formatRange } from "#lib/core/format.ts";
import { type ScheduleMode, scheduleModes } from "#lib/scheduling/passes/limits.ts";
import type { FlowAnchors } from "#lib/scheduling/queries.ts";
import classes from "./schedule.module.css";

export type ExtraAnchor = { key: number; activityId: number | null; start: string; end: string };
export type ScheduleSettings = { mode: ScheduleMode; asOf: string; extra: ExtraAnchor[] };

type Props = {
  settings: ScheduleSettings;
  onChange: (settings: ScheduleSettings) => void;
  found: { flows: FlowAnchors[]; withoutFlow: number } | undefined;
};

/** What a run starts from: its direction, its day, the anchors of the flows, and anchors given for this run alone. */
export function ScheduleSettingsForm({ settings, onChange, found }: Props) {
  const t = useTranslations("scheduling.schedule");
  const id = useId();
  const { mode, asOf, extra } = settings;
  const activities = new Map((found?.flows ?? []).flatMap((flow) => flow.activities.map(({ activityId, name }) => [activityId, name])));
  const change = (key: number, given: Partial<ExtraAnchor>) =>
    onChange({ ...settings, extra: extra.map((one) => (one.key === key ? { ...one, ...given } : one)) });

  return (
    <div className={classes.settings}>
      <Field id={`${id}-mode`} label={t("mode")} help={t(`modeHelp.${mode}`)}>
        <SegmentedControl
          id={`${id}-mode`}
          aria-label={t("mode")}
          aria-describedby={fieldNoteId(`${id}-mode`)}
          size="xs"
          fullWidth
          classNames={{ label: classes.segment ?? "" }}
          data={scheduleModes.map((value) => ({ value, label: t(`modes.${value}`) }))}
          value={mode}
          onChange={(value) => onChange({ ...settings, mode: value as ScheduleMode })}
        />
      </Field>
      <Field id={`${id}-as-of`} label={t("asOf")} help={t("asOfHelp")}>
        <DayInput
          id={`${id}-as-of`}
          aria-describedby={fieldNoteId(`${id}-as-of`)}
          value={asOf}
          onChange={(day) => onChange({ ...settings, asOf: day })}
        />
      </Field>
      <section className={classes.anchors} aria-label={t("anchors")}>
        <h3 className={classes.label}>{t("anchors")}</h3>
        <ul className={classes.flows} aria-busy={!found}>
          {found?.flows.map((flow) => (
            <li key={flow.flowId} className={classes.flow}>
              <p className={classes.flowName}>
                <span>{flow.name}</span>
                <small>{t("flowDus", { count: flow.duCount })}</small>
              </p>
              {flow.anchors.length === 0 ? <p className={classes.warn}>{t("noAnchor")}</p> : null}
              {flow.anchors.map((anchor) => (
                <p key={anchor.activityId} className={classes.anchor}>
                  <span>{anchor.name}</span>
                  <span>{anchor.earliest === anchor.latest ? (anchor.earliest ?? "-") : formatRange(anchor.earliest, anchor.latest)}</span>
                  {anchor.dateless > 0 ? <span className={classes.warn}>{t("dateless", { count: anchor.dateless })}</span> : null}
                  {anchor.notApplicable > 0 ? <small>{t("notApplicable", { count: anchor.notApplicable })}</small> : null}
                </p>
              ))}
            </li>
          ))}
          {found && found.withoutFlow > 0 ? <li className={classes.warn}>{t("withoutFlow", { count: found.withoutFlow })}</li> : null}
        </ul>
      </section>
      <section className={classes.anchors} aria-label={t("extra")}>
        <h3 className={classes.label}>{t("extra")}</h3>
        {extra.map(({ key, activityId, start, end }) => (
          <div key={key} className={classes.extra}>
            <Select
              className={classes.grow}
              aria-label={t("extraActivity")}
              placeholder={t("extraActivity")}
              searchable
              data={[...activities].map(([value, label]) => ({ value: String(value), label }))}
              value={activityId === null ? null : String(activityId)}
              onChange={(value) => change(key, { activityId: value === null ? null : Number(value) })}
            />
            <ActionIcon
              aria-label={t("extraRemove", { name: activities.get(activityId ?? 0) ?? "" })}
              onClick={() => onChange({ ...settings, extra: extra.filter((one) => one.key !== key) })}
            >
              <IconX size={16} stroke={1.4} />
            </ActionIcon>
            <div className={classes.extraDays}>
              <DayInput aria-label={t("extraStart")} value={start} onChange={(day) => change(key, { start: day })} clearable />
              <DayInput aria-label={t("extraEnd")} value={end} onChange={(day) => change(key, { end: day })} clearable />
            </div>
          </div>
        ))}
        <p className={classes.help}>{t("extraHelp")}</p>
        <Button
          leftSection={<IconPlus size={16} stroke={1.4} />}
          disabled={activities.size === 0}
          onClick={() => {
            const key = Math.max(0, ...extra.map((one) => one.key)) + 1;
            onChange({ ...settings, extra: [...extra, { key, activityId: null, start: "", end: "" }] });
          }}
        >
          {t("extraAdd")}
        </Button>
      </section>
    </div>
  );
}

/** Anchors of the run as the call takes them; unfinished lines do not count. */
export function anchorsOf({ extra }: ScheduleSettings): { activityId: number; start?: string; end?: string }[] {
  return extra.flatMap(({ activityId, start, end }) =>
    activityId !== null && (start !== "" || end !== "") ? [{ activityId, ...(start ? { start } : {}), ...(end ? { end } : {}) }] : [],
  );
}
