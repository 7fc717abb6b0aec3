"use client";
import { ActionIcon, Button, Modal, Textarea, TextInput } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { calendarNameMax } from "#lib/scheduling/calendar/limits.ts";
import classes from "./calendar.module.css";
import { type CalendarDraft, parseDays } from "./calendar-days.ts";

type Props = {
  year: number;
  draft: CalendarDraft;
  readOnly: boolean;
  onChange: (draft: CalendarDraft) => void;
  /** Ways to add many days at once. */
  children: ReactNode;
};

/** Days of the year that differ from their weekday, with their names. */
export function ExceptionList({ year, draft, readOnly, onChange, children }: Props) {
  const t = useTranslations("scheduling.calendar");
  const days = [...draft.days].filter(([day]) => day.startsWith(`${year}-`)).sort(([a], [b]) => (a < b ? -1 : 1));
  const without = (day: string) => new Map([...draft.days].filter(([other]) => other !== day));
  return (
    <aside className={classes.list}>
      {([false, true] as const).map((working) => {
        const some = days.filter(([, one]) => one.working === working);
        return (
          <section key={String(working)} aria-label={t(working ? "extraWorkdays" : "holidays")}>
            <h3>
              {t(working ? "extraWorkdays" : "holidays")} <small>{some.length}</small>
            </h3>
            {some.length === 0 ? <p className={classes.none}>{t("noDays")}</p> : null}
            <ul>
              {some.map(([day, { name }]) => (
                <li key={day}>
                  <span>{day}</span>
                  <TextInput
                    size="xs"
                    aria-label={t("dayName", { day })}
                    maxLength={calendarNameMax}
                    readOnly={readOnly}
                    value={name}
                    title={name || undefined}
                    onChange={(event) =>
                      onChange({ ...draft, days: new Map([...draft.days, [day, { working, name: event.currentTarget.value }]]) })
                    }
                  />
                  {readOnly ? null : (
                    <ActionIcon size={24} aria-label={t("removeDay", { day })} onClick={() => onChange({ ...draft, days: without(day) })}>
                      <IconX size={14} stroke={1.4} />
                    </ActionIcon>
                  )}
                </li>
              ))}
            </ul>
          </section>
        );
      })}
      {readOnly ? null : children}
    </aside>
  );
}

type PasteProps = { opened: boolean; onClose: () => void; onTake: (days: ReturnType<typeof parseDays>["days"]) => void };

/** Takes a list of days from the clipboard, one per line. */
export function PasteDialog({ opened, onClose, onTake }: PasteProps) {
  const t = useTranslations("scheduling.calendar");
  const common = useTranslations("common");
  const [text, setText] = useState("");
  const { days, wrong } = parseDays(text);
  const close = () => {
    setText("");
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} closeButtonProps={{ "aria-label": common("close") }} title={t("paste")} size={480}>
      <div className={classes.paste}>
        <Textarea
          data-autofocus
          aria-label={t("paste")}
          description={t("pasteHelp")}
          error={wrong.length > 0 ? t("pasteWrong", { lines: wrong.join(", ") }) : undefined}
          minRows={8}
          maxRows={16}
          autosize
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <div className={classes.foot}>
          <Button onClick={close}>{common("cancel")}</Button>
          <Button
            variant="filled"
            disabled={days.length === 0 || wrong.length > 0}
            onClick={() => {
              onTake(days.map((day) => ({ ...day, name: day.name.slice(0, calendarNameMax) })));
              close();
            }}
          >
            {t("pasteTake", { count: days.length })}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
