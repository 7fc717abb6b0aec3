import { dayNumber, firstDay, isIsoDay, lastDay } from "#lib/core/clock.ts";
import {
  type DuColumn,
  type DuColumnKey,
  delayReasonChars,
  duColumns,
  type NoteField,
  noteFields,
} from "#lib/rollout-plan/columns/limits.ts";
import { type AttributeForm, attributeKey, canonicalValue, type Fault } from "#lib/rollout-plan/columns/logic.ts";
import { type DateField, type OwnerField, ownerFields, ownersMax } from "#lib/rollout-plan/plan-rows/limits.ts";
import { dateRange, naMisplaced } from "#lib/rollout-plan/plan-rows/logic.ts";
import type { CellValue, Edit, EditColumns } from "./schema.ts";

const editableDates = ["planStart", "planEnd", "actualStart", "actualEnd"] as const satisfies readonly DateField[];

/** What an edit points at. */
export type Target =
  | { kind: "date"; field: (typeof editableDates)[number]; slot: number }
  | { kind: "owner"; field: OwnerField; slot: number }
  | { kind: "note"; field: NoteField; slot: number }
  | { kind: "attribute"; key: string; form: EditableAttribute; slot: number | null }
  | { kind: "du"; field: string };

export type EditableAttribute = AttributeForm & {
  id: number;
  name: string;
  level: "DU" | "ACTIVITY";
  required: boolean;
  /** The caller may write it. */
  writable: boolean;
};

/** What the edits of a project can point at. */
export type Targets = { slots: ReadonlyMap<number, number>; attributes: ReadonlyMap<number, EditableAttribute> };

const unknown = (value: string | number): Fault => ({ code: "VALUE_UNKNOWN", params: { field: "field", value } });

type Place = Pick<Edit, "field" | "activityId">;

/** Targets of edits one after the other: thousands of cells lie in a few columns, each of which is looked up once. */
export function targetFinder(targets: Targets): (edit: Place) => Target | Fault {
  const known = new Map<string, Map<number | undefined, Target | Fault>>();
  return (edit) => {
    const columns = known.get(edit.field) ?? new Map<number | undefined, Target | Fault>();
    const found = columns.get(edit.activityId);
    if (found) return found;
    const target = targetOf(edit, targets);
    known.set(edit.field, columns.set(edit.activityId, target));
    return target;
  };
}

/** The target of an edit, or why it has none. */
export function targetOf(edit: Place, targets: Targets): Target | Fault {
  const { field, activityId } = edit;
  const attributeId = /^a(\d{1,15})$/.exec(field)?.[1];
  if (activityId === undefined) {
    if (attributeId) return attributeTarget(Number(attributeId), undefined, targets);
    const column = (duColumns as Record<string, DuColumn>)[field as DuColumnKey];
    return column?.edit ? { kind: "du", field: column.edit } : unknown(field);
  }
  const slot = targets.slots.get(activityId);
  if (slot === undefined) return { code: "NO_ACTIVITY", params: {} };
  if (attributeId) return attributeTarget(Number(attributeId), slot, targets);
  const date = editableDates.find((name) => name === field);
  if (date) return { kind: "date", field: date, slot };
  const owner = ownerFields.find((name) => name === field);
  if (owner) return { kind: "owner", field: owner, slot };
  const note = noteFields.find((name) => name === field);
  return note ? { kind: "note", field: note, slot } : unknown(field);
}

function attributeTarget(id: number, slot: number | undefined, { attributes }: Targets): Target | Fault {
  const form = attributes.get(id);
  if (!form || (form.level === "ACTIVITY") !== (slot !== undefined)) return unknown(`a${id}`);
  return { kind: "attribute", key: attributeKey(id, slot), form, slot: slot ?? null };
}

/** Day number of a date cell's value, 0 to clear, or what is wrong with it. */
export function dayOf(field: string, value: CellValue): { day: number } | Fault {
  if (value === null || value === "") return { day: 0 };
  const text = String(value);
  if (naMisplaced(field, text)) return { code: "NA_PLAN_END_ONLY", params: {} };
  if (typeof value !== "string" || !isIsoDay(value)) return { code: "DATE_FORMAT", params: { value: text.slice(0, 60) } };
  const day = dayNumber(value);
  if (day < firstDay || day > lastDay) return { code: "DATE_OUT_OF_RANGE", params: dateRange };
  return { day };
}

/** People of an owner cell's value in their order, without repeats, or what is wrong with it. */
export function ownersOf(value: CellValue): { userIds: number[] } | Fault {
  if (value === null) return { userIds: [] };
  if (!Array.isArray(value)) return { code: "VALUE_FORMAT", params: { field: "owner" } };
  const userIds = [...new Set(value)];
  return userIds.length > ownersMax ? { code: "TOO_MANY", params: { max: ownersMax } } : { userIds };
}

/** Value of a note field, or what is wrong with its form; the bounds of a score are rules of the whole note. */
export function noteValue(field: NoteField, value: CellValue): { value: string | number | null } | Fault {
  if (value === null || value === "") return { value: null };
  if (field === "score") return typeof value === "number" ? { value } : { code: "VALUE_FORMAT", params: {} };
  if (typeof value !== "string") return { code: "VALUE_FORMAT", params: {} };
  const text = value.trim();
  return [...text].length > delayReasonChars ? { code: "VALUE_TOO_LONG", params: { max: delayReasonChars } } : { value: text || null };
}

/** Attribute value in its stored form, or why it cannot be written: no right to the attribute, a value that does not fit, nothing where something is required. */
export function attributeValue(form: EditableAttribute, value: CellValue): { value: string | number | null } | Fault {
  if (!form.writable) return { code: "NO_PERMISSION", params: { right: form.name } };
  const given = canonicalValue(form, value);
  if (form.required && "value" in given && given.value === null) return { code: "EMPTY_CONTENT", params: {} };
  return given;
}

/** Whether two values of a cell are the same; a blank text and an empty list are blank. */
export function sameValue(left: unknown, right: unknown): boolean {
  return plain(left) === plain(right);
}

function plain(value: unknown): string {
  if (value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)) return "";
  return Array.isArray(value) ? value.join(",") : String(value);
}

/** The edits that stand side by side, one by one. */
export function editsOfColumns(columns: readonly EditColumns[]): Edit[] {
  return columns.flatMap(({ field, duIds, activityIds, values, bases }) =>
    duIds.map((duId, at) => ({
      duId,
      activityId: activityIds[at] ?? undefined,
      field,
      value: values[at] as CellValue,
      base: bases[at] as CellValue,
    })),
  );
}
