import { type NoteField, noteFields } from "#lib/rollout-plan/columns/limits.ts";

/** A column of the plan: a DU column, an attribute (`a12`), or either of them for one activity. */
export type PlanColumnRef = { field: string; activityId: number | null };

/** Key of a column: `code`, `a12`, `7:planEnd`, `7:a12`. */
export function columnKey(field: string, activityId: number | null): string {
  return activityId === null ? field : `${activityId}:${field}`;
}

/** The column a key stands for. */
export function columnRef(key: string): PlanColumnRef {
  const at = key.indexOf(":");
  return at < 0 ? { field: key, activityId: null } : { field: key.slice(at + 1), activityId: Number(key.slice(0, at)) };
}

/** Key of the group of an activity. */
export function groupKey(activityId: number): string {
  return `activity:${activityId}`;
}

/** Activity of a group, or null for the groups of DU columns and attributes. */
export function groupActivity(key: string): number | null {
  return key.startsWith("activity:") ? Number(key.slice(9)) : null;
}

/** Key that stands for a column of every activity, in lists of hidden columns: `*:baselineEnd`. */
export function everyActivity(field: string): string {
  return `*:${field}`;
}

/** Whether a field belongs to the note of an activity. */
export function isNote(field: string): field is NoteField {
  return (noteFields as readonly string[]).includes(field);
}

/** Whether a field is an extension attribute. */
export function isAttribute(field: string): boolean {
  return /^a\d+$/.test(field);
}
