import type { Cell } from "#lib/core/workbook-cell.ts";
import { type ActivityColumnKey, activityColumns, type DuColumnKey, duColumns } from "#lib/rollout-plan/columns/limits.ts";
import { attributeKey } from "#lib/rollout-plan/columns/logic.ts";
import { type DateField, dateFields, type OwnerField, ownerFields } from "#lib/rollout-plan/plan-rows/limits.ts";

/** A column of the export by what it shows. */
export type ExportColumn =
  | { kind: "field"; key: string; field: DuColumnKey }
  | { kind: "date"; key: string; activityId: number; slot: number; field: DateField }
  | { kind: "owners"; key: string; activityId: number; slot: number; field: OwnerField }
  | { kind: "status"; key: string; activityId: number; slot: number }
  | { kind: "note"; key: string; activityId: number; slot: number; field: "delayReason" | "score" | "scoreRemark" }
  | { kind: "attribute"; key: string; activityId: number | null; attributeId: number; stored: string };

/**
 * The columns the keys stand for; keys of columns that do not exist (any more) are left out.
 * @param slots slot of each activity
 * @param attributes ids of the attributes shown in the plan
 */
export function exportColumns(
  keys: readonly string[],
  slots: ReadonlyMap<number, number>,
  attributes: ReadonlySet<number>,
): ExportColumn[] {
  return keys.flatMap((key): ExportColumn[] => {
    const parts = /^(?:(\d+):)?(\w+)$/.exec(key);
    if (!parts) return [];
    const activityId = parts[1] === undefined ? null : Number(parts[1]);
    const field = parts[2] as string;
    const attribute = /^a(\d+)$/.exec(field);
    const slot = activityId === null ? undefined : slots.get(activityId);
    if (attribute) {
      const attributeId = Number(attribute[1]);
      if (!attributes.has(attributeId) || (activityId !== null && slot === undefined)) return [];
      return [{ kind: "attribute", key, activityId, attributeId, stored: attributeKey(attributeId, slot) }];
    }
    if (activityId === null) return Object.hasOwn(duColumns, field) ? [{ kind: "field", key, field: field as DuColumnKey }] : [];
    if (slot === undefined || !Object.hasOwn(activityColumns, field)) return [];
    if ((dateFields as readonly string[]).includes(field)) return [{ kind: "date", key, activityId, slot, field: field as DateField }];
    if ((ownerFields as readonly string[]).includes(field)) return [{ kind: "owners", key, activityId, slot, field: field as OwnerField }];
    if (field === "status") return [{ kind: "status", key, activityId, slot }];
    return [{ kind: "note", key, activityId, slot, field: field as Exclude<ActivityColumnKey, DateField | OwnerField | "status"> }];
  });
}

/** Whether the cells of a column are days. */
export function isDayColumn(column: ExportColumn): boolean {
  return column.kind === "date" || (column.kind === "field" && duColumns[column.field].type === "date");
}

/** Which DU a row of the workbook is, and up to which change number its values are those of the project. */
export type RowMark = { duId: number; seq: number };

/** The mark of a row as its hidden cell holds it. */
export function markText({ duId, seq }: RowMark): string {
  return `${duId}@${seq}`;
}

/** The mark a hidden cell holds, or null. */
export function readMark(text: string): RowMark | null {
  const found = /^(\d{1,15})@(\d{1,15})$/.exec(text.trim());
  return found ? { duId: Number(found[1]), seq: Number(found[2]) } : null;
}

/** People as a cell shows them: the account stands behind the name, so that the file can be read back. */
export const peopleText = (people: readonly { name: string; account: string }[]): Cell =>
  people.length === 0 ? null : people.map(({ name, account }) => `${name} (${account})`).join(", ");
