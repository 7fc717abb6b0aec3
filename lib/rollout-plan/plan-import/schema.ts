import { z } from "zod";

/** An import of an exported plan is asked nothing: the workbook says what it is. */
export const PlanImportOptions = z.strictObject({});

/** The template by which the columns of a foreign plan were found; only for who reads the task later. */
export const ForeignPlanOptions = z.strictObject({ templateId: z.int().min(1).optional() });
