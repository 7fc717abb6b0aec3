import { z } from "zod";
import { arrangement, askedView } from "../counts/schema.ts";

/** The table of a tab as it is shown. */
export const ExportView = z.strictObject({ ...askedView, ...arrangement });
export type ExportView = z.output<typeof ExportView>;
