"use client";
import { Checkbox, NumberInput, Select } from "@mantine/core";
import { useTranslations } from "next-intl";
import { DayInput } from "#components/ui/day-input.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { TimeInput } from "#components/ui/time-input.tsx";
import { useSession } from "#components/ui/use-session.tsx";
import { everyDaysMax, type FrequencyKind, frequencyKinds, monthDayMax } from "#lib/reminders/occurrences/limits.ts";
import type { Frequency } from "#lib/reminders/occurrences/schema.ts";
import { beijingTime, weekdays } from "./reminder-view.ts";
import classes from "./reminders.module.css";

/** When a reminder is sent, as the form holds it. */
export type Times = { frequency: Frequency; sendTime: string | null; validBegin: string; validEnd: string };

/** Times of a new reminder: every morning from today to the end of the next year. */
export const newTimes = (today: string, sendTime: string): Times => ({
  frequency: { kind: "DAILY" },
  sendTime,
  validBegin: `${today}T00:00`,
  validEnd: `${Number(today.slice(0, 4)) + 1}-12-31T23:59`,
});

type Props = {
  id: string;
  value: Times;
  realtime: boolean;
  problems: ReadonlyMap<string, string>;
  onChange: (value: Times) => void;
};

const ofKind: Record<FrequencyKind, Frequency> = {
  ONCE: { kind: "ONCE" },
  DAILY: { kind: "DAILY" },
  WEEKLY: { kind: "WEEKLY", weekdays: [1] },
  MONTHLY: { kind: "MONTHLY", day: 1 },
  EVERY_N_DAYS: { kind: "EVERY_N_DAYS", days: 2 },
  REALTIME: { kind: "REALTIME" },
};

/** How often, at what time of the project's day, and from when to when. */
export function TimesFields({ id, value, realtime, problems, onChange }: Props) {
  const t = useTranslations("reminder-rules");
  const { offset } = useSession();
  const { frequency } = value;
  const change = (part: Partial<Times>) => onChange({ ...value, ...part });
  const setFrequency = (given: Frequency) =>
    change({ frequency: given, sendTime: given.kind === "REALTIME" ? null : (value.sendTime ?? "08:00") });
  return (
    <>
      <div className={classes.line}>
        <Field id={`${id}-frequency`} label={t("form.frequency")} required error={problems.get("frequency.kind")} width={170}>
          <Select
            id={`${id}-frequency`}
            allowDeselect={false}
            data={frequencyKinds
              .filter((kind) => realtime || kind !== "REALTIME")
              .map((kind) => ({ value: kind, label: t(`frequencyKind.${kind}`) }))}
            value={frequency.kind}
            aria-describedby={fieldNoteId(`${id}-frequency`)}
            onChange={(kind) => kind && setFrequency(ofKind[kind as FrequencyKind])}
          />
        </Field>
        {frequency.kind === "MONTHLY" ? (
          <Field id={`${id}-day`} label={t("form.monthDay")} width={110}>
            <Select
              id={`${id}-day`}
              allowDeselect={false}
              data={[
                ...Array.from({ length: monthDayMax }, (_, at) => ({ value: String(at + 1), label: String(at + 1) })),
                { value: "LAST", label: t("form.lastDay") },
              ]}
              value={String(frequency.day)}
              onChange={(day) => day && setFrequency({ kind: "MONTHLY", day: day === "LAST" ? "LAST" : Number(day) })}
            />
          </Field>
        ) : null}
        {frequency.kind === "EVERY_N_DAYS" ? (
          <Field id={`${id}-days`} label={t("form.everyDays")} range={{ min: 1, max: everyDaysMax }} width={130}>
            <NumberInput
              id={`${id}-days`}
              min={1}
              max={everyDaysMax}
              allowDecimal={false}
              value={frequency.days}
              onChange={(days) => setFrequency({ kind: "EVERY_N_DAYS", days: Number(days) || 1 })}
            />
          </Field>
        ) : null}
        {frequency.kind === "REALTIME" ? (
          <p className={classes.help}>{t("form.realtimeHelp")}</p>
        ) : (
          <Field
            id={`${id}-time`}
            label={t("form.sendTime")}
            required
            error={problems.get("sendTime")}
            help={value.sendTime ? t("form.beijing", { time: beijingTime(value.sendTime, offset) }) : undefined}
            width={130}
          >
            <TimeInput
              id={`${id}-time`}
              value={value.sendTime ?? ""}
              error={problems.has("sendTime")}
              aria-describedby={fieldNoteId(`${id}-time`)}
              onChange={(time) => change({ sendTime: time || null })}
            />
          </Field>
        )}
      </div>
      {frequency.kind === "WEEKLY" ? (
        <fieldset className={classes.days}>
          <legend className={classes.legend}>{t("form.weekdays")}</legend>
          {weekdays.map((day) => (
            <Checkbox
              key={day}
              size="xs"
              label={t(`weekday.${day}`)}
              checked={frequency.weekdays.includes(day)}
              onChange={(event) => {
                const days = event.currentTarget.checked ? [...frequency.weekdays, day] : frequency.weekdays.filter((one) => one !== day);
                if (days.length > 0) setFrequency({ kind: "WEEKLY", weekdays: days });
              }}
            />
          ))}
        </fieldset>
      ) : null}
      <div className={classes.line}>
        {(["validBegin", "validEnd"] as const).map((key) => (
          <Field key={key} id={`${id}-${key}`} label={t(`form.${key}`)} required error={problems.get(key)}>
            <div className={classes.moment}>
              <DayInput
                id={`${id}-${key}`}
                value={value[key].slice(0, 10)}
                error={problems.has(key)}
                aria-describedby={fieldNoteId(`${id}-${key}`)}
                onChange={(day) => day && change({ [key]: `${day}T${value[key].slice(11)}` })}
              />
              <TimeInput
                aria-label={t(`form.${key}Time`)}
                value={value[key].slice(11)}
                onChange={(time) => time && change({ [key]: `${value[key].slice(0, 10)}T${time}` })}
              />
            </div>
          </Field>
        ))}
      </div>
    </>
  );
}
