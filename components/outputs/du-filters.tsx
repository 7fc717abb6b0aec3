"use client";
import { Button } from "@mantine/core";
import { useTranslations } from "next-intl";
import type { Ref } from "react";
import { useSearchText } from "#components/ui/use-search-text.ts";
import { searchCondition } from "#lib/activity-flows/binding/logic.ts";
import type { Filter } from "#lib/core/paging.ts";
import { BarSelect, SearchField } from "./bar-fields.tsx";
import classes from "./outputs.module.css";

/** Conditions on the DUs of an output, as they are typed and chosen. */
export type DuNarrowing = { search: string; region: string; cluster: string; workflow: string; only: "" | "late" | "gap" };
export const everyDu: DuNarrowing = { search: "", region: "", cluster: "", workflow: "", only: "" };
export const isNarrowed = (given: DuNarrowing) => Object.values(given).some((value) => value.trim() !== "");

/** The conditions as a call takes them. */
export function duFilters({ search, region, cluster, workflow, only }: DuNarrowing): Filter[] {
  const is = (field: string, value: string): Filter[] => (value ? [{ field, type: "eq", values: [value] }] : []);
  const searched = searchCondition(search);
  return [
    ...(searched ? [searched] : []),
    ...is("region", region),
    ...is("cluster", cluster),
    ...is("workflow", workflow),
    ...(only ? [{ field: only, type: "eq" as const, values: [true] }] : []),
  ];
}

type Props = {
  value: DuNarrowing;
  choices: { regions: readonly string[]; clusters: readonly string[]; workflows: readonly string[] } | undefined;
  onChange: (value: DuNarrowing) => void;
  fieldRef?: Ref<HTMLInputElement>;
};

/** Which DUs of an output are shown. */
export function DuFilters({ value, choices, onChange, fieldRef }: Props) {
  const t = useTranslations("outputs.filter");
  const change = (part: Partial<DuNarrowing>) => onChange({ ...value, ...part });
  const { take, onPaste } = useSearchText((search) => change({ search }));
  // What there is to choose from comes with the rows: until then each keeps its place.
  const select = (key: "region" | "cluster" | "workflow", offered: readonly string[] = []) =>
    !choices || offered.length > 1 ? (
      <BarSelect
        label={t(key)}
        value={value[key]}
        data={[{ value: "", label: t("all", { field: t(key) }) }, ...offered.map((name) => ({ value: name, label: name }))]}
        onChange={(chosen) => change({ [key]: chosen })}
      />
    ) : null;
  return (
    <search className={classes.filters} aria-label={t("label")}>
      <SearchField fieldRef={fieldRef} label={t("search")} hint={t("searchHint")} value={value.search} onChange={take} onPaste={onPaste} />
      {select("region", choices?.regions)}
      {select("cluster", choices?.clusters)}
      {select("workflow", choices?.workflows)}
      <BarSelect
        label={t("only")}
        value={value.only}
        data={(["", "late", "gap"] as const).map((only) => ({ value: only, label: t(only === "" ? "everything" : only) }))}
        onChange={(chosen) => change({ only: chosen as DuNarrowing["only"] })}
      />
      {isNarrowed(value) ? (
        <Button variant="subtle" color="gray" onClick={() => onChange(everyDu)}>
          {t("drop")}
        </Button>
      ) : null}
    </search>
  );
}
