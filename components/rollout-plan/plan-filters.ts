import type { FilterType } from "#lib/core/filter-types.ts";
import type { PeriodPreset, SearchField } from "#lib/rollout-plan/conditions/limits.ts";
import type { ExceptionKind } from "#lib/rollout-plan/exceptions/limits.ts";
import { columnRef } from "./plan-keys.ts";

/** One condition on a column, with the titles of its values for the chip. */
export type PlanFilter = { key: string; type: FilterType; values: (string | number | boolean | null)[]; titles?: string[] };
export type PlanPeriod = { preset: PeriodPreset } | { from: string; to: string };
export type PlanSearch = { field: SearchField; text: string };
export type PlanSort = { key: string; dir: "asc" | "desc" };

/** Everything that decides which DUs are shown, in which order. */
export type PlanQuestion = {
  filters: readonly PlanFilter[];
  sort: readonly PlanSort[];
  period: PlanPeriod | null;
  search: PlanSearch | null;
  flowIds: readonly number[];
  /** Only DUs with an exception of this kind. */
  exception: ExceptionKind | null;
  /** Key of a stored selection, whose DUs alone are shown. */
  selection?: string | null;
};

/** A condition as the server reads it. */
function condition({ key, type, values }: PlanFilter) {
  const { field, activityId } = columnRef(key);
  return { field, ...(activityId === null ? {} : { activityId }), type, values };
}

/** Input of `wbs/filter` for the grid. */
export function filterInput(question: PlanQuestion): Record<string, unknown> {
  return { ...questionInput(question), view: "grid", ids: true };
}

/** A question as the server reads it. */
export function questionInput(question: PlanQuestion): Record<string, unknown> {
  return {
    filters: question.filters.map(condition),
    sort: question.sort.map(({ key, dir }) => {
      const { field, activityId } = columnRef(key);
      return { field, ...(activityId === null ? {} : { activityId }), dir };
    }),
    ...(question.period ? { period: question.period } : {}),
    ...(question.search ? { search: question.search } : {}),
    ...(question.flowIds.length > 0 ? { flowIds: question.flowIds } : {}),
    ...(question.exception ? { exception: question.exception } : {}),
    ...(question.selection ? { selection: question.selection } : {}),
  };
}

/** Input of `rolloutPlan/facet` for a column: its values under all the other conditions. */
export function facetInput(question: PlanQuestion, key: string, q: string): Record<string, unknown> {
  const { field, activityId } = columnRef(key);
  return {
    column: field,
    ...(activityId === null ? {} : { activityId }),
    filters: question.filters.filter((filter) => filter.key !== key).map(condition),
    ...(q.trim() ? { q: q.trim() } : {}),
  };
}

/** The question with another condition on a column, or with none. */
export function withFilter(filters: readonly PlanFilter[], key: string, filter: PlanFilter | null): PlanFilter[] {
  const at = filters.findIndex((given) => given.key === key);
  if (!filter) return filters.filter((given) => given.key !== key);
  return at < 0 ? [...filters, filter] : filters.map((given, index) => (index === at ? filter : given));
}

/** The order after a click: sorted by this column alone, or no longer. */
export function withSort(sort: readonly PlanSort[], key: string, dir: "asc" | "desc" | null, add: boolean): PlanSort[] {
  const rest = add ? sort.filter((given) => given.key !== key) : [];
  return dir ? [...rest, { key, dir }] : sort.filter((given) => given.key !== key);
}

/** Words a chip needs besides titles. */
export type ChipTexts = {
  empty: string;
  notEmpty: string;
  more: (first: string, count: number) => string;
  preset: (preset: string) => string;
  from: (value: string) => string;
  to: (value: string) => string;
};

/** Value of a condition in words: `Delta, East`, `Delayed +4`, `2026-09-01 – 2026-11-30`. */
export function chipText({ type, values, titles }: PlanFilter, texts: ChipTexts): string {
  const shown = values.map((value, index) => titles?.[index] ?? String(value ?? ""));
  switch (type) {
    case "empty":
      return texts.empty;
    case "notEmpty":
      return texts.notEmpty;
    case "preset":
      return texts.preset(String(values[0]));
    case "range": {
      const [from, to] = values;
      if (from === null || from === undefined) return texts.to(String(to ?? ""));
      return to === null || to === undefined ? texts.from(String(from)) : `${from} – ${to}`;
    }
    default:
      return shown.length > 2 ? texts.more(shown.slice(0, 2).join(", "), shown.length - 2) : shown.join(", ");
  }
}

/** Periods offered by name [RPL-30]. */
export const planPeriods = [
  "thisWeek",
  "nextWeek",
  "thisAndNextTwoWeeks",
  "thisAndNextMonth",
  "lastWeek",
  "lastMonth",
  "thisQuarter",
] as const satisfies readonly PeriodPreset[];
