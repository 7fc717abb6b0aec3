import { z } from "zod";
import { locales } from "#lib/core/locale.ts";
import { listInput } from "#lib/core/paging.ts";
import { Frequency, LocalMoment, TimeOfDay } from "../occurrences/schema.ts";
import { Addresses, Receivers } from "../recipients/schema.ts";
import {
  activitiesMax,
  attributesMax,
  ccMax,
  changeTypes,
  contentChars,
  deviationDaysMax,
  deviationDaysMin,
  nameChars,
  offsetDaysMax,
  regionsMax,
  ruleDates,
  ruleTypes,
  sendRanges,
  subjectChars,
} from "./limits.ts";

const id = z.int().min(1);
const ids = (max: number) =>
  z
    .array(id)
    .max(max)
    .default([])
    .transform((given) => [...new Set(given)]);
const missing = (path: string) => ({ path: [path], params: { code: "VALUE_MISSING" } });

const times = { frequency: Frequency, validBegin: LocalMoment, validEnd: LocalMoment };
const revision = { id: id.optional(), rowVersion: z.int().min(1).optional() };
const revised = (rule: { id?: number | undefined; rowVersion?: number | undefined }) =>
  rule.id === undefined || rule.rowVersion !== undefined;

/** `activity` is the id of an activity, `name` a part of the name. */
export const ListRules = listInput({ name: ["like"], type: ["eq", "in"], activity: ["eq", "in"], status: ["eq", "in"] }, { sortable: [] });

const fields = {
  name: z.string().trim().min(1).max(nameChars),
  type: z.enum(ruleTypes),
  activityIds: ids(activitiesMax),
  attributeIds: ids(attributesMax),
  dateFields: z
    .array(z.enum(ruleDates))
    .default([])
    .transform((given) => ruleDates.filter((field) => given.includes(field))),
  deviationDays: z.int().min(deviationDaysMin).max(deviationDaysMax).nullable().default(null),
  ...times,
  sendTime: TimeOfDay.nullable().default(null),
  sendRange: z.enum(sendRanges).default("ALL"),
  regionIds: ids(regionsMax),
  receivers: Receivers,
  mailTo: Addresses,
  ccUserIds: ids(ccMax),
  lang: z.enum(locales).nullable().default(null),
  subject: z
    .string()
    .trim()
    .max(subjectChars)
    .nullable()
    .default(null)
    .transform((text) => text || null),
  content: z
    .string()
    .max(contentChars)
    .nullable()
    .default(null)
    .transform((text) => text?.trim() || null),
};

/** A mail rule as it is typed. Subject and text are both given or both left out: without them the standard text is sent. REM-07 */
export const SaveRule = z
  .strictObject({ ...fields, ...revision })
  .refine(({ type, activityIds }) => type === "CHANGE_COL_VALUE" || activityIds.length > 0, missing("activityIds"))
  .refine(({ type, attributeIds }) => type !== "CHANGE_COL_VALUE" || attributeIds.length > 0, missing("attributeIds"))
  .refine(({ type, dateFields }) => type !== "CHANGE_ACT_DATE" || dateFields.length > 0, missing("dateFields"))
  .refine(({ type, deviationDays }) => type !== "ACT_DEVIATION" || deviationDays !== null, missing("deviationDays"))
  .refine(({ type, frequency }) => frequency.kind !== "REALTIME" || changeTypes.includes(type), {
    path: ["frequency", "kind"],
    params: { code: "VALUE_UNKNOWN" },
  })
  .refine(({ frequency, sendTime }) => frequency.kind === "REALTIME" || sendTime !== null, missing("sendTime"))
  .refine(({ sendRange, regionIds }) => sendRange !== "REGION" || regionIds.length > 0, missing("regionIds"))
  .refine(({ subject, content }) => subject === null || content !== null, missing("content"))
  .refine(({ subject, content }) => content === null || subject !== null, missing("subject"))
  .refine(revised, missing("rowVersion"));
export type SaveRule = z.output<typeof SaveRule>;

/** A reminder to enter actual dates: the owners of the activities get theirs, named receivers all of them. */
export const SaveActualTime = z
  .strictObject({
    name: z.string().trim().min(1).max(nameChars).optional(),
    activityIds: z
      .array(id)
      .min(1)
      .max(activitiesMax)
      .transform((given) => [...new Set(given)]),
    offsetDays: z.int().min(0).max(offsetDaysMax),
    ...times,
    sendTime: TimeOfDay,
    receivers: Receivers,
    ...revision,
  })
  .refine(({ frequency }) => frequency.kind !== "REALTIME", { path: ["frequency", "kind"], params: { code: "VALUE_UNKNOWN" } })
  .refine(revised, missing("rowVersion"));
export type SaveActualTime = z.output<typeof SaveActualTime>;
