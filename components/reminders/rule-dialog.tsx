"use client";
import { MultiSelect, NumberInput, Select, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { saveMailRule } from "#lib/reminders/rules/actions.ts";
import {
  activitiesMax,
  attributesMax,
  changeTypes,
  deviationDaysMax,
  deviationDaysMin,
  nameChars,
  type RuleDate,
  type RuleType,
  ruleDates,
  ruleTypes,
  type SendRange,
  sendRanges,
} from "#lib/reminders/rules/limits.ts";
import type { MailRuleRow, ReminderChoices } from "#lib/reminders/rules/queries.ts";
import { optionsOf } from "./receiver-fields.tsx";
import { ReminderDrawer, useReminderParts } from "./reminder-drawer.tsx";
import classes from "./reminders.module.css";
import { useReminderForm } from "./use-reminder-form.ts";
import { WordsFields } from "./words-fields.tsx";

type Props = { row: MailRuleRow | "new"; choices: ReminderChoices; onClose: () => void; onSaved: () => unknown };

const shown = [
  "name",
  "activityIds",
  "attributeIds",
  "dateFields",
  "deviationDays",
  "regionIds",
  "frequency.kind",
  "sendTime",
  "validBegin",
  "validEnd",
  "receivers",
  "receivers.userIds",
  "receivers.groupIds",
  "receivers.roles",
  "receivers.addresses",
  "mailTo",
  "ccUserIds",
  "subject",
  "content",
];

/** An automatic mail: its type first, then only what that type needs. */
export function RuleDialog({ row, choices, onClose, onSaved }: Props) {
  const t = useTranslations("reminder-rules");
  const common = useTranslations("common");
  const id = useId();
  const given = row === "new" ? null : row;
  const form = useReminderForm();
  const { problems } = form;
  const [name, setName] = useState(given?.name ?? "");
  const [type, setType] = useState<RuleType>((given?.type as RuleType | undefined) ?? "CHANGE_ACT_DATE");
  const [activityIds, setActivities] = useState<number[]>(given?.activityIds ?? []);
  const [attributeIds, setAttributes] = useState<number[]>(given?.attributeIds ?? []);
  const [dateFields, setDates] = useState<RuleDate[]>(given?.dateFields ?? ["planEnd"]);
  const [deviationDays, setDays] = useState<number | string>(given?.deviationDays ?? 3);
  const [sendRange, setRange] = useState<SendRange>(given?.sendRange ?? "ALL");
  const [regionIds, setRegions] = useState<number[]>(given?.regionIds ?? []);
  const parts = useReminderParts(given, choices.sendTime);
  const { times, setTimes, receivers } = parts;
  const [words, setWords] = useState({
    mailTo: given?.mailTo ?? [],
    ccUserIds: given?.ccUserIds ?? [],
    lang: given?.lang ?? null,
    subject: given?.subject ?? "",
    content: given?.content ?? "",
  });
  const byActivity = type !== "CHANGE_COL_VALUE";
  const chooseType = (next: RuleType) => {
    setType(next);
    form.clear();
    if (times.frequency.kind === "REALTIME" && !changeTypes.includes(next))
      setTimes({ ...times, frequency: { kind: "DAILY" }, sendTime: "08:00" });
  };
  const read = () => {
    const empty = {
      name: name.trim() === "",
      activityIds: byActivity && activityIds.length === 0,
      attributeIds: !byActivity && attributeIds.length === 0,
      dateFields: type === "CHANGE_ACT_DATE" && dateFields.length === 0,
      deviationDays: type === "ACT_DEVIATION" && deviationDays === "",
      sendTime: times.frequency.kind !== "REALTIME" && times.sendTime === null,
      regionIds: sendRange === "REGION" && regionIds.length === 0,
      subject: words.subject.trim() === "" && words.content.trim() !== "",
      content: words.subject.trim() !== "" && words.content.trim() === "",
    };
    if (form.missing(empty)) return null;
    return {
      name,
      type,
      activityIds: byActivity ? activityIds : [],
      attributeIds: byActivity ? [] : attributeIds,
      dateFields: type === "CHANGE_ACT_DATE" ? dateFields : [],
      deviationDays: type === "ACT_DEVIATION" ? Number(deviationDays) : null,
      frequency: times.frequency,
      sendTime: times.sendTime,
      validBegin: times.validBegin,
      validEnd: times.validEnd,
      sendRange,
      regionIds: sendRange === "REGION" ? regionIds : [],
      receivers,
      ...words,
      ...(given && { id: given.id, rowVersion: given.rowVersion }),
    };
  };
  return (
    <ReminderDrawer
      id={id}
      title={given?.name ?? t("newRule")}
      size={720}
      isNew={given === null}
      form={form}
      shown={shown}
      parts={parts}
      typed={[name, type, activityIds, attributeIds, dateFields, deviationDays, sendRange, regionIds, words]}
      realtime={changeTypes.includes(type)}
      whom={{ legend: t("part.whom"), choices, known: given ?? undefined, outside: true }}
      read={read}
      look={(rule) => ({ rule })}
      save={saveMailRule}
      onSaved={onSaved}
      onClose={onClose}
      words={<WordsFields id={id} value={words} choices={choices} known={given?.people} problems={problems} onChange={setWords} />}
    >
      <div className={classes.line}>
        <Field id={`${id}-type`} label={common("type")} required width={230}>
          <Select
            id={`${id}-type`}
            data-autofocus
            allowDeselect={false}
            data={ruleTypes.map((value) => ({ value, label: t(`type.${value}`) }))}
            value={type}
            onChange={(value) => value && chooseType(value as RuleType)}
          />
        </Field>
        <div className={classes.wide}>
          <Field
            id={`${id}-name`}
            label={common("name")}
            required
            count={{ used: name.length, max: nameChars }}
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
      {type.startsWith("DOC_") ? <p className={classes.help}>{t("form.documentsHelp")}</p> : null}
      {byActivity ? (
        <Field
          id={`${id}-activities`}
          label={common("activities")}
          required
          count={{ used: activityIds.length, max: activitiesMax }}
          error={problems.get("activityIds")}
        >
          <MultiSelect
            id={`${id}-activities`}
            searchable
            hidePickedOptions
            maxValues={activitiesMax}
            data={optionsOf(choices.activities, given?.activities)}
            value={activityIds.map(String)}
            aria-describedby={fieldNoteId(`${id}-activities`)}
            onChange={(ids) => setActivities(ids.map(Number))}
          />
        </Field>
      ) : (
        <Field
          id={`${id}-attributes`}
          label={t("form.attributes")}
          required
          count={{ used: attributeIds.length, max: attributesMax }}
          error={problems.get("attributeIds")}
        >
          <MultiSelect
            id={`${id}-attributes`}
            searchable
            hidePickedOptions
            maxValues={attributesMax}
            data={optionsOf(choices.attributes, given?.attributes)}
            value={attributeIds.map(String)}
            aria-describedby={fieldNoteId(`${id}-attributes`)}
            onChange={(ids) => setAttributes(ids.map(Number))}
          />
        </Field>
      )}
      <div className={classes.line}>
        {type === "CHANGE_ACT_DATE" ? (
          <div className={classes.wide}>
            <Field id={`${id}-dates`} label={t("form.dates")} required error={problems.get("dateFields")}>
              <MultiSelect
                id={`${id}-dates`}
                data={ruleDates.map((value) => ({ value, label: common(value) }))}
                value={dateFields}
                aria-describedby={fieldNoteId(`${id}-dates`)}
                onChange={(fields) => setDates(fields as RuleDate[])}
              />
            </Field>
          </div>
        ) : null}
        {type === "ACT_DEVIATION" ? (
          <Field
            id={`${id}-deviation`}
            label={t("form.deviationDays")}
            required
            range={{ min: deviationDaysMin, max: deviationDaysMax }}
            help={t("form.deviationHelp")}
            error={problems.get("deviationDays")}
            width={230}
          >
            <NumberInput
              id={`${id}-deviation`}
              min={deviationDaysMin}
              max={deviationDaysMax}
              allowDecimal={false}
              value={deviationDays}
              aria-describedby={fieldNoteId(`${id}-deviation`)}
              onChange={setDays}
            />
          </Field>
        ) : null}
        <Field id={`${id}-range`} label={t("form.range")} help={t(`rangeHelp.${sendRange}`)} width={230}>
          <Select
            id={`${id}-range`}
            allowDeselect={false}
            data={sendRanges.map((value) => ({ value, label: t(`range.${value}`) }))}
            value={sendRange}
            aria-describedby={fieldNoteId(`${id}-range`)}
            onChange={(value) => value && setRange(value as SendRange)}
          />
        </Field>
        {sendRange === "REGION" ? (
          <div className={classes.wide}>
            <Field id={`${id}-regions`} label={t("form.regions")} required error={problems.get("regionIds")}>
              <MultiSelect
                id={`${id}-regions`}
                searchable
                hidePickedOptions
                data={optionsOf(choices.regions, given?.regions)}
                value={regionIds.map(String)}
                aria-describedby={fieldNoteId(`${id}-regions`)}
                onChange={(ids) => setRegions(ids.map(Number))}
              />
            </Field>
          </div>
        ) : null}
      </div>
    </ReminderDrawer>
  );
}
