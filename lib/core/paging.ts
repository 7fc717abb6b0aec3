import { z } from "zod";
import { filterChars, searchBoxes, searchChars } from "./filter-limits.ts";
import { type FilterType, filterTypes } from "./filter-types.ts";
import { pageSizeOnRequest, pageSizes, pickerSize } from "./page-sizes.ts";

/** Ending of the address of a paged list [OPS-05]. */
export const listSuffix = "list/{page}/{size}/default/{filters}";

export type Filter = { field: string; type: FilterType; values: (string | number | boolean | null)[] };
/** A filter as the parameters of a task keep it: checked when the task was started. */
export const KeptFilter = z.object({
  field: z.string(),
  type: z.enum(filterTypes),
  values: z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])),
});
/** Conditions that come in a body are held to the characters those of an address have; what a search box looks for does not count. [OPS-31] */
export function refuseLongFilters(given: readonly { field: string }[], context: z.RefinementCtx): void {
  if (JSON.stringify(given.filter(({ field }) => !searchBoxes.has(field))).length > filterChars)
    context.addIssue({ code: "custom", params: { code: "FILTER_TOO_LONG", max: filterChars } });
}

export type Sort = { field: string; dir: "asc" | "desc" };
export type Page<T> = { records: T[]; total: number; page: number; size: number };
export type ListInput = { page: number; size: number; filters: Filter[]; sort?: Sort[] | undefined };

/**
 * Input of a paged list: page from 1, an allowed size, filters on the named fields with the named types, and an optional order.
 * @param fields field → filter types it takes
 * @param options sortable: fields a caller may order by (default: all of `fields`); picker: size 2000 is accepted for page 1
 */
export function listInput(
  fields: Record<string, readonly FilterType[]>,
  options: { sortable?: readonly string[]; picker?: boolean } = {},
): z.ZodType<ListInput> {
  const names = Object.keys(fields);
  const sortable = options.sortable ?? names;
  const value = z.union([z.string().max(searchChars), z.number(), z.boolean(), z.null()]);
  const filter = z
    .object({ field: z.string(), type: z.enum(filterTypes), values: z.array(value).max(500) })
    .superRefine((given, context) => {
      if (!names.includes(given.field))
        context.addIssue({ code: "custom", path: ["field"], params: { code: "VALUE_UNKNOWN", value: given.field } });
      else if (!fields[given.field]?.includes(given.type))
        context.addIssue({ code: "custom", path: ["type"], params: { code: "VALUE_UNKNOWN", value: given.type } });
      if (searchBoxes.has(given.field)) return;
      for (const [at, text] of given.values.entries())
        if (typeof text === "string" && text.length > filterChars)
          context.addIssue({ code: "custom", path: ["values", at], params: { code: "VALUE_TOO_LONG", max: filterChars } });
    });
  const input = z
    .object({
      page: z.int().min(1).max(1_000_000),
      size: z.int(),
      filters: z.array(filter).max(100).superRefine(refuseLongFilters).default([]),
      sort: z
        .array(
          z.object({
            field: z.string().refine((name) => sortable.includes(name), { params: { code: "VALUE_UNKNOWN" } }),
            dir: z.enum(["asc", "desc"]),
          }),
        )
        .max(5)
        .optional(),
    })
    .superRefine((given, context) => {
      const sizes: number[] = [...pageSizes, pageSizeOnRequest, ...(options.picker && given.page === 1 ? [pickerSize] : [])];
      if (!sizes.includes(given.size))
        context.addIssue({ code: "custom", path: ["size"], params: { code: "VALUE_UNKNOWN", value: given.size } });
    });
  // The document of calls names what can be filtered and sorted.
  return input.meta({ filterFields: fields, sortFields: sortable }) as unknown as z.ZodType<ListInput>;
}
