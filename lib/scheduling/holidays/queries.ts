import "server-only";
import type { z } from "zod";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { type Holiday, type HolidaySpan, holidayDays } from "./logic.ts";
import type { FindHolidays } from "./schema.ts";

export type HolidayCountry = { country: string; name: string; areas: { area: string; name: string }[] };

/** A part of a country with holidays of its own, as the library addresses it. */
type Area = { area: string; name: string; path: [state: string, region?: string] };

// The data are some megabytes: they are loaded when somebody asks for holidays.
const loadLibrary = () => import("date-holidays").then((library) => library.default);
type Library = InstanceType<Awaited<ReturnType<typeof loadLibrary>>>;

/** Countries whose public holidays are known, by name in the caller's language, with their areas that have holidays of their own. */
export async function listHolidayCountries({ locale }: Pick<Ctx, "locale">): Promise<HolidayCountry[]> {
  const Holidays = await loadLibrary();
  const library = new Holidays();
  const names = new Intl.DisplayNames(locale, { type: "region" });
  return Object.keys(library.getCountries(locale))
    .map((country) => ({
      country,
      name: names.of(country) ?? country,
      areas: areasOf(library, country, locale).map(({ area, name }) => ({ area, name })),
    }))
    .sort((a, b) => a.name.localeCompare(b.name, locale));
}

/**
 * Public holidays of a year, with names in the caller's language where the data have them.
 * @throws AppError INVALID_INPUT with the field when country or area is unknown
 */
export async function findHolidays({ locale }: Pick<Ctx, "locale">, input: z.output<typeof FindHolidays>): Promise<Holiday[]> {
  const Holidays = await loadLibrary();
  const library = new Holidays();
  const country = input.country.toUpperCase();
  if (!Object.hasOwn(library.getCountries(locale), country)) throw unknown("country", input.country);
  const area = input.area ? areasOf(library, country, locale).find((one) => one.area === input.area) : null;
  if (area === undefined) throw unknown("area", input.area ?? "");
  const [state, region] = area?.path ?? [];
  const of = region ? new Holidays(country, state as string, region) : state ? new Holidays(country, state) : new Holidays(country);
  return holidayDays(of.getHolidays(input.year, locale) as HolidaySpan[]);
}

function areasOf(library: Library, country: string, locale: string): Area[] {
  return Object.entries((library.getStates(country, locale) ?? {}) as Record<string, string>).flatMap(([state, name]): Area[] => [
    { area: state, name, path: [state] },
    ...Object.entries((library.getRegions(country, state, locale) ?? {}) as Record<string, string>).map(
      ([region, part]): Area => ({ area: `${state}-${region}`, name: `${name}, ${part}`, path: [state, region] }),
    ),
  ]);
}

const unknown = (field: string, value: string): AppError =>
  new AppError("INVALID_INPUT", { field }, [{ path: field, code: "VALUE_UNKNOWN", params: { field, value } }]);
