import type { Fault } from "#lib/rollout-plan/columns/logic.ts";
import { fitsParent, type TabForm, tabValue } from "../logic.ts";

/** What is known of one cell: its form, whether the caller may write it, and with whom its value is kept. */
export type CellForm = TabForm & { key: string; level: "DU" | "TAB"; mode: "RO" | "RW" };
export type Change = [unknown, unknown];

/** A row as it is stored; `null` for one that is to be made. */
export type Present = { sn: string | null; data: Record<string, unknown>; ext: Record<string, unknown> } | null;
/** What changes in a row: its serial number, its own values, and those kept with the DU. */
export type RowChange = { sn: Change | null; data: Record<string, Change>; ext: Record<string, Change> };

/**
 * What of the given values differs from the stored ones, or the first thing that is wrong.
 * @param given values by the key of their attribute; what is not named stays
 */
export function rowChange(
  forms: ReadonlyMap<string, CellForm>,
  present: Present,
  given: { sn?: string | null | undefined; data: Record<string, unknown> },
): RowChange | (Fault & { key: string }) {
  const change: RowChange = { sn: null, data: {}, ext: {} };
  if (given.sn !== undefined && given.sn !== (present?.sn ?? null)) change.sn = [present?.sn ?? null, given.sn];
  for (const [key, value] of Object.entries(given.data)) {
    const form = forms.get(key);
    if (!form) return { key, code: "VALUE_UNKNOWN", params: { field: key, value: key } };
    const now = (form.level === "DU" ? present?.ext[key] : present?.data[key]) ?? null;
    const next = tabValue(form, value);
    if ("code" in next) {
      // What somebody else left blank is no fault of who does not fill it either.
      if (next.code === "EMPTY_CONTENT" && present !== null && now === null) continue;
      return { key, ...next };
    }
    if (next.value === now || (now !== null && String(next.value) === String(now))) continue;
    if (form.mode !== "RW") return { key, code: "NO_PERMISSION", params: { right: form.name } };
    change[form.level === "DU" ? "ext" : "data"][key] = [now, next.value];
  }
  const stray = strayChoice(forms, present, change);
  if (stray) return { key: stray.key, code: "NOT_A_CHOICE", params: { field: stray.name } };
  if (present === null)
    for (const form of forms.values())
      if (form.required && form.mode === "RW" && form.level === "TAB" && !change.data[form.key])
        return { key: form.key, code: "EMPTY_CONTENT", params: { field: form.name } };
  return change;
}

/** Whether nothing changes. */
export const isUnchanged = ({ sn, data, ext }: RowChange): boolean =>
  sn === null && Object.keys(data).length === 0 && Object.keys(ext).length === 0;

/** A choice of the second level that does not stand below the value of its parent in the same row, where one of the two changes. */
function strayChoice(forms: ReadonlyMap<string, CellForm>, present: Present, { data, ext }: RowChange): CellForm | undefined {
  const changed = (key: string): Change | undefined => data[key] ?? ext[key];
  const value = (key: string): unknown => changed(key)?.[1] ?? (changed(key) ? null : (present?.data[key] ?? present?.ext[key] ?? null));
  return [...forms.values()].find(({ key, parentKey, choices }) => {
    if (!parentKey || (!changed(key) && !changed(parentKey)) || value(key) === null) return false;
    return !fitsParent({ choices: choices ?? [] }, value(key), value(parentKey));
  });
}
