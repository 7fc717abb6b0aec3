import { z } from "zod";

/** The number of the project, typed: closing concerns everybody in it. */
export const CloseProject = z.object({ confirm: z.string().max(40) });
export const Nothing = z.object({});
