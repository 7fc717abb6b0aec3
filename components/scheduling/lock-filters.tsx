"use client";
import { Select, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useState } from "react";
import { useSearchText } from "#components/ui/use-search-text.ts";
import { searchCondition } from "#lib/activity-flows/binding/logic.ts";
import type { Filter } from "#lib/core/paging.ts";
import classes from "./locks.module.css";

/** Flows with their activities and regions of the project, to choose from. */
export type LockChoices = {
  flows: { flowId: number; name: string; activities: { activityId: number; name: string }[] }[];
  regions: { id: number; name: string }[];
};

type Props = {
  choices: LockChoices;
  onChange: (filters: Filter[]) => void;
  /** No field for a DU. */
  withoutSearch?: boolean;
  children?: ReactNode;
};

/** Conditions of the lists of freezes and locks: DU, flow, activity, region. */
export function LockFilters({ choices, onChange, withoutSearch = false, children }: Props) {
  const common = useTranslations("common");
  const t = useTranslations("scheduling.filter");
  const [search, setSearch] = useState("");
  const { take, onPaste } = useSearchText(setSearch);
  const [typed] = useDebouncedValue(search.trim(), 300);
  const [flowId, setFlowId] = useState<string | null>(null);
  const [activityId, setActivityId] = useState<string | null>(null);
  const [regionId, setRegionId] = useState<string | null>(null);
  const flow = choices.flows.find((one) => String(one.flowId) === flowId);
  const activities = new Map(
    (flow ? [flow] : choices.flows).flatMap((one) => one.activities.map(({ activityId: id, name }) => [id, name])),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: told when a condition changes, not when the listener does
  useEffect(() => {
    const equal = (field: string, value: string | null): Filter[] => (value ? [{ field, type: "eq", values: [Number(value)] }] : []);
    const searched = searchCondition(typed);
    onChange([
      ...(searched ? [searched] : []),
      ...equal("flowId", flowId),
      ...equal("activityId", activityId),
      ...equal("regionId", regionId),
    ]);
  }, [typed, flowId, activityId, regionId]);

  const select = (label: string, data: { value: string; label: string }[], value: string | null, set: (value: string | null) => void) => (
    <Select
      size="xs"
      w={180}
      aria-label={label}
      placeholder={label}
      clearable
      clearButtonProps={{ "aria-label": common("clear") }}
      searchable
      data={data}
      value={value}
      onChange={set}
    />
  );
  return (
    <search className={classes.filters}>
      {withoutSearch ? null : (
        <TextInput
          size="xs"
          w={200}
          type="search"
          aria-label={t("search")}
          placeholder={t("search")}
          value={search}
          onChange={(event) => take(event.currentTarget.value)}
          onPaste={onPaste}
        />
      )}
      {select(
        t("flow"),
        choices.flows.map(({ flowId: id, name }) => ({ value: String(id), label: name })),
        flowId,
        setFlowId,
      )}
      {select(
        t("activity"),
        [...activities].map(([id, name]) => ({ value: String(id), label: name })),
        activityId,
        setActivityId,
      )}
      {select(
        t("region"),
        choices.regions.map(({ id, name }) => ({ value: String(id), label: name })),
        regionId,
        setRegionId,
      )}
      {children}
    </search>
  );
}
