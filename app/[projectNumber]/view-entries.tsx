"use client";

import { useTranslations } from "next-intl";
import { useMemo } from "react";
import type { PlanView } from "#components/rollout-plan/plan-views.ts";
import { onDemand } from "#components/ui/on-demand.tsx";

const CardsView = onDemand(() => import("#components/rollout-plan/cards-view.tsx").then((module) => module.CardsView), ["plan-views"]);

/** The views of the plan beside the grid, in the order of the switch: each is read when it is first shown. */
export function useViewEntries(): readonly PlanView[] {
  const t = useTranslations("plan-grid.views");
  return useMemo<PlanView[]>(() => [{ key: "card", label: t("card"), view: CardsView }], [t]);
}
