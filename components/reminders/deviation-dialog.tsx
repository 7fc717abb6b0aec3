"use client";
import { Drawer, MultiSelect, NumberInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { formatDay } from "#lib/core/format.ts";
import { saveDeviation } from "#lib/reminders/deviations/actions.ts";
import type { DeviationRow } from "#lib/reminders/deviations/queries.ts";
import type { Receivers } from "#lib/reminders/recipients/schema.ts";
import { deviationDaysMax, deviationDaysMin } from "#lib/reminders/rules/limits.ts";
import type { ReminderChoices } from "#lib/reminders/rules/queries.ts";
import { LookPanel } from "./look-panel.tsx";
import { optionsOf, ReceiverFields } from "./receiver-fields.tsx";
import classes from "./reminders.module.css";
import { newTimes, TimesFields } from "./times-fields.tsx";
import { useReminderForm } from "./use-reminder-form.ts";

/** What a new reminder begins with: the cell of the table it was opened from. */
export type NewDeviation = { regionId?: number; activityId?: number };
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
  const { offset } = useSession();
  const form = useReminderForm();
  const { problems } = form;
  const [save, saving] = useAction(saveDeviation);
  const [regionIds, setRegions] = useState<number[]>(row.regionId ? [row.regionId] : []);
  const [activityIds, setActivities] = useState<number[]>(row.activityId ? [row.activityId] : []);
  const [deviationDays, setDays] = useState<number | string>(given?.deviationDays ?? 3);
  const [times, setTimes] = useState(given ?? newTimes(formatDay(new Date(), offset)));
  const [receivers, setReceivers] = useState<Receivers>({
    userIds: given?.userIds ?? [],
    groupIds: given?.groupIds ?? [],
    roles: (given?.roles ?? []) as Receivers["roles"],
    addresses: [],
  });
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
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const input = read();
    if (!input) return;
    const answer = await save(input);
    if (!answer.data) return form.tell(answer);
    const { saved, duplicates } = answer.data;
    if (!given) toast.done(t("done.made", { count: saved.length }));
    if (duplicates.length > 0)
      toast.problem(t("done.duplicates", { names: duplicates.map(({ region, activity }) => `${region} · ${activity}`).join(", ") }));
    await onSaved();
    onClose();
  };
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={640}
      title={given ? `${given.region} · ${given.activity}` : t("newDeviation")}
      closeButtonProps={{ "aria-label": common("close") }}
    >
      <form className={classes.form} onSubmit={submit} noValidate>
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
        <fieldset className={classes.part}>
          <legend>{t("part.when")}</legend>
          <TimesFields id={id} value={times} realtime={false} problems={problems} onChange={setTimes} />
        </fieldset>
        <fieldset className={classes.part}>
          <legend>{t("part.whom")}</legend>
          <p className={classes.help}>{t("form.deviationReceivers")}</p>
          <ReceiverFields
            id={id}
            value={receivers}
            choices={choices}
            known={given ?? undefined}
            outside={false}
            required
            problems={problems}
            path=""
            onChange={setReceivers}
          />
        </fieldset>
        <LookPanel
          read={() => {
            const deviation = read();
            return deviation && { deviation };
          }}
          onRefused={form.tell}
        />
        <DialogFoot problem={form.rest(shown)} busy={saving} verb={given ? common("save") : common("create")} onClose={onClose} />
      </form>
    </Drawer>
  );
}
