import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import { makeRegion } from "../support/factories.ts";
import { expectAccessible, languageCases, makeJourneyProject, picture, signIn, useJourney } from "../support/journey.ts";
import { makeActivities, makeDus, makeFlow } from "../support/plan-factories.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();

async function makePlan(number: string): Promise<number> {
  const projectId = await makeJourneyProject(journey.owner, number);
  const [pm] = await journey.owner<{ id: number }[]>`select id from app_user where account = 'pm'`;
  const regionId = await makeRegion(journey.owner, projectId, "North");
  await makeRegion(journey.owner, projectId, "South");
  const activities = await makeActivities(journey.owner, projectId, ["Survey", "RFI:rfi", "Install"]);
  const flow = { id: await makeFlow(journey.owner, projectId, pm!.id, activities), activities };
  await makeDus(
    journey.owner,
    projectId,
    [
      { code: "LATE-1", regionId, plan: { 3: { state: 1, plan_end: "2026-01-15" } } },
      { code: "FREE-1", regionId },
    ],
    flow,
  );
  return projectId;
}

const choose = async (page: Page, within: ReturnType<Page["getByRole"]>, label: string, ...options: string[]) => {
  const field = within.getByRole("combobox", { name: new RegExp(`^${label}`) });
  await field.click();
  for (const option of options) await page.getByRole("option", { name: option }).click();
  await page.keyboard.press("Tab");
};

