"use client";
import { MultiSelect, Select, Textarea, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { type Locale, localeNames, locales } from "#lib/core/locale.ts";
import { isAddress } from "#lib/reminders/outbox/logic.ts";
import { splitAddresses } from "#lib/reminders/recipients/logic.ts";
import { contentChars, placeholders, subjectChars } from "#lib/reminders/rules/limits.ts";
import type { Named, ReminderChoices } from "#lib/reminders/rules/queries.ts";
import { optionsOf } from "./receiver-fields.tsx";
import classes from "./reminders.module.css";

/** Words of a mail as the form holds them: without subject and text the standard text is sent. */
export type Words = { mailTo: string[]; ccUserIds: number[]; lang: Locale | null; subject: string; content: string };

type Props = {
  id: string;
  value: Words;
  choices: Pick<ReminderChoices, "people">;
  known: readonly Named[] | undefined;
  problems: ReadonlyMap<string, string>;
  onChange: (value: Words) => void;
};

/** Fixed receivers, copies, and own words with what stands for the rows. */
export function WordsFields({ id, value, choices, known, problems, onChange }: Props) {
  const t = useTranslations("reminder-rules");
  const content = useRef<HTMLTextAreaElement>(null);
  const change = (part: Partial<Words>) => onChange({ ...value, ...part });
  const insert = (word: string) => {
    const field = content.current;
    const at = field?.selectionStart ?? value.content.length;
    change({ content: `${value.content.slice(0, at)}{${word}}${value.content.slice(field?.selectionEnd ?? at)}` });
    field?.focus();
  };
  /** Fixed receivers as they are typed, while they are. */
  const [typed, setTyped] = useState<string | null>(null);
  const wrong = typed === null ? value.mailTo.filter((address) => !isAddress(address)) : [];
  const toProblem = wrong.length > 0 ? t("form.wrongAddresses", { addresses: wrong.join("; ") }) : problems.get("mailTo");
  return (
    <fieldset className={classes.part}>
      <legend>{t("part.words")}</legend>
      <div className={classes.line}>
        <div className={classes.wide}>
          <Field id={`${id}-to`} label={t("form.mailTo")} help={t("form.mailToHelp")} error={toProblem}>
            <TextInput
              id={`${id}-to`}
              value={typed ?? value.mailTo.join("; ")}
              error={Boolean(toProblem)}
              aria-describedby={fieldNoteId(`${id}-to`)}
              onChange={(event) => {
                setTyped(event.currentTarget.value);
                change({ mailTo: splitAddresses(event.currentTarget.value) });
              }}
              onBlur={() => setTyped(null)}
            />
          </Field>
        </div>
        <div className={classes.wide}>
          <Field id={`${id}-cc`} label={t("form.cc")} error={problems.get("ccUserIds")}>
            <MultiSelect
              id={`${id}-cc`}
              searchable
              hidePickedOptions
              limit={100}
              data={optionsOf(choices.people, known)}
              value={value.ccUserIds.map(String)}
              aria-describedby={fieldNoteId(`${id}-cc`)}
              onChange={(ids) => change({ ccUserIds: ids.map(Number) })}
            />
          </Field>
        </div>
        <Field id={`${id}-lang`} label={t("form.lang")} width={150}>
          <Select
            id={`${id}-lang`}
            clearable
            clearButtonProps={{ "aria-label": t("form.langDefault") }}
            placeholder={t("form.langDefault")}
            data={locales.map((locale) => ({ value: locale, label: localeNames[locale].full }))}
            value={value.lang}
            onChange={(lang) => change({ lang: lang as Locale | null })}
          />
        </Field>
      </div>
      <Field
        id={`${id}-subject`}
        label={t("form.subject")}
        count={{ used: value.subject.length, max: subjectChars }}
        help={t("form.subjectHelp")}
        error={problems.get("subject")}
      >
        <TextInput
          id={`${id}-subject`}
          maxLength={subjectChars}
          value={value.subject}
          aria-describedby={fieldNoteId(`${id}-subject`)}
          onChange={(event) => change({ subject: event.currentTarget.value })}
        />
      </Field>
      <Field
        id={`${id}-content`}
        label={t("form.content")}
        count={{ used: value.content.length, max: contentChars }}
        error={problems.get("content")}
      >
        <Textarea
          id={`${id}-content`}
          ref={content}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={contentChars}
          value={value.content}
          aria-describedby={fieldNoteId(`${id}-content`)}
          onChange={(event) => change({ content: event.currentTarget.value })}
        />
      </Field>
      <div className={classes.words}>
        <span className={classes.help}>{t("form.insert")}</span>
        {placeholders.map((word) => (
          <button key={word} type="button" className={classes.word} title={t(`word.${word}`)} onClick={() => insert(word)}>
            {`{${word}}`}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
