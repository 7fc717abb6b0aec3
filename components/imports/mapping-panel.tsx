"use client";
import { Checkbox, Radio, Select } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { Field } from "#components/ui/field.tsx";
import type { OpenedFile } from "#lib/imports/file/commands.ts";
import { type DateFormat, dateFormats } from "#lib/imports/kind/limits.ts";
import { parseDay } from "#lib/imports/kind/logic.ts";
import { delimiters, encodings } from "#lib/imports/limits.ts";
import type { FileSettings } from "./import-api.ts";
import classes from "./import-wizard.module.css";

export type PanelProps = {
  opened: OpenedFile;
  settings: FileSettings;
  onSettings: (settings: FileSettings) => void;
  isCsv: boolean;
  dateFormat: DateFormat | null;
  onDateFormat: (format: DateFormat) => void;
  options: Record<string, unknown>;
  onOptions: (options: Record<string, unknown>) => void;
  hasDates: boolean;
  /** A date of the file that begins with day or month. */
  sample: string | null;
};

/** How the file is read and what the import may do: beside the columns. */
export function MappingPanel(props: PanelProps) {
  const { opened, settings, onSettings, isCsv } = props;
  const t = useTranslations("imports");
  const id = useId();
  return (
    <aside className={classes.right} aria-label={t("panel.label")}>
      {isCsv || opened.sheets.length > 1 ? (
        <section className={classes.block}>
          <h2>{t("panel.file")}</h2>
          {isCsv ? (
            <>
              <Field id={`${id}-encoding`} label={t("panel.encoding")} help={t("panel.encodingHelp")}>
                <Select
                  id={`${id}-encoding`}
                  allowDeselect={false}
                  data={encodings.map((value) => ({ value, label: t(`encodings.${value}`) }))}
                  value={settings.encoding}
                  onChange={(value) => value && onSettings({ ...settings, encoding: value as FileSettings["encoding"] })}
                />
              </Field>
              <Field id={`${id}-delimiter`} label={t("panel.delimiter")}>
                <Select
                  id={`${id}-delimiter`}
                  allowDeselect={false}
                  data={delimiters.map((_, index) => ({ value: String(index), label: t(`delimiters.${index}`) }))}
                  value={String(delimiters.indexOf(settings.delimiter))}
                  onChange={(value) => value && onSettings({ ...settings, delimiter: delimiters[Number(value)] ?? "" })}
                />
              </Field>
            </>
          ) : (
            <Field id={`${id}-sheet`} label={t("panel.sheet")}>
              <Select
                id={`${id}-sheet`}
                allowDeselect={false}
                data={opened.sheets}
                value={opened.sheet}
                onChange={(sheet) => sheet && onSettings({ ...settings, sheet })}
              />
            </Field>
          )}
        </section>
      ) : null}
      {props.hasDates ? <DateFormats {...props} /> : null}
      <Options {...props} />
    </aside>
  );
}

function DateFormats({ dateFormat, onDateFormat, sample }: PanelProps) {
  const t = useTranslations("imports");
  if (sample === null) return null;
  return (
    <section className={classes.block}>
      <Radio.Group
        label={t("panel.dates")}
        description={t("panel.datesHelp")}
        value={dateFormat ?? ""}
        onChange={(value) => onDateFormat(value as DateFormat)}
      >
        {dateFormats
          .filter((format) => format !== "ymd")
          .map((format) => {
            const day = parseDay(sample, format);
            return (
              <Radio
                key={format}
                size="xs"
                className={classes.control}
                value={format}
                label={t(`formats.${format}`)}
                description={`${sample} → ${day ?? t("panel.noDay")}`}
              />
            );
          })}
      </Radio.Group>
    </section>
  );
}

function Options({ opened, options, onOptions }: PanelProps) {
  const t = useTranslations("imports");
  const id = useId();
  const set = (key: string, value: unknown) => onOptions({ ...options, [key]: value });
  if (opened.options.length === 0) return null;
  return (
    <section className={classes.block}>
      <h2>{t("panel.options")}</h2>
      {opened.options.map(({ key, type, choices }) => {
        if (type === "flag")
          return (
            <Checkbox
              key={key}
              size="xs"
              className={classes.control}
              label={t(`options.${key}`)}
              checked={options[key] === true}
              onChange={(event) => set(key, event.currentTarget.checked)}
            />
          );
        if (type === "blanks")
          return (
            <Checkbox
              key={key}
              size="xs"
              className={classes.control}
              label={t("options.blanks")}
              description={t("options.blanksHelp")}
              checked={options[key] === "clear"}
              onChange={(event) => set(key, event.currentTarget.checked ? "clear" : "keep")}
            />
          );
        return (
          <Field key={key} id={`${id}-${key}`} label={t(`options.${key}`)} help={t(`options.${key}Help`)}>
            <Select
              id={`${id}-${key}`}
              searchable
              clearable
              limit={200}
              placeholder={t("options.none")}
              nothingFoundMessage={t("mapping.nothing")}
              clearButtonProps={{ "aria-label": t("mapping.clear") }}
              data={(choices ?? []).map(({ value, label }) => ({ value: String(value), label }))}
              value={options[key] == null ? null : String(options[key])}
              onChange={(value) => set(key, value === null ? null : Number(value))}
            />
          </Field>
        );
      })}
    </section>
  );
}
