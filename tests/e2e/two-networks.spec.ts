import { describe, expect, it } from "vitest";
import { isoDay } from "#lib/core/clock.ts";
import { alive, expectAccessible, makeJourneyProject, picture, signIn, useJourney } from "../support/journey.ts";
import { makeActivities, makeDus, makeFlow } from "../support/plan-factories.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();
const today = Math.floor(Date.now() / 86_400_000) - 10_957;
const dayIn = (days: number) => isoDay(today + days) as string;

describe("the planning of two networks", () => {
  it.each([
    { lang: "zh", skin: "dark" },
  ] as const)("makes a joint date the plan end of both DUs of a site, and refuses DUs of different RFC numbers, in $lang [RPL-07]", {
    timeout: 180_000,
  }, async ({ lang, skin }) => {
    const { owner, base } = journey;
    const number = `TWO-${lang.toUpperCase()}`;
    const projectId = await makeJourneyProject(owner, number);
    const [pm] = await owner<{ id: number }[]>`select id from app_user where account = 'pm'`;
    const activities = await makeActivities(owner, projectId, ["Survey", "Cutover", "Acceptance"]);
    const flow = { id: await makeFlow(owner, projectId, pm!.id, activities), activities };
    const span = { plan_start: dayIn(5), plan_end: dayIn(20) };
    const given = [
      { code: "A-4G", line: "4G", rfcNumber: "RFC-1" },
      { code: "A-5G", line: "5G", rfcNumber: "RFC-1" },
      { code: "B-4G", line: "4G", rfcNumber: "RFC-1" },
      { code: "B-5G", line: "5G", rfcNumber: "RFC-2" },
      { code: "C-2G", line: "2G", rfcNumber: "RFC-1" },
    ];
    const ids = await makeDus(
      owner,
      projectId,
      given.map(({ code, rfcNumber }) => ({ code, rfcNumber, plan: { 1: span, 2: span, 3: span } })),
      flow,
    );
    for (const [at, { line }] of given.entries())
      await owner`
        update du set product_line = ${line}, site_id = (select site_id from du where id = ${ids[at - (at % 2)]!}) where id = ${ids[at]!}`;
    const endsOf = async (...codes: string[]) => {
      const rows = await owner<{ end: number }[]>`
        select p.plan_end[2]::int as "end" from du join du_plan p on p.du_id = du.id where du.project_id = ${projectId} and du.code = any(${codes}) order by du.code`;
      return rows.map(({ end }) => isoDay(end));
    };

    const [t, common, errors] = [textsOf(lang, "two-networks"), textsOf(lang, "common"), textsOf(lang, "errors")] as const;
    const { page, context, complaints } = await signIn(journey, "pm", { lang, skin, to: `/${number}/tasks` });
    await page.goto(`${base}/?projectNumber=${number}#/TNFSP`);
    await page.waitForURL(/\/rollout-plan\/two-networks$/);
    await alive(page);
    const choose = async (field: string, value: string) => {
      await page.getByRole("combobox", { name: field, exact: true }).click();
      await page.getByRole("option", { name: value, exact: true }).click();
    };

    // Two lines, which must differ, and one activity of those both have.
    await choose(t("lineA"), "4G");
    await page.getByText(t("chooseLines"), { exact: true }).waitFor();
    await choose(t("lineB"), "5G");
    const table = page.getByRole("table", { name: t("label"), exact: true });
    const rowOf = (site: string) => table.getByRole("row").filter({ has: page.getByRole("rowheader", { name: site, exact: true }) });
    await rowOf("S-A-4G").waitFor();
    await page.getByRole("combobox", { name: common("activities"), exact: true }).click();
    for (const _ of activities) await page.keyboard.press("Backspace");
    await page.getByText(t("chooseActivities"), { exact: true }).waitFor();
    await page.getByRole("option", { name: "Cutover", exact: true }).click();
    await page.keyboard.press("Escape");
    await table.getByRole("columnheader", { name: "Cutover", exact: true }).waitFor();
    expect(await table.getByRole("columnheader").count()).toBe(8);
    expect(await table.getByRole("row").count()).toBe(4);
    await rowOf("S-B-4G").getByText(t("rfcDiffers"), { exact: true }).waitFor();

    // Different RFC numbers: nothing is written, and the reason stands on the page.
    const joint = (a: string, b: string) => page.getByRole("textbox", { name: t("jointOf", { activity: "Cutover", a, b }), exact: true });
    const save = (count: number) => page.getByRole("button", { name: t("save", { count }), exact: true });
    const refusal = page.getByRole("main").getByRole("alert");
    await joint("B-4G", "B-5G").fill(dayIn(30));
    await save(1).click();
    await refusal.filter({ hasText: errors("RFC_DIFFERS") }).waitFor();
    expect(await endsOf("B-4G", "B-5G")).toEqual([dayIn(20), dayIn(20)]);
    await expectAccessible(page);
    await picture(page, `two-networks-${skin}-${lang}`);
    await joint("B-4G", "B-5G").fill("");
    await refusal.waitFor({ state: "detached" });

    // What is no day is refused at its field.
    await joint("A-4G", "A-5G").fill("2026-02-31");
    await joint("A-4G", "A-5G").blur();
    await save(1).click();
    await rowOf("S-A-4G")
      .getByRole("alert")
      .filter({ hasText: errors("DATE_FORMAT", { value: "2026-02-31" }) })
      .waitFor();
    expect(await joint("A-4G", "A-5G").getAttribute("aria-invalid")).toBe("true");

    await joint("A-4G", "A-5G").fill(dayIn(30));
    await save(1).click();
    await page.getByText(t("saved", { saved: 1, rejected: 0 }), { exact: true }).waitFor();
    await expect.poll(() => rowOf("S-A-4G").getByText(dayIn(30)).count()).toBe(2);
    expect(await endsOf("A-4G", "A-5G", "B-4G", "B-5G")).toEqual([dayIn(30), dayIn(30), dayIn(20), dayIn(20)]);
    expect(await owner`select joint_date as day, rfc_number as rfc from special_plan where project_id = ${projectId}`).toEqual([
      { day: dayIn(30), rfc: "RFC-1" },
    ]);
    await picture(page, `two-networks-saved-${skin}-${lang}`);

    // Undo puts both plans back.
    await page.getByRole("button", { name: common("undo"), exact: true }).click();
    await page.getByText(t("undone", { count: 2 }), { exact: true }).waitFor();
    expect(await endsOf("A-4G", "A-5G")).toEqual([dayIn(20), dayIn(20)]);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
