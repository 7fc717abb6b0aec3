"use client";
import { Button, Select, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { FilterChip } from "#components/ui/filter-chip.tsx";
import { lookup } from "#components/ui/query-client.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useSearchText } from "#components/ui/use-search-text.ts";
import { callDoor } from "#lib/core/call-door.ts";
import type { LogField } from "#lib/logs/logic.ts";
import { datePresets, type PeriodPreset } from "#lib/rollout-plan/conditions/limits.ts";
import { planSources } from "#lib/rollout-plan/plan-log/limits.ts";
import { anything, type LogQuestion } from "./plan-log-question.ts";

type Named = { id: number; name: string };
type Props = {
  question: LogQuestion;
  onChange: (question: LogQuestion) => void;
  flows: readonly Named[];
  actors: readonly Named[];
  fields: readonly LogField[];
};

const typingMs = 300;

/** Conditions of the plan log: DUs, flow and then its activities, field, who, by what, when. */
export function PlanLogFilters({ question, onChange, flows, actors, fields }: Props) {
  const t = useTranslations("logs");
  const common = useTranslations("common");
  const plan = useTranslations("plan-grid");
  const project = useProjectNumber();
  const [typed, setTyped] = useState(question.du);
  const { take, onPaste } = useSearchText(setTyped);
  const [du] = useDebouncedValue(typed, typingMs);
  const set = (part: Partial<LogQuestion>) => onChange({ ...question, ...part });
  // biome-ignore lint/correctness/useExhaustiveDependencies: told when the typed text settles, not when the listener changes
  useEffect(() => {
    if (du !== question.du) set({ du });
  }, [du]);
  const flowIds = question.flow ? [Number(question.flow)] : flows.map(({ id }) => id);
  const activities = useQuery({
    queryKey: ["plan log activities", project, flowIds],
    queryFn: async ({ signal }) => dataOf(await callDoor<Named[]>("planLog/findActivityList", { flowIds }, { signal })),
    enabled: flowIds.length > 0,
    meta: lookup,
  });
  const options = (list: readonly Named[]) => list.map(({ id, name: label }) => ({ value: String(id), label }));
  const select = (
    label: string,
    width: number,
    data: { value: string; label: string }[],
    value: string | null,
    choose: (value: string | null) => void,
  ) => (
    <Select size="xs" w={width} aria-label={label} placeholder={label} clearable searchable data={data} value={value} onChange={choose} />
  );
  const asked = Object.values(question).some(Boolean);
  return (
    <>
      <TextInput
        size="xs"
        w={220}
        type="search"
        aria-label={common("du")}
        placeholder={t("duHint")}
        value={typed}
        onChange={(event) => take(event.currentTarget.value)}
        onPaste={onPaste}
      />
      {select(common("flow"), 150, options(flows), question.flow, (flow) => set({ flow, activity: null }))}
      {select(common("activity"), 180, options(activities.data ?? []), question.activity, (activity) => set({ activity }))}
      {select(
        t("field"),
        150,
        fields.map(({ key, title }) => ({ value: key, label: title })),
        question.field,
        (field) => set({ field }),
      )}
      {select(t("actor"), 150, options(actors), question.actor, (actor) => set({ actor }))}
      {select(
        t("source"),
        130,
        planSources.map((source) => ({ value: source, label: plan(`source.${source}`) })),
        question.source,
        (source) => set({ source }),
      )}
      {select(
        t("period"),
        130,
        datePresets.map((preset) => ({ value: preset, label: plan(`period.${preset}`) })),
        question.preset,
        (preset) => set({ preset: preset as PeriodPreset | null }),
      )}
      {question.batch ? <FilterChip name={plan("source.batch")} value={question.batch} onDrop={() => set({ batch: null })} /> : null}
      {asked ? (
        <Button
          variant="subtle"
          color="gray"
          size="xs"
          onClick={() => {
            setTyped("");
            onChange(anything);
          }}
        >
          {plan("filter.clearAll")}
        </Button>
      ) : null}
    </>
  );
}
