import { z } from "zod";
import { exceptionKinds } from "#lib/rollout-plan/exceptions/limits.ts";
import { exceptionDusMax, exceptionPageMax } from "./limits.ts";

const id = z.int().min(1);

/** The DUs of a kept query or those named. */
export const ExceptionInput = z
  .strictObject({
    queryId: z.uuid().optional(),
    duIds: z.array(id).min(1).max(exceptionDusMax).optional(),
    kinds: z.array(z.enum(exceptionKinds)).max(exceptionKinds.length).optional(),
    page: z.int().min(1).default(1),
    size: z.int().min(1).max(exceptionPageMax).default(50),
  })
  .refine((given) => (given.queryId === undefined) !== (given.duIds === undefined), {
    path: ["queryId"],
    params: { code: "VALUE_MISSING" },
  });
export type ExceptionInput = z.output<typeof ExceptionInput>;
