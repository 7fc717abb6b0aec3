import { z } from "zod";
import { listInput } from "#lib/core/paging.ts";
import { activitiesMax } from "./limits.ts";

const id = z.int().min(1);

/** `du` takes codes; `batch` several ids for the chunks of one task; `at` a range of days; `field` the names of plan fields, attribute keys, `du.<column>` and `note.<field>`. */
export const ListPlanLog = listInput(
  {
    du: ["eq", "in"],
    flow: ["eq", "in"],
    activity: ["eq", "in"],
    field: ["eq", "in"],
    actor: ["eq", "in"],
    source: ["eq", "in"],
    at: ["range", "preset"],
    batch: ["eq", "in"],
  },
  { sortable: [] },
);

export const FlowList = z.strictObject({});

export const ActivityList = z.strictObject({
  flowIds: z.array(id).min(1).max(500),
  page: z.literal(1).default(1),
  size: z.int().min(1).max(activitiesMax).default(activitiesMax),
});
export type ActivityList = z.output<typeof ActivityList>;

export const CellHistory = z.strictObject({ duId: id, activityId: id.optional(), field: z.string().min(1).max(60) });
export type CellHistory = z.output<typeof CellHistory>;

export const BatchInput = z.strictObject({ batchId: z.coerce.number().int().min(1) });
export type BatchInput = z.output<typeof BatchInput>;
