"use client";
import { MultiSelect, NumberInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toast.ts";
import { saveDeviation } from "#lib/reminders/deviations/actions.ts";
import type { DeviationRow } from "#lib/reminders/deviations/queries.ts";
import type { Receivers } from "#lib/reminders/recipients/schema.ts";
import { deviationDaysMax, deviationDaysMin } from "#lib/reminders/rules/limits.ts";
import type { ReminderChoices } from "#lib/reminders/rules/queries.ts";
import { optionsOf } from "./receiver-fields.tsx";
import { ReminderDrawer, useReminderParts } from "./reminder-drawer.tsx";
import classes from "./reminders.module.css";
import { useReminderForm } from "./use-reminder-form.ts";

/** What a new reminder begins with: the cell of the table it was opened from. */
export type NewDeviation = { regionId?: number; activityId?: number };
type Saved = NonNullable<Awaited<ReturnType<typeof saveDeviation>>["data"]>;
type Props = { row: DeviationRow | NewDeviation; choices: ReminderChoices; onClose: () => void; onSaved: () => unknown };

const shown = [
  "regionId",
  "activityId",
  "deviationDays",
  "roles",
  "userIds",
  "groupIds",
  "frequency.kind",
  "sendTime",
  "validBegin",
  "validEnd",
];

/** A deviation reminder; a new one is made for every chosen region and activity. [REM-30] */
export function DeviationDialog({ row, choices, onClose, onSaved }: Props) {
  const t = useTranslations("reminder-rules");
  const common = useTranslations("common");
  const id = useId();
  const given = "id" in row ? row : null;
  const form = useReminderForm();
  const { problems } = form;
  const [regionIds, setRegions] = useState<number[]>(row.regionId ? [row.regionId] : []);
  const [activityIds, setActivities] = useState<number[]>(row.activityId ? [row.activityId] : []);
  const [deviationDays, setDays] = useState<number | string>(given?.deviationDays ?? 3);
  const parts = useReminderParts(given, choices.sendTime, {
    userIds: given?.userIds ?? [],
    groupIds: given?.groupIds ?? [],
    roles: (given?.roles ?? []) as Receivers["roles"],
    addresses: [],
  });
  const { times, receivers } = parts;
  const read = () => {
    const empty = {
      regionId: regionIds.length === 0,
      activityId: activityIds.length === 0,
      deviationDays: deviationDays === "",
      roles: receivers.roles.length === 0,
      userIds: receivers.userIds.length + receivers.groupIds.length === 0,
      sendTime: times.sendTime === null,
    };
    if (form.missing(empty)) return null;
    return {
      regionId: regionIds,
      activityId: activityIds,
      deviationDays: Number(deviationDays),
      roles: receivers.roles,
      userIds: receivers.userIds,
      groupIds: receivers.groupIds,
      frequency: times.frequency,
      sendTime: times.sendTime as string,
      validBegin: times.validBegin,
      validEnd: times.validEnd,
      ...(given && { id: given.id, rowVersion: given.rowVersion }),
    };
  };
  const tell = async ({ saved, duplicates }: Saved) => {
    if (!given) toast.done(t("done.made", { count: saved.length }));
    if (duplicates.length > 0)
      toast.problem(t("done.duplicates", { names: duplicates.map(({ region, activity }) => `${region} · ${activity}`).join(", ") }));
    await onSaved();
  };
  return (
    <ReminderDrawer
      id={id}
      title={given ? `${given.region} · ${given.activity}` : t("newDeviation")}
      isNew={given === null}
      form={form}
      shown={shown}
      parts={parts}
      typed={[regionIds, activityIds, deviationDays]}
      whom={{
        legend: t("part.whom"),
        help: t("form.deviationReceivers"),
        choices,
        known: given ?? undefined,
        outside: false,
        required: true,
        path: "",
      }}
      read={read}
      look={(deviation) => ({ deviation })}
      save={saveDeviation}
      onSaved={tell}
      onClose={onClose}
    >
      <div className={classes.line}>
        <div className={classes.wide}>
          <Field id={`${id}-regions`} label={t("form.regions")} required error={problems.get("regionId")}>
            <MultiSelect
              id={`${id}-regions`}
              data-autofocus
              searchable
              hidePickedOptions
              {...(given && { maxValues: 1 })}
              data={optionsOf(choices.regions, given ? [{ id: given.regionId, name: given.region }] : [])}
              value={regionIds.map(String)}
              aria-describedby={fieldNoteId(`${id}-regions`)}
              onChange={(ids) => setRegions(ids.map(Number))}
            />
          </Field>
        </div>
        <div className={classes.wide}>
          <Field id={`${id}-activities`} label={common("activities")} required error={problems.get("activityId")}>
            <MultiSelect
              id={`${id}-activities`}
              searchable
              hidePickedOptions
              {...(given && { maxValues: 1 })}
              data={optionsOf(choices.activities, given ? [{ id: given.activityId, name: given.activity }] : [])}
              value={activityIds.map(String)}
              aria-describedby={fieldNoteId(`${id}-activities`)}
              onChange={(ids) => setActivities(ids.map(Number))}
            />
          </Field>
        </div>
        <Field
          id={`${id}-days`}
          label={t("form.deviationDays")}
          required
          range={{ min: deviationDaysMin, max: deviationDaysMax }}
          help={t("form.deviationHelp")}
          error={problems.get("deviationDays")}
          width={230}
        >
          <NumberInput
            id={`${id}-days`}
            min={deviationDaysMin}
            max={deviationDaysMax}
            allowDecimal={false}
            value={deviationDays}
            aria-describedby={fieldNoteId(`${id}-days`)}
            onChange={setDays}
          />
        </Field>
      </div>
    </ReminderDrawer>
  );
}
