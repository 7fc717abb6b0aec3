import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import { makeRegion } from "../support/factories.ts";
import { expectAccessible, languageCases, makeJourneyProject, picture, signIn, useJourney } from "../support/journey.ts";
import { makeActivities, makeDus, makeFlow } from "../support/plan-factories.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();

/** Chooses somebody in a field that searches while typing. */
async function choosePerson(page: Page, field: ReturnType<Page["getByRole"]>, account: string) {
  await field.click();
  await field.fill(account);
  await page.getByRole("option", { name: new RegExp(`\\(${account}\\)`) }).click();
}

async function makeOwnedProject(number: string) {
  const projectId = await makeJourneyProject(journey.owner, number);
  const north = await makeRegion(journey.owner, projectId, "North");
  await makeRegion(journey.owner, projectId, "South");
  const [pm] = await journey.owner<{ id: number }[]>`select id from app_user where account = 'pm'`;
  const activities = await makeActivities(journey.owner, projectId, ["Survey", "Install"]);
  const flow = { id: await makeFlow(journey.owner, projectId, pm!.id, activities, "Rooftop flow"), activities };
  await makeDus(
    journey.owner,
    projectId,
    [{ code: "ROOF-1", regionId: north }, { code: "ROOF-2", regionId: north }, { code: "POLE-1" }],
    flow,
  );
  return projectId;
}

