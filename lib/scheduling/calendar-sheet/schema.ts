import { z } from "zod";

/** An export of the project's calendar, or of that of a region. */
export const ExportCalendar = z.strictObject({ regionId: z.int().min(1).nullish() });
export type ExportCalendar = z.output<typeof ExportCalendar>;

/** What a person may ask of an import of a calendar. */
export const CalendarImportOptions = z.strictObject({
  /** Region whose calendar is changed; 0 or nothing is the project's. */
  regionId: z.int().min(0).nullable().default(0),
  /** Days the file does not name stay as they are instead of being removed. */
  keepOthers: z.boolean().default(false),
});
export type CalendarImportOptions = z.output<typeof CalendarImportOptions>;
