import { z } from "zod";
import { flowNameChars } from "../limits.ts";
import { projectNumberChars } from "./limits.ts";

const id = z.int().min(1);

/** A flow is copied under a new name; without a project into this one. */
export const CopyFlow = z.strictObject({
  id,
  name: z.string().trim().min(1).max(flowNameChars),
  toProjectNumber: z.string().trim().min(1).max(projectNumberChars).optional(),
});
export type CopyFlow = z.output<typeof CopyFlow>;

export const RetryReplication = z.strictObject({ id });
export type RetryReplication = z.output<typeof RetryReplication>;

export const ReplicationParams = z.object({ logId: z.int() });
export type ReplicationParams = z.output<typeof ReplicationParams>;
