import { z } from "zod";
import { listInput } from "#lib/core/paging.ts";
import { PlanDay } from "#lib/core/plan-day.ts";
import { answerRowsMax, commentChars, feedbackPerCall, rawTextChars, remarkChars } from "./limits.ts";

const id = z.int().min(1);

/** One answer: what is proposed for an activity of a DU, in the words of the recipient. */
export const AnswerRow = z
  .strictObject({
    du: z.string().trim().min(1).max(rawTextChars),
    activity: z.string().trim().min(1).max(rawTextChars),
    proposedStart: PlanDay.nullish(),
    proposedEnd: PlanDay.nullish(),
    remark: z.string().trim().max(remarkChars).nullish(),
  })
  .refine((row) => row.proposedStart || row.proposedEnd || row.remark, { path: ["proposedEnd"], params: { code: "VALUE_MISSING" } })
  .refine((row) => !row.proposedStart || !row.proposedEnd || row.proposedStart <= row.proposedEnd, {
    path: ["proposedEnd"],
    params: { code: "PLAN_ORDER" },
  });
export type AnswerRow = z.output<typeof AnswerRow>;

export const SubmitFeedback = z.strictObject({
  distributionId: id,
  rows: z
    .array(z.unknown())
    .min(1)
    .refine((rows) => rows.length <= answerRowsMax, { params: { code: "TOO_MANY", max: answerRowsMax }, abort: true })
    .pipe(z.array(AnswerRow)),
});
export type SubmitFeedback = z.output<typeof SubmitFeedback>;

export const ListFeedback = listInput(
  {
    search: ["like"],
    distributionId: ["eq"],
    versionId: ["eq"],
    mapping: ["eq"],
    decision: ["eq", "in"],
    late: ["eq"],
  },
  { sortable: ["submittedAt", "rawDu", "proposedEnd"] },
);

const ids = z
  .array(id)
  .min(1)
  .refine((given) => given.length <= feedbackPerCall, { params: { code: "TOO_MANY", max: feedbackPerCall } })
  .transform((given) => [...new Set(given)]);

/** Says which DU and activity answers speak of; remembered words mean the same in every later answer. */
export const MapFeedback = z
  .strictObject({ ids, duId: id.optional(), activityId: id.optional(), remember: z.boolean().default(false) })
  .refine(({ duId, activityId }) => duId !== undefined || activityId !== undefined, { path: ["duId"], params: { code: "VALUE_MISSING" } });
export type MapFeedback = z.output<typeof MapFeedback>;

/** Takes proposals over into the plan, or refuses them; both with a comment. */
export const DecideFeedback = z
  .strictObject({ ids, decision: z.enum(["accepted", "refused"]), comment: z.string().trim().max(commentChars).default("") })
  .refine(({ comment }) => comment !== "", { path: ["comment"], params: { code: "COMMENT_REQUIRED" } });
export type DecideFeedback = z.output<typeof DecideFeedback>;

export const SuggestMapping = z.strictObject({ id });

/** What a person may ask of an import of answers: the distribution they belong to, where the file does not say. */
export const FeedbackImportOptions = z.strictObject({ distributionId: id.nullable().default(null) });
export type FeedbackImportOptions = z.output<typeof FeedbackImportOptions>;
