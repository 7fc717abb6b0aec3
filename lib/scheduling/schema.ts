import { z } from "zod";
import { dayNumber, firstDay, isIsoDay, isoDay, lastDay } from "#lib/core/clock.ts";
import { pageSizeOnRequest } from "#lib/core/paging.ts";
import { previewTabs, requestAnchorsMax, scheduleDusMax, searchKeyMax } from "./limits.ts";
import { scheduleModes } from "./passes/limits.ts";

const id = z.int().min(1);
const day = z
  .string()
  .refine(isIsoDay, { params: { code: "DATE_FORMAT" }, abort: true })
  .refine((iso) => dayNumber(iso) >= firstDay && dayNumber(iso) <= lastDay, {
    params: { code: "DATE_OUT_OF_RANGE", min: isoDay(firstDay), max: isoDay(lastDay) },
  });

const duIds = z
  .array(id)
  .refine((ids) => ids.length <= scheduleDusMax, { params: { code: "TOO_MANY_DU", max: scheduleDusMax } })
  .transform((ids) => [...new Set(ids)]);

/** DUs by their ids, or those of a stored query of the plan. */
const selection = { duIds: duIds.optional(), queryId: z.uuid().optional() };

/** One anchor: start, end or both; without `duId` for every chosen DU whose flow contains the activity. */
const anchor = z
  .strictObject({ duId: id.optional(), activityId: id, start: day.nullish(), end: day.nullish() })
  .refine(({ start, end }) => Boolean(start || end), { path: ["start"], params: { code: "VALUE_MISSING" } })
  .refine(({ start, end }) => !start || !end || start <= end, { path: ["end"], params: { code: "PLAN_ORDER" } });

export const PreviewSchedule = z.strictObject({
  ...selection,
  mode: z.enum(scheduleModes).default("BOTH"),
  anchors: z.array(anchor).max(requestAnchorsMax).default([]),
  asOf: day.optional(),
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
