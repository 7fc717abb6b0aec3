import { z } from "zod";
import { engineDusMax } from "../inputs/limits.ts";
import { engineDescriptionChars, engineVersionNameChars } from "../versions/limits.ts";

const id = z.int().min(1);
/** DUs by their ids or those of a stored query of the plan; all that follow a flow without. */
const selection = {
  duIds: z
    .array(id)
    .refine((given) => given.length <= engineDusMax, { params: { code: "TOO_MANY_DU", max: engineDusMax } })
    .transform((given) => [...new Set(given)])
    .optional(),
  queryId: z.uuid().optional(),
};

export const TakeFromPlan = z.strictObject({
  versionId: id,
  ...selection,
  /** What the plan says of DUs that are in the version already is taken anew. */
  refresh: z.boolean().default(false),
});
export type TakeFromPlan = z.output<typeof TakeFromPlan>;

const text = () => z.string().refine((given) => given.isWellFormed() && !given.includes("\0"), { params: { code: "VALUE_FORMAT" } });

/** A version of the DUs of the rollout plan, with the activities of their flows. */
export const CreateFromPlan = z.strictObject({
  versionName: text()
    .trim()
    .refine((given) => given !== "", { params: { code: "NAME_REQUIRED" } })
    .refine((given) => [...given].length <= engineVersionNameChars, { params: { code: "NAME_TOO_LONG", max: engineVersionNameChars } }),
  description: text().trim().max(engineDescriptionChars).nullish(),
  ...selection,
});
export type CreateFromPlan = z.output<typeof CreateFromPlan>;
