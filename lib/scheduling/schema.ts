import { z } from "zod";
import { pageSizeOnRequest } from "#lib/core/page-sizes.ts";
import { PlanDay } from "#lib/core/plan-day.ts";
import { previewTabs, requestAnchorsMax, scheduleDusMax, searchKeyMax } from "./limits.ts";
import { scheduleModes } from "./passes/limits.ts";

const id = z.int().min(1);

const duIds = z
  .array(id)
  .refine((ids) => ids.length <= scheduleDusMax, { params: { code: "TOO_MANY_DU", max: scheduleDusMax } })
  .transform((ids) => [...new Set(ids)]);

/** DUs by their ids, or those of a stored query of the plan. */
const selection = { duIds: duIds.optional(), queryId: z.uuid().optional() };

/** One anchor: start, end or both; without `duId` for every chosen DU whose flow contains the activity. */
const anchor = z
  .strictObject({ duId: id.optional(), activityId: id, start: PlanDay.nullish(), end: PlanDay.nullish() })
  .refine(({ start, end }) => Boolean(start || end), { path: ["start"], params: { code: "VALUE_MISSING" } })
  .refine(({ start, end }) => !start || !end || start <= end, { path: ["end"], params: { code: "PLAN_ORDER" } });

export const PreviewSchedule = z.strictObject({
  ...selection,
  mode: z.enum(scheduleModes).default("BOTH"),
  anchors: z.array(anchor).max(requestAnchorsMax).default([]),
  asOf: PlanDay.optional(),
  /** DUs left out of the preview before this one. */
  excludeDuIds: z.array(id).default([]),
});

export const FindAnchors = z.strictObject(selection);

export const PreviewRowsInput = z.strictObject({
  previewId: z.uuid(),
  tab: z.enum(previewTabs).default("moves"),
  page: z.int().min(1).max(1_000_000).default(1),
  size: z.int().min(1).max(pageSizeOnRequest).default(100),
});

export const ApplyPreview = z.strictObject({ previewId: z.uuid(), excludeDuIds: z.array(id).default([]) });

export const FindSubconPm = z
  .strictObject({ duIds: duIds.optional(), regionId: id.optional(), searchKey: z.string().trim().max(searchKeyMax).optional() })
  .refine(({ duIds, regionId }) => duIds !== undefined || regionId !== undefined, { path: ["duIds"], params: { code: "VALUE_MISSING" } });
