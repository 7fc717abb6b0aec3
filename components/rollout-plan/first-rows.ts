import { columnWidth, shownColumns } from "#components/grid/column-layout.ts";
import { orderedHead } from "./column-order.ts";
import { type PlanHead, planGridHead, type TileParts, tileParts } from "./plan-columns.ts";
import { filterInput, type PlanQuestion } from "./plan-filters.ts";
import type { FilterAnswer } from "./plan-source.ts";
import { fitQuestion, gridView, readKeptSearch, readState } from "./plan-state.ts";
import type { TileAnswer } from "./plan-tile.ts";

/** Rows that come with the page: a screen and what is drawn around it, so that it is full before the first call is made. */
export const firstRowsCount = 40;

/** Width whose columns they carry, in pixels: that of a wide screen. What lies beside it comes with the tile that is read at once. */
const firstWidth = 2_560;

/** The first rows of the plan and the question they answer. `ids`: all DUs that fit, packed; null where the person does not see them all. */
export type FirstRows = {
  question: string;
  filter: Omit<FilterAnswer, "duIds">;
  ids: string | null;
  tile: TileAnswer;
  notes: readonly number[];
};

/** A question as a text that is the same exactly for the same question. */
export function questionText(question: PlanQuestion): string {
  return JSON.stringify(filterInput(question));
}

/**
 * What the grid will ask first for a kept view: its question, and the values its rows have to carry.
 * @param home kept view of the person or a saved one, as it was saved
 */
export function firstAsk(
  home: unknown,
  planHead: PlanHead,
): { text: string; input: Record<string, unknown>; parts: TileParts & { plan: true } } {
  const state = readState(home);
  // Titles and choices do not decide which columns there are.
  const head = orderedHead(planGridHead(planHead, { fields: "", attributes: "", bar: "", barTitle: "" }, {}), state.order);
  const { period, flowIds, exception } = state;
  const question: PlanQuestion = { ...fitQuestion(state, head), period, flowIds, exception, search: readKeptSearch(home) };
  const view = gridView(state, head, planHead);
  let width = 0;
  const locked = new Set(view.locked);
  const shown = shownColumns(head, view)
    .map(({ column }) => column)
    .sort((left, right) => Number(locked.has(right.key)) - Number(locked.has(left.key)))
    .filter((column) => {
      width += columnWidth(column, view.widths[column.key]);
      return width <= firstWidth;
    })
    .map(({ key }) => key);
  const slots = new Map(planHead.activities.map(({ activityId, slot }) => [activityId, slot]));
  return { text: questionText(question), input: filterInput(question), parts: { plan: true, ...tileParts(shown, slots) } };
}
