import { z } from "zod";
import { mappingRowsMax } from "./limits.ts";

const id = z.int().min(1);

export const ListMapping = z.strictObject({});

/** Cells of the matrix: the activity of a flow that a milestone stands for, or none; `base` is what stood there when it was read. */
export const SaveMapping = z
  .strictObject({
    rows: z
      .array(z.strictObject({ milestoneId: id, flowId: id, activityId: id.nullable(), base: id.nullable() }))
      .min(1)
      .max(mappingRowsMax),
  })
  .superRefine(({ rows }, context) => {
    const seen = new Set<string>();
    rows.forEach(({ milestoneId, flowId }, index) => {
      const key = `${milestoneId} ${flowId}`;
      if (seen.has(key)) context.addIssue({ code: "custom", path: ["rows", index, "flowId"], params: { code: "VALUE_REPEATED" } });
      seen.add(key);
    });
  });
export type SaveMapping = z.output<typeof SaveMapping>;
