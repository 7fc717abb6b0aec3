import { z } from "zod";
import { isIsoDay } from "#lib/core/clock.ts";
import { listInput } from "#lib/core/paging.ts";
import { permitDusMax, permitKinds, permitTextChars } from "./limits.ts";

const id = z.int().min(1);

export const SubmitPermit = z.strictObject({
  duIds: z
    .array(id)
    .min(1)
    .transform((ids) => [...new Set(ids)])
    .refine((ids) => ids.length <= permitDusMax, { params: { code: "TOO_MANY_DU", max: permitDusMax } }),
  kind: z.enum(permitKinds),
  reason: z
    .string()
    .trim()
    .max(permitTextChars)
    .refine((text) => text !== "", { params: { code: "REASON_REQUIRED" } }),
});
export type SubmitPermit = z.output<typeof SubmitPermit>;

/** What the authority has answered, and when. */
export const AnswerPermit = z.strictObject({
  id,
  status: z.enum(["approved", "rejected"]),
  answeredOn: z.string().refine(isIsoDay, { params: { code: "DATE_FORMAT" } }),
  remark: z.string().trim().max(permitTextChars).nullish(),
  rowVersion: z.int().min(1),
});
export type AnswerPermit = z.output<typeof AnswerPermit>;

export const ListPermits = listInput(
  { search: ["like"], status: ["eq", "in"], kind: ["eq", "in"], duId: ["eq", "in"] },
  { sortable: ["createdAt", "answeredOn", "status", "kind"] },
);
