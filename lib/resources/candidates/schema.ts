import { z } from "zod";
import { skillChars } from "../pool/limits.ts";
import { candidateDusMax } from "./limits.ts";

const id = z.int().min(1);

/** Who could do an activity at DUs; people who are not available only where that is asked. [RES-10] */
export const FindCandidates = z.strictObject({
  activityId: id,
  duIds: z
    .array(id)
    .min(1)
    .refine((given) => given.length <= candidateDusMax, { params: { code: "TOO_MANY_DU", max: candidateDusMax } })
    .transform((given) => [...new Set(given)]),
  skill: z.string().trim().min(1).max(skillChars).optional(),
  all: z.boolean().default(false),
});
export type FindCandidates = z.output<typeof FindCandidates>;