describe("reminders", () => {
  it("are written with a look at what they would send, made for many places at once, and put out of force [REM-01] [REM-02] [REM-30]", {
    timeout: 120_000,
  }, async () => {
    const number = "REMIND-EN";
    await makePlan(number);
    const t = textsOf("en", "reminder-rules");
    const common = textsOf("en", "common");
    const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", skin: "light", to: `/${number}/reminders/mail-rules` });
    await page
      .getByRole("button", { name: t("newRule") })
      .first()
      .click();
    const drawer = page.getByRole("dialog");
    await choose(page, drawer, common("type"), t("type.ACT_DEVIATION"));
    await drawer.getByLabel(new RegExp(`^${common("name")}`)).fill("Late installations");
    await choose(page, drawer, common("activities"), "Install");
    const addresses = drawer.getByRole("textbox", { name: new RegExp(`^${t("form.addresses")}`) });
    await addresses.fill("boss@customer.com; wrong");
    await addresses.blur();
    await drawer.getByText(t("form.wrongAddresses", { addresses: "wrong" })).waitFor();
    await drawer.getByRole("button", { name: t("form.dropWrong", { count: 1 }) }).click();
    await drawer.getByRole("button", { name: t("look.verb") }).click();
    await drawer.getByText(t("look.rows", { rows: 1, recipients: 1 })).waitFor();
    await drawer.getByText(/LATE-1/).waitFor();
    await expectAccessible(page);
    await picture(page, "mail-rule-light-en");
    await drawer.locator("button[type=submit]").click();
    await drawer.waitFor({ state: "detached" });
    await page.getByRole("row", { name: /Late installations.*Activity deviation.*Enabled/ }).waitFor();
    await picture(page, "mail-rules-light-en");
    await page
      .getByRole("row", { name: /Late installations/ })
      .getByRole("checkbox")
      .check();
    await page.getByRole("button", { name: common("disable") }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: t("verb.disable", { count: 1 }) })
      .click();
    await page.getByRole("row", { name: /Late installations.*Disabled/ }).waitFor();
    await page.getByRole("tab", { name: t("tab.log") }).click();
    await page.getByRole("tab", { name: t("tab.log"), selected: true }).waitFor();

    await page.goto(`${journey.base}/#/planDeviationRemind?projectNumber=${number}`);
    await page
      .getByRole("button", { name: t("newDeviation") })
      .first()
      .click();
    const made = page.getByRole("dialog");
    await choose(page, made, t("form.regions"), "North", "South");
    await choose(page, made, common("activities"), "Survey", "Install");
    await choose(page, made, t("form.roles"), "TL");
    await made.locator("button[type=submit]").click();
    await made.getByText(t("form.missing")).waitFor();
    await made.getByRole("combobox", { name: new RegExp(`^${t("form.people")}`) }).click();
    await page.getByRole("option", { name: /\(pm\)/ }).click();
    await page.keyboard.press("Tab");
    await made.locator("button[type=submit]").click();
    await made.waitFor({ state: "detached" });
    await expect.poll(() => page.getByRole("row").count()).toBe(5);
    await picture(page, "deviation-reminders-light-en");
    await page.getByRole("tab", { name: t("tab.matrix") }).click();
    await page.getByRole("button", { name: t("matrix.some", { name: "North · Install", count: 1, days: "+3" }) }).waitFor();
    await expectAccessible(page);
    await picture(page, "deviation-matrix-light-en");
    await page.getByRole("button", { name: /South · Survey/ }).click();
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("of sites after RFI are filled in for states of Brazil, with receivers of exceptions; elsewhere a note stands there [REM-04] [REM-05]", {
    timeout: 120_000,
  }, async () => {
    const number = "REMIND-BR";
    const projectId = await makePlan(number);
    const t = textsOf("en", "reminder-rules");
    const common = textsOf("en", "common");
    const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", to: `/${number}/reminders/rfi` });
    await page.getByText(t("notBrazil")).waitFor();
    await journey.owner`update project set country = 'BR' where id = ${projectId}`;
    await journey.owner`
      update customer_site set state_id = case code when 'S-LATE-1' then 'SP' else 'RJ' end, state_name = case code when 'S-LATE-1' then 'São Paulo' else 'Rio de Janeiro' end
      where project_id = ${projectId}`;
    // What a process knows of a project is half a minute old at most.
    await expect
      .poll(
        async () => {
          await page.goto(`${journey.base}/#/RFIRemindSet?projectNumber=${number}`);
          await page.reload();
          const row = page.getByRole("rowheader", { name: "São Paulo (SP)" });
          return row.waitFor({ timeout: 3_000 }).then(
            () => true,
            () => false,
          );
        },
        { timeout: 40_000, interval: 2_000 },
      )
      .toBe(true);
    await page.getByRole("checkbox", { name: common("selectAll") }).check();
    await page.getByRole("button", { name: t("rfi.fillVerb") }).click();
    const wait = page.getByRole("textbox", { name: `${t("rfi.maxDays")}: São Paulo (SP)` });
    await wait.fill("3");
    await page.getByRole("button", { name: common("save"), exact: true }).click();
    await page.getByText("The maximum of 3 days is below the minimum of 5").waitFor();
    await wait.fill("20");
    await page.getByRole("button", { name: common("save"), exact: true }).click();
    await expect.poll(() => page.getByText(common("enabled"), { exact: true }).count()).toBe(2);
    await expectAccessible(page);
    await picture(page, "rfi-reminders-dark-en");

    // What is typed for one state outlives that another is switched off, and is not left or put over a colleague's without a question.
    const save = page.getByRole("button", { name: common("save"), exact: true });
    await wait.fill("25");
    await page
      .getByRole("row", { name: /Rio de Janeiro/ })
      .getByRole("checkbox", { name: "Rio de Janeiro (RJ)", exact: true })
      .check();
    await page.getByRole("button", { name: common("disable"), exact: true }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: t("verb.disable", { count: 1 }) })
      .click();
    await page.getByRole("row", { name: /Rio de Janeiro.*Disabled/ }).waitFor();
    expect(await wait.inputValue()).toBe("25");
    await page.getByRole("link", { name: t("tab.rfiExceptionReminders") }).click();
    const leaving = page.getByRole("dialog", { name: textsOf("en", "shell")("leave.title") });
    await leaving.getByRole("button", { name: common("cancel"), exact: true }).click();
    await leaving.waitFor({ state: "hidden" });
    const longest = async () => {
      const [row] = await journey.owner<{ days: number }[]>`
        select max_days as days from rfi_remind where project_id = ${projectId} and state_id = 'SP'`;
      return row!.days;
    };
    await journey.owner`update rfi_remind set max_days = 30, row_version = row_version + 1 where project_id = ${projectId} and state_id = 'SP'`;
    await save.click();
    await page.getByText(t("rfi.changed", { present: `5 – 30; ${t("remindType.MAIL")}; ${t("rfi.untilDefault")}` })).waitFor();
    expect(await longest()).toBe(30);
    expect(await wait.inputValue()).toBe("25");
    await save.click();
    await expect.poll(longest).toBe(25);
    await expect.poll(async () => (await save.isDisabled()) && (await save.getAttribute("data-loading")) === null).toBe(true);
    await page.getByRole("link", { name: t("tab.rfiExceptionReminders") }).click();
    await page
      .getByRole("row", { name: /São Paulo.*More than 25 days/ })
      .getByRole("button", { name: t("rfi.receivers") })
      .click();
    const dialog = page.getByRole("dialog");
    const addresses = dialog.getByRole("textbox", { name: new RegExp(`^${t("form.addresses")}`) });
    await addresses.fill("boss@customer.com");
    await addresses.blur();
    await dialog.locator("button[type=submit]").click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("row", { name: /São Paulo.*1/ }).waitFor();
    await picture(page, "rfi-exceptions-dark-en");
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("speak every language", { timeout: 60_000 }, async () => {
    const number = "REMIND-LANG";
    await makePlan(number);
    for (const { lang, skin } of languageCases) {
      const t = textsOf(lang, "reminder-rules");
      const { page, context, complaints } = await signIn(journey, "pm", { lang, skin, to: `/${number}/reminders/mail-rules` });
      await page
        .getByRole("button", { name: t("newRule") })
        .first()
        .click();
      await page.getByRole("dialog").getByText(t("part.whom"), { exact: true }).waitFor();
      await picture(page, `mail-rule-new-${skin}-${lang}`);
      expect(complaints).toEqual([]);
      await context.close();
    }
  });
});
