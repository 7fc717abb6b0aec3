import { z } from "zod";
import { mapDusMax } from "./limits.ts";

const id = z.int().min(1);

/** The DUs of a kept query, coloured by their own status or that of one activity. `seq`: change number of the map the caller holds. */
export const MapInput = z.strictObject({ queryId: z.uuid(), activityId: id.optional(), seq: z.int().min(0).optional() });
export type MapInput = z.output<typeof MapInput>;

export const MapDusInput = z.strictObject({
  duIds: z
    .array(id)
    .refine((given) => given.length <= mapDusMax, { params: { code: "TOO_MANY_DU", max: mapDusMax } })
    .transform((given) => [...new Set(given)]),
});
export type MapDusInput = z.output<typeof MapDusInput>;
