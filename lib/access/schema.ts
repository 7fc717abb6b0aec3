import { z } from "zod";

const maxCodes = 200;

/** Codes to check, as `{codes}` or as a bare list. */
export const PermissionCheck = z
  .union([z.array(z.string().max(60)).max(maxCodes), z.object({ codes: z.array(z.string().max(60)).max(maxCodes) })])
  .transform((given) => (Array.isArray(given) ? given : given.codes));
