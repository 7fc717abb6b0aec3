"use client";
import { Select, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useEffect, useEffectEvent, useState } from "react";
import type { Filter } from "#lib/core/paging.ts";
import type { ChangeKind } from "#lib/plan-versions/comparison/limits.ts";

/** What a comparison can be narrowed by. */
export type CompareChoices = { regions: { id: number; name: string }[]; activities: { id: number; name: string }[] };

/** What a comparison is narrowed to. */
export type CompareNarrowing = {
  search: string;
  regionId: number | null;
  activityId: number | null;
  laterThan: number | null;
  kinds: readonly ChangeKind[];
};
export const noNarrowing: CompareNarrowing = { search: "", regionId: null, activityId: null, laterThan: null, kinds: [] };

/** The same as filters of the call. */
export function filtersOf({ search, regionId, activityId, laterThan, kinds }: CompareNarrowing): Filter[] {
  const filters: Filter[] = [];
  if (search) filters.push({ field: "search", type: "like", values: [search] });
  if (regionId !== null) filters.push({ field: "regionId", type: "eq", values: [regionId] });
  if (activityId !== null) filters.push({ field: "activityId", type: "eq", values: [activityId] });
  if (laterThan !== null) filters.push({ field: "laterThan", type: "eq", values: [laterThan] });
  if (kinds.length > 0) filters.push({ field: "kind", type: "in", values: [...kinds] });
  return filters;
}

type Props = { narrowing: CompareNarrowing; choices: CompareChoices; onChange: (given: Partial<CompareNarrowing>) => void };

const pauseMs = 250;
/** Bounds offered for "later than". */
const laterSteps = [0, 1, 2, 3, 5, 10, 20] as const;

/** Narrows a comparison by DU, region, activity and shift. */
export function CompareFilters({ narrowing, choices, onChange }: Props) {
  const t = useTranslations("plan-versions.compare");
  const common = useTranslations("common");
  const [text, setText] = useState("");
  const given = useEffectEvent(() => onChange({ search: text.trim() }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text alone is waited for
  useEffect(() => {
    const timer = setTimeout(given, pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  const clear = { clearable: true, clearButtonProps: { "aria-label": common("clear") } };
  const idOf = (value: string | null) => (value === null ? null : Number(value));
  return (
    <>
      <TextInput
        size="xs"
        w={150}
        type="search"
        aria-label={t("search")}
        placeholder={t("search")}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Select
        size="xs"
        w={140}
        searchable
        aria-label={common("region")}
        placeholder={common("region")}
        {...clear}
        data={choices.regions.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={narrowing.regionId === null ? null : String(narrowing.regionId)}
        onChange={(value) => onChange({ regionId: idOf(value) })}
      />
      <Select
        size="xs"
        w={160}
        searchable
        aria-label={common("activity")}
        placeholder={common("activity")}
        {...clear}
        data={choices.activities.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={narrowing.activityId === null ? null : String(narrowing.activityId)}
        onChange={(value) => onChange({ activityId: idOf(value) })}
      />
      <Select
        size="xs"
        w={150}
        aria-label={t("laterThan")}
        placeholder={t("laterThan")}
        {...clear}
        data={laterSteps.map((days) => ({ value: String(days), label: t("laterThanDays", { days }) }))}
        value={narrowing.laterThan === null ? null : String(narrowing.laterThan)}
        onChange={(value) => onChange({ laterThan: idOf(value) })}
      />
    </>
  );
}
