/** One thing that a written line of the audit log says: a field with its value before and after. */
export type DetailLine = { field: string; before: string | null; after: string | null; changed: boolean };

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

function valueText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Fields of what was before and after, side by side, changed ones first; a value that is no record stands under an empty name. */
export function detailLines(detail: { before?: unknown; after?: unknown } | null): DetailLine[] {
  const { before = null, after = null } = detail ?? {};
  if (before === null && after === null) return [];
  if (!(isRecord(before) || before === null) || !(isRecord(after) || after === null))
    return [{ field: "", before: valueText(before), after: valueText(after), changed: true }];
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const lines = fields.map((field) => {
    const [old, now] = [valueText(before?.[field]), valueText(after?.[field])];
    return { field, before: old, after: now, changed: old !== now };
  });
  return [...lines.filter(({ changed }) => changed), ...lines.filter(({ changed }) => !changed)];
}
