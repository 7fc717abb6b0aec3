import { describe, expect, it } from "vitest";
import { alive, expectAccessible, makeJourneyProject, picture, signIn, useJourney } from "../support/journey.ts";
import { makeActivities, makeAttribute, makeDus, makeFlow } from "../support/plan-factories.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();
const longAgo = "2026-01-05";

/** DUs of two vendors and without one: done, late and still without a date. */
async function makeViewed(number: string) {
  const sql = journey.owner;
  const projectId = await makeJourneyProject(sql, number);
  const [pm] = await sql<{ id: number }[]>`select id from app_user where account = 'pm'`;
  const activities = await makeActivities(sql, projectId, ["Survey", "Installation", "PAC"]);
  const flow = { id: await makeFlow(sql, projectId, pm!.id, activities), activities };
  const vendor = await makeAttribute(sql, projectId, { name: "Vendor", type: "ENUM", enums: ["Delta", "Omega"] });
  const [delta, omega] = vendor.enumIds.map(String) as [string, string];
  const done = { plan_end: longAgo, actual_end: "2026-01-09", baseline_end: "2026-01-02" };
  const late = { plan_end: longAgo, baseline_end: longAgo };
  await makeDus(
    sql,
    projectId,
    [
      ...Array.from({ length: 6 }, (_, at) => ({
        code: `D-${at + 1}`,
        ext: { [vendor.key]: delta },
        plan: { 1: done, 2: at < 4 ? done : late },
      })),
      ...Array.from({ length: 3 }, (_, at) => ({ code: `O-${at + 1}`, ext: { [vendor.key]: omega }, plan: { 1: late, 2: late } })),
      { code: "N-1", plan: { 1: done } },
    ],
    flow,
  );
  return projectId;
}

describe("multi-dimension views", () => {
  it("begin with a suggestion, count by vendor, and open the delayed DUs of one in the grid [MDV-01]", { timeout: 180_000 }, async () => {
    await makeViewed("MDV-VIEW");
    const t = textsOf("zh", "dimension-views");
    const { page, context, complaints } = await signIn(journey, "pm", {
      lang: "zh",
      skin: "dark",
      to: "/MDV-VIEW#/multiDimManagementView",
    });
    await alive(page);
    await page.getByRole("button", { name: t("empty.alias", { name: "Vendor" }) }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("row", { name: /Delta/ }).waitFor();
    await expectAccessible(page);
    await picture(page, "dimension-tab-dark-zh");
    await dialog.getByRole("button", { name: textsOf("zh", "common")("save") }).click();
    const table = page.getByRole("table", { name: t("label") });
    const row = (name: string) => table.getByRole("row", { name: new RegExp(`^${name}`) });
    await row("Delta").waitFor();
    // Installation of Delta: 4 of 6 done, 2 late.
    expect(await row("Delta").innerText()).toMatch(/6\s+6 \/ 6\s+100\.0\u00a0%\s+0\s+4 \/ 6\s+66\.7\u00a0%\s+2\s/);
    expect(await row(t("rows.all")).innerText()).toMatch(/^\S+\s+10\s/);
    await expectAccessible(page);
    await picture(page, "dimension-view-dark-zh");
    await page.getByText(t("look.bars"), { exact: true }).click();
    await page.getByRole("img", { name: /Delta/ }).waitFor();
    await picture(page, "dimension-bars-dark-zh");
    await page.getByText(t("look.curve"), { exact: true }).click();
    await page.getByRole("img", { name: new RegExp(t("curve.plan")) }).waitFor();
    await expectAccessible(page);
    await picture(page, "dimension-curve-dark-zh");
    await page.getByText(t("look.table"), { exact: true }).click();
    await page.getByTitle(t("open.delayed", { name: "Delta", activity: "Installation" })).click();
    await page.waitForURL(/selection=/);
    await page.getByText("D-5", { exact: true }).first().waitFor();
    expect(await page.getByText("D-6", { exact: true }).first().isVisible()).toBe(true);
    for (const other of ["D-4", "O-1", "N-1"]) expect(await page.getByText(other, { exact: true }).count(), other).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("are configured for everybody: tabs, what they begin with, and rows [MDV-02]", { timeout: 180_000 }, async () => {
    const projectId = await makeViewed("MDV-ALL");
    const t = textsOf("en", "dimension-views");
    const { page, context, complaints } = await signIn(journey, "pm", {
      lang: "en",
      skin: "light",
      to: "/MDV-ALL#/multiDimGlobalConfig",
    });
    await alive(page);
    await page.getByRole("button", { name: t("addGlobal") }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(t("editor.alias")).fill("By vendor");
    await dialog.getByRole("combobox", { name: t("editor.dimension") }).click();
    await page.getByRole("option", { name: "Vendor" }).click();
    await dialog.getByRole("combobox", { name: t("editor.activities") }).click();
    await page.getByRole("option", { name: "PAC" }).click();
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("row", { name: /^By vendor Vendor 1/ }).waitFor();
    // The only one stays shown.
    await page.getByRole("switch", { name: t("list.show", { alias: "By vendor" }) }).click({ force: true });
    await page.getByText(textsOf("en", "errors")("LAST_TAB")).waitFor();
    await page.getByLabel(t("settings.rowLimit")).fill("9");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText(/between 10 and 2,000/).waitFor();
    await page.getByLabel(t("settings.rowLimit")).fill("100");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect
      .poll(async () => (await journey.owner`select row_limit from multi_dim_global where project_id = ${projectId}`)[0]?.row_limit)
      .toBe(100);
    await expectAccessible(page);
    await picture(page, "dimension-settings-light-en");
    await page.goto(`${journey.base}/MDV-ALL/dimension-views`);
    await page.getByRole("tab", { name: "By vendor", selected: true }).waitFor();
    await page.getByRole("row", { name: /^Omega/ }).waitFor();
    await picture(page, "dimension-view-light-en");
    expect(complaints).toEqual([]);
    await context.close();
  });
});

describe("the log of copied activities", () => {
  it("opens a copy to its activities with the reason of each that failed [LOG-03]", { timeout: 120_000 }, async () => {
    const projectId = await makeJourneyProject(journey.owner, "REPLICA");
    const detail = [
      { activity: "Survey", outcome: "matched", code: null, params: {} },
      { activity: "Installation", outcome: "failed", code: "LIBRARY_FULL", params: { max: 2000 } },
    ];
    await journey.owner`
      insert into replication_log (project_id, at, actor_id, source_name, target_name, activity_count, success_count, failed_count, status, detail)
      select ${projectId}, now(), id, 'New build', 'New build East', 2, 1, 1, 'partly', ${journey.owner.json(detail)} from app_user where account = 'pm'`;
    const t = textsOf("zh", "logs");
    const { page, context } = await signIn(journey, "pm", { lang: "zh", skin: "dark", to: "/REPLICA#/replicationActivityLog" });
    await alive(page);
    await page.getByRole("button", { name: t("replication.show", { name: "New build East" }) }).click();
    await page.getByRole("row", { name: /^Installation.*2,000/ }).waitFor();
    await expectAccessible(page);
    await picture(page, "replication-log-dark-zh");
    await context.close();
  });
});
