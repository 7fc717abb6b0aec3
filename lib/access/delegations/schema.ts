import { z } from "zod";
import { delegableRoles, reasonChars } from "../limits.ts";

export const ListDelegations = z.object({});

/** A delegation of a role of one's own. */
export const SaveDelegation = z.strictObject({
  role: z.enum(delegableRoles),
  delegateId: z.int().min(1),
  validFrom: z.iso.date(),
  validTo: z.iso.date(),
  reason: z.string().trim().max(reasonChars).nullish(),
});

export const RevokeDelegation = z.strictObject({ id: z.int().min(1) });
