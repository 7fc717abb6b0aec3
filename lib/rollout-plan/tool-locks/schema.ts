import { z } from "zod";
import { activityCodeChars } from "#lib/activity-flows/library/limits.ts";
import { duChars } from "#lib/rollout-plan/dus/limits.ts";
import { toolLocksMax } from "./limits.ts";

/** An activity by the codes another system knows, and what that system maintains of it: `locked` its actual dates, `signVerify` the sign or verify date of the site. */
const ToolLock = z
  .strictObject({
    duCode: z.string().trim().min(1).max(duChars.code),
    activityCode: z.string().trim().min(1).max(activityCodeChars),
    locked: z.boolean().optional(),
    signVerify: z.boolean().optional(),
  })
  .refine(({ locked, signVerify }) => locked !== undefined || signVerify !== undefined, {
    path: ["locked"],
    params: { code: "VALUE_MISSING" },
  });
export type ToolLock = z.output<typeof ToolLock>;

/** What is left out of an item stays as it is. */
export const SetToolLocks = z.strictObject({
  items: z
    .array(ToolLock)
    .min(1)
    .refine((items) => items.length <= toolLocksMax, { params: { code: "TOO_MANY", max: toolLocksMax } }),
});
export type SetToolLocks = z.output<typeof SetToolLocks>;
