import { beforeAll, describe, expect, test } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import type { Locale } from "#lib/core/locale.ts";
import { callAs } from "../../../support/call.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject } from "../../../support/factories.ts";

const database = useDatabase();
let project: { id: number; number: string };
let pm: CtxUser;
let viewer: CtxUser;

beforeAll(async () => {
  project = await makeProject(database.owner);
  pm = await makeMember(database.owner, project.id, "PM");
  viewer = await makeMember(database.owner, project.id, "COMMON_VIEW");
});

const find = (input: object, locale: Locale = "en", user = pm) =>
  callAs(user, "commomUtil/findHolidays", input, { project: project.number, locale });
const countries = (locale: Locale, user = pm) => callAs(user, "commomUtil/findHolidayCountries", {}, { project: project.number, locale });
const list = async (input: object, locale?: Locale) =>
  ((await find(input, locale)).data as { day: string; name: string }[]).map(({ day, name }) => `${day} ${name}`);

describe("commomUtil/findHolidays", () => {
  test("gives the public holidays of a country in order, without half days and observances", async () => {
    const days = await list({ country: "JP", year: 2026 });
    expect(days.slice(0, 2)).toEqual(["2026-01-01 New Year's Day", "2026-01-12 Coming of Age Day"]);
    expect(days.at(-1)).toMatch(/^2026-11-23 /);
    expect((await list({ country: "CN", year: 2026 })).some((day) => day.startsWith("2026-03-08"))).toBe(false);
  });

  test.each([
    ["zh", "元旦"],
    ["en", "New Year's Day"],
    ["ja", "元日"],
  ] as const)("names them in %s", async (locale, name) => {
    expect((await list({ country: "JP", year: 2026 }, locale))[0]).toBe(`2026-01-01 ${name}`);
  });

  test("gives those of an area besides the country's", async () => {
    const whole = await list({ country: "GB", year: 2026 });
    const scotland = await list({ country: "GB", area: "SCT", year: 2026 });
    expect(scotland.filter((day) => !whole.includes(day))).toContainEqual(expect.stringMatching(/^2026-01-02 /));
    expect(await list({ country: "DE", area: "BY-A", year: 2026 })).toContainEqual(expect.stringMatching(/^2026-08-08 /));
  });

  test.each([
    [{ country: "XX", year: 2026 }, "country", "VALUE_UNKNOWN", { value: "XX" }],
    [{ country: "toString", year: 2026 }, "country", "VALUE_UNKNOWN", { value: "toString" }],
    [{ country: "JP", area: "SCT", year: 2026 }, "area", "VALUE_UNKNOWN", { value: "SCT" }],
    [{ country: "JP", year: 1999 }, "year", "VALUE_TOO_SMALL", { min: 2000 }],
    [{ country: "JP", year: 2090 }, "year", "VALUE_TOO_LARGE", { max: 2089 }],
    [{ country: "J".repeat(21), year: 2026 }, "country", "VALUE_TOO_LONG", { max: 20 }],
    [{ country: "JP" }, "year", "VALUE_MISSING", {}],
  ])("refuses %j by its field", async (input, path, code, params) => {
    expect(await find(input)).toMatchObject({ status: 400, problems: [{ path, code, params: { field: path, ...params } }] });
  });

  test("gives the first and last year a calendar holds", async () => {
    expect((await list({ country: "JP", year: 2000 }))[0]).toMatch(/^2000-01-10 /);
    expect((await list({ country: "JP", year: 2089 })).at(-1)).toMatch(/^2089-08-/);
  });
});

describe("commomUtil/findHolidayCountries", () => {
  test.each([
    ["zh", "日本", "英国"],
    ["en", "Japan", "United Kingdom"],
    ["ja", "日本", "イギリス"],
  ] as const)("names countries in %s, with their areas", async (locale, japan, kingdom) => {
    const { data } = await countries(locale);
    expect(data).toContainEqual({ country: "JP", name: japan, areas: [] });
    expect(data).toContainEqual({ country: "GB", name: kingdom, areas: expect.arrayContaining([{ area: "SCT", name: "Scotland" }]) });
  });
});

test("both need the right to maintain calendars", async () => {
  expect(await find({ country: "JP", year: 2026 }, "en", viewer)).toMatchObject({ status: 403, code: "NO_PERMISSION" });
  expect(await countries("en", viewer)).toMatchObject({ status: 403, code: "NO_PERMISSION" });
});
