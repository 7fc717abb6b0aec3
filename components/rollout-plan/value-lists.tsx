"use client";

import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useFormatter, useTranslations } from "next-intl";
import { type ReactNode, useId, useState } from "react";
import type { GridColumn } from "#components/grid/grid-model.ts";
import { lookup } from "#components/ui/query-client.ts";
import { StatusGlyph } from "#components/ui/status-glyph.tsx";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { activityStatuses, duStatuses } from "#lib/rollout-plan/plan-rows/logic.ts";
import styles from "./menu.module.css";
import { statusTone } from "./plan-cells.ts";
import { facetInput, type PlanFilter, type PlanQuestion } from "./plan-filters.ts";

type Value = string | number | boolean | null;
type Item = { value: Value; label: string; end?: string; glyph?: ReactNode };
type OnChange = (values: Value[], titles?: string[]) => void;

const typingMs = 200;
const withGlyph: readonly string[] = [...duStatuses, ...activityStatuses];

/** Check boxes (or radio buttons) with the titles of what is chosen. */
function ValueList({
  items,
  chosen,
  titles,
  single,
  onChange,
}: {
  items: readonly Item[];
  chosen: readonly Value[];
  titles?: readonly string[] | undefined;
  single?: boolean;
  onChange: OnChange;
}) {
  const id = useId();
  const toggle = (item: Item, on: boolean) => {
    if (single) return onChange([item.value], [item.label]);
    const kept = chosen.map((value, at) => ({ value, title: titles?.[at] ?? String(value) })).filter(({ value }) => value !== item.value);
    const next = on ? [...kept, { value: item.value, title: item.label }] : kept;
    onChange(
      next.map(({ value }) => value),
      next.map(({ title }) => title),
    );
  };
  return (
    <div className={styles.values}>
      {items.map((item, at) => (
        <div key={String(item.value)} className={styles.value}>
          <input
            id={`${id}-${at}`}
            name={id}
            type={single ? "radio" : "checkbox"}
            checked={chosen.includes(item.value)}
            onChange={(event) => toggle(item, event.currentTarget.checked)}
          />
          {item.glyph}
          <label htmlFor={`${id}-${at}`} title={item.label}>
            {item.label}
          </label>
          {item.end && <span className={styles.number}>{item.end}</span>}
        </div>
      ))}
    </div>
  );
}

/** Fixed values: statuses with their glyphs, presets, yes and no. */
export function StatusValues({
  values,
  chosen,
  single = false,
  glyphs = false,
  onChange,
}: {
  values: readonly Item[];
  chosen: readonly Value[];
  single?: boolean;
  glyphs?: boolean;
  onChange: OnChange;
}) {
  const items = glyphs
    ? values.map((item) =>
        withGlyph.includes(String(item.value)) ? { ...item, glyph: <StatusGlyph status={statusTone(String(item.value))} /> } : item,
      )
    : values;
  const titles = chosen.map((value) => values.find((item) => item.value === value)?.label ?? String(value));
  return <ValueList items={items} chosen={chosen} titles={titles} single={single} onChange={onChange} />;
}

type FacetValue = { value: Value; title: string | null; count: number | null };

/** Values of a column with their counts under the other conditions. */
function useFacet(column: GridColumn, question: PlanQuestion, q: string) {
  const project = useProjectNumber();
  return useQuery({
    queryKey: ["plan facet", project, column.key, question.filters, q],
    queryFn: async ({ signal }) =>
      dataOf(await callDoor<FacetValue[]>("rolloutPlan/facet", facetInput(question, column.key, q), { signal })),
    meta: lookup,
  });
}

/** Fixed values of a column, statuses or yes and no, each with its count. */
export function CountedValues({
  column,
  question,
  ...list
}: Parameters<typeof StatusValues>[0] & { column: GridColumn; question: PlanQuestion }) {
  const format = useFormatter();
  const found = useFacet(column, question, "");
  const counts = new Map((found.data ?? []).map(({ value, count }) => [value, count]));
  // Whom numbers are hidden from gets none; a value that does not occur counts 0.
  const counted = found.isSuccess && [...counts.values()].every((count) => count !== null);
  const values = list.values.map((item) => (counted ? { ...item, end: format.number(counts.get(item.value) ?? 0) } : item));
  return <StatusValues {...list} values={values} />;
}

/** Values of a column as they occur, with their counts under the other conditions. */
export function ServerValues({
  column,
  filter,
  question,
  onChange,
}: {
  column: GridColumn;
  filter: PlanFilter;
  question: PlanQuestion;
  onChange: OnChange;
}) {
  const t = useTranslations("plan-grid");
  const format = useFormatter();
  const [text, setText] = useState("");
  const [q] = useDebouncedValue(text, typingMs);
  const found = useFacet(column, question, q);
  const titleOf = (item: FacetValue) =>
    column.choices?.find((choice) => choice.value === String(item.value))?.label ?? item.title ?? String(item.value);
  const items: Item[] = (found.data ?? [])
    .filter((item) => item.value !== null && item.value !== "")
    .map((item) => ({ value: item.value, label: titleOf(item), ...(item.count === null ? {} : { end: format.number(item.count) }) }));
  // What was chosen stays in sight even when the search does not show it.
  const missing: Item[] = filter.values
    .map((value, at) => ({ value, label: filter.titles?.[at] ?? String(value) }))
    .filter(({ value }) => !items.some((item) => item.value === value));
  return (
    <>
      <TextInput
        mt={8}
        aria-label={t("filter.find")}
        placeholder={t("filter.find")}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
      />
      <ValueList items={[...missing, ...items]} chosen={filter.values} titles={filter.titles} onChange={onChange} />
      {found.isError && <p className={styles.hint}>{t("filter.failed")}</p>}
      {found.isSuccess && items.length + missing.length === 0 && <p className={styles.hint}>{t("filter.none")}</p>}
    </>
  );
}
