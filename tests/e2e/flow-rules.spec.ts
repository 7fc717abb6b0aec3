import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import { makeRegion } from "../support/factories.ts";
import { expectAccessible, makeJourneyProject, picture, signIn, useJourney } from "../support/journey.ts";
import { makeActivities, makeDus, makeFlow } from "../support/plan-factories.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();

describe("rules that bind DUs", () => {
  it("are written with a sentence, tried, put into force, run and sorted; who is left over is listed with the reason [FLW-03] [FLW-12]", {
    timeout: 120_000,
  }, async () => {
    const number = "FLOWRULE-EN";
    const projectId = await makeJourneyProject(journey.owner, number);
    const t = textsOf("en", "flow-rules");
    const c = textsOf("en", "conditions");
    const common = textsOf("en", "common");
    const north = await makeRegion(journey.owner, projectId, "North");
    const [pm] = await journey.owner<{ id: number }[]>`select id from app_user where account = 'pm'`;
    const activities = await makeActivities(journey.owner, projectId, ["Survey", "Install"]);
    await makeFlow(journey.owner, projectId, pm!.id, activities, "Rooftop flow");
    await makeDus(journey.owner, projectId, [
      { code: "ROOF-1", regionId: north },
      { code: "ROOF-2", regionId: north },
      { code: "ROOF-3" },
      { code: "POLE-1", regionId: north },
    ]);
    const { page, context, complaints } = await signIn(journey, "pm", {
      lang: "en",
      skin: "light",
      to: `/${number}#/taskFlowDuAuto`,
    });
    const open = async (page: Page) => {
      await page
        .getByRole("button", { name: t("new") })
        .first()
        .click();
      return page.getByRole("dialog");
    };
    const dialog = await open(page);
    await dialog.getByLabel(new RegExp(`^${common("name")}`)).fill("Roofs of the north");
    await dialog.getByRole("combobox", { name: new RegExp(`^${t("form.flow")}`) }).click();
    await page.getByRole("option", { name: "Rooftop flow" }).click();
    await dialog.getByRole("combobox", { name: new RegExp(`^${t("form.region")}`) }).click();
    await page.getByRole("option", { name: "North" }).click();
    for (const [number, text] of [
      [1, "ROOF"],
      [2, "MAST"],
    ] as const) {
      await dialog.getByRole("button", { name: c("add") }).click();
      await dialog.getByLabel(c("operatorOf", { number })).selectOption("startsWith");
      await dialog.getByLabel(c("value", { number })).fill(text);
    }
    await dialog.getByLabel(c("joint", { number: 1 })).selectOption("OR");
    await dialog.getByText(/starts with ROOF or .*starts with MAST/).waitFor();
    await dialog.getByLabel(c("open", { number: 1 })).selectOption("1");
    await dialog.getByText(c("structure.CONDITION_PARENTHESES")).waitFor();
    await dialog.getByLabel(c("close", { number: 2 })).selectOption("1");
    await dialog.getByRole("button", { name: t("preview.verb"), exact: true }).click();
    await dialog.getByRole("cell", { name: "ROOF-2", exact: true }).waitFor();
    await dialog.getByText(`${t("reason.NO_REGION")}: 1`).waitFor();
    await expectAccessible(page);
    await picture(page, "flow-rule-light-en");
    await dialog.locator("button[type=submit]").click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("row", { name: /Roofs of the north/ }).waitFor();

    // A second rule goes first once it is moved up.
    const second = await open(page);
    await second.getByLabel(new RegExp(`^${common("name")}`)).fill("Nobody");
    await second.getByRole("combobox", { name: new RegExp(`^${t("form.flow")}`) }).click();
    await page.getByRole("option", { name: "Rooftop flow" }).click();
    await second.locator("button[type=submit]").click();
    await second.waitFor({ state: "detached" });
    const grip = page.getByRole("button", { name: t("move", { name: "Nobody" }) });
    await grip.focus();
    await page.keyboard.press("Alt+ArrowUp");
    await expect.poll(async () => (await page.locator("tbody tr").allInnerTexts())[0]).toContain("Nobody");
    await grip.dragTo(page.getByRole("row", { name: /Roofs/ }));
    await expect.poll(async () => (await page.locator("tbody tr").allInnerTexts())[1]).toContain("Nobody");

    const verb = async (name: "enable" | "run") => {
      await page.getByRole("checkbox", { name: t("chooseOne", { name: "Roofs of the north" }) }).check();
      await page.getByRole("button", { name: t(`verb.${name}`, { count: 1 }) }).click();
      const asked = page.getByRole("dialog", { name: t(`verb.${name}`, { count: 1 }) });
      await asked.getByText(t("preview.scope")).waitFor();
      await asked.getByRole("button", { name: t(`verb.${name}`, { count: 1 }) }).click();
      await asked.waitFor({ state: "detached" });
    };
    await verb("enable");
    await page.getByRole("row", { name: new RegExp(`Roofs.*${t("status.enabled")}`) }).waitFor();
    await verb("run");
    await expect
      .poll(async () => (await journey.owner`select count(*)::int as n from du_flow where project_id = ${projectId}`)[0]!.n, {
        timeout: 30_000,
      })
      .toBe(2);
    await expectAccessible(page);
    await picture(page, "flow-rules-light-en");
    await page.getByRole("tab", { name: t("tab.unmatched") }).click();
    await page.getByRole("row", { name: new RegExp(`ROOF-3.*${t("reason.NO_REGION")}`) }).waitFor();
    await page.getByRole("row", { name: new RegExp(`POLE-1.*${t("reason.RULE_INVALID")}`) }).waitFor();
    await picture(page, "flow-rules-unmatched-light-en");
    await page.getByRole("tab", { name: t("tab.runs") }).click();
    await page.getByRole("row", { name: new RegExp(`${t("runStatus.done")}.*Roofs of the north: 2`) }).waitFor();
    await expectAccessible(page);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
