import { buffer } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { projectToday } from "#lib/core/clock.ts";
import { writeWorkbook } from "#lib/core/workbook-write.ts";
import { expectAccessible, makeJourneyProject, picture, signIn, useJourney } from "../support/journey.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();
const year = Number(projectToday(new Date(), 0).slice(0, 4));

const cases = [
  { lang: "zh", skin: "dark", country: "日本", newYear: "元旦" },
  { lang: "en", skin: "light", country: "Japan", newYear: "New Year's Day" },
  { lang: "ja", skin: "dark", country: "日本", newYear: "元日" },
] as const;

describe("a work calendar", () => {
  it.each(cases)("takes over public holidays in $lang: chosen, looked at in the year view, unticked, saved", { timeout: 120_000 }, async ({
    lang,
    skin,
    country,
    newYear,
  }) => {
    const number = `CAL-${lang.toUpperCase()}`;
    const projectId = await makeJourneyProject(journey.owner, number);
    const t = textsOf(lang, "scheduling");
    const { page, context, complaints } = await signIn(journey, "pm", { lang, skin, to: `/${number}/scheduling/calendar` });
    await page.getByRole("button", { name: t("calendar.takeover.title") }).click();
    await page.getByRole("combobox", { name: t("calendar.takeover.country") }).fill(country);
    await page.getByRole("option", { name: country, exact: true }).click();
    const first = page.getByRole("checkbox", { name: `${year}-01-01 ${newYear}` });
    await first.waitFor();
    await expect.poll(() => first.isChecked()).toBe(true);
    const cell = (day: string) => page.locator(`[data-day="${day}"]`);
    const shown = async (day: string, state: string) => {
      await page.locator(`[data-day="${day}"][data-state="${state}"]`).waitFor();
      await expect.poll(() => cell(day).getAttribute("data-state")).toBe(state);
    };
    await shown(`${year}-11-03`, "holiday");
    await expectAccessible(page);
    await picture(page, `holidays-${skin}-${lang}`);

    // What is not ticked is not taken.
    await page.getByRole("checkbox", { name: new RegExp(`^${year}-11-03`) }).uncheck();
    await shown(`${year}-11-03`, "working");
    const taken = await page.getByRole("checkbox", { name: new RegExp(`^${year}-`), checked: true }).count();
    await page.getByRole("button", { name: t("calendar.takeover.take", { count: taken }), exact: true }).click();
    await page.getByRole("button", { name: t("calendar.save"), exact: true }).click();
    await page.getByText(t("calendar.saved")).first().waitFor();
    const days = await journey.owner<{ day: string; working: boolean; name: string }[]>`
      select d.day::text, d.working, d.name from work_calendar_day d join work_calendar c on c.id = d.calendar_id
      where c.project_id = ${projectId} order by d.day`;
    expect(days).toHaveLength(taken);
    expect(days[0]).toEqual({ day: `${year}-01-01`, working: false, name: newYear });
    expect(days.some(({ day }) => day === `${year}-11-03`)).toBe(false);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("keeps the days that were switched where a colleague has saved, and those switched while it was being saved", {
    timeout: 90_000,
  }, async () => {
    const number = "CAL-KEEP";
    const projectId = await makeJourneyProject(journey.owner, number);
    const t = textsOf("en", "scheduling");
    const { page, context } = await signIn(journey, "pm", { lang: "en", to: `/${number}/scheduling/calendar` });
    const cell = (day: string) => page.locator(`[data-day="${day}"]`);
    const shown = (day: string, state: string) => page.locator(`[data-day="${day}"][data-state="${state}"]`).waitFor();
    const save = page.getByRole("button", { name: t("calendar.save"), exact: true });
    const days = async () => {
      const rows = await journey.owner<{ day: string }[]>`
        select d.day::text from work_calendar_day d join work_calendar c on c.id = d.calendar_id where c.project_id = ${projectId} order by d.day`;
      return rows.map(({ day }) => day);
    };
    const working = page.locator(`[data-day^="${year}-03-"][data-state="working"]`);
    await working.first().waitFor();
    const [first, second] = (await working.evaluateAll((cells) => cells.map((one) => one.getAttribute("data-day")))) as [string, string];

    // The colleague's calendar is not replaced, and one's own days stay until they are given up.
    await cell(first).click();
    await shown(first, "holiday");
    await journey.owner`insert into work_calendar (project_id, name, weekdays) values (${projectId}, 'Theirs', 62)`;
    await save.click();
    await page.getByText(t("calendar.stale")).waitFor();
    await shown(first, "holiday");
    expect(await days()).toEqual([]);
    await page.getByRole("button", { name: t("calendar.load"), exact: true }).click();
    await shown(first, "working");
    expect(await page.getByText(t("calendar.stale")).count()).toBe(0);

    await cell(first).click();
    await shown(first, "holiday");
    const held: (() => void)[] = [];
    await page.route("**/scheduling/calendar**", async (route) => {
      if (route.request().headers()["next-action"]) await new Promise<void>((go) => held.push(go));
      await route.continue();
    });
    await save.click();
    await expect.poll(() => held.length).toBe(1);
    await cell(second).click();
    held[0]?.();
    await page.getByText(t("calendar.saved")).first().waitFor();
    await page.unroute("**/scheduling/calendar**");
    expect(await days()).toEqual([first]);
    await shown(second, "holiday");
    await save.click();
    await expect.poll(days).toEqual([first, second]);
    await context.close();
  });

  it("of another region is copied, and a workbook is previewed before it changes the calendar", { timeout: 180_000 }, async () => {
    const number = "CAL-COPY";
    const projectId = await makeJourneyProject(journey.owner, number);
    const t = textsOf("en", "scheduling");
    const imports = textsOf("en", "imports");
    const [north, south] = await journey.owner<{ id: number }[]>`
      insert into delivery_region (project_id, name, sort_no) values (${projectId}, 'North', 1), (${projectId}, 'South', 2) returning id`;
    const [calendar] = await journey.owner<{ id: number }[]>`
      insert into work_calendar (project_id, region_id, name, weekdays) values (${projectId}, ${north!.id}, 'North', 31) returning id`;
    await journey.owner`
      insert into work_calendar_day (calendar_id, day, working, name) values (${calendar!.id}, ${`${year}-03-10`}, false, 'Carnival')`;
    const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", skin: "light", to: `/${number}/scheduling/calendar` });

    await page.getByRole("combobox", { name: t("calendar.scope") }).click();
    await page.getByRole("option", { name: "South" }).click();
    await page.getByRole("button", { name: t("calendar.copy.title") }).click();
    await page.getByRole("combobox", { name: t("calendar.copy.source") }).click();
    await page.getByRole("option", { name: "North" }).click();
    await expectAccessible(page);
    await page.getByRole("button", { name: t("calendar.copy.verb"), exact: true }).click();
    await page.locator(`[data-day="${year}-03-10"][data-state="holiday"]`).waitFor();
    await page.getByRole("button", { name: t("calendar.save"), exact: true }).click();
    await page.getByText(t("calendar.saved")).first().waitFor();
    const days = () => journey.owner<{ day: string; weekdays: number }[]>`
      select d.day::text, c.weekdays from work_calendar c left join work_calendar_day d on c.id = d.calendar_id
      where c.region_id = ${south!.id} order by d.day`;
    await expect.poll(days).toEqual([{ day: `${year}-03-10`, weekdays: 31 }]);

    await page.getByRole("button", { name: t("calendar.export"), exact: true }).click();
    await page.getByText(t("calendar.exportStarted")).first().waitFor();
    await page.getByRole("link", { name: t("calendar.import"), exact: true }).click();
    const bytes = await buffer(
      writeWorkbook({
        name: "x",
        columns: [
          { title: "Day", key: "day", kind: "day" },
          { title: "Kind", key: "kind" },
          { title: "Name", key: "name" },
        ],
        rows: [[`${year}-12-24`, "Day off", "Christmas Eve"]],
        meta: { project: number, kind: "calendar", version: 1 },
      }),
    );
    const mimeType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
    await page.locator("input[type=file]").setInputFiles({ name: "south.xlsx", mimeType, buffer: bytes });
    await page.getByRole("button", { name: imports("foot.checkVerb"), exact: true }).waitFor();
    await expect.poll(() => page.getByRole("combobox", { name: imports("options.regionId") }).inputValue()).toBe("South");
    await page.getByRole("button", { name: imports("foot.checkVerb"), exact: true }).click();
    // One day more, and the one the file leaves out.
    const apply = page.getByRole("button", { name: imports("foot.apply", { count: 2 }) });
    await apply.waitFor();
    await page.getByText("Christmas Eve").first().waitFor();
    await expectAccessible(page);
    await picture(page, "calendar-import");
    await expect.poll(days).toHaveLength(1);
    await apply.click();
    await page.getByRole("link", { name: imports("result.calendar") }).click();
    await page.locator(`[data-day="${year}-12-24"][data-state="holiday"]`).waitFor();
    await expect.poll(days).toEqual([{ day: `${year}-12-24`, weekdays: 31 }]);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
