import { z } from "zod";
import { listInput } from "#lib/core/paging.ts";
import { activityCodeChars, activityKinds, activityNameChars, disableActivitiesMax } from "./limits.ts";

const id = z.int().min(1);

/** A library activity: a new one without id, else the row as it was read. */
export const SaveActivity = z
  .strictObject({
    id: id.optional(),
    code: z.string().trim().min(1).max(activityCodeChars),
    name: z.string().trim().min(1).max(activityNameChars),
    kind: z.enum(activityKinds).default("normal"),
    automatic: z.boolean().default(false),
    rowVersion: z.int().min(1).optional(),
  })
  .refine((activity) => activity.id === undefined || activity.rowVersion !== undefined, {
    path: ["rowVersion"],
    params: { code: "VALUE_MISSING" },
  });

export const DisableActivities = z.strictObject({ ids: z.array(id).min(1).max(disableActivitiesMax) });

export const ListActivities = listInput(
  { code: ["like"], name: ["like"], kind: ["eq", "in"], enabled: ["eq"] },
  { sortable: ["slot", "code", "name", "kind", "flowCount"], picker: true },
);
