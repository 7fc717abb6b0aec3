import { z } from "zod";
import { isIsoDay } from "#lib/core/clock.ts";
import { listInput } from "#lib/core/paging.ts";
import { PlanDay } from "#lib/core/plan-day.ts";
import { dusPerCall } from "../limits.ts";
import { datesMax, tempMilestoneChars, tempMilestonesPerCall } from "./limits.ts";

const id = z.int().min(1);
const distinct = (ids: number[]) => [...new Set(ids)];
const text = () => z.string().refine((given) => given.isWellFormed() && !given.includes("\0"), { params: { code: "VALUE_FORMAT" } });
const optional = (max: number) => text().trim().max(max).nullish();
const day = z.string().refine(isIsoDay, { params: { code: "DATE_FORMAT" } });

export const ListTempMilestones = listInput(
  { search: ["like"], status: ["eq", "in"] },
  { sortable: ["name", "productCode", "product", "deliverable", "status", "dus", "createdAt"] },
);
export const ListTempDus = listInput(
  { tempMilestoneId: ["eq"], search: ["like", "in"] },
  { sortable: ["code", "name", "planDate", "actualDate"] },
);

/** A change names the id and the revision it was read at. [MDV-10] */
export const SaveTempMilestone = z
  .strictObject({
    id: id.optional(),
    name: text()
      .trim()
      .refine((given) => given !== "", { params: { code: "NAME_REQUIRED" } })
      .refine((given) => [...given].length <= tempMilestoneChars.name, { params: { code: "NAME_TOO_LONG", max: tempMilestoneChars.name } }),
    productCode: optional(tempMilestoneChars.productCode),
    product: optional(tempMilestoneChars.product),
    deliverable: optional(tempMilestoneChars.deliverable),
    rowVersion: z.int().min(1).optional(),
  })
  .superRefine((given, context) => {
    if (given.id !== undefined && given.rowVersion === undefined)
      context.addIssue({ code: "custom", path: ["rowVersion"], params: { code: "VALUE_MISSING" } });
  });
export type SaveTempMilestone = z.output<typeof SaveTempMilestone>;

export const TempMilestoneIds = z.strictObject({ ids: z.array(id).min(1).max(tempMilestonesPerCall).transform(distinct) });
export type TempMilestoneIds = z.output<typeof TempMilestoneIds>;

const duIds = z
  .array(id)
  .min(1)
  .transform(distinct)
  .refine((ids) => ids.length <= dusPerCall, { params: { code: "TOO_MANY_DU", max: dusPerCall } });

export const LinkDus = z.strictObject({ id, duIds, planDate: PlanDay.nullish() });
export type LinkDus = z.output<typeof LinkDus>;
export const UnlinkDus = z.strictObject({ id, duIds });
export type UnlinkDus = z.output<typeof UnlinkDus>;

/** New dates with those the editor read: what is not named stays, null empties. */
export const SaveDates = z
  .strictObject({
    rows: z
      .array(
        z.strictObject({
          id,
          duId: id,
          planDate: PlanDay.nullish(),
          actualDate: PlanDay.nullish(),
          base: z.strictObject({ planDate: day.nullish(), actualDate: day.nullish() }),
        }),
      )
      .min(1)
      .refine((rows) => rows.length <= datesMax, { params: { code: "TOO_MANY", max: datesMax } }),
  })
  .superRefine(({ rows }, context) => {
    const seen = new Set<string>();
    rows.forEach((row, index) => {
      const key = `${row.id} ${row.duId}`;
      if (seen.has(key)) context.addIssue({ code: "custom", path: ["rows", index, "duId"], params: { code: "VALUE_REPEATED" } });
      seen.add(key);
    });
  });
export type SaveDates = z.output<typeof SaveDates>;
