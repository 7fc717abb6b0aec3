import { z } from "zod";
import { skillChars } from "../pool/limits.ts";
import { candidateDusMax } from "./limits.ts";

const id = z.int().min(1);

/** Who could do an activity at DUs; people who are not available only where that is asked. [RES-10] */
export const FindCandidates = z.strictObject({
  activityId: id,
  duIds: z
    .array(id)
    .refine((given) => given.length > 0, { params: { code: "DU_EMPTY" } })
    .refine((given) => given.length <= candidateDusMax, { params: { code: "TOO_MANY_DU", max: candidateDusMax } })
    .transform((given) => [...new Set(given)]),
  skill: z.string().trim().min(1).max(skillChars).optional(),
  all: z.boolean().default(false),
});
export type FindCandidates = z.output<typeof FindCandidates>;