describe("owners", () => {
  it("are set for regions and DUs, whose screens the old routes lead to [OWN-01] [OWN-02]", {
    timeout: 120_000,
  }, async () => {
    const number = "OWNERS-EN";
    const projectId = await makeOwnedProject(number);
    const t = textsOf("en", "owners");
    const common = textsOf("en", "common");
    const ui = textsOf("en", "ui");
    const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", skin: "light", to: `/${number}/owners/responsible` });
    // The hash route of the old system leads to the screens.
    await page.goto(`${journey.base}/?projectNumber=${number}#/rolloutResponsibleConfig`);
    await page.waitForURL(new RegExp(`/${number}/owners/responsible$`));
    await page.getByRole("tab", { name: t("tab.regions"), exact: true }).click();
    await page.getByText(t("regions.blankCount", { count: 2 })).waitFor();
    await page.getByRole("row", { name: /North/ }).click();
    const dialog = page.getByRole("dialog");
    await choosePerson(page, dialog.getByRole("combobox"), "tl");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: common("save") }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText(t("regions.blankCount", { count: 1 })).waitFor();
    await picture(page, "region-owners-light-en");
    await page.getByRole("tab", { name: t("tab.dus"), exact: true }).click();
    for (const code of ["ROOF-1", "POLE-1"])
      await page
        .getByRole("row", { name: new RegExp(code) })
        .getByRole("checkbox")
        .check();
    await page.getByRole("button", { name: t("dus.set") }).click();
    await choosePerson(page, dialog.getByRole("combobox").last(), "td");
    await dialog.getByRole("combobox", { name: t("dus.kind") }).click();
    await page.getByRole("option", { name: t("sheet.SITE_OWNER"), exact: true }).click();
    await choosePerson(page, dialog.getByRole("combobox").last(), "td");
    await dialog.getByRole("button", { name: common("save") }).click();
    await dialog.waitFor({ state: "detached" });
    await expect
      .poll(
        async () =>
          (
            await journey.owner`
      select count(*)::int as n from du_owner o join du on du.id = o.du_id where du.project_id = ${projectId}`
          )[0]!.n,
      )
      .toBe(4);
    await picture(page, "du-owners-light-en");

    await page.goto(`${journey.base}/?projectNumber=${number}#/ownerConfig`);
    await page.waitForURL(new RegExp(`/${number}/owners$`));
    await page
      .getByRole("button", { name: t("rules.new") })
      .first()
      .click();
    await dialog.getByLabel(new RegExp(`^${t("form.name")}`)).fill("North by region");
    await dialog.getByRole("combobox", { name: new RegExp(`^${t("form.flows")}`) }).click();
    await page.getByRole("option", { name: "Rooftop flow" }).click();
    await dialog.getByRole("button", { name: t("conditions.add") }).click();
    await dialog.getByLabel(t("conditions.object", { number: 1 })).waitFor();
    await dialog.getByRole("button", { name: t("conditions.remove", { number: 1 }) }).click();

    // Tried before it is saved, put into force, run: the two DUs of the region get its owner.
    await dialog.getByRole("button", { name: t("verb.preview", { count: 1 }) }).click();
    await dialog.getByRole("cell", { name: "ROOF-1" }).first().waitFor({ timeout: 30_000 });
    await dialog.getByRole("button", { name: common("create"), exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    const row = page.getByRole("row", { name: /North by region/ });
    for (const verb of ["enable", "run"] as const) {
      await row.getByRole("checkbox").check();
      await page.getByRole("button", { name: t(`verb.${verb}`, { count: 1 }), exact: true }).click();
      await dialog.getByRole("button", { name: t(`verb.${verb}`, { count: 1 }), exact: true }).click();
      await dialog.waitFor({ state: "detached" });
    }
    const ownersOf = async (account: string) => {
      const [found] = await journey.owner`
        select count(distinct p.du_id)::int as n from du_plan p join owner_set s on s.id = any(p.plan_owner) join app_user u on u.id = any(s.user_ids)
        where p.project_id = ${projectId} and u.account = ${account}`;
      return found!.n as number;
    };
    await expect.poll(() => ownersOf("tl"), { timeout: 30_000 }).toBe(2);
    await page.getByRole("tab", { name: t("tab.history"), exact: true }).click();
    await page.getByRole("row", { name: /North by region: 4/ }).waitFor({ timeout: 30_000 });
    await expectAccessible(page);
    await picture(page, "owner-history-light-en");

    // Another takes his place.
    await page.getByRole("tab", { name: t("tab.replace"), exact: true }).click();
    await choosePerson(page, page.getByRole("combobox", { name: new RegExp(`^${t("replace.old")}`) }), "tl");
    await choosePerson(page, page.getByRole("combobox", { name: new RegExp(`^${t("replace.new")}`) }), "td");
    await page.getByRole("button", { name: t("replace.preview"), exact: true }).click();
    await page.getByRole("button", { name: t("replace.apply", { count: 5 }) }).waitFor();
    await expectAccessible(page);
    await picture(page, "owner-replace-light-en");
    await page.getByRole("button", { name: t("replace.apply", { count: 5 }) }).click();
    await dialog.getByRole("button", { name: t("replace.apply", { count: 5 }) }).click();
    await page.getByText(t("done.replaced", { count: 5 })).waitFor();
    expect([await ownersOf("tl"), await ownersOf("td")]).toEqual([0, 2]);

    // Rules change places by their grips, with the keys and with the mouse.
    await journey.owner`
      insert into owner_rule (project_id, name, sort_no, flow_ids, flow_text, activity_ids, owner_fields, fill_mode, fill_value, overwrite, status, invalid_reason,
        created_by, created_at, updated_by, updated_at)
      select project_id, 'Rest', 2, flow_ids, flow_text, activity_ids, owner_fields, fill_mode, fill_value, overwrite, 'INVALID', 'DISABLED', created_by, created_at,
        updated_by, updated_at from owner_rule where project_id = ${projectId}`;
    await page.getByRole("tab", { name: t("tab.rules"), exact: true }).click();
    const order = async () =>
      (await journey.owner`select name from owner_rule where project_id = ${projectId} order by sort_no, id`).map(({ name }) => name);
    const grip = page.getByRole("button", { name: ui("table.move", { name: "North by region" }) });
    await page.getByRole("row", { name: /Rest/ }).waitFor();
    await grip.focus();
    await page.keyboard.press("Alt+ArrowDown");
    await expect.poll(order).toEqual(["Rest", "North by region"]);
    // Shown in its new place before it is moved again: the grip keeps the focus all the while.
    await expect.poll(() => page.getByRole("row").nth(1).innerText()).toContain("Rest");
    await expect.poll(() => grip.evaluate((node) => node === document.activeElement)).toBe(true);
    await grip.dragTo(page.getByRole("row", { name: /Rest/ }));
    await expect.poll(order).toEqual(["North by region", "Rest"]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it.each(languageCases)("are read in every language and skin %j", { timeout: 60_000 }, async ({ lang, skin }) => {
    const number = `OWNERS-${lang}-${skin}`.toUpperCase();
    await makeOwnedProject(number);
    const t = textsOf(lang, "owners");
    const { page, context, complaints } = await signIn(journey, "pm", { lang, skin, to: `/${number}/owners/responsible?tab=regions` });
    await page.getByText(t("regions.blankCount", { count: 2 })).waitFor();
    await picture(page, `region-owners-${skin}-${lang}`);
    await page.goto(`${journey.base}/${number}/owners`);
    await page.getByText(t("rules.empty"), { exact: true }).waitFor();
    await page
      .getByRole("button", { name: t("rules.new") })
      .first()
      .click();
    await page
      .getByRole("dialog")
      .getByLabel(new RegExp(`^${t("form.name")}`))
      .waitFor();
    await picture(page, `owner-rule-${skin}-${lang}`);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
