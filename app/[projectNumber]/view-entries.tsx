"use client";

import { useTranslations } from "next-intl";
import { useMemo } from "react";
import type { PlanView, PlanViewProps } from "#components/rollout-plan/plan-views.ts";
import { blank, onDemand } from "#components/ui/on-demand.tsx";

const CardsView = onDemand(
  () => import("#components/rollout-plan/cards-view.tsx").then((module) => module.CardsView),
  ["plan-views"],
  blank,
);
const BoardView = onDemand<PlanViewProps>(
  () => import("#components/rollout-plan/board-view.tsx").then((module) => module.BoardView),
  ["plan-timeline"],
  blank,
);
const GanttView = onDemand<PlanViewProps>(
  () => import("#components/rollout-plan/gantt-view.tsx").then((module) => module.GanttView),
  ["plan-timeline"],
  blank,
);

/** The views of the plan beside the grid, in the order of the switch: each is read when it is first shown. */
export function useViewEntries(): readonly PlanView[] {
  const t = useTranslations("plan-grid.views");
  return useMemo<PlanView[]>(
    () => [
      { key: "card", label: t("card"), view: CardsView },
      { key: "board", label: t("board"), view: BoardView },
      { key: "gantt", label: t("gantt"), view: GanttView },
    ],
    [t],
  );
}
