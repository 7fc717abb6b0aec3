import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import { makeFlowByCall } from "../support/flow-by-call.ts";
import { alive, expectAccessible, makeJourneyProject, picture, signIn, useJourney } from "../support/journey.ts";
import { makeDus } from "../support/plan-factories.ts";
import { callFromPage } from "../support/plan-page.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();
const number = "MILE-1";

const milestone = (no: string, nameZh: string, nameEn: string, color: string, flag = "normal") => ({
  milestone: { number: no, nameZh, nameEn, flag, color, enabled: true },
  infos: [],
});

describe("milestones", () => {
  it("are configured, mapped to activities, kept for a time and worked on by temporary orders [MDV-03] [MDV-04] [MDV-05] [MDV-06]", {
    timeout: 180_000,
  }, async () => {
    const { owner } = journey;
    const projectId = await makeJourneyProject(owner, number);
    const t = textsOf("en", "milestones");
    const common = textsOf("en", "common");
    const { page, context } = await signIn(journey, "pm", { lang: "en", skin: "light", to: `/${number}#/milestoneConfig` });
    await alive(page);
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    const dialog = page.getByRole("dialog");
    const tab = (key: string) =>
      page
        .getByRole("link", { name: t(`tab.${key}`), exact: true })
        .last()
        .click();

    // Milestones: the first by hand, the others by calls; the second moves up.
    await page.getByText(t("list.empty")).waitFor();
    await button(t("list.new")).first().click();
    await dialog.getByLabel(t("field.number")).fill("M1");
    await dialog.getByLabel(t("field.nameZh")).fill("现场就绪");
    await dialog.getByLabel(t("field.nameEn")).fill("Site survey");
    await dialog.getByRole("button", { name: t("infos.add") }).click();
    await dialog.getByRole("button", { name: common("save") }).click();
    await page.getByRole("rowheader", { name: "Site survey" }).waitFor();
    await callFromPage(page, "milestoneConfig/save", milestone("M2", "安装完成", "Installation", "c3", "acceptance"));
    await callFromPage(page, "milestoneConfig/save", milestone("M3", "开通", "On air", "c5", "revenue"));
    for (const name of ["New build", "Swap"])
      await makeFlowByCall(
        page,
        name,
        [
          [`Survey ${name}`, 3],
          ["Installation", 5],
          ["On air", 1],
          ["Permit", 2],
          ["Audit", 1],
        ],
        `Survey ${name}`,
      );
    const codes = ["MILE-A", "MILE-B"];
    await makeDus(
      owner,
      projectId,
      codes.map((code) => ({ code })),
    );
    await page.reload();
    await alive(page);
    await page.getByText(t("list.enabled", { used: 3, max: 10 })).waitFor();
    await button(t("list.up", { name: "Installation" })).click();
    await expect.poll(() => namesOf(page)).toEqual(["Installation", "Site survey", "On air"]);
    await expectAccessible(page);
    await picture(page, "milestones-light-en");

    // Mapping: empty cells stand out; names propose targets; what is proposed is saved.
    await tab("milestoneMapping");
    await page.getByText(t("mapping.bad")).waitFor();
    const cells = page.locator("td[data-empty]");
    await expect.poll(() => cells.count()).toBe(6);
    await button(t("mapping.suggest")).click();
    await expect.poll(() => cells.count()).toBe(2);
    const cell = page.getByLabel("M1, New build");
    await cell.focus();
    await cell.selectOption({ label: "Survey New build" });
    await page.getByText(t("mapping.good")).waitFor();
    await expectAccessible(page);
    await picture(page, "milestone-mapping-light-en");
    await button(t("mapping.save", { count: 5 })).click();
    await expect.poll(async () => (await owner`select 1 from milestone_mapping where project_id = ${projectId}`).length).toBe(5);

    // A cell that others have changed meanwhile is not written over unseen.
    const target = async () =>
      (
        await owner<{ name: string }[]>`
          select l.name from milestone_mapping m join milestone s on s.id = m.milestone_id join activity_flow f on f.id = m.flow_id
          join activity_library l on l.id = m.activity_id where m.project_id = ${projectId} and s.number = 'M1' and f.name = 'New build'`
      )[0]?.name;
    await cell.selectOption({ label: "Permit" });
    await owner`
      update milestone_mapping m set activity_id = (select id from activity_library where project_id = ${projectId} and name = 'Audit')
      from milestone s, activity_flow f where s.id = m.milestone_id and s.number = 'M1' and f.id = m.flow_id and f.name = 'New build' and m.project_id = ${projectId}`;
    await button(t("mapping.save", { count: 1 })).click();
    await page.getByText(textsOf("en", "errors")("STALE")).first().waitFor();
    await expect.poll(() => cell.getAttribute("title")).toContain("Others have chosen");
    expect(await target()).toBe("Audit");
    await button(t("mapping.save", { count: 1 })).click();
    await expect.poll(target).toBe("Permit");

    // Temporary milestones: made, released, linked to DUs by their codes, dated in the list.
    await tab("temporaryMilestones");
    await button(t("temp.new")).first().click();
    for (const [at, text] of ["Road works", "P-100", "Access road", "Photo report"].entries())
      await dialog.getByRole("textbox").nth(at).fill(text);
    await dialog.getByRole("button", { name: common("save") }).click();
    const row = page.getByRole("row", { name: /Road works/ });
    await row.getByRole("checkbox").check();
    await button(t("temp.release")).click();
    await row.getByText(t("temp.status.released"), { exact: true }).waitFor();
    await row.getByText("Road works").click();
    await dialog.getByLabel(t("temp.link")).fill([...codes, "NOWHERE"].join("\n"));
    await dialog.getByText(t("dus.found", { found: 2, all: 3 })).waitFor();
    await dialog.getByRole("button", { name: t("temp.linkVerb", { count: 2 }) }).click();
    const date = dialog.getByLabel(`MILE-A ${t("temp.field.planDate")}`);
    await date.fill("2026-11-30");
    await date.press("Enter");
    await dialog.getByRole("button", { name: t("temp.saveDates", { count: 1 }) }).click();
    await expect
      .poll(
        async () =>
          (await owner`select plan_date from temp_milestone_du where project_id = ${projectId} and plan_date is not null`)[0]?.plan_date,
      )
      .toBe("2026-11-30");
    await expectAccessible(page);
    await picture(page, "temporary-milestone-light-en");
    await page.keyboard.press("Escape");

    // Temporary processes: two steps, released, work orders made.
    await page.goto(`${journey.base}/${number}#/tempConfigProcess`);
    await alive(page);
    await button(t("process.new")).first().click();
    await dialog.getByRole("textbox").first().fill("Rescue");
    for (const [at, name] of ["Tow", "Repair"].entries()) {
      await dialog.getByRole("button", { name: t("process.addStep") }).click();
      await dialog.getByLabel(t("process.nameOf", { number: at + 1 })).fill(name);
    }
    await picture(page, "temporary-process-light-en");
    await dialog.getByRole("button", { name: common("save") }).click();
    const process = page.getByRole("row", { name: /Rescue/ });
    await process.getByRole("checkbox").check();
    await button(t("process.release")).click();
    await process.getByText(t("process.status.released"), { exact: true }).waitFor();
    await process.getByRole("checkbox").check();
    await button(t("process.createOrders")).click();
    await dialog.getByLabel(t("process.orderDus"), { exact: false }).first().fill(codes.join(", "));
    await dialog.getByLabel(t("process.start"), { exact: false }).fill("2026-11-30");
    await dialog.getByRole("button", { name: t("process.makeOrders", { count: 4 }) }).click();
    await dialog.getByText(t("process.made", { count: 4 })).waitFor();
    expect((await owner`select 1 from work_order where project_id = ${projectId} and temp`).length).toBe(4);
    await context.close();

    // Who may neither configure nor export sees the milestones and no buttons; the screens are pictured in Chinese.
    const lead = await signIn(journey, "tl", { lang: "zh", skin: "dark", to: `/${number}/milestones` });
    const zh = textsOf("zh", "milestones");
    await lead.page.getByRole("rowheader", { name: "安装完成" }).waitFor();
    expect(await lead.page.getByRole("button", { name: zh("erp.verb") }).count()).toBe(0);
    expect(await lead.page.getByRole("button", { name: zh("list.new") }).count()).toBe(0);
    await lead.context.close();
    const manager = await signIn(journey, "pm", { lang: "zh", skin: "dark", to: `/${number}/milestones` });
    await manager.page.getByRole("button", { name: zh("erp.verb") }).waitFor();
    await picture(manager.page, "milestones-dark-zh");
    await manager.context.close();
  });
});

const namesOf = (page: Page) => page.getByRole("rowheader").allInnerTexts();
