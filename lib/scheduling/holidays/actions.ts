"use server";
import { action } from "#lib/core/action.ts";
import * as queries from "./queries.ts";
import { FindHolidayCountries, FindHolidays } from "./schema.ts";

export const listHolidayCountries = action({
  address: "commomUtil/findHolidayCountries",
  kind: "read",
  needs: "calendar.edit",
  input: FindHolidayCountries,
  run: (ctx) => queries.listHolidayCountries(ctx),
});

export const findHolidays = action({
  address: "commomUtil/findHolidays",
  kind: "read",
  needs: "calendar.edit",
  input: FindHolidays,
  run: queries.findHolidays,
});
