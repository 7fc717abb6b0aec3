import { z } from "zod";
import { templatesPerCall } from "../limits.ts";
import { sharedProjectsMax, sharedTemplatesMax } from "./limits.ts";

const id = z.int().min(1);
const numbers = z
  .array(z.string().trim().min(1).max(40))
  .min(1)
  .max(sharedProjectsMax)
  .transform((given) => [...new Set(given)]);

export const TransferCreator = z.strictObject({
  ids: z
    .array(id)
    .min(1)
    .max(templatesPerCall)
    .transform((given) => [...new Set(given)]),
  toAccount: z.string().trim().min(1).max(60),
});
export type TransferCreator = z.output<typeof TransferCreator>;

export const ShareTemplates = z.strictObject({
  templateIds: z
    .array(id)
    .min(1)
    .max(sharedTemplatesMax)
    .transform((given) => [...new Set(given)]),
  projectNumbers: numbers,
  /** A name that is used there gets a number behind it. */
  rename: z.boolean().default(false),
});
export type ShareTemplates = z.output<typeof ShareTemplates>;

export const ProjectNumbers = z.strictObject({ projectNumbers: numbers });
