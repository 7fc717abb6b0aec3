import { type DuColumn, duColumns } from "#lib/rollout-plan/columns/limits.ts";
import { columnOf } from "#lib/rollout-plan/dus/logic.ts";
import { cellField, cellSlot } from "#lib/rollout-plan/plan-rows/logic.ts";
import { columnKey } from "./plan-keys.ts";

const columnsOfField = new Map(
  Object.entries<DuColumn>(duColumns).flatMap(([key, { edit, logged }]): [string, string][] => {
    const field = edit ?? logged;
    return field ? [[`du.${columnOf(field)}`, key]] : [];
  }),
);

/** Column keys of a change as the log names it. */
export function changedColumns(cells: readonly number[], attrKeys: readonly string[], activityOf: ReadonlyMap<number, number>): string[] {
  const keys: string[] = [];
  for (const cell of cells) {
    const activityId = activityOf.get(cellSlot(cell));
    if (activityId !== undefined) keys.push(columnKey(cellField(cell), activityId));
  }
  for (const name of attrKeys) {
    const [field = "", slot] = name.split("@");
    const activityId = slot === undefined ? null : activityOf.get(Number(slot));
    if (activityId !== undefined) keys.push(columnKey(columnsOfField.get(field) ?? field.replace(/^note\./, ""), activityId));
  }
  return keys;
}
