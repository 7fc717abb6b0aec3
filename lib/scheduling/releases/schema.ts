import { z } from "zod";
import { releaseDusMax, releaseNameChars } from "./limits.ts";

const id = z.int().min(1);

/**
 * DUs to release, named or those of a stored query of the plan, into a version of that name; `preview` tells what would happen.
 * Without a name only a preview is made.
 */
export const ReleasePlan = z
  .strictObject({
    duIds: z
      .array(id)
      .refine((ids) => ids.length <= releaseDusMax, { params: { code: "TOO_MANY_DU", max: releaseDusMax } })
      .transform((ids) => [...new Set(ids)])
      .optional(),
    queryId: z.uuid().optional(),
    preview: z.boolean().default(false),
    saveBaseline: z.boolean().default(false),
    versionName: z
      .string()
      .trim()
      .refine((name) => [...name].length <= releaseNameChars, { params: { code: "NAME_TOO_LONG", max: releaseNameChars } })
      .default(""),
    skipSchedule: z.boolean().default(false),
  })
  .refine(({ preview, versionName }) => preview || versionName !== "", {
    path: ["versionName"],
    params: { code: "PLAN_NAME_REQUIRED" },
  });
export type ReleasePlan = z.output<typeof ReleasePlan>;

/** What the task of a release keeps. */
export const ReleaseParams = z.strictObject({
  duIds: z.array(z.int()),
  versionName: z.string(),
  saveBaseline: z.boolean(),
  skipSchedule: z.boolean(),
  scope: z.enum(["project", "selection"]),
});
export type ReleaseParams = z.output<typeof ReleaseParams>;
