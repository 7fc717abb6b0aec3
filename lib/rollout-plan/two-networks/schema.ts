import { z } from "zod";
import { searchChars, searchEntriesMax } from "#lib/core/filter-limits.ts";
import { PlanDay } from "#lib/core/plan-day.ts";
import { confirmed } from "../edits/schema.ts";
import { jointActivitiesMax, jointRowsMax, lineChars, pairsPerPage } from "./limits.ts";

const id = z.int().min(1);
const line = z.string().trim().min(1).max(lineChars);

const isPair = ({ typeA, typeB }: { typeA?: string | undefined; typeB?: string | undefined }) => typeA === undefined || typeA !== typeB;
const samePair = { path: ["typeB"], params: { code: "VALUE_REPEATED", field: "typeB" } };

/** Two product lines; without them the lines there are. */
export const FindHead = z.strictObject({ typeA: line.optional(), typeB: line.optional() }).refine(isPair, samePair);
export type FindHead = z.output<typeof FindHead>;

const searched = z
  .array(z.string().trim().min(1).max(searchChars))
  .min(1)
  .refine((entries) => entries.length <= searchEntriesMax, { params: { code: "SEARCH_TOO_MANY", max: searchEntriesMax } });

/** Sites that hold DUs of both lines, with the dates of some activities; a search is for text in codes and names of sites or codes of DUs, or for several codes. */
export const FindPairs = z
  .strictObject({
    typeA: line,
    typeB: line,
    activityIds: z.array(id).min(1).max(jointActivitiesMax),
    filters: z
      .array(
        z.discriminatedUnion("field", [
          z.strictObject({ field: z.literal("search"), type: z.enum(["like", "in"]), values: searched }),
          z.strictObject({ field: z.literal("regionId"), type: z.enum(["eq", "in"]), values: z.array(id).min(1).max(200) }),
        ]),
      )
      .max(10)
      .default([]),
    page: z.int().min(1).max(1_000_000).default(1),
    size: z.int().min(1).max(pairsPerPage).default(20),
  })
  .refine(isPair, samePair);
export type FindPairs = z.output<typeof FindPairs>;

/** A joint date, null to drop it. It becomes the plan end of both DUs unless another one is said for one of them. */
const JointRow = z
  .strictObject({
    duAId: id,
    duBId: id,
    activityId: id,
    jointDate: PlanDay.nullable(),
    /** Other plan ends; null leaves that of the DU as it is. */
    planEndA: PlanDay.nullish(),
    planEndB: PlanDay.nullish(),
    /** Revision the row was read at, null where there was none. */
    rowVersion: z.int().min(1).nullable(),
  })
  .refine(({ duAId, duBId }) => duAId !== duBId, { path: ["duBId"], params: { code: "VALUE_REPEATED", field: "duBId" } });
export type JointRow = z.output<typeof JointRow>;

export const SavePairs = z.strictObject({
  rows: z
    .array(JointRow)
    .min(1)
    .refine((rows) => rows.length <= jointRowsMax, { params: { code: "TOO_MANY", max: jointRowsMax } }),
  confirmed,
});
export type SavePairs = z.output<typeof SavePairs>;
