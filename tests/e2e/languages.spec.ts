import { describe, expect, it } from "vitest";
import { addDays } from "#lib/core/clock.ts";
import { expectAccessible, makeJourneyProject, picture, signIn, useJourney } from "../support/journey.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();

const cases = [
  { lang: "zh", skin: "dark", names: ["站址勘察", "物料到货", "设备安装"], title: "交付计划" },
  { lang: "en", skin: "light", names: ["Survey", "MOS", "Installation"], title: "Rollout Plan" },
  { lang: "ja", skin: "dark", names: ["サイト調査", "資材納入", "設置"], title: "ロールアウト計画" },
] as const;

describe("the main job", () => {
  it.each(cases)("in $lang: flow, import with binding, dates, schedule, save [SES-03]", { timeout: 240_000 }, async ({
    lang,
    skin,
    names,
    title,
  }) => {
    const number = `JOB-${lang.toUpperCase()}`;
    const projectId = await makeJourneyProject(journey.owner, number);
    const [common, flows, imports, plan, schedule] = ["common", "activity-flows", "imports", "plan-grid", "scheduling"].map((area) =>
      textsOf(lang, area),
    ) as [
      ReturnType<typeof textsOf>,
      ReturnType<typeof textsOf>,
      ReturnType<typeof textsOf>,
      ReturnType<typeof textsOf>,
      ReturnType<typeof textsOf>,
    ];
    const { page, context, complaints } = await signIn(journey, "pm", { lang, skin, to: `/${number}/activity-flows` });

    // A flow of three activities, typed into the table: lead times, relations as text, the anchor.
    await page
      .getByRole("button", { name: flows("list.newFlow") })
      .first()
      .click();
    await page.getByRole("dialog").getByLabel(common("name")).first().fill("5G");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByText(flows("view.table"), { exact: true }).first().click();
    for (const [index, name] of names.entries()) {
      await page.getByLabel(flows("table.newName")).fill(name);
      await page.getByLabel(flows("table.newLeadTime")).fill(String(index + 2));
      if (index > 0) await page.getByLabel(flows("table.newPredecessors")).fill(`${index}FS+1`);
      await page.keyboard.press("Enter");
      await page.locator(`input[value="${name}"]`).first().waitFor();
    }
    await page
      .getByRole("checkbox", { name: flows("flag.isAnchor") })
      .nth(1)
      .check();
    await page.keyboard.press("Control+s");
    await page.getByText(flows("check.ready")).first().waitFor();
    await expectAccessible(page);
    await page.getByText(flows("view.diagram"), { exact: true }).first().click();
    await page.locator(".react-flow__node").nth(2).waitFor();
    await expectAccessible(page);
    await picture(page, `flow-${skin}-${lang}`);
    await page.getByRole("button", { name: flows("release.verb", { version: 1 }) }).click();
    await page
      .getByText(flows("status.released", { version: 1 }))
      .first()
      .waitFor();

    // Three DUs from a csv in the language's own words, bound to the flow as they arrive.
    const heads = { zh: "DU ID,DU名称,站点,城市", en: "DU ID,DU name,Site ID,City", ja: "DU ID,DU名称,サイト,市" }[lang];
    const csv = `${heads}\nD-1,One,S-1,深圳\nD-2,Two,S-2,東京\nD-3,Three,S-3,Leeds\n`;
    await page.goto(`${journey.base}/${number}/rollout-plan/sites?import=dus`);
    await page.locator("input[type=file]").setInputFiles({ name: "dus.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
    await page.getByRole("combobox", { name: imports("options.flowId") }).click();
    await page.getByRole("option", { name: /5G/ }).click();
    await page.getByRole("button", { name: imports("foot.checkVerb"), exact: true }).click();
    await page.getByRole("button", { name: imports("foot.apply", { count: 3 }) }).click();
    await page.getByRole("link", { name: imports("result.plan") }).click();

    // The anchor's start is pasted for all three as a block, saved, and the rest scheduled from it.
    await page.getByRole("grid").waitFor();
    await page.getByText("D-3").first().waitFor();
    await expect.poll(() => page.title()).toContain(title);
    const head = page.locator("[role=columnheader]", { hasText: names[1] }).first();
    await head.getByRole("button").first().click();
    const index = Number(await head.getAttribute("aria-colindex"));
    const cell = (row: number, column: number) =>
      page.locator(`[role=row][aria-rowindex="${row + 2}"] [role=gridcell][aria-colindex="${column}"]`);
    const day = addDays(new Date().toISOString().slice(0, 10), 60);
    await cell(1, index).click();
    await page.evaluate((text) => navigator.clipboard.writeText(text), [day, day, day].join("\n"));
    await page.keyboard.press("Control+v");
    await expect.poll(async () => (await cell(3, index).innerText()).trim()).toBe(day);
    await expectAccessible(page);
    await picture(page, `plan-${skin}-${lang}`);
    await page.keyboard.press("Control+s");
    const planned = async () =>
      (
        await journey.owner<{ days: number }[]>`
          select coalesce(sum((select count(*) from unnest(plan_start) as day where day > 0)), 0)::int as days from du_plan where project_id = ${projectId}`
      )[0]!.days;
    await expect.poll(planned).toBe(3);
    await page.getByRole("button", { name: plan("entries.schedule") }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: schedule("schedule.preview") }).click();
    await dialog.getByText(schedule("schedule.unwritten")).first().waitFor();
    await expectAccessible(page);
    await page.keyboard.press("Control+Enter");
    await dialog.waitFor({ state: "detached" });
    await expect.poll(planned).toBe(9);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
