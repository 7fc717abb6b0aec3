import type { GridView } from "#components/grid/column-layout.ts";
import { lockedMax } from "#components/grid/column-layout.ts";
import type { GridHead } from "#components/grid/grid-model.ts";
import { filterTypes } from "#lib/core/filter-types.ts";
import { periodPresets, type SearchField, searchFields, sortsMax } from "#lib/rollout-plan/conditions/limits.ts";
import { type ExceptionKind, exceptionKinds } from "#lib/rollout-plan/exceptions/limits.ts";
import { hiddenByDefault, type PlanHead } from "./plan-columns.ts";
import type { PlanFilter, PlanPeriod, PlanQuestion, PlanSearch, PlanSort } from "./plan-filters.ts";
import { columnRef, everyActivity } from "./plan-keys.ts";
import { gridViewKey } from "./plan-views.ts";

/** What the home page of the plan remembers per person and project. `folded` and `hidden` are null until somebody chose. */
export type PlanState = {
  /** The view last used. */
  view: string;
  /** What was chosen inside the views, by their keys. */
  options: Record<string, unknown>;
  widths: Record<string, number>;
  hidden: string[] | null;
  locked: string[];
  folded: string[] | null;
  /** Places of columns inside their groups, by the names of `orderName`; empty until somebody moved one. */
  order: string[];
  filters: PlanFilter[];
  sort: PlanSort[];
  period: PlanPeriod | null;
  flowIds: number[];
  searchField: SearchField;
  exception: ExceptionKind | null;
};

/** The view of somebody who has none yet. */
export const firstState: PlanState = {
  view: gridViewKey,
  options: {},
  widths: {},
  hidden: null,
  locked: ["code", "name", "status"],
  folded: null,
  order: [],
  filters: [],
  sort: [],
  period: null,
  flowIds: [],
  searchField: "code",
  exception: null,
};

/** Activities up to which no group is folded at first. */
const unfoldedMax = 2;

const isText = (value: unknown): value is string => typeof value === "string";
const texts = (value: unknown): string[] | null => (Array.isArray(value) ? value.filter(isText) : null);

function readFilter(value: unknown): PlanFilter[] {
  const { key, type, values, titles } = (value ?? {}) as Record<string, unknown>;
  const known = filterTypes.find((name) => name === type);
  if (!isText(key) || !known || !Array.isArray(values)) return [];
  const plain = values.filter((one) => one === null || ["string", "number", "boolean"].includes(typeof one));
  const named = texts(titles);
  return [{ key, type: known, values: plain, ...(named ? { titles: named } : {}) }];
}

function readSort(value: unknown): PlanSort[] {
  const { key, dir } = (value ?? {}) as Record<string, unknown>;
  return isText(key) && (dir === "asc" || dir === "desc") ? [{ key, dir }] : [];
}

function readPeriod(value: unknown): PlanPeriod | null {
  const { preset, from, to } = (value ?? {}) as Record<string, unknown>;
  const known = periodPresets.find((name) => name === preset);
  if (known) return { preset: known };
  return isText(from) && isText(to) ? { from, to } : null;
}

/** Reads a kept view. What this version does not know is left out rather than refused. */
export function readState(value: unknown): PlanState {
  const given = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  const widths = Object.entries((given.widths ?? {}) as Record<string, unknown>).filter(([, width]) => typeof width === "number");
  const list = (name: string) => (Array.isArray(given[name]) ? (given[name] as unknown[]) : []);
  return {
    view: isText(given.view) ? given.view : firstState.view,
    options: (typeof given.options === "object" ? (given.options as PlanState["options"]) : null) ?? {},
    widths: Object.fromEntries(widths) as Record<string, number>,
    hidden: texts(given.hidden),
    locked: (texts(given.locked) ?? firstState.locked).slice(0, lockedMax),
    folded: texts(given.folded),
    order: texts(given.order) ?? [],
    filters: list("filters").flatMap(readFilter),
    sort: list("sort").flatMap(readSort).slice(0, sortsMax),
    period: readPeriod(given.period),
    flowIds: list("flowIds").filter((id): id is number => typeof id === "number"),
    searchField: searchFields.find((name) => name === given.searchField) ?? firstState.searchField,
    exception: exceptionKinds.find((name) => name === given.exception) ?? null,
  };
}

/** The search a kept view holds; the home page keeps none. */
export function readKeptSearch(value: unknown): PlanSearch | null {
  const { field, text } = ((value as { search?: unknown } | null)?.search ?? {}) as Record<string, unknown>;
  const known = searchFields.find((name) => name === field);
  return known && isText(text) && text !== "" ? { field: known, text } : null;
}

/** Conditions and orders on columns that still exist: others are dropped, a hidden or deleted column must not filter unseen. */
export function fitQuestion(state: PlanState, head: GridHead): Pick<PlanQuestion, "filters" | "sort"> {
  const known = new Set(head.groups.flatMap((group) => group.columns.map((column) => column.key)));
  return { filters: state.filters.filter(({ key }) => known.has(key)), sort: state.sort.filter(({ key }) => known.has(key)) };
}

/** The view in the terms of the grid: `*:field` stands for the column of every activity. */
export function gridView(state: PlanState, head: GridHead, planHead: PlanHead): GridView {
  const hidden = new Set(state.hidden ?? hiddenByDefault(planHead));
  const columns = head.groups.flatMap((group) => group.columns);
  const known = new Set(columns.map((column) => column.key));
  const foldable = head.groups.filter((group) => group.bar).map((group) => group.key);
  return {
    widths: state.widths,
    hidden: columns
      .filter(({ key }) => {
        const { field, activityId } = columnRef(key);
        return hidden.has(key) || (activityId !== null && hidden.has(everyActivity(field)));
      })
      .map(({ key }) => key),
    locked: state.locked.filter((key) => known.has(key)),
    folded: state.folded ?? (foldable.length <= unfoldedMax ? [] : foldable.slice(1)),
  };
}

/** The view with a column hidden or shown; `everywhere` does it for that column of every activity. */
export function withHidden(hidden: readonly string[], key: string, hide: boolean, everywhere: boolean): string[] {
  const { field, activityId } = columnRef(key);
  const name = everywhere && activityId !== null ? everyActivity(field) : key;
  const rest = hidden.filter(
    (given) => given !== name && !(everywhere && columnRef(given).field === field && columnRef(given).activityId !== null),
  );
  return hide ? [...rest, name] : rest;
}
