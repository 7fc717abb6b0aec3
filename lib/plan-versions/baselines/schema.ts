import { z } from "zod";

/** What the task of a baseline keeps. */
export const BaselineParams = z.strictObject({
  name: z.string(),
  remark: z.string().nullable(),
  duIds: z.array(z.int()),
  scope: z.enum(["project", "selection"]),
});
export type BaselineParams = z.output<typeof BaselineParams>;
