import { z } from "zod";
import { targetKinds } from "./limits.ts";

const ids = z.array(z.int().min(1));

/** What a task that looks again at objects is given: the objects, and the things they name that have changed. */
export const RecheckParams = z.strictObject({ holderIds: ids, targetKind: z.enum(targetKinds), targetIds: ids });
export type RecheckParams = z.output<typeof RecheckParams>;
