import { z } from "zod";
import { isIsoDay } from "#lib/core/clock.ts";
import { filterChars, searchEntriesMax } from "#lib/core/filter-limits.ts";
import { filterTypes } from "#lib/core/filter-types.ts";
import { listInput } from "#lib/core/paging.ts";
import { headerRowMax } from "#lib/imports/limits.ts";
import { conditionsMax, periodPresets, searchFields, sortsMax } from "#lib/rollout-plan/conditions/limits.ts";
import {
  activityNameChars,
  bodyBytesMax,
  columnKeyChars,
  columnsMax,
  columnWidthMax,
  columnWidthMin,
  gridKeyChars,
  networkTypeChars,
  objectTypes,
  organisationChars,
  planOwnersMax,
  remarkChars,
  templateKinds,
  templatesPerCall,
} from "./limits.ts";
import { lockedFault, nameFault } from "./logic.ts";

const id = z.int().min(1);
const day = z.string().refine(isIsoDay, { params: { code: "DATE_FORMAT" } });
/** A text the database can keep. */
const text = () => z.string().refine((given) => given.isWellFormed() && !given.includes("\0"), { params: { code: "VALUE_FORMAT" } });
const key = text().min(1).max(columnKeyChars);
const gridKey = text().trim().min(1).max(gridKeyChars);
const kind = z.enum(templateKinds);
// Longer than any name may be: which bound was broken is said by the kind.
const name = z.string().max(1000).trim();
const ids = z
  .array(id)
  .min(1)
  .max(templatesPerCall)
  .transform((given) => [...new Set(given)]);

/** A column in its place; what is not said is as the product has it. */
export const Column = z.strictObject({
  key,
  width: z.int().min(columnWidthMin).max(columnWidthMax).optional(),
  /** Place inside its group, where somebody chose one. */
  order: z.int().min(0).max(columnsMax).optional(),
  hidden: z.boolean().optional(),
  locked: z.boolean().optional(),
});
export type Column = z.output<typeof Column>;

function refuseLocked(count: number, context: z.RefinementCtx): void {
  const fault = lockedFault(count);
  if (fault) context.addIssue({ code: "custom", params: { code: fault.code, ...fault.params } });
}

const columns = z
  .array(Column)
  .max(columnsMax)
  .superRefine((given, context) => refuseLocked(given.filter(({ locked }) => locked).length, context));

const Period = z.union([z.strictObject({ preset: z.enum(periodPresets) }), z.strictObject({ from: day, to: day })]);

export const SearchBody = z.strictObject({
  field: z.enum(searchFields),
  values: z
    .array(text().trim().min(1).max(200))
    .refine((given) => given.length <= searchEntriesMax, { params: { code: "SEARCH_TOO_MANY", max: searchEntriesMax } }),
  period: Period.nullish(),
  flowIds: z.array(id).max(500).default([]),
});
export type SearchBody = z.output<typeof SearchBody>;

export const FilterBody = z.strictObject({
  filters: z
    .array(
      z.strictObject({
        key,
        type: z.enum(filterTypes),
        values: z.array(z.union([text().max(2000), z.number(), z.boolean(), z.null()])).max(500),
        titles: z.array(text().max(2000)).max(500).optional(),
      }),
    )
    .max(conditionsMax)
    .refine((given) => JSON.stringify(given.map(({ titles: _titles, ...rest }) => rest)).length <= filterChars, {
      params: { code: "FILTER_TOO_LONG", max: filterChars },
    }),
  sort: z
    .array(z.strictObject({ key, dir: z.enum(["asc", "desc"]) }))
    .max(sortsMax)
    .default([]),
});
export type FilterBody = z.output<typeof FilterBody>;

export const GridBody = z.strictObject({ columns, folded: z.array(key).max(columnsMax).optional() });
export type GridBody = z.output<typeof GridBody>;

