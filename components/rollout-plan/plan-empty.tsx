"use client";

import { Button } from "@mantine/core";
import { IconFilter, IconTablePlus } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { GridHead } from "#components/grid/grid-model.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { FilterChip } from "#components/ui/filter-chip.tsx";
import { useChipTexts } from "./filter-bar.tsx";
import { columnTitle } from "./plan-columns.ts";
import { chipText, type PlanQuestion } from "./plan-filters.ts";

/** A project without DUs: how to get some. */
export function NoDus({ children }: { children: ReactNode }) {
  const t = useTranslations("plan-grid");
  return (
    <EmptyState title={t("empty.title")} text={t("empty.text")} icon={<IconTablePlus size={28} stroke={1} aria-hidden />}>
      {children}
    </EmptyState>
  );
}

/** A condition that is taken back. */
export type Dropped = { filter: string } | "search" | "period" | "flows" | "exception" | "all";

type Props = {
  head: GridHead;
  question: PlanQuestion;
  flowNames: string;
  onDrop: (part: Dropped) => void;
};

/** Nothing fits: the conditions to drop. */
export function NoMatch({ head, question, flowNames, onDrop }: Props) {
  const t = useTranslations("plan-grid");
  const texts = useChipTexts();
  const { filters, search, period, flowIds, exception } = question;
  return (
    <EmptyState text={t("noMatch")} icon={<IconFilter size={28} stroke={1} aria-hidden />}>
      {search && <FilterChip name={t(`search.${search.field}`)} value={search.text} onDrop={() => onDrop("search")} />}
      {period && (
        <FilterChip
          name={t("period.label")}
          value={"preset" in period ? t(`period.${period.preset}`) : `${period.from} – ${period.to}`}
          onDrop={() => onDrop("period")}
        />
      )}
      {flowIds.length > 0 && <FilterChip name={t("flow.label")} value={flowNames} onDrop={() => onDrop("flows")} />}
      {exception && <FilterChip name={t("exception.label")} value={t(`exception.${exception}`)} onDrop={() => onDrop("exception")} />}
      {filters.map((filter) => (
        <FilterChip
          key={filter.key}
          name={columnTitle(head, filter.key)}
          value={chipText(filter, texts)}
          onDrop={() => onDrop({ filter: filter.key })}
        />
      ))}
      <Button variant="subtle" color="gray" onClick={() => onDrop("all")}>
        {t("filter.clearAll")}
      </Button>
    </EmptyState>
  );
}
