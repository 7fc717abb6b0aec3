import { z } from "zod";
import { listInput } from "#lib/core/paging.ts";
import { freezeReasonMax, freezeWithinDaysMax, lockActivitiesMax, lockDusMax } from "./limits.ts";

const id = z.int().min(1);
const distinct = (ids: number[]) => [...new Set(ids)];
const duIds = z
  .array(id)
  .min(1)
  .transform(distinct)
  .refine((ids) => ids.length <= lockDusMax, { params: { code: "TOO_MANY_DU", max: lockDusMax } });
const activityIds = z.array(id).min(1).max(lockActivitiesMax).transform(distinct);

/** Activities of DUs: every named one of every named DU. */
export const LockActivities = z.strictObject({ duIds, activityIds });

/** DUs whose activities are to be chosen from. */
export const FindLockTargets = z.strictObject({ duIds });

const reason = z
  .string()
  .trim()
  .max(freezeReasonMax)
  .refine((text) => text !== "", { params: { code: "REASON_REQUIRED" } });
const items = z
  .array(z.strictObject({ duId: id, activityId: id }))
  .min(1)
  .refine((list) => new Set(list.map(({ duId }) => duId)).size <= lockDusMax, { params: { code: "TOO_MANY_DU", max: lockDusMax } });

/** Every named activity of every named DU, or single items, with the reason. */
export const FreezeActivities = z
  .strictObject({ duIds: duIds.optional(), activityIds: activityIds.optional(), items: items.optional(), reason })
  .superRefine((given, context) => {
    if (given.items) return;
    for (const field of ["duIds", "activityIds"] as const)
      if (!given[field]) context.addIssue({ code: "custom", path: [field], params: { code: "VALUE_MISSING" } });
  })
  .transform(({ duIds = [], activityIds = [], items, reason }) => ({
    reason,
    items: items ?? duIds.flatMap((duId) => activityIds.map((activityId) => ({ duId, activityId }))),
  }));

const lockFilters = {
  search: ["like", "in"],
  flowId: ["eq"],
  activityId: ["eq", "in"],
  regionId: ["eq", "in", "empty"],
} as const;

/** Frozen activities and their history; `open` false gives what was frozen once. */
export const ListFreezes = listInput(
  { ...lockFilters, ownerId: ["eq"], open: ["eq"] },
  { sortable: ["code", "activity", "planStart", "frozenAt", "unfrozenAt"] },
);

/** Locks of plan data. */
export const ListLocks = listInput({ ...lockFilters, kind: ["eq", "in"] }, { sortable: ["code", "activity"] });

const freezeConditions = ["flowId", "activityId", "regionId", "ownerId"] as const;

/** Activities not frozen yet whose plan start lies within the next days, of the flows, activities, regions and owner named. */
export const PreviewFreeze = z.strictObject({
  filters: z
    .array(
      z.strictObject({ field: z.enum(freezeConditions), type: z.enum(["eq", "in"]), values: z.array(id).min(1).max(lockActivitiesMax) }),
    )
    .max(freezeConditions.length)
    .default([]),
  withinDays: z.int().min(0).max(freezeWithinDaysMax),
});
