import { z } from "zod";
import { limitKeys, reportChars, reportCodeChars, reportScreenChars, switchKeys } from "./limits.ts";

export const Nothing = z.object({});

const state = z.enum(["Y", "N"]);

/** New states by switch, and the revision each was read at (0: never saved). */
export const SaveSwitches = z.object({
  switches: z
    .partialRecord(z.enum(switchKeys), state)
    .refine((given) => Object.keys(given).length > 0, { params: { code: "NO_SELECTION", object: "switch" } }),
  rowVersions: z.partialRecord(z.enum(switchKeys), z.int().min(0)).optional(),
});

/** The project's value of a limit, and the revision it was read at (0: the project had none). */
export const SaveLimit = z.object({ key: z.enum(limitKeys), value: z.int(), rowVersion: z.int().min(0).optional() });

export const LimitName = z.object({ key: z.enum(limitKeys), rowVersion: z.int().min(0).optional() });

export const ErrorReport = z.object({
  code: z.string().min(1).max(reportCodeChars),
  requestId: z.string().min(1).max(64),
  text: z.string().max(reportChars).optional(),
  screen: z.string().max(reportScreenChars).optional(),
});
