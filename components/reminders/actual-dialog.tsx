"use client";
import { Drawer, MultiSelect, NumberInput, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { useAction } from "#components/ui/use-action.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { formatDay } from "#lib/core/format.ts";
import { saveActualTime } from "#lib/reminders/rules/actions.ts";
import { activitiesMax, nameChars, offsetDaysMax } from "#lib/reminders/rules/limits.ts";
import type { MailRuleRow, ReminderChoices } from "#lib/reminders/rules/queries.ts";
import { LookPanel } from "./look-panel.tsx";
import { optionsOf, ReceiverFields } from "./receiver-fields.tsx";
import classes from "./reminders.module.css";
import { newTimes, TimesFields } from "./times-fields.tsx";
import { useReminderForm } from "./use-reminder-form.ts";

type Props = { row: MailRuleRow | "new"; choices: ReminderChoices; onClose: () => void; onSaved: () => unknown };

const shown = [
  "name",
  "activityIds",
  "offsetDays",
  "frequency.kind",
  "sendTime",
  "validBegin",
  "validEnd",
  "receivers.userIds",
  "receivers.groupIds",
  "receivers.roles",
  "receivers.addresses",
];

/** A reminder to enter actual dates: the owners get theirs, named receivers all. [REM-29] */
export function ActualDialog({ row, choices, onClose, onSaved }: Props) {
  const t = useTranslations("reminder-rules");
  const common = useTranslations("common");
  const id = useId();
  const given = row === "new" ? null : row;
  const { offset } = useSession();
  const form = useReminderForm();
  const { problems } = form;
  const [save, saving] = useAction(saveActualTime);
  const [name, setName] = useState(given?.name ?? "");
  const [activityIds, setActivities] = useState<number[]>(given?.activityIds ?? []);
  const [offsetDays, setOffset] = useState<number | string>(given?.offsetDays ?? 3);
  const [times, setTimes] = useState(given ?? newTimes(formatDay(new Date(), offset)));
  const [receivers, setReceivers] = useState(given?.receivers ?? { userIds: [], groupIds: [], roles: [], addresses: [] });
  const read = () => {
    if (form.missing({ activityIds: activityIds.length === 0, offsetDays: offsetDays === "", sendTime: times.sendTime === null }))
      return null;
    return {
      ...(name.trim() && { name }),
      activityIds,
      offsetDays: Number(offsetDays),
      frequency: times.frequency,
      sendTime: times.sendTime as string,
      validBegin: times.validBegin,
      validEnd: times.validEnd,
      receivers,
      ...(given && { id: given.id, rowVersion: given.rowVersion }),
    };
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const input = read();
    if (!input) return;
    const answer = await save(input);
    if (answer.status >= 400) return form.tell(answer);
    await onSaved();
    onClose();
  };
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={640}
      title={given?.name ?? t("newActual")}
      closeButtonProps={{ "aria-label": common("close") }}
    >
      <form className={classes.form} onSubmit={submit} noValidate>
        <Field
          id={`${id}-activities`}
          label={common("activities")}
          required
          count={{ used: activityIds.length, max: activitiesMax }}
          error={problems.get("activityIds")}
        >
          <MultiSelect
            id={`${id}-activities`}
            data-autofocus
            searchable
            hidePickedOptions
            maxValues={activitiesMax}
            data={optionsOf(choices.activities, given?.activities)}
            value={activityIds.map(String)}
            aria-describedby={fieldNoteId(`${id}-activities`)}
            onChange={(ids) => setActivities(ids.map(Number))}
          />
        </Field>
        <div className={classes.line}>
          <Field
            id={`${id}-offset`}
            label={t("form.offsetDays")}
            required
            range={{ min: 0, max: offsetDaysMax }}
            help={t("form.offsetHelp")}
            error={problems.get("offsetDays")}
            width={230}
          >
            <NumberInput
              id={`${id}-offset`}
              min={0}
              max={offsetDaysMax}
              allowDecimal={false}
              value={offsetDays}
              aria-describedby={fieldNoteId(`${id}-offset`)}
              onChange={setOffset}
            />
          </Field>
          <div className={classes.wide}>
            <Field
              id={`${id}-name`}
              label={common("name")}
              count={{ used: name.length, max: nameChars }}
              help={t("form.nameHelp")}
              error={problems.get("name")}
            >
              <TextInput
                id={`${id}-name`}
                maxLength={nameChars}
                value={name}
                error={problems.has("name")}
                aria-describedby={fieldNoteId(`${id}-name`)}
                onChange={(event) => setName(event.currentTarget.value)}
              />
            </Field>
          </div>
        </div>
        <fieldset className={classes.part}>
          <legend>{t("part.when")}</legend>
          <TimesFields id={id} value={times} realtime={false} problems={problems} onChange={setTimes} />
        </fieldset>
        <fieldset className={classes.part}>
          <legend>{t("part.besidesOwners")}</legend>
          <ReceiverFields
            id={id}
            value={receivers}
            choices={choices}
            known={given ?? undefined}
            outside
            problems={problems}
            onChange={setReceivers}
          />
        </fieldset>
        <LookPanel
          read={() => {
            const actualTime = read();
            return actualTime && { actualTime };
          }}
          onRefused={form.tell}
        />
        <DialogFoot problem={form.rest(shown)} busy={saving} verb={given ? common("save") : common("create")} onClose={onClose} />
      </form>
    </Drawer>
  );
}