export const ReverseBody = z.strictObject({
  headerRow: z.int().min(1).max(headerRowMax).default(1),
  /** Titles of the foreign plan and what they give: `du`, a column of an activity (`7:planEnd`), or an attribute (`a12`). */
  columns: z
    .array(
      z.strictObject({
        title: text()
          .trim()
          .min(1)
          .refine((given) => [...given].length <= activityNameChars, { params: { code: "NAME_TOO_LONG", max: activityNameChars } }),
        key,
      }),
    )
    .min(1)
    .max(columnsMax)
    .refine((given) => given.filter((column) => column.key === "du").length === 1, { params: { code: "MAPPING_MISSING", fields: "DU" } }),
});
export type ReverseBody = z.output<typeof ReverseBody>;

export const PlanBody = z.strictObject({ flowId: id, columns: columns.default([]), owners: z.array(id).max(planOwnersMax).default([]) });
export type PlanBody = z.output<typeof PlanBody>;

const common = {
  id: id.optional(),
  name,
  remark: text().trim().max(remarkChars).optional(),
  isPublic: z.boolean(),
  lockedColumns: z.int().min(0).superRefine(refuseLocked).optional(),
  networkType: text().trim().max(networkTypeChars).optional(),
  organisation: text().trim().max(organisationChars).optional(),
  rowVersion: z.int().min(1).optional(),
};
const objectType = z.enum(objectTypes);
/** What is no template of one type of object is the project's. [TPL-02] */
const anyObjectType = objectType.default("project");

/** A template with the body of its kind; a change names the id and the revision it was read at. [TPL-03] [TPL-04] */
export const SaveTemplate = z
  .discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("search"), objectType, gridKey: gridKey.optional(), ...common, body: SearchBody }),
    z.strictObject({ kind: z.literal("filter"), objectType: anyObjectType, gridKey, ...common, body: FilterBody }),
    z.strictObject({ kind: z.literal("grid"), objectType: anyObjectType, gridKey, ...common, body: GridBody }),
    z.strictObject({
      kind: z.literal("reverse"),
      objectType: anyObjectType,
      gridKey: gridKey.optional(),
      ...common,
      body: ReverseBody,
    }),
    z.strictObject({ kind: z.literal("plan"), objectType, gridKey: gridKey.optional(), ...common, body: PlanBody }),
  ])
  .superRefine((given, context) => {
    const fault = nameFault(given.kind, given.name);
    if (fault) context.addIssue({ code: "custom", path: ["name"], params: { code: fault.code, ...fault.params } });
    if (new TextEncoder().encode(JSON.stringify(given.body)).length > bodyBytesMax)
      context.addIssue({ code: "custom", path: ["body"], params: { code: "VALUE_TOO_LONG", max: bodyBytesMax } });
    if (given.id !== undefined && given.rowVersion === undefined)
      context.addIssue({ code: "custom", path: ["rowVersion"], params: { code: "VALUE_MISSING" } });
  });
export type SaveTemplate = z.output<typeof SaveTemplate>;

export const TemplateNames = z.strictObject({ kind, objectType: objectType.optional(), gridKey: gridKey.optional() });
export type TemplateNames = z.output<typeof TemplateNames>;

export const FindTemplate = z.strictObject({ id });

export const ValidateName = z.strictObject({ kind, name: z.string().max(1000), id: id.optional(), isPublic: z.boolean() });
export type ValidateName = z.output<typeof ValidateName>;

export const CheckName = z.strictObject({ gridKey, kind, name: z.string().max(1000), id: id.optional() });
export type CheckName = z.output<typeof CheckName>;

export const DeleteTemplates = z.strictObject({
  ids,
  /** Those whose default one of the templates is have been thought of. */
  confirmed: z.boolean().default(false),
});
export type DeleteTemplates = z.output<typeof DeleteTemplates>;

export const FindDefaults = z.strictObject({ gridKey: gridKey.optional() });

export const SaveDefault = z.strictObject({
  gridKey,
  kind,
  templateId: id.nullable(),
  /** For everybody who chose none: the project's default, a public template. */
  forProject: z.boolean().default(false),
});
export type SaveDefault = z.output<typeof SaveDefault>;

export const SavePosition = z.strictObject({ gridKey, templateId: id.optional(), columns });
export type SavePosition = z.output<typeof SavePosition>;

export const ListTemplates = listInput(
  { kind: ["in"], name: ["like"], isPublic: ["eq"], owner: ["like"], objectType: ["in"] },
  { sortable: ["name", "kind", "updatedAt", "owner", "usage"] },
);
