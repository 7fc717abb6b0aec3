import type { Params } from "#lib/core/error.ts";
import type { ErrorCode } from "#lib/errors.ts";
import { lockedColumnsMax, nameSigns, type TemplateKind, templateLimits } from "./limits.ts";

const signs = new Set(nameSigns.split(" "));

/** What is wrong with the name of a template of a kind, or null. Used while typing and again by the server. */
export function nameFault(kind: TemplateKind, name: string): { code: ErrorCode; params: Params } | null {
  const given = name.trim();
  const max = templateLimits[kind].nameChars;
  if (given === "") return { code: "NAME_REQUIRED", params: {} };
  if ([...given].length > max) return { code: "NAME_TOO_LONG", params: { max } };
  const isRefused = (sign: string) => signs.has(sign) || /[\p{Cc}\p{Cs}]/u.test(sign);
  return [...given].some(isRefused) ? { code: "NAME_INVALID", params: { signs: nameSigns } } : null;
}

/** What is wrong with so many columns that stay in sight, or null. [TPL-10] */
export const lockedFault = (count: number): { code: ErrorCode; params: Params } | null =>
  count > lockedColumnsMax ? { code: "LOCKED_COLUMNS", params: { max: lockedColumnsMax } } : null;

type Keyed = { key: string };
type Parts = { columns?: Keyed[]; filters?: Keyed[]; sort?: Keyed[] };

/** The attribute a column stands for, of DUs or of an activity; null for every other column. */
const attributeOf = (key: string): number | null => {
  const found = /^(?:(?:\d+|\*):)?a(\d{1,15})$/.exec(key);
  return found ? Number(found[1]) : null;
};

/** A body without what stands for attributes that are hidden from a person. */
export function withoutHidden(body: unknown, hidden: ReadonlySet<number>): unknown {
  if (hidden.size === 0) return body;
  const { columns, filters, sort, ...rest } = body as Parts;
  const open = ({ key }: Keyed) => !hidden.has(attributeOf(key) ?? 0);
  return {
    ...rest,
    ...(columns && { columns: columns.filter(open) }),
    ...(filters && { filters: filters.filter(open) }),
    ...(sort && { sort: sort.filter(open) }),
  };
}

/** A body as somebody changed it who did not see all of it: what was hidden stays, behind the rest. */
export function keepHidden(body: unknown, before: unknown, hidden: ReadonlySet<number>): unknown {
  if (hidden.size === 0) return body;
  const [next, stored] = [body as Parts, before as Parts];
  const lost = (parts: Keyed[] | undefined) => (parts ?? []).filter(({ key }) => hidden.has(attributeOf(key) ?? 0));
  return {
    ...next,
    ...(next.columns && { columns: [...next.columns, ...lost(stored.columns)] }),
    ...(next.filters && { filters: [...next.filters, ...lost(stored.filters)] }),
    ...(next.sort && { sort: [...next.sort, ...lost(stored.sort)] }),
  };
}

type Wide = Keyed & { width?: number };

/** A layout of which all is new but the widths: those stay as they were. */
export function keepWidths(body: unknown, before: unknown): unknown {
  const { columns = [], ...rest } = body as { columns?: Wide[] };
  const { columns: stored = [] } = before as { columns?: Wide[] };
  const widths = new Map(stored.flatMap(({ key, width }) => (width === undefined ? [] : [[key, { key, width }] as const])));
  const next = columns.map(({ width: _width, ...column }) => ({ ...column, ...widths.get(column.key) }));
  const named = new Set(columns.map(({ key }) => key));
  return { ...rest, columns: [...next, ...[...widths.values()].filter(({ key }) => !named.has(key))] };
}

/** The first attribute a body names that is hidden, null when there is none. */
export function findHidden(body: unknown, hidden: ReadonlySet<number>): number | null {
  const { columns = [], filters = [], sort = [] } = body as Parts;
  return [...columns, ...filters, ...sort].map(({ key }) => attributeOf(key)).find((id) => id !== null && hidden.has(id)) ?? null;
}
