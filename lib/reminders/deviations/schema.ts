import { z } from "zod";
import { listInput } from "#lib/core/paging.ts";
import { roles } from "#lib/permissions.ts";
import { Frequency, LocalMoment, TimeOfDay } from "../occurrences/schema.ts";
import { namedMax } from "../recipients/limits.ts";
import { deviationDaysMax, deviationDaysMin } from "../rules/limits.ts";
import { placesMax, remindersPerSave } from "./limits.ts";

const id = z.int().min(1);
/** One, or several: then there is one reminder for each. */
const oneOrMore = z.union([id, z.array(id).min(1).max(placesMax)]).transform((given) => [...new Set([given].flat())]);
/** Each once and ascending, so that equal receivers are equal lists. */
const ids = z
  .array(id)
  .max(namedMax)
  .default([])
  .transform((given) => [...new Set(given)].sort((a, b) => a - b));
const missing = (path: string) => ({ path: [path], params: { code: "VALUE_MISSING" } });

export const ListDeviations = listInput({ region: ["eq", "in"], activity: ["eq", "in"], status: ["eq", "in"] }, { sortable: [] });
export const Nothing = z.strictObject({});

/** A deviation reminder as it is typed. REM-10, REM-18 */
export const SaveDeviation = z
  .strictObject({
    id: id.optional(),
    rowVersion: z.int().min(1).optional(),
    regionId: oneOrMore,
    activityId: oneOrMore,
    deviationDays: z.int().min(deviationDaysMin).max(deviationDaysMax),
    roles: z
      .array(z.enum(roles))
      .min(1)
      .max(namedMax)
      .transform((given) => [...new Set(given)].sort()),
    userIds: ids,
    groupIds: ids,
    frequency: Frequency,
    sendTime: TimeOfDay,
    validBegin: LocalMoment,
    validEnd: LocalMoment,
  })
  .refine(({ userIds, groupIds }) => userIds.length + groupIds.length > 0, missing("userIds"))
  .refine(({ frequency }) => frequency.kind !== "REALTIME", { path: ["frequency", "kind"], params: { code: "VALUE_UNKNOWN" } })
  .refine(({ regionId, activityId }) => regionId.length * activityId.length <= remindersPerSave, {
    path: ["activityId"],
    params: { code: "TOO_MANY", max: remindersPerSave },
  })
  .refine(({ id: own, regionId, activityId }) => own === undefined || regionId.length * activityId.length === 1, {
    path: ["regionId"],
    params: { code: "TOO_MANY", max: 1 },
  })
  .refine(({ id: own, rowVersion }) => own === undefined || rowVersion !== undefined, missing("rowVersion"));
export type SaveDeviation = z.output<typeof SaveDeviation>;
