"use client";
import { Select } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useMemo } from "react";
import type { OpenedFile } from "#lib/imports/file/commands.ts";
import { templateGroups } from "#lib/imports/limits.ts";
import classes from "./import-wizard.module.css";
import { MappingPanel, type PanelProps } from "./mapping-panel.tsx";

type Props = Omit<PanelProps, "hasDates" | "sample"> & {
  mapping: readonly (string | null)[];
  onMapping: (mapping: (string | null)[]) => void;
  /** The file names its fields: they are shown and cannot be changed. */
  fixed: boolean;
};

/** Second step: which column feeds which field, how dates are written, and what the import may do besides. */
export function MappingStep({ mapping, onMapping, fixed, ...panel }: Props) {
  const t = useTranslations("imports");
  const { opened } = panel;
  const types = useMemo(() => new Map(opened.fields.map((field) => [field.key, field.type])), [opened.fields]);
  const titles = useMemo(() => new Map(opened.fields.map((field) => [field.key, field.title])), [opened.fields]);
  const missing = missingFields(opened, mapping);
  // A mark the product has set itself is nothing to map.
  const shown = mapping.filter((_, at) => !opened.columns[at]?.hidden);
  const dates = opened.columns.filter((_, column) => types.get(mapping[column] ?? "") === "day");
  const sample = dates.flatMap((column) => column.samples).find((text) => /^\s*\d{1,2}[-/.]\d{1,2}[-/.]\d{4}/.test(text)) ?? null;
  const choose = (column: number, field: string | null) => onMapping(mapping.map((key, at) => (at === column ? field : key)));

  return (
    <div className={classes.body}>
      <section className={classes.left} aria-label={t("mapping.label")}>
        <p className={classes.lead} role="status" data-problem={missing.length > 0 || undefined}>
          {missing.length > 0
            ? t("mapping.missing", { fields: missing.map((field) => field.title).join(", ") })
            : t(fixed ? "mapping.fixed" : "mapping.lead", { mapped: shown.filter(Boolean).length, all: shown.length })}
        </p>
        <div className={classes.scroll}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">{t("mapping.column")}</th>
                <th scope="col">{t("mapping.samples")}</th>
                <th scope="col" className={classes.fieldColumn}>
                  {t("mapping.field")}
                </th>
              </tr>
            </thead>
            <tbody>
              {opened.columns.map((column, at) =>
                column.hidden ? null : (
                  <tr key={at}>
                    <th scope="row" title={column.title}>
                      {column.title || t("mapping.untitled", { number: at + 1 })}
                    </th>
                    <td className={classes.samples} title={column.samples.join("\n")}>
                      {column.samples.join(" · ") || "-"}
                    </td>
                    <td>
                      {fixed ? (
                        (titles.get(mapping[at] ?? "") ?? <span className={classes.quiet}>{t("mapping.only")}</span>)
                      ) : (
                        <FieldSelect opened={opened} mapping={mapping} column={at} onChange={(field) => choose(at, field)} />
                      )}
                    </td>
                  </tr>
                ),
              )}
            </tbody>
          </table>
        </div>
      </section>
      <MappingPanel {...panel} hasDates={dates.length > 0} sample={sample} />
    </div>
  );
}

/** Fields that need a column and have none. */
export const missingFields = (opened: OpenedFile, mapping: readonly (string | null)[]): OpenedFile["fields"] =>
  opened.fields.filter((field) => field.required && !mapping.includes(field.key));

const isTemplateGroup = (group: string): group is (typeof templateGroups)[number] => (templateGroups as readonly string[]).includes(group);

type SelectProps = { opened: OpenedFile; mapping: readonly (string | null)[]; column: number; onChange: (field: string | null) => void };

function FieldSelect({ opened, mapping, column, onChange }: SelectProps) {
  const t = useTranslations("imports");
  const own = mapping[column] ?? null;
  const data = useMemo(() => {
    const groups = new Map<string, { value: string; label: string; disabled: boolean }[]>();
    for (const field of opened.fields) {
      const items = groups.get(field.group) ?? [];
      items.push({ value: field.key, label: field.title, disabled: field.key !== own && mapping.includes(field.key) });
      groups.set(field.group, items);
    }
    return [...groups].map(([group, items]) => ({ group: isTemplateGroup(group) ? t(`groups.${group}`) : group, items }));
  }, [opened.fields, mapping, own, t]);
  return (
    <Select
      aria-label={t("mapping.fieldOf", { column: opened.columns[column]?.title || String(column + 1) })}
      placeholder={t("mapping.none")}
      vars={() => ({ wrapper: { "--input-height": "28px" } })}
      searchable
      clearable
      limit={200}
      nothingFoundMessage={t("mapping.nothing")}
      clearButtonProps={{ "aria-label": t("mapping.clear") }}
      data={data}
      value={own}
      onChange={onChange}
    />
  );
}
