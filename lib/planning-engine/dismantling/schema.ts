import { z } from "zod";
import { listInput } from "#lib/core/paging.ts";
import { dismantleRowsMax } from "./limits.ts";

/** Items that are used again; with `kind` "site" what is dismantled of them. */
export const ListReuse = listInput({ search: ["like"], versionId: ["eq"], kind: ["eq"] }, { sortable: [] });

/** Dismantled rows whose work is to be ordered. [ENG-31] */
export const CreateDismantleTask = z.strictObject({
  ids: z
    .array(z.int().min(1))
    .min(1)
    .refine((given) => given.length <= dismantleRowsMax, { params: { code: "TOO_MANY", max: dismantleRowsMax } })
    .transform((given) => [...new Set(given)]),
});
