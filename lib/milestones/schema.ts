import { z } from "zod";
import {
  dateFields,
  deliveryTypeChars,
  infosMax,
  infoTargets,
  milestoneColors,
  milestoneFlags,
  milestoneNameChars,
  milestoneNumberChars,
  milestonesPerCall,
  milestonesSeenMax,
  searchChars,
  weightMax,
  weightMin,
} from "./limits.ts";

const id = z.int().min(1);
const distinct = (ids: number[]) => [...new Set(ids)];
const text = () => z.string().refine((given) => given.isWellFormed() && !given.includes("\0"), { params: { code: "VALUE_FORMAT" } });
const required = (given: string) => given !== "";

/** A name of at most so many characters. */
const nameOf = (max: number) =>
  text()
    .trim()
    .refine((given) => [...given].length <= max, { params: { code: "NAME_TOO_LONG", max } });
const name = nameOf(milestoneNameChars);

/** Ids of what a call deletes or brings into order. */
export const Ids = z.array(id).min(1).max(milestonesPerCall).transform(distinct);

const Milestone = z.strictObject({
  id: id.optional(),
  number: text()
    .trim()
    .min(1)
    .max(milestoneNumberChars)
    .refine(required, { params: { code: "VALUE_MISSING" } }),
  nameZh: name.refine(required, { params: { code: "NAME_REQUIRED" } }),
  nameEn: name.refine(required, { params: { code: "NAME_REQUIRED" } }),
  nameJa: name.optional(),
  flag: z.enum(milestoneFlags),
  color: z.enum(milestoneColors),
  enabled: z.boolean(),
  rowVersion: z.int().min(1).optional(),
});

/** Weight in percent with two decimals. */
const weight = z
  .number()
  .refine((given) => given >= weightMin && given <= weightMax && Math.abs(given * 100 - Math.round(given * 100)) < 1e-6, {
    params: { code: "NUMBER_RANGE", min: weightMin, max: weightMax, decimals: 2 },
  });

const Info = z
  .strictObject({
    deliveryType: text().trim().max(deliveryTypeChars).nullish(),
    target: z.enum(infoTargets),
    tempMilestoneId: id.nullish(),
    weight: weight.nullish(),
    dateField: z.enum(dateFields),
  })
  .superRefine(({ target, tempMilestoneId }, context) => {
    if (target === "temp_milestone" && !tempMilestoneId)
      context.addIssue({ code: "custom", path: ["tempMilestoneId"], params: { code: "VALUE_MISSING" } });
  })
  .transform(({ deliveryType, target, tempMilestoneId, weight: share, dateField }) => ({
    deliveryType: deliveryType || null,
    target,
    tempMilestoneId: target === "temp_milestone" ? (tempMilestoneId as number) : null,
    weight: share ?? null,
    dateField,
  }));

/** A milestone with what it means for each delivery type; a change names the id and the revision it was read at. */
export const SaveMilestone = z
  .strictObject({ milestone: Milestone, infos: z.array(Info).max(infosMax).default([]) })
  .superRefine((given, context) => {
    if (given.milestone.id !== undefined && given.milestone.rowVersion === undefined)
      context.addIssue({ code: "custom", path: ["milestone", "rowVersion"], params: { code: "VALUE_MISSING" } });
    const seen = new Set<string>();
    given.infos.forEach(({ deliveryType }, index) => {
      const type = deliveryType?.toLowerCase() ?? "";
      if (seen.has(type)) context.addIssue({ code: "custom", path: ["infos", index, "deliveryType"], params: { code: "VALUE_REPEATED" } });
      seen.add(type);
    });
  });
export type SaveMilestone = z.output<typeof SaveMilestone>;

export const ListMilestones = z.strictObject({ enabled: z.boolean().optional(), searchKey: text().trim().max(searchChars).optional() });
export type ListMilestones = z.output<typeof ListMilestones>;
export const FindMilestone = z.strictObject({ id: z.coerce.number().pipe(id) });
export const MilestoneIds = z.strictObject({ ids: Ids });
export type MilestoneIds = z.output<typeof MilestoneIds>;
/** The order wanted; `before` is the one it was made upon, of all milestones of the project. */
export const SortMilestones = z.strictObject({ ids: Ids, before: z.array(id).min(1).max(milestonesSeenMax).transform(distinct) });
export type SortMilestones = z.output<typeof SortMilestones>;
