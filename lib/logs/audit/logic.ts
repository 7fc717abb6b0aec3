import { roleName } from "#lib/core/format.ts";
import { type AuditObject, auditObjects } from "./limits.ts";

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

/** An object of the audit log: the words it is made of, by the key of their message, and the ids and names between them. */
export type ReadObject = { key: AuditObject; values: Record<string, string>; project?: string };

// The more of an object is fixed, the sooner it is tried: `plan batch dates` is no batch of that number.
const patterns = Object.entries(auditObjects)
  .map(([key, pattern]) => ({
    key: key as AuditObject,
    fixed: pattern.replace(/\{\w+\}/g, "").length,
    names: [...pattern.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name),
    fits: new RegExp(`^${pattern.replace(/\{(\w+)\}/g, (_, name) => (name === "role" ? "(\\w+)" : "(.+)"))}$`, "s"),
  }))
  .sort((a, b) => b.fixed - a.fixed);

/**
 * Splits what is stored as the object of a line into its fixed words and the rest; null where it has none, as the address of a refused call.
 * What was done in another project begins with the number of that one.
 */
export function readObject(object: string): ReadObject | null {
  for (const { key, names, fits } of patterns) {
    const [whole, ...given] = fits.exec(object) ?? [];
    if (whole === undefined) continue;
    return { key, values: Object.fromEntries(names.map((name, at) => [name, name === "role" ? roleName(given[at]!) : given[at]!])) };
  }
  const [, project = "", rest] = /^(\S+) (.+)$/s.exec(object) ?? [];
  const there = rest === undefined ? null : readObject(rest);
  return there && !there.project ? { ...there, project } : null;
}

/** The object of a line in the words of a language; one that has none stays as it is stored. */
export function objectText(object: string, t: (key: `object.${AuditObject}`, values: Record<string, string>) => string): string {
  const read = readObject(object);
  if (!read) return object;
  const text = t(`object.${read.key}`, read.values);
  return read.project ? `${read.project} ${text}` : text;
}
