"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useCallback, useEffect, useMemo, useRef } from "react";
import { shownColumns } from "#components/grid/column-layout.ts";
import type { GridColumn, GridHead } from "#components/grid/grid-model.ts";
import { asideTask } from "#components/ui/own-task.ts";
import { lookup } from "#components/ui/query-client.ts";
import { toast } from "#components/ui/toast.ts";
import { CallError, dataOf } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { lastPlanDay } from "#lib/rollout-plan/plan-rows/rules.ts";
import { orderedHead } from "./column-order.ts";
import { PlanCells } from "./plan-cells.ts";
import { type PlanHead, planGridHead, type ReferenceChoices, tileParts } from "./plan-columns.ts";
import type { SourceHead } from "./plan-source.ts";
import { gridView, type PlanState } from "./plan-state.ts";

type Choice = { id: number; name: string };
type DuOptions = { regions: Choice[]; subcontractors: Choice[] };

/** Milliseconds between two readings of the head that rows in an unknown order ask for. */
const foreignMs = 5_000;
const optionsStaleMs = 300_000;

/** What the page was opened with: the project's day, its switch, the columns of all flows. */
export type PlanFrame = { today: string; changeControl: boolean; head: PlanHead };

/** The columns of the plan: read for the chosen flows, turned into those of the grid and fitted to the person's view. */
export function usePlanHead(state: PlanState, frame: PlanFrame, compared = false) {
  const t = useTranslations("plan-grid");
  const common = useTranslations("common");
  const { can, project } = useSession();
  const flows = state.flowIds;
  const first = useRef(frame);
  const found = useQuery({
    queryKey: ["plan head", project.number, flows],
    queryFn: async ({ signal }) =>
      dataOf(await callDoor<PlanHead>("rolloutPlan/head", flows.length > 0 ? { flowIds: flows } : {}, { signal })),
    ...(flows.length === 0 ? { initialData: first.current.head } : {}),
    // Every visit of the page brings the head of its moment; one kept from the last visit would hide flows made since.
    gcTime: 0,
    placeholderData: keepPreviousData,
  });
  const planHead = found.data ?? frame.head;
  const editsDus = can("du.edit");
  const options = useQuery({
    queryKey: ["du options", project.number],
    queryFn: async ({ signal }) => {
      await asideTask();
      return dataOf(await callDoor<DuOptions>("du/options", {}, { signal }));
    },
    enabled: editsDus,
    staleTime: optionsStaleMs,
    meta: lookup,
  });
  const references = useMemo<ReferenceChoices>(() => {
    const list = (items: readonly Choice[]) => items.map(({ id, name }) => ({ value: String(id), label: name }));
    return options.data ? { region: list(options.data.regions), subcontractor: list(options.data.subcontractors) } : {};
  }, [options.data]);
  const plainHead = useMemo<GridHead>(
    () =>
      planGridHead(
        planHead,
        { fields: t("groups.fields"), attributes: t("groups.attributes"), bar: t("groups.bar"), barTitle: t("groups.barTitle") },
        references,
        compared,
      ),
    [planHead, references, compared, t],
  );
  const head = useMemo(() => orderedHead(plainHead, state.order), [plainHead, state.order]);
  const view = useMemo(() => gridView(state, head, planHead), [state, head, planHead]);
  const cells = useMemo(() => new PlanCells(planHead, frame.today, frame.changeControl), [planHead, frame.today, frame.changeControl]);
  const shown = useMemo<GridColumn[]>(() => shownColumns(head, { ...view, folded: [] }).map((item) => item.column), [head, view]);
  // Attributes and notes of a folded activity are read when it is unfolded: one attribute has a column in each.
  const partsKey = useMemo(
    () =>
      JSON.stringify(
        tileParts(
          shownColumns(head, view).map(({ column }) => column.key),
          cells.slots,
        ),
      ),
    [head, view, cells],
  );
  const [plan, actual] = [can("rollout.edit"), can("rollout.actualEdit")];
  const sourceHead = useMemo<SourceHead>(
    () => ({
      cells,
      frame: { lastPlanDay: lastPlanDay(frame.today), rights: { plan, actual } },
      parts: JSON.parse(partsKey) as SourceHead["parts"],
      marked: planHead.marked ?? false,
    }),
    [cells, frame.today, plan, actual, partsKey, planHead.marked],
  );
  const lastRead = useRef(0);
  const { refetch, error } = found;
  useEffect(() => {
    if (!error) return;
    const reason = error instanceof CallError ? error.answer.msg : undefined;
    toast.problem([t("failed.columns"), reason].filter(Boolean).join(" · "), {
      id: "plan-head",
      actions: [{ label: common("retry"), run: () => void refetch() }],
    });
  }, [error, refetch, t, common]);
  /** A row came in an order of activities that this head does not know: flows were released meanwhile. */
  const onForeign = useCallback(() => {
    if (Date.now() - lastRead.current < foreignMs) return;
    lastRead.current = Date.now();
    void refetch();
  }, [refetch]);
  return { planHead, head, view, shown, cells, sourceHead, onForeign };
}
