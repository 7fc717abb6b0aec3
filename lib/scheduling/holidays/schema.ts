import { z } from "zod";
import { holidayCodeMax, holidayYearMax, holidayYearMin } from "./limits.ts";

const code = z.string().trim().min(1).max(holidayCodeMax);

export const FindHolidayCountries = z.strictObject({});

/** Public holidays of one year: country by its ISO 3166 code, area by the code the list of countries gives. */
export const FindHolidays = z.strictObject({
  country: code,
  area: code.nullish(),
  year: z.int().min(holidayYearMin).max(holidayYearMax),
});
