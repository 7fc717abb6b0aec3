import type { GridColumn, GridHead } from "#components/grid/grid-model.ts";
import { columnRef, everyActivity } from "./plan-keys.ts";

/** Name under which the place of a column is kept: one place for the column of every activity. */
export function orderName(key: string): string {
  const { field, activityId } = columnRef(key);
  return activityId === null ? key : everyActivity(field);
}

/** Items in the chosen order; those it does not know stay behind the others as they were. */
export function inOrder<T>(items: readonly T[], name: (item: T) => string, order: readonly string[]): T[] {
  if (order.length === 0) return [...items];
  const places = new Map(order.map((given, at) => [given, at]));
  const place = (item: T) => places.get(name(item)) ?? order.length;
  return [...items].sort((a, b) => place(a) - place(b));
}

/** The head with the columns of every group in the chosen order. */
export function orderedHead(head: GridHead, order: readonly string[]): GridHead {
  if (order.length === 0) return head;
  return { groups: head.groups.map((group) => ({ ...group, columns: inOrder(group.columns, ({ key }) => orderName(key), order) })) };
}

/** The order with the names of one list standing as in it; those of other lists keep theirs. */
export function withList(order: readonly string[], list: readonly string[]): string[] {
  return [...order.filter((given) => !list.includes(given)), ...list];
}

/** A list after one of its items changed places with its neighbour; the same list at its end. */
export function swapped(list: readonly string[], name: string, by: -1 | 1): string[] {
  const at = list.indexOf(name);
  const to = at + by;
  if (at < 0 || to < 0 || to >= list.length) return [...list];
  const next = [...list];
  [next[at], next[to]] = [next[to] as string, next[at] as string];
  return next;
}

/** Names of a column's group in their present order: what it can be moved among. Hidden and locked ones are jumped over. */
export function movable(head: GridHead, key: string, away: ReadonlySet<string>): string[] {
  const group = head.groups.find(({ columns }) => columns.some((column) => column.key === key));
  const shown = (column: GridColumn) => column.key === key || !away.has(column.key);
  return (group?.columns ?? []).filter(shown).map((column) => orderName(column.key));
}
