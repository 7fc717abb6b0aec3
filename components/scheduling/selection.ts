/** DUs a dialog works on: named one by one, or those of a stored query of the plan with their number where it may be shown. */
export type Selection = { duIds: number[] } | { queryId: string; count?: number | null };

/** The selection as input of a call. */
export function selectionInput(selection: Selection): { duIds: number[] } | { queryId: string } {
  return "duIds" in selection ? { duIds: selection.duIds } : { queryId: selection.queryId };
}

/** How many DUs are chosen; null where that is not known. */
export function selectionCount(selection: Selection): number | null {
  return "duIds" in selection ? selection.duIds.length : (selection.count ?? null);
}
