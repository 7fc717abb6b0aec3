import { z } from "zod";
import { aliasChars, dimensionChars, rowLimitMax, rowLimitMin, tabActivitiesMax, tabsPerCall, tabsSeenMax, viewPeriods } from "./limits.ts";

const id = z.int().min(1);
const idsOf = (max: number) =>
  z
    .array(id)
    .min(1)
    .max(max)
    .transform((given) => [...new Set(given)]);
const ids = idsOf(tabsPerCall);

const dimension = z.string().min(1).max(dimensionChars);
/** Activities in their order, each once. [MDV-14] */
export const TabActivities = z
  .array(id)
  .transform((given) => [...new Set(given)])
  .refine((given) => given.length > 0, { params: { code: "ACTIVITY_REQUIRED" } })
  .refine((given) => given.length <= tabActivitiesMax, { params: { code: "TOO_MANY_ACTIVITIES", max: tabActivitiesMax } });

export const ListTabs = z.strictObject({});
export const ListDimensions = z.strictObject({});

/** A tab of one's own, or of everybody; a change names the id and the revision it was read at. [MDV-09] */
export const SaveTab = z
  .strictObject({
    id: id.optional(),
    alias: z
      .string()
      .max(1000)
      .trim()
      .refine((given) => given !== "" && given.isWellFormed() && !given.includes("\0"), { params: { code: "NAME_REQUIRED" } })
      .refine((given) => [...given].length <= aliasChars, { params: { code: "NAME_TOO_LONG", max: aliasChars } }),
    dimension,
    activityIds: TabActivities,
    showRate: z.boolean(),
    showAmount: z.boolean(),
    visible: z.boolean().default(true),
    global: z.boolean().default(false),
    rowVersion: z.int().min(1).optional(),
  })
  .superRefine((given, context) => {
    if (!given.showRate && !given.showAmount) context.addIssue({ code: "custom", path: ["showRate"], params: { code: "NO_MEASURE" } });
    if (given.id !== undefined && given.rowVersion === undefined)
      context.addIssue({ code: "custom", path: ["rowVersion"], params: { code: "VALUE_MISSING" } });
  });
export type SaveTab = z.output<typeof SaveTab>;

/** The order wanted; `before` is the one it was made upon, of all tabs of the sets it was seen in. */
export const SortTabs = z.strictObject({ ids, before: idsOf(tabsSeenMax) });
export type SortTabs = z.output<typeof SortTabs>;

export const DeleteTabs = z.strictObject({ ids });
export type DeleteTabs = z.output<typeof DeleteTabs>;

export const FindGlobal = z.strictObject({});

export const SaveGlobal = z.strictObject({
  allowPersonal: z.boolean(),
  defaultTabId: id.nullable(),
  period: z.enum(viewPeriods).nullable(),
  rowLimit: z
    .number()
    .refine(Number.isInteger, { params: { code: "NUMBER_INTEGER" } })
    .refine((given) => given >= rowLimitMin && given <= rowLimitMax, {
      params: { code: "NUMBER_RANGE", min: rowLimitMin, max: rowLimitMax, decimals: 0 },
    }),
  /** Revision the settings were read at; 0 while nobody has set any. */
  rowVersion: z.int().min(0),
});
export type SaveGlobal = z.output<typeof SaveGlobal>;
