"use client";
import { MultiSelect, NumberInput, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { saveActualTime } from "#lib/reminders/rules/actions.ts";
import { activitiesMax, nameChars, offsetDaysMax } from "#lib/reminders/rules/limits.ts";
import type { MailRuleRow, ReminderChoices } from "#lib/reminders/rules/queries.ts";
import { optionsOf } from "./receiver-fields.tsx";
import { ReminderDrawer, useReminderParts } from "./reminder-drawer.tsx";
import classes from "./reminders.module.css";
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
  const form = useReminderForm();
  const { problems } = form;
  const [name, setName] = useState(given?.name ?? "");
  const [activityIds, setActivities] = useState<number[]>(given?.activityIds ?? []);
  const [offsetDays, setOffset] = useState<number | string>(given?.offsetDays ?? 3);
  const parts = useReminderParts(given, choices.sendTime);
  const { times, receivers } = parts;
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
  return (
    <ReminderDrawer
      id={id}
      title={given?.name ?? t("newActual")}
      isNew={given === null}
      form={form}
      shown={shown}
      parts={parts}
      typed={[name, activityIds, offsetDays]}
      whom={{ legend: t("part.besidesOwners"), choices, known: given ?? undefined, outside: true }}
      read={read}
      look={(actualTime) => ({ actualTime })}
      save={saveActualTime}
      onSaved={onSaved}
      onClose={onClose}
    >
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
    </ReminderDrawer>
  );
}
