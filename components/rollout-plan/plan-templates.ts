import type { ComponentType } from "react";
import type { GridHead } from "#components/grid/grid-model.ts";
import { searchEntries } from "#lib/core/search-entries.ts";
import { orderName } from "./column-order.ts";
import type { PlanSearch } from "./plan-filters.ts";
import { everyActivity } from "./plan-keys.ts";
import { type PlanState, readState } from "./plan-state.ts";

export const keptKinds = ["search", "filter", "grid"] as const;
export type KeptKind = (typeof keptKinds)[number];

/** What the plan shows at this moment, as the bodies of templates. */
export type KeptParts = Record<KeptKind, object>;

/** The dialog of another area in which searches, filters and layouts are kept and chosen. */
export type TemplatesEntry = ComponentType<{
  parts: KeptParts;
  onApply: (kind: KeptKind, body: unknown) => void;
  onClose: () => void;
}>;

type KeptColumn = { key: string; width?: number; order?: number; hidden?: boolean; locked?: boolean };

/** The layout as a template keeps it: locked columns first in their order, then every column somebody moved, hid or widened. */
export function layoutBody(view: Pick<PlanState, "locked" | "order" | "widths">, hidden: readonly string[], folded: readonly string[]) {
  const columns = new Map<string, KeptColumn>();
  const put = (key: string, part: Partial<KeptColumn>) => columns.set(key, { ...(columns.get(key) ?? { key }), ...part });
  for (const key of view.locked) put(key, { locked: true });
  view.order.forEach((key, order) => {
    put(key, { order });
  });
  for (const key of hidden) put(key, { hidden: true });
  for (const [key, width] of Object.entries(view.widths)) put(key, { width: Math.round(width) });
  return { columns: [...columns.values()], folded: [...folded] };
}

/** What a kept layout makes of the view. What this version does not know is left out. */
export function layoutState(body: unknown): Pick<PlanState, "locked" | "order" | "widths" | "hidden" | "folded"> {
  const { columns = [], folded } = (body ?? {}) as { columns?: KeptColumn[]; folded?: string[] };
  const ordered = columns.filter(({ order }) => order !== undefined).sort((a, b) => Number(a.order) - Number(b.order));
  const { locked, order, widths, hidden, ...state } = readState({
    locked: columns.filter((column) => column.locked).map(({ key }) => key),
    order: ordered.map(({ key }) => key),
    widths: Object.fromEntries(columns.flatMap(({ key, width }) => (width === undefined ? [] : [[key, width]]))),
    hidden: columns.filter((column) => column.hidden).map(({ key }) => key),
    folded,
  });
  return { locked, order, widths, hidden, folded: state.folded };
}

/** What stands to be kept. */
export function keptParts(state: PlanState, search: PlanSearch | null, hidden: readonly string[], folded: readonly string[]): KeptParts {
  return {
    search: { field: state.searchField, values: searchEntries(search?.text ?? ""), period: state.period, flowIds: state.flowIds },
    filter: { filters: state.filters, sort: state.sort },
    grid: layoutBody(state, hidden, folded),
  };
}

/** What a kept search, filter or layout changes of the view, and of the search box. */
export function keptChange(kind: KeptKind, body: unknown): { state: Partial<PlanState>; search?: PlanSearch | null } {
  if (kind === "grid") return { state: layoutState(body) };
  const { filters, sort, searchField, period, flowIds } = readState({
    ...(body as object),
    searchField: (body as { field?: string }).field,
  });
  if (kind === "filter") return { state: { filters, sort } };
  const { values = [] } = body as { values?: string[] };
  return { state: { searchField, period, flowIds }, search: values.length > 0 ? { field: searchField, text: values.join(", ") } : null };
}

/** How many columns a template names that the grid does not have: they are passed over. */
export function missingColumns(kind: KeptKind, body: unknown, head: GridHead): number {
  const { columns = [], filters = [], sort = [] } = (body ?? {}) as Partial<Record<"columns" | "filters" | "sort", { key: string }[]>>;
  const keys = head.groups.flatMap((group) => group.columns.map(({ key }) => key));
  const known = new Set([...keys, ...keys.map(orderName), ...keys.map((key) => everyActivity(key.slice(key.indexOf(":") + 1)))]);
  const named = kind === "grid" ? columns : kind === "filter" ? [...filters, ...sort] : [];
  return new Set(named.map(({ key }) => key).filter((key) => !known.has(key))).size;
}
