"use client";

import { useMemo } from "react";
import { type GridView, lockedMax } from "#components/grid/column-layout.ts";
import type { GridHead } from "#components/grid/grid-model.ts";
import type { ColumnMenuActions } from "./column-menu.tsx";
import { movable, orderName, swapped, withList } from "./column-order.ts";
import { fittingWidth } from "./fit-width.ts";
import { hiddenByDefault, type PlanHead } from "./plan-columns.ts";
import type { PlanDesk } from "./plan-desk.ts";
import { withFilter, withSort } from "./plan-filters.ts";
import { columnRef, everyActivity, groupKey } from "./plan-keys.ts";
import { type PlanState, withHidden } from "./plan-state.ts";

type Change = (part: Partial<PlanState>) => void;

/** Shows a column wherever it is hidden: in its folded group, alone or with those of every activity. */
export function shownState(state: PlanState, planHead: PlanHead, folded: readonly string[], key: string): Partial<PlanState> {
  const hidden = state.hidden ?? hiddenByDefault(planHead);
  const { field, activityId } = columnRef(key);
  const everywhere = activityId !== null && hidden.includes(everyActivity(field));
  return {
    hidden: withHidden(hidden, key, false, everywhere),
    ...(activityId === null ? {} : { folded: folded.filter((group) => group !== groupKey(activityId)) }),
  };
}

/** What the menu of a column changes in the view. */
export function useColumnActions(
  desk: PlanDesk,
  state: PlanState,
  planHead: PlanHead,
  head: GridHead,
  view: GridView,
  change: Change,
): ColumnMenuActions {
  return useMemo(() => {
    const { folded } = view;
    const away = new Set([...view.hidden, ...view.locked]);
    return {
      sort: (key, dir, add) => change({ sort: withSort(state.sort, key, dir, add) }),
      filter: (key, filter) => change({ filters: withFilter(state.filters, key, filter) }),
      lock: (key, locked) =>
        change({ locked: locked ? [...state.locked, key].slice(0, lockedMax) : state.locked.filter((given) => given !== key) }),
      hide: (key, everywhere) => change({ hidden: withHidden(state.hidden ?? hiddenByDefault(planHead), key, true, everywhere) }),
      fold: (key) => {
        const { activityId } = columnRef(key);
        if (activityId !== null) change({ folded: [...folded, groupKey(activityId)] });
      },
      move: (key, by) => {
        if (state.locked.includes(key)) return change({ locked: swapped(state.locked, key, by) });
        const all = movable(head, key, new Set());
        const among = movable(head, key, away);
        const other = among[among.indexOf(orderName(key)) + by];
        if (other === undefined) return;
        // Hidden neighbours are passed: one step moves the column beside the next one that is seen.
        let list = all;
        while (Math.sign(list.indexOf(other) - list.indexOf(orderName(key))) === by) list = swapped(list, orderName(key), by);
        change({ order: withList(state.order, list) });
      },
      canMove: (key, by) => {
        const list = state.locked.includes(key) ? view.locked : movable(head, key, away);
        return list[list.indexOf(state.locked.includes(key) ? key : orderName(key)) + by] !== undefined;
      },
      fit: (key) => {
        const column = desk.column(key);
        if (column) change({ widths: { ...state.widths, [key]: fittingWidth(desk.grid, column) } });
      },
    };
  }, [desk, state, planHead, head, view, change]);
}
