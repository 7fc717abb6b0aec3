import { z } from "zod";

/** An import of an exported plan is asked nothing: the workbook says what it is. */
export const PlanImportOptions = z.strictObject({});
