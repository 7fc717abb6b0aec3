import { z } from "zod";
import { listInput } from "#lib/core/paging.ts";
import { introducedMax, reasonChars } from "./limits.ts";

const id = z.int().min(1);

/** People of a company that are to come into the pool. [RES-23] */
export const Introduce = z.strictObject({
  subcontractorId: id,
  accounts: z
    .array(z.string().trim().min(1).max(60))
    .min(1)
    .transform((given) => [...new Map(given.map((account) => [account.toLowerCase(), account])).values()])
    .refine((given) => given.length <= introducedMax, { params: { code: "TOO_MANY", max: introducedMax } }),
});
export type Introduce = z.output<typeof Introduce>;

/** The answer to an introduction; a refusal says why. [RES-42] */
export const DecideIntroduction = z
  .strictObject({
    id,
    pass: z.boolean(),
    reason: z
      .string()
      .trim()
      .refine((given) => [...given].length <= reasonChars, { params: { code: "VALUE_TOO_LONG", max: reasonChars } })
      .optional(),
  })
  .superRefine((given, context) => {
    if (!given.pass && !given.reason) context.addIssue({ code: "custom", path: ["reason"], params: { code: "REASON_REQUIRED" } });
  });
export type DecideIntroduction = z.output<typeof DecideIntroduction>;

export const WithdrawIntroduction = z.strictObject({ id });
export type WithdrawIntroduction = z.output<typeof WithdrawIntroduction>;

export const ListIntroductions = listInput({ status: ["in"], subcontractor: ["in"] }, { sortable: ["createdAt"] });
